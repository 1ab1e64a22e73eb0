"""The gate: after their first assignments new annotators wait until a head annotator has looked at their work.

`annotation` refuses the next assignment (`waiting_for_review`); here it is told who waits, and they are let through.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import DONE, WORKING, AnnotatorState, Assignment, Judgment
from backend.common.errors import Conflict, NotFound
from backend.common.models import LARGEST_ID
from backend.feedback.services import write_remark
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Action, CaseDecision, ReviewCase

ACCEPTS = (Action.ACCEPT_PAGE, Action.ACCEPT_WITH_CORRECTIONS)


class NotWaiting(Conflict):
    """This annotator does not wait for a review. Reload the page."""

    code = "not_waiting"


@dataclass(frozen=True)
class Waiting:
    """An annotator at the gate, since when, and the open cases of their assignments."""

    annotator: User
    n_submitted: int
    waiting_since: datetime | None
    cases: list[int]


def at_gate(*, project: Project) -> QuerySet[AnnotatorState]:
    """The states of the annotators who wait for a review."""
    states = AnnotatorState.objects.filter(project=project, is_unnamed=False, is_foreign=False, state__in=WORKING)
    if not project.gate_after:
        return states.none()
    return states.filter(released_at=None, n_submitted__gte=project.gate_after)


def list_waiting(*, project: Project) -> list[Waiting]:
    """Everybody at the gate, the longest waiting first."""
    if not project.gate_after:
        return []
    done = Assignment.objects.filter(project=project, annotator=OuterRef("user"), status__in=DONE)
    nth = done.order_by("submitted_at").values("submitted_at")[project.gate_after - 1 : project.gate_after]
    states = list(at_gate(project=project).annotate(since=Subquery(nth)).select_related("user"))
    open_cases = ReviewCase.objects.filter(
        project=project, closed_at=None, annotator__in=[state.user_id for state in states]
    )
    of_person: dict[int, list[int]] = defaultdict(list)
    for person, case in open_cases.order_by("-priority", "id").values_list("annotator", "pk"):
        of_person[person].append(case)
    found = [Waiting(one.user, one.n_submitted, one.since, of_person[one.user_id]) for one in states]
    return sorted(found, key=lambda one: (one.waiting_since or timezone.now(), one.annotator.pk))


@transaction.atomic
def release(*, project: Project, user_id: int, text: str = "", by: User) -> None:
    """Let an annotator go on. `text` goes to them as a remark on their newest answer.

    Raises NotFound for somebody who does not work here, NotWaiting.
    """
    known = AnnotatorState.objects.filter(project=project, is_unnamed=False)
    if user_id > LARGEST_ID or not known.filter(user=user_id).exists():
        raise NotFound("No annotator with this id works on this project.", code="no_such_annotator")
    [state] = lock_annotator_states(project, [user_id])
    if not at_gate(project=project).filter(pk=state.pk).exists():
        raise NotWaiting()
    state.released_at = timezone.now()
    state.save(update_fields=["released_at"])
    if text:
        answers = Judgment.objects.filter(
            annotator=user_id, assignment__project=project, assignment__status__in=DONE, control=None,
            superseded_by=None,
        )  # fmt: skip
        newest = answers.order_by("-pk").first()
        if newest is not None:
            write_remark(project=project, judgment_id=newest.pk, text=text, written_by=by)


def release_if_accepted(*, project: Project, user_id: int) -> bool:
    """Let the annotator go on where the newest decision on each of their first assignments accepts it."""
    if not project.gate_after:
        return False
    state = next(iter(lock_annotator_states(project, [user_id])), None)
    if state is None or state.released_at is not None or state.n_submitted < project.gate_after:
        return False
    done = Assignment.objects.filter(project=project, annotator=user_id, status__in=DONE).order_by("submitted_at", "pk")
    first = list(done.values_list("pk", flat=True)[: project.gate_after])
    decisions = CaseDecision.objects.filter(case__assignment__in=first, undone_at=None).order_by("pk")
    newest = dict(decisions.values_list("case__assignment", "action"))
    if any(newest.get(page) not in ACCEPTS for page in first):
        return False
    state.released_at = timezone.now()
    state.save(update_fields=["released_at"])
    return True
