"""Whether the HITs that come next have enough controls, told before they run low, and whether the audit can work.

Controls are dealt when HITs are built. Looked at are the HITs that nobody began, in the order in which they are handed
out: a fifth of them. Controls that came later are in no HIT before the stage that builds HITs runs again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from django.db.models import Count, Exists, OuterRef, Q

from backend.annotation.control_items import USABLE
from backend.annotation.models import Assignment, Hit, HitItem, Slot
from backend.controls.audit import count_controls
from backend.methods.quality import Sight, sight_of
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState

LOOK_AHEAD = 0.2
LOOK_AT_MOST = 5_000
ENOUGH = 0.9  # of what the rate asks for


@dataclass(frozen=True)
class Supply:
    """`available` controls stand in the next `looked_at` HITs, where the rate asks for `wanted`; one control stands in
    `hits_per_control` HITs of the project on average. `n_undealt` are in none."""

    rate: float
    is_adaptive: bool
    n_active: int
    n_quiz: int
    n_quarantined: int
    n_retired: int
    n_undealt: int
    hits_left: int
    looked_at: int
    wanted: float
    available: int
    hits_per_control: float
    sight: Sight

    @property
    def is_short(self) -> bool:
        return self.available < ENOUGH * self.wanted

    @property
    def is_ungraded(self) -> bool:
        """Whether the stop rule trusts people by controls, and the next HITs have none."""
        return self.is_adaptive and self.looked_at > 0 and not self.available


def read_supply(*, project: Project) -> Supply:
    """As many statements however many HITs, controls and people there are."""
    controls = Control.objects.filter(project=project)
    items = HitItem.objects.filter(hit__project=project, control__isnull=False)
    numbers = controls.aggregate(
        n_active=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=False)),
        n_quiz=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=True)),
        n_quarantined=Count("pk", filter=Q(state=ControlState.QUARANTINED)),
        n_retired=Count("pk", filter=Q(state=ControlState.RETIRED)),
    )
    dealt = items.aggregate(n=Count("pk"), n_controls=Count("control", distinct=True))
    begun = Exists(Assignment.objects.filter(hit=OuterRef("pk")))
    left = Hit.objects.filter(~begun, project=project)
    n_left = left.count()
    slots = Slot.objects.filter(hit__in=left, number=1).order_by("-priority", "hit").values_list("hit", flat=True)
    first = list(slots[: min(LOOK_AT_MOST, ceil(n_left * LOOK_AHEAD))])
    ahead = HitItem.objects.filter(hit__in=first).aggregate(
        n_pairs=Count("pk", filter=Q(control=None)), n_controls=Count("pk", filter=Q(control__isnull=False))
    )
    rate = project.control_rate
    return Supply(
        rate=rate,
        is_adaptive=project.most_votes > project.overlap,
        **numbers,
        n_undealt=controls.filter(USABLE, items=None).count(),
        hits_left=n_left,
        looked_at=len(first),
        wanted=ahead["n_pairs"] * rate / (1 - rate),
        available=ahead["n_controls"],
        hits_per_control=dealt["n"] / dealt["n_controls"] if dealt["n_controls"] else 0.0,
        sight=sight_of(count_controls(project=project).values()),
    )
