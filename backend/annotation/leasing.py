"""`next`: the HIT a person holds, or else a place that is free for them, theirs for the lease time.

A person holds two at most: the one on the desk and the one after it. They have one assignment of a HIT, ever: what ran
out or was returned comes back as the same row, with the same order, and only when nothing new is free for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID, uuid4

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from backend.annotation import places
from backend.annotation.coming import list_able
from backend.annotation.controls.meeting import note_meetings
from backend.annotation.drawing import Drawn, draw_page
from backend.annotation.holding import hold_standing, may_hold_hit
from backend.annotation.models import Assignment, AssignmentStatus, Hit, Slot, Standing
from backend.annotation.refusals import Raced, with_retries
from backend.annotation.settling import settle_freed
from backend.annotation.showing import ShownHit, get_shown
from backend.annotation.standings import is_capped, why_idle
from backend.common.compiled import CompiledRows
from backend.common.plain_insert import insertion
from backend.people.models import User
from backend.projects.models import Project

# A working day: a program that never lets go of a page would keep its pairs from everybody.
LONGEST = timedelta(hours=8)
MOST_HELD = 2
LOOKS_BACK = 50  # pages at once
Reason = Literal[
    "none_left", "all_yours_done", "cap_reached", "holds_enough", "paused", "excluded", "not_qualified"
]  # fmt: skip
NOTHING_FREE, HANDS_FULL = ("none_left", "all_yours_done"), ("cap_reached", "holds_enough")
LEASES = CompiledRows(
    lambda ask: Assignment.objects.filter(
        annotator=ask("annotator"), project=ask("project"), status=AssignmentStatus.LEASED
    ).order_by("leased_at")
)


@dataclass(frozen=True)
class NextHit:
    """What `next` found: a HIT in the caller's hands, or why there is none. After a submit neither, where none was
    asked for or `next` is to be asked in a moment."""

    shown: ShownHit | None
    reason: Reason | None = None


def lease_next(*, project: Project, annotator: User, holding: Collection[UUID] = ()) -> NextHit:
    """The caller's lease that is not among `holding`, what they have in hand already; without one, a new one."""

    def work() -> NextHit:
        standing = hold_standing(project=project, annotator=annotator)
        found = hand_over(standing=standing, project=project, annotator=annotator, holding=holding)
        if is_for_a_moment(found, standing=standing, project=project, annotator=annotator):
            raise Raced()
        return found

    return with_retries(work)


def is_for_a_moment(found: NextHit, *, standing: Standing, project: Project, annotator: User) -> bool:
    """Whether there is no page only because somebody has just now the HIT of a place that would have fallen free, or of
    a page that would have been let go."""
    if found.reason in NOTHING_FREE:
        return places.is_about_to_fall_free(project=project, annotator=annotator)
    if found.reason not in HANDS_FULL or is_capped(standing=standing, project=project, n_held=0):
        return False
    return bool(_unwanted(LEASES.rows(annotator=annotator.pk, project=project.pk)))


def hand_over(
    *,
    standing: Standing,
    project: Project,
    annotator: User,
    holding: Collection[UUID] = (),
    has_some: bool = True,
) -> NextHit:
    """The same inside a transaction that holds the standing; not `has_some` where they are known to hold no page."""
    if (idle := why_idle(standing=standing, project=project)) is not None:
        return NextHit(None, idle)
    held, unwanted = _in_hand(project, annotator) if has_some else ([], set())
    for lease in held:
        if lease.pk not in unwanted and lease.pk not in holding and _is_theirs_still(lease, project):
            return NextHit(get_shown(assignment=lease))
    if len(held) >= MOST_HELD:
        return NextHit(None, "holds_enough")
    if is_capped(standing=standing, project=project, n_held=len(held)):
        return NextHit(None, "cap_reached")
    return _new_lease(project, annotator)


