"""The rows of a project as it is now: answers, captions, annotators and figures of agreement. Never a test question."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from backend.agreement.models import Scope
from backend.agreement.selectors import list_slices
from backend.agreement.services import look, renew
from backend.annotation.models import AnnotatorState, AnnotatorStatus, AssignmentStatus, Judgment
from backend.annotation.selectors import is_counted
from backend.candidates.models import CandidateStatus
from backend.common.labels import Label
from backend.exports.pseudonyms import read_names
from backend.methods.exports.choices import LEAVABLE
from backend.methods.exports.flat import CHUNK, Columns
from backend.methods.exports.full_tables import Record
from backend.methods.quality.shares import share_of
from backend.projects.models import Project
from backend.qualification.models import Control
from backend.releases.full_reads import caption_row, list_caption_values

AS_TEXT = ("edits", "assignment__options", "assignment__submitted_at")  # read once for each distinct value
ROWS = 2000  # that the database sends at once
OF_JUDGMENT = (
    "id", "candidate__image__digest", "candidate__key", "annotator_id", "label", "lens", "is_generic", "edits",
    "comment", "ms", "position", "assignment__options", "assignment__submitted_at", "assignment__status",
    "is_changed", "supersedes_id",
)  # fmt: skip


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
        counts = is_counted(project=project) & Q(is_changed=False)
        found = found.filter(counts if asked.counted else ~counts)
    return found.order_by("id")


def _answers(project: Project) -> QuerySet[Judgment]:
    """Each with `is_changed`: whether its annotator has changed it."""
    # Not by a join with the test questions: PostgreSQL would read all of them again for each answer.
    test_questions = Control.objects.filter(project=project).values("candidate")
    of_pairs = Judgment.objects.filter(candidate__project=project, control=None)
    ours = of_pairs.exclude(candidate__in=test_questions)
    told: QuerySet[Judgment] = ours.annotate(is_changed=Exists(Judgment.objects.filter(supersedes=OuterRef("pk"))))
    return told


class JudgmentRows:
    """Turns values of OF_JUDGMENT into the columns of an export."""

    def __init__(self, project: Project, names: Mapping[int, str]) -> None:
        excluded = AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED)
        self._excluded = set(excluded.values_list("user_id", flat=True))
        self._names = names

    def columns(self, answers: Sequence[tuple[Any, ...]]) -> dict[str, Sequence[Any]]:
        """At least one answer. An annotator is None for imported votes without annotators."""
        (pk, image, caption, annotator, label, lens, is_generic, edits, comment, ms, position, options, submitted_at,
         status, is_changed, supersedes) = zip(*answers, strict=True)  # fmt: skip
        # Column by column: 60,000 answers take a third of the time that one dictionary for each answer takes.
        is_latest = [not changed for changed in is_changed]
        in_time = AssignmentStatus.SUBMITTED.value
        is_surplus = [each != in_time for each in status]
        is_excluded = [user in self._excluded for user in annotator]
        flags = zip(is_latest, is_surplus, is_excluded, strict=True)
        return {
            "id": pk,
            "image": image,
            "caption": caption,
            "annotator": [self._names.get(user) for user in annotator],
            "label": label,
            "lens": [each or None for each in lens],
            "is_generic": is_generic,
            "edits": edits,
            "comment": [each or None for each in comment],
            "seconds": [None if each is None else each / 1000 for each in ms],
            "position": position,
            "options": options,
            "submitted_at": submitted_at,
            "is_latest": is_latest,
            "is_counted": [latest and not surplus and not excluded for latest, surplus, excluded in flags],
            "is_surplus": is_surplus,
            "supersedes": supersedes,
        }

    def rows(self, answers: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
        """The same, one dictionary for each answer."""
        columns = self.columns(answers) if answers else {}
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def iterate_judgments(*, project: Project, asked: JudgmentFilter, left_out: frozenset[str]) -> Iterator[Columns]:
    """The answers of an export. Columns that are left out are None; with `rejected`, only answers to good captions."""
    names = read_names(project=project)
    found = list_judgments(project=project, asked=asked, names=names)
    if "rejected" in left_out:
        found = found.filter(candidate__consensus__label=Label.GOOD).exclude(candidate__status=CandidateStatus.DROPPED)
    hidden = [column for name in left_out for column in LEAVABLE[name]]
    rows = JudgmentRows(project, names)
    as_text = {f"{name}_text": Cast(name, TextField()) for name in AS_TEXT}
    columns = [f"{name}_text" if name in AS_TEXT else name for name in OF_JUDGMENT]
    answers = found.annotate(**as_text).values_list(*columns).iterator(chunk_size=ROWS)
    with _planned_to_the_end():
        chunk = list(islice(answers, CHUNK))
    while chunk:
        told = rows.columns(chunk)
        for name in ("edits", "options"):
            told[name] = [_read_list(text) for text in told[name]]
        told["submitted_at"] = [text and _read_moment(text) for text in told["submitted_at"]]
        told.update({name: [None] * len(chunk) for name in hidden})
        yield told
        chunk = list(islice(answers, CHUNK))


@contextmanager
def _planned_to_the_end() -> Iterator[None]:
    """Let PostgreSQL plan a cursor for all of its rows. By default it looks for the first tenth up in indexes."""
    if connection.vendor != "postgresql" or connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET cursor_tuple_fraction = 1")
        yield
        cursor.execute("RESET cursor_tuple_fraction")


@lru_cache(maxsize=10_000)
def _read_list(text: str) -> list[Any]:
    """A list of the database. Most are equal: no edit, or the buttons in one of a few orders. Nobody changes them."""
    return list(json.loads(text))


@lru_cache(maxsize=10_000)
def _read_moment(text: str) -> datetime:
    """A time of the database, where the session is in UTC. The answers of one assignment have the same."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


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
    counts = is_counted(project=project) & Q(is_changed=False)
    has_label = counts & Q(candidate__consensus__label__in=Label.values)
    said = ours.values("annotator_id").annotate(
        judgments=Count("id", filter=Q(supersedes=None)),
        changed=Count("id", filter=Q(supersedes__isnull=False)),
        counted=Count("id", filter=counts),
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
