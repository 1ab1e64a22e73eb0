"""Worked examples beside the guidelines: set all at once, in their order, with the version of the project.

An example tells everybody the right answer, so its pair (the picture, and words that say the same) is never a control,
hidden or of the quiz. Both doors look while holding the project: whoever comes second is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from backend.annotation.locks import lock_project
from backend.annotation.models import Control, GuidelineExample, Label
from backend.candidates.models import Candidate
from backend.candidates.queries import read_query
from backend.candidates.services import read_by_hand
from backend.catalogue.models import Image
from backend.common.errors import Conflict, InvalidInput
from backend.methods.cleaning import comparison_form
from backend.people.models import RightsAction, User
from backend.people.records import record_changes
from backend.projects.models import Direction, Project
from backend.projects.services import update_project

MOST_EXAMPLES = 20
Told = set[tuple[int, str]]  # (image, folded words)


class ExampleIsControl(Conflict):
    """This pair is a test question. An example would reveal its answer. Choose another caption or image."""

    code = "example_is_control"


class ControlIsExample(Conflict):
    """This pair is an example in the guidelines, so it cannot be a test question."""

    code = "control_is_example"


@dataclass(frozen=True)
class Example:
    """One example as a curator wrote it; `image` by its id, `edited_text` empty where nothing is to be edited."""

    image: int
    text: str
    label: Label
    explanation: str
    edited_text: str = ""


def list_examples(*, project: Project) -> list[GuidelineExample]:
    """The project's examples with their pictures, in order; asks nothing where the project says it has none."""
    if not project.examples_digest:
        return []
    return list(GuidelineExample.objects.filter(project=project).select_related("image"))


@transaction.atomic
def set_examples(*, project: Project, version: int, examples: Sequence[Example], by: User | None = None) -> Project:
    """Put these in the place of all that stood, while the project is still at `version`.

    Raises InvalidInput for pictures of elsewhere and for words that cannot be read, ExampleIsControl, and Stale with
    the version that stands by now.
    """
    lock_project(project)
    rows = _rows(project, examples)
    _refuse_controls(project, rows)
    before = _as_told(list_examples(project=project))
    changed = update_project(project=project, version=version, changes={"examples_digest": _digest(rows)}, by=by)
    record_changes(
        RightsAction.EXAMPLES_CHANGED, by=by, project=project,
        before={"examples": before}, after={"examples": _as_told(rows)},
    )  # fmt: skip
    GuidelineExample.objects.filter(project=project).delete()
    GuidelineExample.objects.bulk_create(rows)
    return changed


def refuse_told(pair: Candidate, told: Told) -> None:
    """Raises ControlIsExample where the guidelines tell the answer of this pair. The caller holds the project."""
    if told and (pair.image_id, comparison_form(pair.text)) in told:
        raise ControlIsExample()


def told_of(image_ids: Collection[int]) -> Told:
    """What the examples tell of these pictures."""
    rows = GuidelineExample.objects.filter(image__in=image_ids).values_list("image", "text")
    return {(image_id, comparison_form(text)) for image_id, text in rows}


def _rows(project: Project, examples: Sequence[Example]) -> list[GuidelineExample]:
    images = Image.objects.filter(project=project).in_bulk({example.image for example in examples})
    return [_row(project, images.get(example.image), at, example) for at, example in enumerate(examples, start=1)]


def _row(project: Project, image: Image | None, position: int, example: Example) -> GuidelineExample:
    if image is None:
        raise InvalidInput(
            "This project has no image {image}. Choose another image.",
            code="no_such_image",
            params={"image": str(example.image)},
        )
    edited = read_by_hand(example.edited_text) if example.edited_text.strip() else ""
    if edited and project.direction == Direction.IMAGES_OF_A_QUERY:
        raise InvalidInput("You cannot edit a query. Leave the edited text empty.", code="query_not_edited")
    return GuidelineExample(
        project=project,
        position=position,
        image=image,
        text=_read(project, example.text),
        label=example.label,
        edited_text=edited,
        explanation=example.explanation,
    )


def _read(project: Project, text: str) -> str:
    is_query = project.direction == Direction.IMAGES_OF_A_QUERY
    return read_query(text)[0] if is_query else read_by_hand(text)


def _refuse_controls(project: Project, rows: Iterable[GuidelineExample]) -> None:
    wanted = {(row.image_id, comparison_form(row.text)): row.position for row in rows}
    images = {image_id for image_id, _ in wanted}
    controls = Control.objects.filter(project=project, candidate__image__in=images)
    for image_id, text in controls.values_list("candidate__image", "candidate__text"):
        if position := wanted.get((image_id, comparison_form(text))):
            raise ExampleIsControl(details={"position": position})


def _as_told(rows: Sequence[GuidelineExample]) -> list[dict[str, Any]]:
    """As the history of the project keeps them."""
    return [
        {
            "image": row.image.key, "text": row.text, "label": row.label, "edited_text": row.edited_text,
            "explanation": row.explanation,
        }
        for row in rows
    ]  # fmt: skip


def _digest(rows: Sequence[GuidelineExample]) -> str:
    """SHA-256 of what the examples say and show, hex; empty where there are none."""
    told = [[row.image.digest, row.text, row.label, row.edited_text, row.explanation] for row in rows]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest() if rows else ""
