"""What an annotator sees of a HIT: what is held still, the items in this annotator's order, and what they said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.conf import settings

from backend.annotation.models import Assignment, AssignmentStatus, Hit, HitItem, Judgment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.methods.assignment import order_seed, shuffle_order
from backend.people.models import User
from backend.projects.models import Direction, Project


@dataclass(frozen=True)
class ShownItem:
    """One side of a pair: a caption's text, or an image where a query is held still."""

    text: str | None = None
    image: Image | None = None


@dataclass(frozen=True)
class ShownHit:
    """An assignment as its holder sees it: items in the shown order, and what was said of each by position."""

    assignment: Assignment
    items: list[ShownItem]
    said: Mapping[int, Judgment] = field(default_factory=dict)

    @property
    def image(self) -> Image | None:
        return self.assignment.hit.image

    @property
    def query(self) -> str | None:
        query = self.assignment.hit.query
        return query.text if query else None

    @property
    def kind(self) -> Direction:
        return Direction.CAPTIONS_OF_AN_IMAGE if self.query is None else Direction.IMAGES_OF_A_QUERY

    @property
    def texts(self) -> list[str | None]:
        return [item.text for item in self.items]


@dataclass(frozen=True)
class Order:
    """In which order one annotator sees a HIT: the seed, candidate ids by position, and labels of the buttons."""

    seed: int
    shown: list[int]
    options: list[str]


def draw_order(*, hit: Hit, project: Project, annotator: User) -> Order:
    """All items of the HIT in this annotator's order. The site's secret is in the seed, so nobody can work it out."""
    pairs = list(HitItem.objects.filter(hit=hit).order_by("position").values_list("candidate", flat=True))
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, hit.part, hit.round, annotator.username)
    options = list(Label.values)
    if project.shuffles_options:
        options = [options[at] for at in shuffle_order(len(options), seed=order_seed(seed, "options"))]
    return Order(seed, [pairs[at] for at in shuffle_order(len(pairs), seed=seed)], options)


def show_assignments(assignments: Collection[Assignment]) -> list[ShownHit]:
    """These assignments as their holders see them, in as many statements for fifty as for one.

    They come with `hit__image` and `hit__query`. What a person said is read once they no longer hold the assignment.
    """
    items = _read_items(assignments)
    over = [each for each in assignments if each.status != AssignmentStatus.LEASED]
    said: dict[object, dict[int, Judgment]] = {each.pk: {} for each in assignments}
    for judgment in Judgment.objects.filter(assignment__in=over, superseded_by=None) if over else ():
        said[judgment.assignment_id][judgment.position] = judgment
    return [ShownHit(each, [items[pair] for pair in each.shown], said[each.pk]) for each in assignments]


def show_assignment(assignment: Assignment) -> ShownHit:
    """One assignment as its holder sees it."""
    if not Assignment.hit.is_cached(assignment):
        assignment.hit = Hit.objects.select_related("image", "query").get(pk=assignment.hit_id)
    return show_assignments([assignment])[0]


def _read_items(assignments: Collection[Assignment]) -> dict[int, ShownItem]:
    found: dict[int, ShownItem] = {}
    for has_images in (False, True):
        pairs = {pair for each in assignments if (each.hit.query_id is not None) is has_images for pair in each.shown}
        if pairs:
            found |= read_items(pairs, has_images=has_images)
    return found


def read_items(candidate_ids: Iterable[int], *, has_images: bool) -> dict[int, ShownItem]:
    """`{candidate id: what is shown of it}`, in one statement."""
    rows = Candidate.objects.filter(pk__in=candidate_ids).order_by()
    if has_images:
        return {pair.pk: ShownItem(image=pair.image) for pair in rows.select_related("image")}
    return {pk: ShownItem(text=text) for pk, text in rows.values_list("pk", "text")}


def preview_hit(*, project: Project, after: int = 0) -> tuple[Hit, list[ShownItem]] | None:
    """The first HIT that was built after the one with the id `after`, and after the last the first again.

    For people who run the project: without controls, as they may annotate later. None without HITs.
    """
    hits = Hit.objects.filter(project=project, root=None, items__control=None).distinct()
    hits = hits.select_related("image", "query").order_by("pk")
    hit = hits.filter(pk__gt=after).first() or hits.first()
    if hit is None:
        return None
    pairs = list(hit.items.filter(control=None).order_by("position").values_list("candidate", flat=True))
    found = read_items(pairs, has_images=hit.query_id is not None)
    return hit, [found[pair] for pair in pairs]
