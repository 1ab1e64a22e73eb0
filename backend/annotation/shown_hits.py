"""What an annotator sees of a HIT: its image or query, the items in their order, and their answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from backend.annotation.closings import Closing, Place
from backend.annotation.models import Assignment, AssignmentStatus, Hit, HitItem, Judgment
from backend.candidates.models import SuggestedEdit
from backend.candidates.selectors import suggestions_by_candidate
from backend.catalogue.models import Image
from backend.common.compiled import Compiled
from backend.common.labels import Label
from backend.methods.assignment import order_seed, shuffle_order
from backend.people.models import User
from backend.projects.models import Project

Side = tuple[str | None, Image | None]
UNANSWERED = Judgment()


@dataclass(frozen=True)
class ShownItem:
    """The side of a pair that is judged: a caption, or an image of a query. With the annotator's answer."""

    position: int
    text: str | None
    image: Image | None
    said: Judgment = UNANSWERED
    closed: Closing | None = None


@dataclass(frozen=True)
class ShownHit:
    """A HIT as an annotator sees it; a preview has no assignment."""

    hit: Hit
    project: Project
    items: list[ShownItem]
    options: Sequence[str] = tuple(Label.values)
    assignment: Assignment | None = None

    @property
    def n_items(self) -> int:
        """Of the whole HIT, where `items` may be a part of them."""
        return len(self.assignment.shown) if self.assignment else len(self.items)


def draw_order(*, hit: Hit, pairs: Sequence[int], project: Project, annotator: User) -> dict[str, Any]:
    """The order in which this annotator sees the HIT with these pairs, as fields of the assignment: `seed`, `shown`,
    `options`.

    The site's secret is in the seed, so that nobody can work out the order.
    """
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, hit.part, hit.round, annotator.username)
    options = list(Label.values)
    if project.shuffles_options:
        options = [options[at] for at in shuffle_order(len(options), seed=order_seed(seed, "options"))]
    return {"seed": seed, "shown": [pairs[at] for at in shuffle_order(len(pairs), seed=seed)], "options": options}


def show_assignments(
    assignments: Collection[Assignment],
    closed: Mapping[Place, Closing] | None = None,
    sides: Mapping[int, Side] | None = None,
) -> list[ShownHit]:
    """These assignments as their annotators see them. The number of statements does not grow with them.

    Read several with `hit__image` and `hit__query`. Judgments are read for assignments that are not leased, and the
    sides of their HITs unless they are given.
    """
    sides = read_sides([each.hit for each in assignments]) if sides is None else sides
    over = [each for each in assignments if each.status != AssignmentStatus.LEASED]
    newest = Judgment.objects.filter(assignment__in=over, superseded_by=None) if over else ()
    said = {(each.assignment_id, each.position): each for each in newest}
    closed = closed or {}

    def show(assignment: Assignment) -> ShownHit:
        items = [
            ShownItem(at, *sides[pair], said.get((assignment.pk, at), UNANSWERED), closed.get((assignment.pk, at)))
            for at, pair in enumerate(assignment.shown, start=1)
        ]
        return ShownHit(assignment.hit, assignment.project, items, assignment.options or Label.values, assignment)

    return [show(each) for each in assignments]


TEXTS = Compiled(
    lambda given: HitItem.objects.filter(hit__in=given("hits", many=True)).values_list("candidate", "candidate__text")
)
IMAGES = Compiled(
    lambda given: HitItem.objects.filter(hit__in=given("hits", many=True)).select_related("candidate__image")
)


def read_sides(hits: Collection[Hit]) -> dict[int, Side]:
    """`{candidate id: its text and its image}`, one of them None, of all items of these HITs, in their order.

    One statement for HITs of images, and one for HITs of queries.
    """
    of_images, of_queries = ([hit.pk for hit in hits if (hit.query_id is not None) is it] for it in (False, True))
    sides: dict[int, Side] = {pair: (text, None) for pair, text in (TEXTS.rows(hits=of_images) if of_images else ())}
    for item in IMAGES.rows(hits=of_queries) if of_queries else ():
        sides[item.candidate_id] = (None, item.candidate.image)
    return sides


def preview_hit(*, project: Project, after: int = 0) -> ShownHit | None:
    """The next HIT after the one with the id `after`; after the last one, the first. None without HITs.

    It has no controls, because curators and head annotators may annotate later.
    """
    hits = Hit.objects.filter(project=project, root=None, items__control=None).distinct()
    hits = hits.select_related("image", "query").order_by("pk")
    hit = hits.filter(pk__gt=after).first() or hits.first()
    if hit is None:
        return None
    pairs = list(hit.items.filter(control=None).order_by("position").values_list("candidate", flat=True))
    sides = read_sides([hit])
    return ShownHit(hit, project, [ShownItem(at, *sides[pair]) for at, pair in enumerate(pairs, start=1)])


def suggestions_of(*, assignment: Assignment) -> list[list[SuggestedEdit]]:
    """The suggested edits of each position from 1; empty lists if images are judged."""
    image_id = assignment.hit.image_id
    found = suggestions_by_candidate(candidate_ids=assignment.shown, image_id=image_id) if image_id else {}
    return [found.get(candidate_id, []) for candidate_id in assignment.shown]
