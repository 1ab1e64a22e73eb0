"""A file of judgments as it comes in a request: small enough to be stored while its sender waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.core.files.uploadedfile import UploadedFile

from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import MB
from backend.catalogue.uploads import TooLarge, check_table_size
from backend.common.errors import InvalidInput
from backend.foreign.services import ImportedJudgments, import_judgments
from backend.methods.foreign.bounds import TooManyError
from backend.methods.foreign.columns import USUAL, Columns, NobodyNamedError, name_without_ending
from backend.methods.foreign.conqa import read_query_words
from backend.methods.foreign.packed import members_of
from backend.methods.foreign.parsing import text_of
from backend.methods.foreign.reading import tell_judgments
from backend.methods.foreign.told import NotJudgmentsError, Told
from backend.methods.tables import is_table_name
from backend.projects.models import Project

MOST_MB = 10
MOST_JUDGMENTS = 20_000
SENTENCE = 2000  # characters: one that tells the columns of a table names thirty of them
TOO_MANY = (
    "This file has more than {most} answers. Send it in parts. "
    "Or ask the administrator to import it with `manage.py import_judgments`."
)


def import_file(
    *,
    project: Project,
    file: UploadedFile[bytes],
    queries: UploadedFile[bytes] | None = None,
    labels: Mapping[str, str] | None = None,
    columns: Columns = USUAL,
) -> ImportedJudgments:
    """The judgments of an uploaded file; `queries` is ConQA's seed.json, `labels` as in `import_judgments`,
    `columns` what a table calls its own.

    Raises TooLarge before anything is stored, as votes without names are dealt pair by pair and a file that is cut
    anywhere holds other votes; InvalidInput where it holds no judgments, or too many of the same pairs.
    """
    try:
        words = read_query_words(text_of(_raw(queries), most=MOST_MB * MB).encode()) if queries else {}
        told = _told(file, columns, words)
    except TooManyError as problem:
        raise TooLarge(TOO_MANY, code="too_many_answers", params={"most": MOST_JUDGMENTS}) from problem
    except RecursionError as problem:
        raise InvalidInput(
            "This file is nested too deep. Send a flat list of answers.", code="no_judgments"
        ) from problem
    except NotJudgmentsError as problem:
        raise InvalidInput(
            problem.said.template,
            code=problem.said.code,
            params={
                name: printable(value, SENTENCE) if isinstance(value, str) else value
                for name, value in problem.said.params.items()
            },
        ) from problem
    except ValueError as problem:
        raise InvalidInput(printable(problem, SENTENCE), code="no_judgments") from problem
    try:
        return import_judgments(project=project, told=told, labels=labels)
    except NotJudgmentsError as problem:
        raise InvalidInput(str(problem), code="no_judgments") from problem


def _told(file: UploadedFile[bytes], columns: Columns, words: Mapping[str, str]) -> list[Told]:
    """The judgments of the file, or of all files in an archive."""
    members = members_of(_raw(file), file.name or "", most=MOST_MB * MB)
    told: list[Told] = []
    for name, raw in members:
        try:
            told += tell_judgments(raw, columns, words, most=MOST_JUDGMENTS)
        except NobodyNamedError as problem:
            if not problem.is_doccano:
                raise
            # doccano writes a file for each annotator, with the name of the annotator.
            of_one = replace(columns, annotator=name_without_ending(name))
            told += tell_judgments(raw, of_one, most=MOST_JUDGMENTS)
    if len(told) > MOST_JUDGMENTS:
        raise TooManyError()
    return told


def _raw(file: UploadedFile[bytes]) -> bytes:
    """Raises TooLarge and NotJudgmentsError."""
    check_table_size(file, most=MOST_MB)
    name = printable(file.name or "")[:100]
    raw: bytes = file.read()
    if not is_table_name(name) and not name.lower().endswith((".txt", ".zip")):
        raise NotJudgmentsError(f"{name} is not a CSV, TSV, JSON, Excel or Parquet file. Choose another file.")
    return raw
