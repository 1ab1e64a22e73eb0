"""JSON and YAML in which no name stands twice in one place: the last would be taken, and nobody told of the others."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import yaml

from backend.methods.foreign.told import NotJudgmentsError
from backend.methods.tables import SENTENCES, Fault, TableFault, TableLimits, read_text, without_extra_commas


def text_of(raw: bytes, *, most: int | None = None) -> str:
    """The text of a file, packed or not, of at most so many characters. Raises NotJudgmentsError."""
    try:
        return read_text(io.BytesIO(raw), TableLimits(max_text=most) if most else None)
    except TableFault as fault:
        raise unread(fault) from fault


def unread(fault: TableFault | Fault) -> NotJudgmentsError:
    """The error of a file that cannot be read, with its line."""
    if fault.line is None:
        return NotJudgmentsError(SENTENCES[fault.code], code=fault.code, **fault.params)
    template = f"Line {{line}}: {SENTENCES[fault.code]}"
    return NotJudgmentsError(template, code="line_unread", line=fault.line, **fault.params)


class LongNumberError(NotJudgmentsError):
    """A number of more digits than Python takes for one: it would be long in reading them."""

    def __init__(self) -> None:
        super().__init__("A number of this file has thousands of digits. Remove it, or write it as a text.")


def parse_json(text: str) -> Any:
    """The values of a JSON text. Raises NotJudgmentsError, also where a name stands twice: one would be lost."""
    try:
        return _parsed(text)
    except json.JSONDecodeError as error:
        raise NotJudgmentsError(f"This is not JSON from line {error.lineno}, column {error.colno} on.") from error
    except RecursionError as error:
        raise NotJudgmentsError("This JSON is nested too deep. Send a flat list of answers.") from error
    except NotJudgmentsError:
        raise
    except ValueError as error:
        raise LongNumberError from error


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError:
        repaired = without_extra_commas(text)
        if repaired == text:
            raise
    return json.loads(repaired, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _check_once([name for name, _ in pairs])
    return dict(pairs)


def _check_once(names: Sequence[Any]) -> None:
    if len(set(names)) < len(names):
        (name, _), *_ = Counter(names).most_common(1)
        raise NotJudgmentsError(f"The name {name!r} is twice in one place of this file. Remove one.")


class _OnceLoader(yaml.SafeLoader):
    """YAML's safe loader, which would take the last of two entries of one name and say nothing, and would make
    billions of values of a page of references."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise NotJudgmentsError("This YAML has references to other parts. Write every answer in full.")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        _check_once([key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)])
        return super().construct_mapping(node, deep=deep)


def parse_yaml(text: str) -> Any:
    """The values of a YAML text. Raises NotJudgmentsError."""
    try:
        return yaml.load(text, Loader=_OnceLoader)  # noqa: S506  # it is the safe one
    except (yaml.YAMLError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        line = f". See line {where.line + 1}" if where else ""
        raise NotJudgmentsError(f"This is not JSON, CSV or YAML{line}.") from error
    except NotJudgmentsError:
        raise
    except ValueError as error:
        raise NotJudgmentsError("A number of this YAML has thousands of digits, or a date is not valid.") from error
