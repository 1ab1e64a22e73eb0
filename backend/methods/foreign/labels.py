"""What others call our labels: one table of words, for the report on a file and for taking it into a project."""

from __future__ import annotations

from collections.abc import Set

from backend.methods.consensus import LABELS as OURS
from backend.methods.foreign.numerals import one_spelling

LABELS: dict[str, str] = {
    "good": "good", "bad": "bad", "unsure": "unsure", "relevant": "good", "non-relevant": "bad", "irrelevant": "bad",
    "yes": "good", "no": "bad", "true": "good", "false": "bad", "1": "good", "0": "bad",
}  # fmt: skip
ANSWERS = frozenset({"yes", "no", "true", "false", "1", "0"})


def plain(label: str) -> str:
    """A label as the table has it, however it is written: 1.0 is what pandas makes of 1 beside a gap."""
    return one_spelling(label.strip().casefold())


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
