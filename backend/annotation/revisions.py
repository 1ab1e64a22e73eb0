"""A change of mind after the submit: a new judgment that supersedes the one that stood."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import F

from backend.annotation import selectors
from backend.annotation.allocation import settle
from backend.annotation.answers import Judged, judgment_of, make_sense, substance_of
from backend.annotation.closings import check_open
from backend.annotation.locks import lock_annotator_state
from backend.annotation.models import AnnotatorState, Assignment, Judgment
from backend.common.errors import Conflict


class MindChangedTwice(Conflict):
    """This answer changed at the same moment, maybe in another tab. Reload the page."""

    code = "answer_changed_twice"


def revise_judgment(*, assignment: Assignment, judged: Judged) -> Judgment:
    """Append what is said now of the position; the same said again adds nothing.

    The row that stands is read before the transaction: the unique `supersedes` then lets one of two writers win.
    Controls are graded by the first answer alone, so nothing is graded here.
    Raises NotFound where nothing is judged yet, InvalidInput, ReviewClosed once the page is closed (closing.py),
    MindChangedTwice when another was faster.
    """
    before = selectors.get_judgment(assignment=assignment, position=judged.position)
    [judged] = make_sense(assignment, [judged])
    if substance_of(before) == judged.substance:
        return before
    check_open(assignment, judged.position)
    revised = judgment_of(judged, assignment)
    revised.supersedes, revised.control = before, before.control
    try:
        with transaction.atomic():
            _replace(revised, before, assignment)
    except IntegrityError as error:
        raise MindChangedTwice() from error
    return revised


def _replace(revised: Judgment, before: Judgment, assignment: Assignment) -> None:
    state = lock_annotator_state(project=assignment.project, annotator=assignment.annotator)
    revised.save(force_insert=True)
    AnnotatorState.objects.filter(pk=state.pk).update(n_revised=F("n_revised") + 1)
    if before.label != revised.label and assignment.project.confidence is not None:
        settle(project=assignment.project, roots=[assignment.root_id], anew=True)
