"""Whether the HITs that come next have enough controls, and whether the audit can find wrong ones.

Controls are dealt when HITs are built. The next HITs are a fifth of those that nobody began, in the order in which they
are handed out. Controls that were made later are in no HIT before the stage that builds HITs runs again.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from backend.annotation.control_items import USABLE
from backend.annotation.models import Assignment, Hit, HitItem, Slot
from backend.controls.audit import count_controls
from backend.methods.quality import sight_of
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState

LOOK_AHEAD = 0.2
LOOK_AT_MOST = 5_000
ENOUGH = 0.9  # of what the rate asks for


def read_supply(*, project: Project) -> dict[str, Any]:
    """The values of SupplyOut, in as many statements however many HITs, controls and people there are."""
    controls = Control.objects.filter(project=project)
    numbers = controls.aggregate(
        n_active=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=False)),
        n_quiz=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=True)),
        n_quarantined=Count("pk", filter=Q(state=ControlState.QUARANTINED)),
        n_retired=Count("pk", filter=Q(state=ControlState.RETIRED)),
    )
    items = HitItem.objects.filter(hit__project=project, control__isnull=False)
    dealt = items.aggregate(n=Count("pk"), n_controls=Count("control", distinct=True))
    begun = Exists(Assignment.objects.filter(hit=OuterRef("pk")))
    left = Hit.objects.filter(~begun, project=project)
    n_left = left.count()
    slots = Slot.objects.filter(hit__in=left, number=1).order_by("-priority", "hit").values_list("hit", flat=True)
    first = list(slots[: min(LOOK_AT_MOST, ceil(n_left * LOOK_AHEAD))])
    ahead = HitItem.objects.filter(hit__in=first).aggregate(
        n_pairs=Count("pk", filter=Q(control=None)), available=Count("pk", filter=Q(control__isnull=False))
    )
    rate, available = project.control_rate, ahead["available"]
    wanted = ahead["n_pairs"] * rate / (1 - rate)
    is_adaptive = project.most_votes > project.overlap
    return {
        **numbers,
        "rate": rate,
        "n_undealt": controls.filter(USABLE, items=None).count(),
        "hits_left": n_left,
        "looked_at": len(first),
        "wanted": wanted,
        "available": available,
        "is_short": available < ENOUGH * wanted,
        "hits_per_control": dealt["n"] / dealt["n_controls"] if dealt["n_controls"] else 0.0,
        "is_ungraded": is_adaptive and bool(first) and not available,
        "sight": sight_of(count_controls(project=project).values()),
    }
