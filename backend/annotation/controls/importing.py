"""Controls out of a file: a row names an image, a text (or a query), what is right, why, and whether the quiz asks it.

Columns are those of any import (`image_id`, `file_name` ...; `text` or `caption`; `query`), with `accepted` (good, bad,
unsure; two of them parted by a comma or |, or a list), `explanation` and `quiz`. Rows that cannot be taken are given
back with their line and the reason; a row that is a control already, with the same answer, changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import transaction

from backend.annotation.controls.keeping import (
    AlreadyControl,
    Answer,
    hold_project,
    make_control_of_query,
    make_control_of_text,
)
from backend.annotation.models import Control, ControlOrigin
from backend.candidates.queries import read_query
from backend.catalogue.models import Image, Query
from backend.catalogue.sources.columns import CAPTIONS, as_text, first_of, read_key
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import Record
from backend.catalogue.sources.rows import MemberRefused, Refused
from backend.common.errors import Conflict, ConnoteError, InvalidInput
from backend.people.models import User
from backend.projects.models import Direction, Project

AT_ONCE = 500
ACCEPTED = ("accepted", "answer", "label", "labels", "gold")
QUIZ = ("quiz", "is_quiz")
YES = frozenset({"1", "true", "yes", "y"})
NO = frozenset({"", "0", "false", "no", "n"})
OTHER_ANSWER = "This pair is a control already, with another answer ({accepted}): retire or delete that one first."


@dataclass
class Imported:
    """What an import came to. Rows that were controls already, with the same answer, are known."""

    n_new: int = 0
    n_known: int = 0
    refused: list[Refused] = field(default_factory=list)


def import_controls(*, project: Project, rows: Iterable[Record | Refused], made_by: User | None) -> Imported:
    """Make a control of every readable row, list every other one as refused. Batches are kept as they end."""
    found, todo = Imported(), iter(rows)
    while batch := list(islice(todo, AT_ONCE)):
        with transaction.atomic():
            hold_project(project)
            _take(project, batch, made_by, found)
    return found


def _take(project: Project, batch: list[Record | Refused], made_by: User | None, found: Imported) -> None:
    images = _images_of(project, batch)
    for row in batch:
        if isinstance(row, Refused):
            found.refused.append(row)
            continue
        try:
            with transaction.atomic():
                is_new = _take_row(project, row[1], images, made_by)
        except (MemberRefused, ConnoteError) as error:
            code = error.code if isinstance(error, MemberRefused) else error.error_code
            name = printable(first_of(row[1], ("text", "caption", "query")))[:300]
            found.refused.append(Refused(row[0], name, code, str(error)))
        else:
            found.n_new += is_new
            found.n_known += not is_new


def _take_row(project: Project, record: Mapping[str, Any], images: Mapping[str, Image], made_by: User | None) -> bool:
    """Whether the row made a new control."""
    key, answer = read_key(record, ""), read_answer(record)
    if key not in images:
        raise InvalidInput(
            f"This project has no image {key!r}: import it first, or mend the key.", code="unknown_image"
        )
    text = _text_of(record)
    try:
        _make(project, images[key], text, answer, made_by)
    except AlreadyControl as error:
        standing = Control.objects.get(pk=(error.details or {})["control"])
        if set(standing.accepted) != set(answer.accepted):
            message = OTHER_ANSWER.format(accepted=" or ".join(standing.accepted))
            raise Conflict(message, code="already_control") from error
        return False
    return True


def _make(project: Project, image: Image, text: str, answer: Answer, made_by: User | None) -> None:
    image.project = project
    if project.direction != Direction.IMAGES_OF_A_QUERY:
        make_control_of_text(image=image, text=text, answer=answer, made_by=made_by, origin=ControlOrigin.IMPORT)
        return
    query, _ = Query.objects.get_or_create(project=project, text=read_query(text)[0])
    make_control_of_query(image=image, query=query, answer=answer, made_by=made_by, origin=ControlOrigin.IMPORT)


def read_answer(record: Mapping[str, Any]) -> Answer:
    """What is right, why, and whether the quiz asks it. Raises InvalidInput."""
    value = next((record[column] for column in ACCEPTED if record.get(column) not in (None, "", [])), "")
    named = value if isinstance(value, list) else re.split(r"[,;|/]", as_text(value))
    labels = tuple(dict.fromkeys(label for one in named if (label := as_text(one).lower())))
    if not labels:
        raise InvalidInput("The row does not say what is right: add an accepted column with good or bad.")
    return Answer(labels, first_of(record, ("explanation", "reason", "why")), _read_quiz(record))


def _read_quiz(record: Mapping[str, Any]) -> bool:
    value = next((record[column] for column in QUIZ if record.get(column) is not None), "")
    word = str(value).strip().lower()
    if word not in YES | NO:
        raise InvalidInput(f"quiz takes true or false, and {word[:40]!r} is neither.", code="unfit_quiz")
    return word in YES


def _text_of(record: Mapping[str, Any]) -> str:
    columns: Iterator[object] = (record.get(column) for column in ("query", *CAPTIONS))
    text = next((value for value in columns if isinstance(value, str) and value.strip()), "")
    if not text:
        raise InvalidInput("The row holds no text: add a text column, or one with the query.", code="no_caption")
    return text


def _images_of(project: Project, batch: Iterable[Record | Refused]) -> dict[str, Image]:
    """The images that the rows name, by their keys; one query."""
    keys = set()
    for row in batch:
        if not isinstance(row, Refused):
            try:
                keys.add(read_key(row[1], ""))
            except MemberRefused:
                continue
    return {image.key: image for image in Image.objects.filter(project=project, key__in=keys)}
