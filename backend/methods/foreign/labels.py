"""Labels and names as others write them: our words for theirs, numbers, and two spellings of one name.

`Good`, ` good` and `good` are one label, and `ann` and `Ann` one person, however their letters are composed: two tools
write them in two ways. Numbers have the order of their values, and 1 and 1.0 are one label: pandas writes 1.0 in a
column that has a gap.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Set
from decimal import Decimal

from backend.methods.consensus import LABELS as OURS

LABELS: dict[str, str] = {
    "good": "good", "bad": "bad", "unsure": "unsure", "relevant": "good", "non-relevant": "bad", "irrelevant": "bad",
    "yes": "good", "no": "bad", "true": "good", "false": "bad", "1": "good", "0": "bad",
}  # fmt: skip
ANSWERS = frozenset({"yes", "no", "true", "false", "1", "0"})
# No more digits than stay apart as numbers: labels that are longer are names of something.
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,10})?|\.[0-9]{1,10})")
DECIMAL = re.compile(r"([0-9]{1,15})\.0")  # what pandas makes of a whole number in a column with a gap


def are_numbers(labels: Set[str]) -> bool:
    """Whether all of them are."""
    return bool(labels) and all(map(NUMBER.fullmatch, labels))


def one_spelling(label: str) -> str:
    """A number as it is written shortest; itself where it is none.

    >>> [one_spelling(each) for each in ("1.0", "01", "-0", "100", ".50", "many")]
    ['1', '1', '0', '100', '0.5', 'many']
    """
    return f"{(Decimal(label) + 0).normalize():f}" if NUMBER.fullmatch(label) else label


def by_value(labels: Set[str]) -> tuple[str, ...]:
    """Numbers, lowest first."""
    return tuple(sorted(labels, key=Decimal))


def composed(name: str) -> str:
    """A name with its letters composed (NFC), and no `.0` behind a whole number.

    >>> composed(" Zoe\\u0308 "), composed("391895.0"), composed("1.10")
    ('Zoë', '391895', '1.10')
    """
    name = name.strip(" \t\r\n")
    name = name if name.isascii() else unicodedata.normalize("NFC", name)
    return name[:-2] if name[-2:] == ".0" and DECIMAL.fullmatch(name) else name


def alike(name: str) -> str:
    """What all spellings of a label or a person have in common."""
    return " ".join(composed(name).casefold().split())


def spellings(names: Iterable[str]) -> dict[str, str]:
    """Each name as it is first spelt."""
    first: dict[str, str] = {}
    return {name: first.setdefault(alike(name), composed(name)) for name in names}


def plain(label: str) -> str:
    """A label as the table has it, however it is written."""
    return one_spelling(alike(label))


def ours_of(label: str) -> str:
    """Which of ours it is; itself where the table does not know it."""
    return LABELS.get(plain(label), label)


def read_words(told: str) -> dict[str, str]:
    """`fits=good,misses=bad` as a table in place of `LABELS`, which is given where nothing is told. Raises ValueError
    on a label that is none of ours, on none of theirs, and on one of theirs that is two of ours."""
    pairs = [each.partition("=")[::2] for each in told.split(",")] if told.strip() else []
    wrong = [theirs.strip() or "each label" for theirs, ours in pairs if ours.strip() not in OURS or not theirs.strip()]
    if wrong:
        raise ValueError(f"Write good, bad or unsure for {', '.join(wrong)}, as in fits=good,misses=bad.")
    found: dict[str, str] = {}
    if twice := [theirs for theirs, ours in pairs if found.setdefault(plain(theirs), ours.strip()) != ours.strip()]:
        raise ValueError(f"{twice[0].strip()} has two meanings. Write it once, because capitals make no difference.")
    return found or LABELS


def are_ours(labels: Set[str]) -> bool:
    """Whether a file's labels are ours, so that `unsure` among them is read in three ways. Answers alone are not: yes
    and no, or 1 and 0, may be said of anything, and leave no room for being unsure. Beside `unsure` they are."""
    known = set(map(plain, labels))
    return known <= set(LABELS) and not known <= ANSWERS
