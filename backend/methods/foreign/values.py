"""What stands in a cell: nothing, a text, or a list or an object, also one that is written as text."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

MISSING = frozenset({"", "nan", "NaN", "NA", "N/A", "n/a", "#N/A", "<NA>", "null", "NULL", "NaT"})
# Where an object holds its answer, by what most tools call it.
HOLDERS = ("label", "value", "choices", "choice", "answer", "rating", "number", "selected", "taxonomy", "response")
LONGEST = 20_000  # characters of a cell that is looked into
PARTS = (";", "|", "\n", ",")


def value_of(cell: Any) -> str:
    """A cell's text, empty where it says that a value is missing; a list of one is that one."""
    if isinstance(cell, list) and len(cell) == 1:
        return value_of(cell[0])
    if isinstance(cell, (Mapping, list)):
        return json.dumps(cell, ensure_ascii=False)
    text = "" if cell is None else cell.strip() if isinstance(cell, str) else str(cell)
    return "" if text in MISSING else text


def listed_of(cell: Any) -> Any:
    """The list or the object that a text is, as JSON or as Python prints it; None where it is neither."""
    if not isinstance(cell, str) or cell[:1].isalnum():  # most cells
        return None
    text = cell.strip()
    if not (text[:1] in ("[", "{") and text[-1:] in ("]", "}")) or len(text) > LONGEST:
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            found = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        return found if isinstance(found, (list, Mapping)) else None
    return None


def list_of(cell: Any) -> list[Any] | None:
    """The list that a cell is, or None."""
    held = cell if isinstance(cell, list) else listed_of(cell)
    return held if isinstance(held, list) else None


def parted(one: str, other: str) -> tuple[list[str], list[str]] | None:
    """Two texts as lists of as many parts, where they are two or more by one sign: `ann;bob` and `good;bad`."""
    for sign in PARTS:
        if sign in one and sign in other:
            parts = [[part.strip() for part in each.split(sign)] for each in (one, other)]
            if len(parts[0]) == len(parts[1]) and all(parts[0]) and all(parts[1]):
                return parts[0], parts[1]
    return None


def answers_of(value: Any, path: Sequence[str] = ()) -> list[str]:
    """The answers in a cell, each once: of a text itself, of lists and objects what they hold.

    `path` leads to one of several. Raises ValueError with the names of several questions.

    >>> answers_of('[{"fits": {"label": "good"}}]'), answers_of({"good": True, "bad": False}), answers_of(["a", "a"])
    (['good'], ['good'], ['a'])
    """
    held = value if isinstance(value, (Mapping, list)) else listed_of(value)
    if held is None:
        return [text] if (text := value_of(value)) else []
    if isinstance(held, list):
        return list(dict.fromkeys(answer for each in held for answer in answers_of(each, path)))
    if path and path[0] in held:
        return answers_of(held[path[0]], path[1:])
    if holder := next((name for name in HOLDERS if name in held), ""):
        return answers_of(held[holder], path)
    if held and all(isinstance(each, bool) for each in held.values()):  # a form's radio buttons
        return [str(name) for name, is_chosen in held.items() if is_chosen]
    if len(held) > 1:
        raise ValueError(", ".join(map(str, held)))
    return [answer for each in held.values() for answer in answers_of(each, path)]
