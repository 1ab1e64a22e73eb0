"""A page as its holder sees it: what is held still, the items by position, and what was said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backend.annotation.models import Assignment, AssignmentStatus, Hit, Judgment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Direction

PICTURE = ("width", "height", "small", "large")  # of an Image: all that an address of its thumbnails needs


@dataclass(frozen=True)
class ShownItem:
    """One side of a pair: a caption's text, or an image where a query is held still."""

    text: str | None = None
    image: Image | None = None


@dataclass(frozen=True)
class ShownHit:
    """An assignment as its holder sees it: items in the shown order, and what was said of each by position."""

    assignment: Assignment
    image: Image | None
    query: str | None
    items: list[ShownItem]
    said: Mapping[int, Judgment] = field(default_factory=dict)

    @property
    def kind(self) -> Direction:
        return Direction.CAPTIONS_OF_AN_IMAGE if self.query is None else Direction.IMAGES_OF_A_QUERY

    @property
    def texts(self) -> list[str | None]:
        return [item.text for item in self.items]


def get_shown(*, assignment: Assignment) -> ShownHit:
    """The assignment with its items in the order its holder saw them."""
    hit = Hit.objects.select_related("image", "query").get(pk=assignment.hit_id)
    found = read_items(assignment.shown, has_images=hit.query_id is not None)
    items = [found[candidate_id] for candidate_id in assignment.shown]
    said = {} if assignment.status == AssignmentStatus.LEASED else said_of(assignment)
    return ShownHit(assignment, hit.image, hit.query.text if hit.query else None, items, said)


def read_items(candidate_ids: Iterable[int], *, has_images: bool) -> dict[int, ShownItem]:
    """`{candidate id: what is shown of it}`, in one statement."""
    rows = Candidate.objects.filter(pk__in=candidate_ids).order_by()
    if not has_images:
        return {pk: ShownItem(text=text) for pk, text in rows.values_list("pk", "text")}
    columns = rows.values_list("pk", *(f"image__{name}" for name in PICTURE))
    return {pk: ShownItem(image=picture_of(*values)) for pk, *values in columns}


def picture_of(width: int, height: int, small: str, large: str) -> Image:
    """As much of an Image as PICTURE names."""
    return Image(width=width, height=height, small=small, large=large)


def said_of(assignment: Assignment) -> dict[int, Judgment]:
    """The judgments that stand, by position."""
    standing = Judgment.objects.filter(assignment=assignment, superseded_by=None)
    return {judgment.position: judgment for judgment in standing}
