"""Which places are left to somebody: a HIT that all have had waits, for its next judgment, for a person who is new.

People disagree on a pair, skip it, or send it too late: it wants another judgment, and in a small crowd there may be
nobody left who could give it. That is no fault of the engine.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotation.models import DONE, WORKING, AnnotatorState, Assignment, AssignmentStatus, Slot
from backend.projects.models import Membership
from backend.qualification.selectors import pass_holds, state_of, terms_of

HAD = (*DONE, AssignmentStatus.SKIPPED)  # what never comes back to a person


def places_left(slug: str) -> QuerySet[Slot]:
    """Places that somebody holds, or that somebody could take who has submitted anything."""
    had = Assignment.objects.filter(root=OuterRef(OuterRef("root")), annotator=OuterRef("user"), status__in=HAD)
    able = AnnotatorState.objects.filter(~Exists(had), pk__in=_who_can_come(slug))
    open_slots = Slot.objects.filter(project__slug=slug).exclude(assignment__status=AssignmentStatus.SUBMITTED)
    return open_slots.filter(Q(assignment__isnull=False) | Exists(able))


def _who_can_come(slug: str) -> list[int]:
    """Annotator states of members who can sign in and whom nothing keeps from another HIT, asked one by one."""
    members = set(Membership.objects.filter(project__slug=slug, user__is_active=True).values_list("user", flat=True))
    annotator_states = AnnotatorState.objects.filter(project__slug=slug, n_submitted__gt=0, state__in=WORKING)
    found = annotator_states.select_related("project__qualification")
    return [
        annotator_state.pk
        for annotator_state in found
        if annotator_state.user_id in members and not _is_kept_away(annotator_state)
    ]


def _is_kept_away(annotator_state: AnnotatorState) -> bool:
    project, terms = annotator_state.project, terms_of(project=annotator_state.project)
    held = Assignment.objects.filter(
        project=project, annotator=annotator_state.user_id, status=AssignmentStatus.LEASED
    ).count()
    state = state_of(project=project, user=annotator_state.user)
    is_unfit = terms.n_questions > 0 and not pass_holds(state=state, terms=terms)
    most = project.hits_per_annotator
    return is_unfit or (most is not None and annotator_state.n_submitted + held >= most)


def hits_left_to_nobody(slug: str) -> QuerySet[Slot, int]:
    """Ids of HITs that want another judgment, from somebody who is not among those who have submitted anything."""
    free = Slot.objects.filter(project__slug=slug, assignment=None)
    return free.exclude(pk__in=places_left(slug).values("pk")).values_list("root", flat=True)
