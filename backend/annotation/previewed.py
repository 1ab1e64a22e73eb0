"""A HIT as annotators see it, for those who run the project: nobody's turn at it, and nothing that could be sent."""

from __future__ import annotations

from dataclasses import dataclass

from backend.annotation.models import Hit
from backend.annotation.showing import ShownItem, read_items
from backend.projects.models import Project


@dataclass(frozen=True)
class PreviewedHit:
    """All pairs of the HIT, whether or not more judgments are wanted, in the order of building, without controls."""

    hit: Hit
    items: list[ShownItem]


def preview_hit(*, project: Project, after: int = 0) -> PreviewedHit | None:
    """The HIT that was built after the one with the id `after`, and after the last the first again; None without HITs.

    Without controls, as whoever looks here may judge later, and would know them by what is new on the page.
    """
    hits = Hit.objects.filter(project=project).select_related("image", "query").order_by("pk")
    hit = hits.filter(pk__gt=after).first() or hits.first()
    if hit is None:
        return None
    shown = list(hit.items.order_by("position").values_list("candidate", flat=True))
    found = read_items(shown, has_images=hit.query_id is not None)
    return PreviewedHit(hit, [found[candidate_id] for candidate_id in shown])
