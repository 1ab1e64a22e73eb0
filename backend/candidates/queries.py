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
WRONG_DIRECTION = "This project shows captions of an image, so it cannot use queries."


class UnknownImages(InvalidInput):
    """This project has no image with the key {key}. Import it first, or correct the key."""

    code = "unknown_image"


@dataclass(frozen=True)
class AddedImages:
    """Which images named for a query were found, and which were not."""

    query: Query
    n_new: int
    n_known: int


def check_direction(project: Project) -> None:
    """Raises InvalidInput where the project's HITs hold an image still."""
    if project.direction != Direction.IMAGES_OF_A_QUERY:
        raise InvalidInput(WRONG_DIRECTION, code="wrong_direction")


def read_query(text: str, kind: str = "") -> tuple[str, str]:
    """A query's text on one line, and its kind. Raises InvalidInput with what to correct."""
    line = " ".join(text.split())
    if not line:
        raise InvalidInput("Write a text for the query.", code="no_text")
    if NO_TEXT.search(line):
        raise InvalidInput("The query has a character that is not valid. Type it again.", code="query_not_text")
    if len(line) > LONGEST_QUERY:
        raise InvalidInput(
            "The query has more than {most} characters. Shorten it.",
            code="query_too_long",
            params={"most": LONGEST_QUERY},
        )
    if kind.strip().lower() not in ("", *QueryKind.values):
        raise InvalidInput(
            "Choose a kind of query from: {kinds}. Or leave it empty.",
            code="unknown_kind",
            params={"kinds": ", ".join(QueryKind.values)},
        )
    return line, kind.strip().lower()


@transaction.atomic
def add_query(*, project: Project, text: str, kind: str = "", images: Collection[str] = ()) -> AddedImages:
    """A query with its images by their keys; asked again, with more images, it gets those as well.

    Raises InvalidInput, and UnknownImages, naming them, before anything is written.
    """
    check_direction(project)
    line, kind = read_query(text, kind)
    if len(set(images)) > MOST_IMAGES:
        raise InvalidInput(
            "Send at most {most} images at once, or import a file.",
            code="too_many_images",
            params={"most": MOST_IMAGES},
        )
    found = dict(Image.objects.filter(project=project, key__in=set(images)).values_list("key", "pk"))
    if missing := sorted(set(images) - set(found)):
        raise UnknownImages(params={"key": missing[0][:200]}, details={"images": missing[:100]})
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
