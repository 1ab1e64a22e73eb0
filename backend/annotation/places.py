"""Places: the first one that is free for a person, taken; and taking back what ran out.

The order walks the index `slot_free`: higher priority first, then everybody's first place before any second one, then
the older HIT. A person who has met much of what is free must not walk all of that again each time. So the head of the
list is looked at first, which finds what was raised or set free meanwhile; then what lies behind the place they had
last; and only when neither has one, everything. Who has met all of a large project would walk it all for nothing each
time they ask: after a walk that was long and in vain the head alone is looked at for ten times as long.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from backend.annotation.holding import hold_idle_hits
from backend.annotation.models import DONE, MAY_COME_BACK, Assignment, AssignmentStatus, HitItem, Slot
from backend.annotation.selectors import list_left
from backend.common.prepared import adapted, fetch, parameter
from backend.people.models import User
from backend.projects.models import Project

HEAD = 32
LONG, RESTS = 0.1, 10  # seconds of a walk in vain; how many times as long nobody walks for this person again
_rests_until: dict[tuple[int, int], float] = {}  # by project and person, in this process

# In SQL of our own: finding, locking and taking in one round trip, on both databases alike.
# PostgreSQL's lock lets people who come at the same moment each take another place instead of waiting for one.
TAKE = """
UPDATE annotation_slot SET assignment_id = %(assignment)s WHERE assignment_id IS NULL AND id = (
  SELECT slot.id FROM {listed}
  WHERE slot.project_id = %(project)s AND slot.assignment_id IS NULL {behind} AND NOT EXISTS (
    SELECT 1 FROM annotation_assignment met
    WHERE met.hit_id = {listed_as}.hit_id AND met.annotator_id = %(annotator)s {looked_up})
  ORDER BY {listed_as}.priority DESC, {listed_as}.number, {listed_as}.hit_id LIMIT 1 {lock})
RETURNING id, hit_id, priority, number
"""
ALL = {"listed": "annotation_slot slot", "listed_as": "slot", "behind": "", "looked_up": ""}
# In the order of the head's own columns, which it has already: so the walk ends with the first that fits. The OFFSET
# has PostgreSQL look up row by row what the person has met, and keep its plan: of a join, which is faster on the long
# walks, it guesses so badly that it plans anew for every page.
IN_HEAD = ALL | {"looked_up": "LIMIT 1 OFFSET 0", "listed_as": "head", "listed": f"""
  (SELECT id, priority, number, hit_id FROM annotation_slot
   WHERE project_id = %(project)s AND assignment_id IS NULL
   ORDER BY priority DESC, number, hit_id LIMIT {HEAD}) head JOIN annotation_slot slot ON slot.id = head.id
"""}  # noqa: S608  # a constant of ours  # fmt: skip
BEHIND = ALL | {"behind": """
AND slot.priority = %(priority)s AND (slot.number, slot.hit_id) > (%(number)s, %(hit_id)s)
"""}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A row of Slot as the walk knows it."""

    slot_id: int
    hit_id: int
    priority: int
    number: int


def take_first_free(*, project: Project, annotator: User, assignment_id: UUID, anew: bool = False) -> Place | None:
    """The first free place of a HIT this person never met, now held by `assignment_id`, which the caller then makes.

    None where no such place is free, or none near the head while they rest from a walk in vain; `anew` ends the rest.
    """
    asked = {"project": project.pk, "annotator": annotator.pk, "assignment": assignment_id}
    where = {name: adapted(value, connection) for name, value in asked.items()}
    who, began = (project.pk, annotator.pk), monotonic()
    found = _take(where, IN_HEAD)
    if found is not None or (not anew and _rests_until.get(who, 0.0) > began):
        return found
    found = _take_behind(where, last_place(project=project, annotator=annotator)) or _take(where, ALL)
    if found is None and (took := monotonic() - began) > LONG:
        _rest(who, until=began + took * (1 + RESTS))
    return found


def _rest(who: tuple[int, int], *, until: float) -> None:
    """And forget those who have rested: the process lives for long, and many come once."""
    now = monotonic()
    for rested in [one for one, moment in list(_rests_until.items()) if moment < now]:
        _rests_until.pop(rested, None)
    _rests_until[who] = until


def _take_behind(where: dict[str, Any], last: Place | None) -> Place | None:
    if last is None:
        return None
    return _take(where | {name: parameter(getattr(last, name)) for name in ("priority", "number", "hit_id")}, BEHIND)


