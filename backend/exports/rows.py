"""The rows of a project as it is now: answers, captions, annotators and figures of agreement. Never a test question."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from tempfile import TemporaryFile
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, open_csv

from backend.agreement.models import Scope
from backend.agreement.selectors import list_slices
from backend.agreement.services import look, renew
from backend.annotation.models import AnnotatorState, AnnotatorStatus, AssignmentStatus, Judgment
from backend.annotation.selectors import is_counted
from backend.candidates.models import CandidateStatus
from backend.common.labels import Label
from backend.exports.pseudonyms import read_names
from backend.methods.exports.choices import LEAVABLE
from backend.methods.exports.flat import SCHEMAS
from backend.methods.exports.full_tables import Record
from backend.methods.quality.shares import share_of
from backend.projects.models import Project
from backend.qualification.models import Control
from backend.releases.full_reads import caption_row, list_caption_values

ROWS = 2000  # that the database sends at once
BLOCK = 2**20  # bytes of rows that become one batch
BIG, TEXT, YES_NO, WHEN = pa.int64(), pa.string(), pa.bool_(), pa.timestamp("us", tz="UTC")
# What is read of an answer: the column, the name of Django, and how it is read.
OF_JUDGMENT = (
    ("id", "id", BIG), ("image", "candidate__image__digest", TEXT), ("caption", "candidate__key", TEXT),
    ("annotator", "annotator_id", BIG), ("label", "label", TEXT), ("lens", "lens", TEXT),
    ("is_generic", "is_generic", YES_NO), ("edits", "edits_text", TEXT), ("comment", "comment", TEXT),
    ("seconds", "ms", BIG), ("position", "position", pa.int32()), ("options", "options_text", TEXT),
    ("submitted_at", "assignment__submitted_at", WHEN), ("is_latest", "is_latest", YES_NO),
    ("is_counted", "counts", YES_NO), ("is_surplus", "is_surplus", YES_NO), ("supersedes", "supersedes_id", BIG),
)  # fmt: skip
AS_READ = pa.schema([(column, kind) for column, _, kind in OF_JUDGMENT])
NAMES = [name for _, name, _ in OF_JUDGMENT]


@dataclass(frozen=True)
class JudgmentFilter:
    """Which answers. `annotator` is a pseudonym, `image` a digest; `counted` leaves those that do not count away."""

    annotator: str = ""
    label: str = ""
    lens: str = ""
    image: str = ""
    since: datetime | None = None
    until: datetime | None = None
    counted: bool | None = None


def list_judgments(*, project: Project, asked: JudgmentFilter, names: Mapping[int, str]) -> QuerySet[Judgment]:
    """The answers to the pairs of a project, without test questions, in the order in which they came."""
    found = _answers(project)
    if asked.annotator:
        found = found.filter(annotator__in=[user for user, name in names.items() if name == asked.annotator])
    if asked.label:
        found = found.filter(label=asked.label)
    if asked.lens:
        found = found.filter(lens=asked.lens)
    if asked.image:
        found = found.filter(candidate__image__digest=asked.image)
    if asked.since:
        found = found.filter(assignment__submitted_at__gte=asked.since)
    if asked.until:
        found = found.filter(assignment__submitted_at__lt=asked.until)
    if asked.counted is not None:
        found = found.filter(Q(counts=asked.counted))
    return found.order_by("id")


def _answers(project: Project) -> QuerySet[Judgment]:
    """Each with `is_latest`, whether its annotator has not changed it, and `counts`."""
    # Not by a join with the test questions: PostgreSQL would read all of them again for each answer.
    test_questions = Control.objects.filter(project=project).values("candidate")
    of_pairs = Judgment.objects.filter(candidate__project=project, control=None)
    ours = of_pairs.exclude(candidate__in=test_questions)
    told: QuerySet[Judgment] = ours.annotate(
        is_latest=~Exists(Judgment.objects.filter(supersedes=OuterRef("pk"))),
        counts=is_counted(project=project) & Q(is_latest=True),
    )
    return told


def judgment_values(found: QuerySet[Judgment]) -> QuerySet[Judgment, dict[str, Any]]:
    """These answers of `list_judgments` as values that `judgment_batch` takes."""
    values: QuerySet[Judgment, dict[str, Any]] = found.annotate(
        edits_text=Cast("edits", TextField()),
        options_text=Cast("assignment__options", TextField()),
        is_surplus=~Q(assignment__status=AssignmentStatus.SUBMITTED),
    ).values(*NAMES)
    return values


def judgment_batch(read: pa.RecordBatch, *, names: Mapping[int, str], hidden: Collection[str] = ()) -> pa.RecordBatch:
    """The columns of an export from those that were read; `hidden` ones are null.

    An annotator is null for imported votes without annotators.
    """
    schema = SCHEMAS["judgments"]
    told = dict(zip(read.schema.names, read.columns, strict=True))
    for name in ("lens", "comment"):
        told[name] = pc.if_else(pc.equal(told[name], ""), None, told[name])
    for name in ("edits", "options"):
        # Most are equal: no edit, or the buttons in one of a few orders.
        texts = told[name].dictionary_encode()
        lists = pa.array(map(json.loads, texts.dictionary.to_pylist()), schema.field(name).type)
        told[name] = pa.DictionaryArray.from_arrays(texts.indices, lists)
    users = told["annotator"].dictionary_encode()
    told["annotator"] = pa.array(map(names.get, users.dictionary.to_pylist()), TEXT).take(users.indices)
    told["seconds"] = pc.divide(told["seconds"].cast(pa.float64()), 1000.0)
    moments = pc.floor_temporal(told["submitted_at"], unit="millisecond").cast(schema.field("submitted_at").type)
    told["submitted_at"] = moments.dictionary_encode()  # the answers of one assignment have the same
    for name in hidden:
        told[name] = pa.nulls(read.num_rows, schema.field(name).type)
    return pa.record_batch(told)


def iterate_judgments(*, project: Project, asked: JudgmentFilter, left_out: frozenset[str]) -> Iterator[pa.RecordBatch]:
    """The answers of an export. Columns that are left out are null; with `rejected`, only answers to good captions."""
    names = read_names(project=project)
    found = list_judgments(project=project, asked=asked, names=names)
    if "rejected" in left_out:
        found = found.filter(candidate__consensus__label=Label.GOOD).exclude(candidate__status=CandidateStatus.DROPPED)
    hidden = [column for name in left_out for column in LEAVABLE[name]]
    for batch in _read_batches(judgment_values(found)):
        yield judgment_batch(batch, names=names, hidden=hidden)


def batch_of(rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    """Rows of `judgment_values` as they were read."""
    return pa.record_batch([pa.array([row[name] for row in rows], kind) for _, name, kind in OF_JUDGMENT], AS_READ)


def _read_batches(found: QuerySet[Judgment, dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    if connection.vendor != "postgresql":
        rows = found.iterator(chunk_size=ROWS)
        while part := list(islice(rows, ROWS)):
            yield batch_of(part)
        return
    # PostgreSQL uses all of its cores for COPY but one for a cursor, and Arrow reads CSV without Python objects. The
    # rows wait in a file, because the worker tells its progress over the same connection.
    with TemporaryFile(prefix="connote-rows-") as file:
        try:
            sql, parameters = found.query.sql_with_params()
        except EmptyResultSet:
            return
        with connection.cursor() as cursor, cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT csv)", parameters) as copied:
            longest = 0
            for row in copied:
                longest = max(longest, file.write(row))
        if not longest:
            return
        file.seek(0)
        yield from open_csv(
            file,
            ReadOptions(column_names=AS_READ.names, block_size=max(BLOCK, 2 * longest), use_threads=False),
            ParseOptions(newlines_in_values=True),
            ConvertOptions(
                column_types=AS_READ, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False,
                true_values=["t"], false_values=["f"],
            ),
        )  # fmt: skip


@dataclass(frozen=True)
class CaptionFilter:
    """Which captions; `label` is the final one, `image` a digest."""

    status: str = ""
    label: str = ""
    source: str = ""
    image: str = ""

    def condition(self) -> Q:
        """The filter on candidates."""
        by = {"status": self.status, "consensus__label": self.label, "source": self.source, "image__digest": self.image}
        return Q(**{name: value for name, value in by.items() if value})


def iterate_captions(*, project: Project, asked: CaptionFilter, left_out: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Every caption that is not a test question, by image and key."""
    found = list_caption_values(project=project).filter(asked.condition())
    if "rejected" in left_out:
        found = found.filter(consensus__label=Label.GOOD).exclude(status=CandidateStatus.DROPPED)
    for values in found.iterator(chunk_size=ROWS):
        row = caption_row(values, {})
        del row["split"]
        yield row


