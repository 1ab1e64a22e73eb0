"""Results of models: kept by a run, imported from a file, deleted; and published tables."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from typing import IO, Any, Never

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from backend.benchmarks.data import is_of
from backend.benchmarks.models import Evaluation, EvaluationSource, PublishedTable
from backend.benchmarks.published import read_published
from backend.common.errors import Conflict, InvalidInput
from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.per_query import check_table, read_table
from backend.methods.benchmarks.results import check_result
from backend.methods.benchmarks.tasks import TASKS
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run

MOST_RESULT, MOST_TABLE, MOST_PUBLISHED = 16 * 2**20, 256 * 2**20, 2 * 2**20
MOST_RESULTS, MOST_TABLES = 300, 50  # of a task on a release; of a project
MOST_ITEMS = 50_000_000
LENGTHS = {"name": 200, "kind": 40, "digest": 200}  # of what a result says of its model


class AlreadyMeasured(Conflict):
    """This model is already measured on these data with these settings. Delete that result first."""

    code = "already_measured"


class TooManyResults(Conflict):
    """This release already has {most} results of this task. Delete one first."""

    code = "too_many_results"


class PublishedTwice(Conflict):
    """This project already has a published table with this name. Delete it first, or choose another name."""

    code = "published_twice"


class TooManyTables(Conflict):
    """This project already has {most} published tables. Delete one first."""

    code = "too_many_published"


def key_of(body: Mapping[str, Any]) -> str:
    """What makes two results the same: data, model and settings."""
    model = body["model"]
    parts = [body["data"]["digest"], model["kind"], model["digest"], body["settings"]]
    if "not_run" in body:  # the digest may not be known, and there are no figures that could be the same
        parts.append(model["name"])
    text = json.dumps([body["task"], *parts], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def keep_evaluation(
    *,
    release: Release,
    body: Mapping[str, Any],
    table: bytes = b"",
    is_of_release: bool,
    source: EvaluationSource,
    run: Run | None = None,
    note: str = "",
    created_by: User | None = None,
) -> Evaluation:
    """Keep a result with its table. Raises AlreadyMeasured, TooManyResults."""
    made = Evaluation(
        release=release, task=body["task"], result=body, key=key_of(body),
        model_name=body["model"]["name"], model_kind=body["model"]["kind"], model_digest=body["model"]["digest"],
        data_digest=body["data"]["digest"], is_of_release=is_of_release,
        source=source, run=run, note=note, created_by=created_by,
    )  # fmt: skip
    _forget_not_run(made)
    if Evaluation.objects.filter(release=release, key=made.key).exists():
        raise AlreadyMeasured()
    if Evaluation.objects.filter(release=release, task=made.task).count() >= MOST_RESULTS:
        raise TooManyResults(params={"most": MOST_RESULTS})
    if table:
        made.n_bytes, made.sha256 = len(table), hashlib.sha256(table).hexdigest()
        made.stored_as = default_storage.save(f"benchmarks/{made.pk}.parquet", ContentFile(table))
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError as error:  # the same result came by another way meanwhile
        if made.stored_as:
            default_storage.delete(made.stored_as)
        raise AlreadyMeasured() from error
    return made


def _forget_not_run(made: Evaluation) -> None:
    """Delete what says that this model was not run on these data: there is a newer result."""
    earlier = Evaluation.objects.filter(release=made.release_id, task=made.task, data_digest=made.data_digest)
    earlier.filter(model_name=made.model_name, result__has_key="not_run").delete()


def import_result(
    *, release: Release, result: IO[bytes], per_query: IO[bytes] | None = None, note: str = "", created_by: User
) -> Evaluation:
    """Keep the result of a file, with the table beside it where there is one. A result of other data is marked.

    Raises InvalidInput with the field, AlreadyMeasured, TooManyResults.
    """
    body = _read_result(result)
    table = b"" if per_query is None else _read_table(per_query, body)
    return keep_evaluation(
        release=release, body=body, table=table, is_of_release=is_of(release, body), source=EvaluationSource.IMPORT,
        note=note, created_by=created_by,
    )  # fmt: skip


def _read_result(file: IO[bytes]) -> dict[str, Any]:
    raw = _read(file, MOST_RESULT, "result")
    try:
        body = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
        text = json.dumps(body, allow_nan=False, ensure_ascii=False)
        if "\\u0000" in text:
            raise ValueError("NUL")
        text.encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise InvalidInput("This is not complete JSON in UTF-8.", code="result_not_json", field="result") from error
    try:
        check_result(body)
        _check_more(body)
    except DataError as error:
        raise _refusal(error, "result") from error
    return dict(body)


def _check_more(body: Mapping[str, Any]) -> None:
    """What the schema of a result leaves open, and the database and the pages need."""
    if body["task"] not in TASKS:
        raise DataError(f"This site does not know the task {body['task'][:40]!r}. It knows {', '.join(sorted(TASKS))}.")
    for name, most in LENGTHS.items():
        if len(body["model"][name]) > most:
            raise DataError(f"The {name} of the model has more than {most} characters.")
    if max(body["data"][name] for name in ("images", "texts", "pairs")) > MOST_ITEMS:
        raise DataError(f"The data have more than {MOST_ITEMS:,} items.")


def _read_table(file: IO[bytes], body: Mapping[str, Any]) -> bytes:
    raw = _read(file, MOST_TABLE, "per_query")
    try:
        if "not_run" in body:
            raise DataError("The model was not run, so it has no ranks.")
        check_table(read_table(io.BytesIO(raw), body["task"]), body)
    except DataError as error:
        raise _refusal(error, "per_query") from error
    return raw


def _read(file: IO[bytes], most: int, field: str) -> bytes:
    raw = file.read(most + 1)
    if len(raw) > most:
        raise InvalidInput(
            "This file has more than {most} MB.", code="result_too_large", params={"most": most // 2**20}, field=field
        )
    return raw


def _refusal(error: DataError, field: str) -> InvalidInput:
    return InvalidInput(
        "The file is not usable. {why}", code="unfit_result", params={"why": str(error)[:500]}, field=field
    )


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON.")


def delete_evaluation(*, evaluation: Evaluation) -> None:
    """Delete a result, its table, and its differences to others."""
    with transaction.atomic():
        name = evaluation.stored_as
        evaluation.delete()
        if name:
            transaction.on_commit(lambda: default_storage.delete(name), robust=True)


def keep_published(
    *, project: Project, name: str, published_in: str, file: IO[bytes], created_by: User
) -> PublishedTable:
    """Keep the table of a CSV file. Raises InvalidInput with the field, PublishedTwice, TooManyTables."""
    try:
        rows = read_published(_read(file, MOST_PUBLISHED, "file"))
    except DataError as error:
        raise _refusal(error, "file") from error
    if PublishedTable.objects.filter(project=project).count() >= MOST_TABLES:
        raise TooManyTables(params={"most": MOST_TABLES})
    try:
        with transaction.atomic():
            return PublishedTable.objects.create(
                project=project, name=name, published_in=published_in, rows=rows, created_by=created_by
            )
    except IntegrityError as error:
        raise PublishedTwice() from error