def _take(where: dict[str, Any], part: dict[str, str]) -> Place | None:
    lock = "FOR UPDATE OF slot SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    taken = fetch(TAKE.format(lock=lock, **part), where)
    return Place(*taken[0]) if taken else None


def last_place(*, project: Project, annotator: User) -> Place | None:
    """The place of what this person submitted last, if it is still theirs."""
    done = Assignment.objects.filter(annotator=annotator, project=project, status__in=DONE)
    newest = done.order_by("-submitted_at").values_list("slot__pk", "hit", "slot__priority", "slot__number").first()
    return Place(*newest) if newest and newest[0] is not None else None


def take_in_hit(*, hit_id: int, assignment: Assignment) -> bool:
    """Give a free place of this HIT to `assignment`; whether there was one."""
    free = Slot.objects.filter(hit=hit_id, assignment=None).order_by("number")
    slot_id = free.select_for_update(skip_locked=True).values_list("pk", flat=True).first()
    return bool(slot_id and Slot.objects.filter(pk=slot_id, assignment=None).update(assignment=assignment))


def list_open_pairs(*, hits: Collection[int]) -> dict[int, set[int]]:
    """Candidate ids of the pairs that want more judgments, by HIT; none is asked for where there is no HIT."""
    found: dict[int, set[int]] = {hit_id: set() for hit_id in hits}
    rows = HitItem.objects.filter(hit__in=hits, is_open=True).order_by().values_list("hit", "candidate")
    for hit_id, candidate_id in rows if hits else ():
        found[hit_id].add(candidate_id)
    return found


def is_of_use(page: Assignment, wanted: Collection[int]) -> bool:
    """Whether one of a page's pairs is among those `wanted` still, or one that gave way: by what it shows alone, pages
    with a control on them ended sooner than others."""
    return not set(wanted).isdisjoint(page.pairs)


def list_coming_back(*, project: Project, annotator: User) -> QuerySet[Assignment]:
    """What ran out or was returned and could be theirs again, as a place of its HIT is free; returned ones last."""
    free = Slot.objects.filter(hit=OuterRef("hit"), assignment=None)
    gone = Assignment.objects.filter(Exists(free), project=project, annotator=annotator, status__in=MAY_COME_BACK)
    return gone.order_by("status", "leased_at")


def has_places_for_others(*, project: Project, annotator: User) -> bool:
    """Whether places are free that only other people can take, because this person has had those HITs; what they may
    have opened themselves is none."""
    mine = Assignment.objects.filter(hit=OuterRef("hit_id"), annotator=annotator)
    free, _ = list_left(project_id=project.pk, user=annotator)
    return free.filter(Exists(mine)).exists()


def take_back_run_out(*, project: Project, annotator: User) -> set[int]:
    """Free the places of other people's leases that ran out; of which HITs, for the caller to settle.

    Only called when nothing else is free: until then a late answer finds its place still kept.
    """
    return take_back(Assignment.objects.filter(~Q(annotator=annotator), project=project))


def is_about_to_fall_free(*, project: Project, annotator: User) -> bool:
    """Whether other people's leases ran out on HITs that this person could have: left alone a moment ago, as somebody
    had the HIT."""
    mine = Assignment.objects.filter(hit=OuterRef("hit"), annotator=annotator).exclude(status__in=MAY_COME_BACK)
    return _run_out(Assignment.objects.filter(~Exists(mine), project=project)).exists()


def _run_out(leases: QuerySet[Assignment]) -> QuerySet[Assignment]:
    return leases.filter(status=AssignmentStatus.LEASED, expires_at__lte=timezone.now()).order_by()


def take_back(leases: QuerySet[Assignment]) -> set[int]:
    """The same of those of these leases that ran out; their HITs are held then. Where somebody else submits on the HIT
    or settles it at this moment, they are left alone: nobody would settle it with these places free."""
    run_out = _run_out(leases)
    held = hold_idle_hits(run_out.values_list("hit", flat=True))
    if not held:
        return set()
    locked = run_out.filter(hit__in=held).select_for_update(skip_locked=True, of=("self",))
    gone = dict(locked.values_list("pk", "hit"))
    Assignment.objects.filter(pk__in=gone).update(status=AssignmentStatus.EXPIRED)
    Slot.objects.filter(assignment__in=gone).update(assignment=None)
    return set(gone.values())