def list_annotators(*, project: Project) -> QuerySet[AnnotatorState]:
    """The annotators of a project who are persons or imported with a name."""
    return AnnotatorState.objects.filter(project=project, is_unnamed=False).order_by("id")


def describe_annotators(
    *, project: Project, states: Collection[AnnotatorState], names: Mapping[int, str]
) -> list[dict[str, Any]]:
    """What these annotators did and how reliable it was, by pseudonym: in two queries for any number of them."""
    users = [state.user_id for state in states]
    ours = _answers(project).filter(annotator__in=users).order_by()
    has_label = Q(counts=True, candidate__consensus__label__in=Label.values)
    said = ours.values("annotator_id").annotate(
        judgments=Count("id", filter=Q(supersedes=None)),
        changed=Count("id", filter=Q(supersedes__isnull=False)),
        counted=Count("id", filter=Q(counts=True)),
        decided=Count("id", filter=has_label),
        agreed=Count("id", filter=has_label & Q(label=F("candidate__consensus__label"))),
    )
    figures = {row["annotator_id"]: row for row in said}
    tenths: dict[int, Counter[int]] = defaultdict(Counter)
    for row in (
        ours.exclude(ms=None).annotate(tenth=F("ms") / 100).values("annotator_id", "tenth").annotate(n=Count("id"))
    ):
        tenths[row["annotator_id"]][row["tenth"]] = row["n"]
    return [
        _annotator(state, names[state.user_id], figures.get(state.user_id), tenths[state.user_id]) for state in states
    ]