def _in_hand(project: Project, annotator: User) -> tuple[list[Assignment], set[UUID]]:
    """Their leases, run out or not, and which of them nobody wants any more: these are let go, and what is said on them
    still is surplus. Where somebody has the HIT of one at this moment it goes later, and counts until then."""
    leases = LEASES.rows(annotator=annotator.pk, project=project.pk)
    if not (unwanted := _unwanted(leases)):
        return leases, unwanted
    settle_freed(project=project, hits=places.take_back(Assignment.objects.filter(pk__in=unwanted)))
    leases = LEASES.rows(annotator=annotator.pk, project=project.pk)
    kept_meanwhile = {lease.pk for lease in leases if lease.expires_at > timezone.now()}
    return leases, unwanted - kept_meanwhile


def _unwanted(leases: Sequence[Assignment]) -> set[UUID]:
    """Those that ran out and are of no use, as an import say has filled their pairs meanwhile."""
    run_out = [lease for lease in leases if lease.expires_at <= timezone.now()]
    wanted = places.list_open_pairs(hits=[lease.hit_id for lease in run_out])
    return {lease.pk for lease in run_out if not places.is_of_use(lease, wanted[lease.hit_id])}


def _is_theirs_still(lease: Assignment, project: Project) -> bool:
    """Renews what ran out, unless somebody takes it back at this moment.

    Asking again is no new turn, or a program that asks for ever would keep the page for ever. It is one where the page
    lay there for others for as long as a lease takes, and nobody took it.
    """
    lease.project = project
    now = timezone.now()
    if lease.expires_at > now:
        return True
    if lease.expires_at + lease_time(project) <= now:
        return _renew(lease, was=AssignmentStatus.LEASED)
    return keep_until(lease, longest_until(lease))


def _renew(lease: Assignment, *, was: str) -> bool:
    lease.status, lease.leased_at = AssignmentStatus.LEASED, timezone.now()
    lease.expires_at = lease_until(lease.project)
    changes = {"status": lease.status, "leased_at": lease.leased_at, "expires_at": lease.expires_at}
    return bool(Assignment.objects.filter(pk=lease.pk, status=was).update(**changes))


def keep_until(lease: Assignment, until: datetime) -> bool:
    """The same turn at it for longer; whether nobody took it."""
    lease.expires_at = until
    return bool(Assignment.objects.filter(pk=lease.pk, status=AssignmentStatus.LEASED).update(expires_at=until))


def longest_until(lease: Assignment) -> datetime:
    """The lease time from now on, but no later than `LONGEST` after the page was handed over, except for a single lease
    that takes longer."""
    return min(lease_until(lease.project), max(lease.leased_at + LONGEST, lease.expires_at))


def lease_until(project: Project) -> datetime:
    """When a lease that begins now runs out."""
    return timezone.now() + lease_time(project)


def lease_time(project: Project) -> timedelta:
    """How long a page is somebody's without a heartbeat."""
    return timedelta(minutes=project.lease_minutes)


def _new_lease(project: Project, annotator: User) -> NextHit:
    shown = _unmet(project, annotator)
    if shown is None and (freed := places.take_back_run_out(project=project, annotator=annotator)):
        settle_freed(project=project, hits=freed)
        shown = _unmet(project, annotator, anew=True)
    shown = shown or _met_before(project, annotator)
    if shown is not None:
        return NextHit(shown)
    others = places.has_places_for_others(project=project, annotator=annotator)
    return NextHit(None, "all_yours_done" if others else "none_left")


def _unmet(project: Project, annotator: User, *, anew: bool = False) -> ShownHit | None:
    """A place of a HIT they never met. A free place of a HIT that needs nobody any more is taken away on the way."""
    while True:
        pk = uuid4()
        place = places.take_first_free(project=project, annotator=annotator, assignment_id=pk, anew=anew)
        if place is None:
            return None
        page = draw_page(hit_id=place.hit_id, project=project, annotator=annotator)
        page = page or _drawn_once_settled(place.hit_id, project, annotator)
        if page is not None:
            return _lease(pk, page, project, annotator)
        Slot.objects.filter(pk=place.slot_id).delete()


