"""What others call our labels: one table of words, for the report on a file and for taking it into a project."""

from __future__ import annotations

from collections.abc import Set

from backend.methods.consensus import LABELS as OURS

LABELS: dict[str, str] = {
    "good": "good", "bad": "bad", "unsure": "unsure", "relevant": "good", "non-relevant": "bad", "irrelevant": "bad",
    "yes": "good", "no": "bad", "true": "good", "false": "bad", "1": "good", "0": "bad",
}  # fmt: skip
ANSWERS = frozenset({"yes", "no", "true", "false", "1", "0"})


def plain(label: str) -> str:
    """A label as the table has it, however it is written."""
    return label.strip().casefold()


def ours_of(label: str) -> str:
    """Which of ours it is; itself where the table does not know it."""
    return LABELS.get(plain(label), label)


def read_words(told: str) -> dict[str, str]:
    """`fits=good,misses=bad` as a table in place of `LABELS`, which is given where nothing is told. Raises ValueError
    on a label that is none of ours."""
    pairs = [each.partition("=")[::2] for each in told.split(",")] if told.strip() else []
    if wrong := [theirs.strip() for theirs, ours in pairs if ours.strip() not in OURS]:
        raise ValueError(f"Say of {', '.join(wrong)} whether it is good, bad or unsure, as in fits=good,misses=bad.")
    return {plain(theirs): ours.strip() for theirs, ours in pairs} or LABELS


def are_ours(labels: Set[str]) -> bool:
    """Whether a file's labels are ours, so that `unsure` among them is read in three ways. Answers alone are not: yes
    and no, or 1 and 0, may be said of anything, and leave no room for being unsure. Beside `unsure` they are."""
    known = set(map(plain, labels))
    return known <= set(LABELS) and not known <= ANSWERS
