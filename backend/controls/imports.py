"""Controls out of a file: a row names an image, a text (or a query), what is right, why, and whether the quiz asks it.

Columns are those of any import (`image_id`, `file_name` ...; `text` or `caption`; `query`), with `accepted` (good, bad,
unsure; two of them parted by a comma or |, or a list), `explanation` and `quiz`. Rows that cannot be taken are given
back with their line and the reason; a row that is a control already, with the same answer, changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from backend.candidates.queries import read_query
from backend.catalogue.image_index import ImageIndex
from backend.catalogue.models import Image
from backend.catalogue.sources.columns import CAPTIONS, Naming, first_of, read_key
from backend.catalogue.sources.names import is_table, printable
from backend.catalogue.sources.records import Record, read_records
from backend.catalogue.sources.rows import MB, Limits, MemberRefused, Refused, SourceUnreadable
from backend.catalogue.uploads import check_table_size
from backend.common.errors import Conflict, ConnoteError, InvalidInput
from backend.controls.pool import ControlWords, PairPool
from backend.controls.services import KnownAnswer, control_of, standing_of, write_controls
from backend.methods.tables import as_text
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.projects.models import Direction, Project
from backend.projects.services import lock_project
from backend.qualification.models import Control, ControlOrigin
from backend.qualification.selectors import shown_pairs

AT_ONCE = 500
MOST_MB = 10  # of a file in a request, whose sender waits
MOST_ROWS = 2_000
TOO_MANY = "Connote read the first {most} rows. Send the other rows in another file."
ACCEPTED = ("accepted", "answer", "label", "labels", "gold")
QUIZ = ("quiz", "is_quiz")
YES = frozenset({"1", "true", "yes", "y"})
NO = frozenset({"", "0", "false", "no", "n"})
OTHER_ANSWER = "This pair is already a test question with another answer ({accepted}). Delete that one first."


@dataclass
class ImportedControls:
    """What an import came to. Rows that were controls already, with the same answer, are known."""

    n_new: int = 0
    n_known: int = 0
    refused: list[Refused] = field(default_factory=list)


def import_file(*, project: Project, file: UploadedFile[bytes], made_by: User) -> ImportedControls:
    """The controls of an uploaded table. Raises TooLarge, and SourceUnreadable where it is no table at all."""
    check_table_size(file, most=MOST_MB)
    name = file.name or ""
    if not is_table(name):
        raise SourceUnreadable(
            "{name} is not a CSV, TSV, JSON, Excel or Parquet file.",
            code="not_a_table",
            params={"name": printable(name)[:100]},
        )
    stream = cast(BinaryIO, file.open("rb").file)
    return import_controls(project=project, rows=_first_rows(stream, name), made_by=made_by)


def _first_rows(stream: BinaryIO, name: str) -> Iterator[Record | Refused]:
    rows = read_records(stream, name, Limits(max_line_bytes=MB))
    yield from islice(rows, MOST_ROWS)
    if (more := next(rows, None)) is not None:
        line = more.line if isinstance(more, Refused) else more[0]
        yield Refused(line, "", "too_many_rows", TOO_MANY, {"most": MOST_ROWS})


def import_controls(*, project: Project, rows: Iterable[Record | Refused], made_by: User | None) -> ImportedControls:
    """Make a control of every readable row, list every other one as refused. Each batch is a transaction."""
    found, todo, words = ImportedControls(), iter(rows), ControlWords(project)
    while batch := list(islice(todo, AT_ONCE)):
        with transaction.atomic():
            reader = _RowReader(lock_project(project), [row[1] for row in batch if not isinstance(row, Refused)], words)
            made = [control for row in batch if (control := _take(reader, row, made_by, found))]
            write_controls(made)
            found.n_new += len(made)
            if made:
                n_quiz = sum(control.is_quiz for control in made)
                after = {"n": len(made)} | ({"n_quiz": n_quiz} if n_quiz else {})
                record(RightsAction.CONTROLS_IMPORTED, by=made_by, project=project, after=after)
    return found


def _take(reader: _RowReader, row: Record | Refused, made_by: User | None, found: ImportedControls) -> Control | None:
    """The new control of a row, not stored yet; None if it is refused or known."""
    if isinstance(row, Refused):
        found.refused.append(row)
        return None
    line, record = row
    name = printable(first_of(record, ("text", "caption", "query")))[:300]
    try:
        control = reader.control_of_row(record, made_by)
    except MemberRefused as error:
        found.refused.append(error.at(line, name))
        return None
    except ConnoteError as error:
        found.refused.append(Refused(line, name, error.error_code, error.message, error.params))
        return None
    found.n_known += control is None
    return control


class _RowReader:
    """Rows of a batch as controls that are not stored yet. What their images and queries have is read first."""

    def __init__(self, project: Project, records: Sequence[Mapping[str, Any]], words: ControlWords) -> None:
        self._images = _images_of(project, {key for each in records if (key := _or_nothing(_key_of, each))})
        self._is_of_queries = project.direction == Direction.IMAGES_OF_A_QUERY
        images = {image.pk: image for image in self._images.values() if isinstance(image, Image)}
        queries = {_or_nothing(_query_of, each) for each in records} if self._is_of_queries else ()
        self._pool = PairPool(project, images.values(), queries)
        self._shown = shown_pairs(list(images))
        self._words = words
        if not self._is_of_queries:
            words.read()

    def control_of_row(self, record: Mapping[str, Any], made_by: User | None) -> Control | None:
        """The new control of a row; None if it is one already, with the same answer. Raises why it cannot be."""
        key, answer = _key_of(record), read_answer(record)
        image, text = self._images[key], _said(record)
        if isinstance(image, MemberRefused):
            raise image
        if not text:
            raise InvalidInput("The row has no text. Add a column for the caption or the query.", code="no_caption")
        if self._is_of_queries:
            pair = self._pool.pair_of_query(image, _query_of(record))
        else:
            pair = self._pool.pair_of_text(image, text)
        standing = standing_of(pair)
        if standing is None:
            return control_of(
                pair, shown=self._shown, words=self._words, answer=answer, made_by=made_by, origin=ControlOrigin.IMPORT
            )
        if set(standing.accepted) != set(answer.accepted):
            raise Conflict(
                OTHER_ANSWER, code="control_answers_differ", params={"accepted": ", ".join(standing.accepted)}
            )
        return None


def _images_of(project: Project, keys: Iterable[str]) -> dict[str, Image | MemberRefused]:
    """The image that each key means, or why it means none; all images are gone through only for unusual names."""
    images = Image.objects.filter(project=project, key__in=keys)
    found: dict[str, Image | MemberRefused] = {image.key: image for image in images}
    if missing := sorted({*keys} - found.keys()):
        index = ImageIndex(project.pk)
        for key in missing:
            try:
                found[key] = Image.objects.get(pk=index.find([key]).pk)
            except MemberRefused as refused:
                found[key] = refused
    return found


def read_answer(record: Mapping[str, Any]) -> KnownAnswer:
    """What is right, why, and whether the quiz asks it. Raises InvalidInput."""
    value = next((record[column] for column in ACCEPTED if record.get(column) not in (None, "", [])), "")
    named = value if isinstance(value, list) else re.split(r"[,;|/]", as_text(value))
    labels = tuple(dict.fromkeys(label for one in named if (label := as_text(one).lower())))
    if not labels:
        raise InvalidInput("The row has no correct answer. Add a column accepted with good or bad.", code="no_accepted")
    quiz = next((record[column] for column in QUIZ if record.get(column) is not None), "")
    word = str(quiz).strip().lower()
    if word not in YES | NO:
        raise InvalidInput(
            'Write true or false in the column quiz, not "{word}".', code="unfit_quiz", params={"word": word[:40]}
        )
    return KnownAnswer(labels, first_of(record, ("explanation", "reason", "why")), is_quiz=word in YES)


def _said(record: Mapping[str, Any]) -> str:
    columns: Iterator[object] = (record.get(column) for column in ("query", *CAPTIONS))
    return next((value for value in columns if isinstance(value, str) and value.strip()), "")


def _key_of(record: Mapping[str, Any]) -> str:
    return read_key(record, Naming())


def _query_of(record: Mapping[str, Any]) -> str:
    return read_query(_said(record))[0]


def _or_nothing(read: Callable[[Mapping[str, Any]], str], record: Mapping[str, Any]) -> str:
    """What is read of a row; empty if it cannot be, which is told when the row is taken."""
    try:
        return read(record)
    except (MemberRefused, InvalidInput):
        return ""
