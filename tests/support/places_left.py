"""Which places are left to somebody: a HIT that all have had waits, for its next judgment, for a person who is new.

People disagree on a pair, skip it, or send it too late: it wants another judgment, and in a small crowd there may be
nobody left who could give it. That is no fault of the engine. A free place of a HIT that wants nothing would be one.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotation.models import DONE, WORKING, Assignment, AssignmentStatus, HitItem, Slot, Standing

HAD = (*DONE, AssignmentStatus.SKIPPED)  # what never comes back to a person


def places_left(slug: str) -> QuerySet[Slot]:
    """Places that somebody holds, that somebody at work could take who has submitted anything, or that nobody needs."""
    had = Assignment.objects.filter(hit=OuterRef(OuterRef("hit")), annotator=OuterRef("user"), status__in=HAD)
    able = Standing.objects.filter(~Exists(had), project=OuterRef("project"), n_submitted__gt=0, state__in=WORKING)
    open_places = Slot.objects.filter(project__slug=slug).exclude(assignment__status=AssignmentStatus.SUBMITTED)
    wanted = HitItem.objects.filter(hit=OuterRef("hit"), is_open=True)
    return open_places.filter(Q(assignment__isnull=False) | Exists(able) | ~Exists(wanted))


def hits_left_to_nobody(slug: str) -> QuerySet[Slot, int]:
    """Ids of HITs that want another judgment, from somebody who is not among those who have submitted anything."""
    free = Slot.objects.filter(project__slug=slug, assignment=None)
    return free.exclude(pk__in=places_left(slug).values("pk")).values_list("hit", flat=True)