NOTHING = dict.fromkeys(("judgments", "counted", "changed", "decided", "agreed"), 0)


def _annotator(
    state: AnnotatorState, name: str, figures: Mapping[str, Any] | None, tenths: Counter[int]
) -> dict[str, Any]:
    told = {key: (figures or NOTHING)[key] for key in NOTHING}
    passed = state.n_graded - state.n_failed
    return {
        "annotator": name,
        **{key: told[key] for key in ("judgments", "counted", "changed")},
        "is_excluded": state.state == AnnotatorStatus.EXCLUDED,
        "controls": state.n_graded,
        "controls_passed": passed,
        **_share("controls", "controls_share", passed, state.n_graded),
        **{key: told[key] for key in ("decided", "agreed")},
        **_share("agreement", "agreement", told["agreed"], told["decided"]),
        "median_seconds": Record(tenths=tenths).median_seconds,
    }


def _share(name: str, value: str, k: int, n: int) -> dict[str, float | None]:
    share = share_of(k, n)
    return {
        value: share.share if share else None,
        f"{name}_low": share.low if share else None,
        f"{name}_high": share.high if share else None,
    }


def iterate_annotators(*, project: Project) -> Iterator[dict[str, Any]]:
    """One row for each annotator."""
    names = read_names(project=project)
    yield from describe_annotators(project=project, states=list(list_annotators(project=project)), names=names)


def iterate_agreement(*, project: Project) -> Iterator[dict[str, Any]]:
    """Every figure of every slice, of the answers of now: measures, readings of `unsure`, with their intervals."""
    renew(project=project)
    for scope in Scope:
        before: date | None = None
        while parts := look(project=project, parts=list_slices(project=project, scope=scope, before=before)).parts:
            for (_, value), told in parts.items():
                yield from _figures(scope, value, told)
            if scope != Scope.DAY:
                break
            before = date.fromisoformat(min(value for _, value in parts))


def _figures(scope: Scope, value: str, told: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for figure in told["figures"]:
        interval = figure.get("interval") or {"low": None, "high": None}
        yield {
            "scope": str(scope),
            "slice": value or None,
            "n_pairs": told["n_pairs"],
            **{name: figure[name] for name in ("measure", "reading", "value", "n_items", "n_judgments")},
            "reason": figure["reason"] or None,
            "low": interval["low"],
            "high": interval["high"],
        }
