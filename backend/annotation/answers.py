"""The answers to the items of an assignment, and whether they can be stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from backend.annotation.models import Assignment, Judgment
from backend.candidates.importing import MAX_BYTES
from backend.candidates.models import Candidate
from backend.common.errors import InvalidInput
from backend.common.labels import Label
from backend.methods.edits import Edit, EditError, apply_edits
from backend.methods.edits.seen import is_seen, look_alike
from backend.methods.said import Value

LONGEST_COMMENT = 2000
LONGEST_CAPTION = MAX_BYTES  # characters: an edit may replace a complete caption
MOST_EDITS = 50
SUBSTANCE = ("label", "edits", "lens", "comment", "is_generic")  # of an answer: all but its times


@dataclass(frozen=True)
class Judged:
    """One answer as it was sent, with the fields of a judgment."""

    position: int
    label: str
    ms: int | None = None
    edits: list[dict[str, Any]] = field(default_factory=list)
    lens: str = ""
    comment: str = ""
    is_generic: bool = False
    client_at: datetime | None = None


def substance_of(answer: Judged | Judgment) -> dict[str, Any]:
    """The answer without its times."""
    return {name: getattr(answer, name) for name in SUBSTANCE}


def judgment_of(judged: Judged, assignment: Assignment) -> Judgment:
    """The row, not stored yet."""
    pair = assignment.shown[judged.position - 1]
    return Judgment(assignment=assignment, candidate_id=pair, annotator_id=assignment.annotator_id, **vars(judged))


def read_answers(assignment: Assignment, judgments: Sequence[Judged]) -> list[Judged]:
    """The answers as they are stored. Raises InvalidInput unless every position has one answer, and all make sense."""
    sent = Counter(judged.position for judged in judgments)
    wanted = set(range(1, len(assignment.shown) + 1))
    details = {
        "missing": sorted(wanted - sent.keys()),
        "unknown": sorted(sent.keys() - wanted),
        "twice": sorted(position for position, n in sent.items() if n > 1),
    }
    if any(details.values()):
        missing, unknown, twice = (", ".join(map(str, found)) or "–" for found in details.values())
        raise InvalidInput(
            "Answer each item once. Without answer: {open}. Not in this task: {elsewhere}. Answered twice: {repeated}.",
            code="answers_incomplete",
            params={"open": missing, "elsewhere": unknown, "repeated": twice},
            details=details,
        )
    return make_sense(assignment, judgments)


def make_sense(assignment: Assignment, judgments: Sequence[Judged]) -> list[Judged]:
    """The answers without edits that nobody can see in the caption.

    Raises InvalidInput for a lens without the label good, and for an edit that does not fit the caption. No query if
    there are no edits.
    """
    for judged in judgments:
        if judged.lens and judged.label != Label.GOOD:
            raise _refused(judged, "Item {position}: give a reason only for a good caption.", code="reason_needs_good")
    edited = {judged.position: assignment.shown[judged.position - 1] for judged in judgments if judged.edits}
    if not edited:
        return list(judgments)
    texts = dict(Candidate.objects.filter(pk__in=edited.values(), query=None).values_list("pk", "text"))
    return [_read_edits(judged, texts.get(edited[judged.position])) if judged.edits else judged for judged in judgments]


def _read_edits(judged: Judged, text: str | None) -> Judged:
    """The answer, without edits that nobody can see."""
    if text is None:
        raise _refused(judged, "Item {position}: you can edit only captions, not images.", code="edit_needs_caption")
    edits = [Edit(**each) for each in judged.edits]
    if any(edit.before == edit.after for edit in edits):
        raise _refused(judged, "Item {position}: an edit changes nothing. Remove it.", code="edit_changes_nothing")
    try:
        edited = apply_edits(text, edits)
    except EditError as error:
        template = "Item {position}: " + error.template
        raise _refused(judged, template, code=error.code, **error.params) from error
    if look_alike(edited, text):
        return replace(judged, edits=[])
    if not is_seen(edited):
        raise _refused(
            judged,
            "Item {position}: the edits remove the whole caption. Answer bad instead.",
            code="edits_leave_nothing",
        )
    if len(edited) > LONGEST_CAPTION:
        raise _refused(
            judged,
            "Item {position}: the edited caption has more than {most} characters. Shorten the edits.",
            code="edits_too_long",
            most=LONGEST_CAPTION,
        )
    return judged


def _refused(judged: Judged, template: str, *, code: str, **params: Value) -> InvalidInput:
    return InvalidInput(template, code=code, params={"position": judged.position, **params})
