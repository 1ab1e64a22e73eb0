"""Answers that are no votes: the requester rejected them, or the annotator skipped, cancelled or never finished them.

Every tool says it in a column of its own: Mechanical Turk in `AssignmentStatus`, `Reject` or `RejectionTime`, Toloka in
`ASSIGNMENT:status`, Prolific in `status`, Argilla in `responses.status`, CVAT in `state`, Appen in `_tainted`, Prodigy
in `answer`, Label Studio in `was_cancelled`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from backend.methods.foreign.told import Why

REJECTED = Why("row_rejected", "The answer was rejected.")
SKIPPED = Why("row_skipped", "The annotator skipped the task.")
CANCELLED = Why("row_cancelled", "The answer was cancelled.")
UNFINISHED = Why("row_unfinished", "The annotator did not finish the answer.")
WORDS: dict[str, Why] = {
    **dict.fromkeys((
        "rejected", "reject", "declined", "disapproved", "denied", "refused", "invalid", "spam", "void", "excluded",
        "tainted", "failed", "blocked", "banned", "overturned",
    ), REJECTED),
    **dict.fromkeys(("skipped", "skip", "ignored", "ignore", "discarded", "discard", "dismissed"), SKIPPED),
    **dict.fromkeys(("cancelled", "canceled", "aborted", "withdrawn", "revoked", "deleted", "removed"), CANCELLED),
    **dict.fromkeys((
        "draft", "expired", "returned", "timedout", "timeout", "abandoned", "incomplete", "unfinished", "inprogress",
        "pending", "notstarted", "screenedout", "noconsent",
    ), UNFINISHED),
}  # fmt: skip
FLAGS: dict[str, Why] = {
    **dict.fromkeys(("reject", "rejectiontime", "rejectedat", "rejectiondate", "timedout", "tainted"), REJECTED),
    **{word: why for word, why in WORDS.items() if word.endswith("ed") or word in ("invalid", "spam", "draft", "skip")},
}  # of columns that are true, or filled in, where the answer is no vote
GOOD_FLAGS: dict[str, Why] = {
    **dict.fromkeys(("accepted", "approved", "valid", "approve", "accept"), REJECTED),
    **dict.fromkeys(("completed", "finished", "submitted"), UNFINISHED),
}  # of columns that are false where it is no vote
STATES = ("status", "state", "verdict", "decision", "outcome", "lastaction", "reviewresult")
FALSE = frozenset({"", "0", "0.0", "false", "f", "no", "n", "none", "nan", "null", "na", "n/a", "-", "[]", "{}"})
DENIED = frozenset({"0", "0.0", "false", "f", "no", "n", "rejected"})
PART = re.compile(r"^(?:input|output|golden|assignment|answer|accept|hint)[:.]")  # what Toloka and MTurk put in front
OTHERS = re.compile(r"[\W_]+")


def squashed(name: object) -> str:
    """The name of a column without the tool's prefix, capitals and signs: `ASSIGNMENT:worker_id` is `workerid`."""
    return OTHERS.sub("", PART.sub("", str(name).strip().casefold()))


def is_status(column: str) -> bool:
    """Whether a column says which answers are no votes."""
    name = _bare(column)
    return name.endswith(STATES) or name in FLAGS or name in GOOD_FLAGS


def why_no_vote(column: str, value: Any) -> Why | None:
    """Why a row with this value in such a column is no vote; None where it is one."""
    return _why_no_vote(column, "" if value is None else str(value))


@lru_cache(maxsize=4096)
def _why_no_vote(column: str, value: str) -> Why | None:
    name, word = _bare(column), value.strip().casefold()
    if name in FLAGS:
        return None if word in FALSE else FLAGS[name]
    if name in GOOD_FLAGS:
        return GOOD_FLAGS[name] if word in DENIED else None
    if word == "-" and column.strip().casefold() == "accept:verdict":  # how Toloka writes it
        return REJECTED
    return WORDS.get(squashed(word))


def _bare(column: str) -> str:
    name = squashed(column)
    return next((name.removeprefix(first) for first in ("was", "is", "has") if name.startswith(first)), name)
