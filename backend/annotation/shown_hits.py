"""What an annotator sees of a HIT: its image or query, the items in their order, and their answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from backend.annotation.closings import Closing, read_closings
from backend.annotation.models import DONE, Assignment, AssignmentStatus, Hit, HitItem, Judgment
from backend.annotation.selectors import get_assignment
from backend.candidates.models import Candidate, SuggestedEdit
from backend.candidates.selectors import suggestions_by_candidate
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.common.labels import Label
from backend.methods.assignment import order_seed, shuffle_order
from backend.people.models import User
from backend.projects.models import Project


@dataclass(frozen=True)
class ShownItem:
    """The side of a pair that is judged: a caption, or an image of a query."""

    text: str | None = None
    image: Image | None = None


@dataclass(frozen=True)
class ShownHit:
    """An assignment as its annotator sees it: the items in order, and their judgments by position."""

    assignment: Assignment
    items: list[ShownItem]
    said: Mapping[int, Judgment] = field(default_factory=dict)

    @property
    def texts(self) -> list[str | None]:
        return [item.text for item in self.items]


def draw_order(*, hit: Hit, project: Project, annotator: User) -> dict[str, Any]:
    """The order in which this annotator sees the HIT, as fields of the assignment: `seed`, `shown`, `options`.

    The site's secret is in the seed, so that nobody can work out the order.
    """
    pairs = list(HitItem.objects.filter(hit=hit).order_by("position").values_list("candidate", flat=True))
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, hit.part, hit.round, annotator.username)
    options = list(Label.values)
    if project.shuffles_options:
        options = [options[at] for at in shuffle_order(len(options), seed=order_seed(seed, "options"))]
    return {"seed": seed, "shown": [pairs[at] for at in shuffle_order(len(pairs), seed=seed)], "options": options}


def show_assignments(assignments: Collection[Assignment]) -> list[ShownHit]:
    """These assignments as their annotators see them. The number of statements does not grow with them.

    They come with `hit__image` and `hit__query`. Judgments are read for assignments that are not leased.
    """
    items = _read_items(assignments)
    over = [each for each in assignments if each.status != AssignmentStatus.LEASED]
    said: dict[object, dict[int, Judgment]] = {each.pk: {} for each in assignments}
    for judgment in Judgment.objects.filter(assignment__in=over, superseded_by=None) if over else ():
        said[judgment.assignment_id][judgment.position] = judgment
    return [ShownHit(each, [items[pair] for pair in each.shown], said[each.pk]) for each in assignments]


def show_assignment(assignment: Assignment) -> ShownHit:
    """One assignment as its annotator sees it."""
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
    """The next HIT after the one with the id `after`; after the last one, the first. None without HITs.

    It has no controls, because curators and head annotators may annotate later.
    """
    hits = Hit.objects.filter(project=project, root=None, items__control=None).distinct()
    hits = hits.select_related("image", "query").order_by("pk")
    hit = hits.filter(pk__gt=after).first() or hits.first()
    if hit is None:
        return None
    pairs = list(hit.items.filter(control=None).order_by("position").values_list("candidate", flat=True))
    found = read_items(pairs, has_images=hit.query_id is not None)
    return hit, [found[pair] for pair in pairs]


@dataclass(frozen=True)
class PastHit:
    """A submitted assignment, and its closed positions."""

    shown: ShownHit
    closed: Mapping[int, Closing]


def list_past(*, project: Project, user: User) -> QuerySet[Assignment]:
    """What the user submitted in the project, also late, newest first."""
    mine = Assignment.objects.filter(annotator=user, project=project, status__in=DONE)
    return mine.select_related("project", "hit__image", "hit__query").order_by("-submitted_at", "-id")


def get_past(*, user: User, assignment_id: UUID) -> PastHit:
    """One of the caller's own submitted assignments. Raises NotFound for any other."""
    assignment = get_assignment(user=user, assignment_id=assignment_id)
    if assignment.status not in DONE:
        raise NotFound("You did not submit this task yet, so it is not in your past work.", code="not_submitted_yet")
    return show_past(assignments=[assignment])[0]


def show_past(*, assignments: Sequence[Assignment]) -> list[PastHit]:
    """The assignments with items, judgments and closings. The number of statements does not grow with them."""
    closed = read_closings(assignments)
    return [
        PastHit(shown, {at: each for (pk, at), each in closed.items() if pk == shown.assignment.pk})
        for shown in show_assignments(assignments)
    ]


def suggestions_of(*, assignment: Assignment) -> list[list[SuggestedEdit]]:
    """The suggested edits of each position from 1; empty lists if images are judged."""
    image_id = Hit.objects.values_list("image", flat=True).get(pk=assignment.hit_id)
    shown: list[int] = assignment.shown
    found = suggestions_by_candidate(candidate_ids=shown, image_id=image_id) if image_id else {}
    return [found.get(candidate_id, []) for candidate_id in shown]
