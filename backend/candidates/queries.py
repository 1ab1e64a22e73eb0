"""Queries and the images to judge against them: each pair is a candidate whose text is the query's.

Such a pair is kept as it comes: the text is a person's question, and cleaning has no say in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction

from backend.candidates.importing import NO_TEXT
from backend.candidates.models import QUERY, Candidate, CandidateStatus, candidate_key
from backend.catalogue.models import Image, Query, QueryKind
from backend.common.errors import InvalidInput
from backend.projects.models import Direction, Project

LONGEST_QUERY = 500
MOST_IMAGES = 1000
WRONG_DIRECTION = (
    "This project shows the captions of an image, and has no use for queries: change its direction to images of a "
    "query first, before any HIT is built."
)


class UnknownImages(InvalidInput):
    """Some of these images are not in this project: import them first, or mend their keys."""

    code = "unknown_image"


@dataclass(frozen=True)
class AddedImages:
    """What became of the images named for a query."""

    query: Query
    n_new: int
    n_known: int


def check_direction(project: Project) -> None:
    """Raises InvalidInput where the project's HITs hold an image still."""
    if project.direction != Direction.IMAGES_OF_A_QUERY:
        raise InvalidInput(WRONG_DIRECTION, code="wrong_direction")


def read_query(text: str, kind: str = "") -> tuple[str, str]:
    """A query's text on one line, and its kind. Raises InvalidInput with what to mend."""
    line = " ".join(text.split())
    if not line:
        raise InvalidInput("A query needs a text.", code="no_text")
    if NO_TEXT.search(line):
        raise InvalidInput("The query holds a NUL or half a character: type it again.", code="not_text")
    if len(line) > LONGEST_QUERY:
        raise InvalidInput(f"The query is longer than {LONGEST_QUERY} characters: shorten it.", code="too_long")
    if kind.strip().lower() not in ("", *QueryKind.values):
        raise InvalidInput(f"A query is {' or '.join(QueryKind.values)}, or of no kind.", code="unknown_kind")
    return line, kind.strip().lower()


@transaction.atomic
def add_query(*, project: Project, text: str, kind: str = "", images: Collection[str] = ()) -> AddedImages:
    """A query with its images by their keys; asked again, with more images, it gets those as well.

    Raises InvalidInput, and UnknownImages, naming them, before anything is written.
    """
    check_direction(project)
    line, kind = read_query(text, kind)
    if len(set(images)) > MOST_IMAGES:
        raise InvalidInput(f"These are more than {MOST_IMAGES:,} images: send them in parts, or import a file.")
    found = dict(Image.objects.filter(project=project, key__in=set(images)).values_list("key", "pk"))
    if missing := sorted(set(images) - set(found)):
        raise UnknownImages(
            f"This project has no image {missing[0][:200]!r}: import it first, or mend the key.",
            details={"images": missing[:100]},
        )
    query, _ = Query.objects.get_or_create(project=project, text=line, defaults={"kind": kind})
    if kind and query.kind != kind:
        query.kind = kind
        query.save(update_fields=["kind"])
    rows = list(Image.objects.filter(pk__in=found.values()).order_by("digest"))
    n_new = pair_images(query=query, images=rows)
    return AddedImages(query, n_new, len(found) - n_new)


def pair_images(*, query: Query, images: Iterable[Image]) -> int:
    """Make the query's pairs with these images. Returns how many were new; hidden controls count as there."""
    pairs = [pair_of(query, image) for image in images]
    wanted = {(pair.image_id, pair.key) for pair in pairs}
    there = Candidate.objects.filter(query=query, image__in={image_id for image_id, _ in wanted})
    before = set(there.values_list("image_id", "key"))
    Candidate.objects.bulk_create(pairs, batch_size=1000, ignore_conflicts=True)
    return len(wanted - before)


def pair_of(query: Query, image: Image, *, source_ref: str = "") -> Candidate:
    """The unsaved candidate of a query and an image."""
    return Candidate(
        project_id=query.project_id,
        image=image,
        query=query,
        key=candidate_key(digest=image.digest, source=QUERY, raw_text=query.text),
        raw_text=query.text,
        text=query.text,
        source=QUERY,
        source_ref=source_ref,
        status=CandidateStatus.KEPT,
    )