def _drawn_once_settled(hit_id: int, project: Project, annotator: User) -> Drawn | None:
    """The page of a HIT none of whose pairs was open: drawn again with the HIT held, as one may have been opened since.

    Who is settling it just now counts on the place, and it cannot be waited for by who holds that: raises Raced.
    """
    if not may_hold_hit(hit_id):
        raise Raced()
    return draw_page(hit_id=hit_id, project=project, annotator=annotator)


def _lease(pk: UUID, page: Drawn, project: Project, annotator: User) -> ShownHit:
    assignment = Assignment(
        pk=pk,
        project=project,
        hit=page.hit,
        annotator=annotator,
        seed=page.seed,
        shown=page.shown,
        options=page.options,
        controls=page.accepted,
        gave_way=page.gave_way,
        leased_at=timezone.now(),
        expires_at=lease_until(project),
    )
    controls = [control.control_id for control in page.controls]
    if not note_meetings(assignment, controls, first=insertion([assignment])):
        raise Raced()  # one was deleted since it was drawn, and its pair with it
    return ShownHit(assignment, page.hit.image, page.hit.query.text if page.hit.query else None, page.items)


def _met_before(project: Project, annotator: User) -> ShownHit | None:
    """What ran out in their hands or was returned, if it has a free place, one of its pairs is still open, and it is
    not left to others: the same page again. A free place of a HIT that needs nobody any more is taken away on the way.
    """
    coming, looked_at = places.list_coming_back(project=project, annotator=annotator), set[UUID]()
    while gone := list(coming.exclude(pk__in=looked_at)[:LOOKS_BACK]):
        if (page := _first_to_take_again(project, gone)) is not None:
            _renew(page, was=page.status)
            return get_shown(assignment=page)
        if len(gone) < LOOKS_BACK:
            break
        looked_at.update(page.pk for page in gone)
    return None


def _first_to_take_again(project: Project, gone: Sequence[Assignment]) -> Assignment | None:
    wanted = places.list_open_pairs(hits=[page.hit_id for page in gone])
    left = _left_to_others(project, [page for page in gone if _is_partly_wanted(page, wanted[page.hit_id])])
    for page in gone:
        page.project = project
        if not wanted[page.hit_id]:
            settle_freed(project=project, hits=[page.hit_id])
        elif page.hit_id not in left and _takes_again(page, wanted[page.hit_id]):
            return page
    return None


def _is_partly_wanted(page: Assignment, wanted: Collection[int]) -> bool:
    return places.is_of_use(page, wanted) and not set(wanted).issuperset(page.pairs)


def _takes_again(page: Assignment, wanted: Collection[int]) -> bool:
    return places.is_of_use(page, wanted) and places.take_in_hit(hit_id=page.hit_id, assignment=page)


def _left_to_others(project: Project, pages: Sequence[Assignment]) -> set[int]:
    """HITs of these pages that people go first with who can come and never met them, for as long as a lease takes: from
    when the page's own was to end, given back or not, and from when the last other one was submitted.

    A page comes back as a whole, for what was left out would tell what is a control. So where one of its pairs wants
    no more that is judged once too often.
    """
    if not pages:
        return set()
    since = timezone.now() - lease_time(project)
    met = Assignment.objects.filter(hit=OuterRef(OuterRef("pk")), annotator=OuterRef("user"))
    of_late = Q(submitted_at__gt=since) | Q(pk__in=[page.pk for page in pages], expires_at__gt=since)
    hits = Hit.objects.filter(pk__in=[page.hit_id for page in pages]).filter(
        Exists(Assignment.objects.filter(of_late, hit=OuterRef("pk"))),
        Exists(list_able(project=project).filter(~Exists(met))),
    )
    return set(hits.order_by().values_list("pk", flat=True))
