"""Reads over surveys: their state, what each pair got, and how participants did with the distractors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.methods.quality import ControlPolicy, ControlRecord, ControlResult, Share, rate_controls, share_of
from backend.methods.surveys import Bin, bin_shares
from backend.projects.models import Project
from backend.surveys.models import (
    HOLDS,
    Answer,
    ClosedBy,
    Participant,
    Survey,
    SurveyAnswer,
    SurveyItem,
    SurveyLink,
    SurveyState,
)

MOST_PARTICIPANTS = 10_000
Standing = Literal["counted", "unfinished", "excluded"]
RIGHT, WRONG = Answer.BAD, Answer.GOOD  # of a distractor


def list_surveys(*, project: Project) -> QuerySet[Survey]:
    """The project's surveys, newest first, each with its numbers of items, participants and links."""
    participants = Participant.objects.filter(survey=OuterRef("pk")).order_by().values("survey")
    finished = participants.filter(finished_at__isnull=False)
    items = SurveyItem.objects.filter(survey=OuterRef("pk"), is_distractor=False).order_by().values("survey")
    links = SurveyLink.objects.filter(survey=OuterRef("pk")).order_by().values("survey")
    return (
        Survey.objects.filter(project=project)
        .select_related("project")
        .annotate(
            n_items=_count(items),
            n_participants=_count(participants),
            n_finished=_count(finished),
            n_links=_count(links),
            n_links_used=_count(links.filter(participant__isnull=False)),
        )
        .order_by("-id")
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0)


def get_survey(*, project: Project, survey_id: int) -> Survey:
    """A survey of the project with its numbers. Raises NotFound."""
    found = list_surveys(project=project).filter(pk=survey_id).first() if survey_id <= LARGEST_ID else None
    if found is None:
        raise NotFound()
    return found


def most_of(survey: Survey) -> int:
    return survey.max_participants or MOST_PARTICIPANTS


def count_finished(survey: Survey) -> int:
    known: int | None = getattr(survey, "n_finished", None)
    if known is not None:
        return known
    return Participant.objects.filter(survey=survey, finished_at__isnull=False).count()


def closed_by(survey: Survey) -> ClosedBy | None:
    """What closed an opened survey; None while it is open or a draft. Nobody must act: the clock and the count do."""
    if survey.opened_at is None:
        return None
    if survey.closed_at is not None:
        return ClosedBy.CURATOR
    if survey.is_past:
        return ClosedBy.DATE
    return ClosedBy.NUMBER if count_finished(survey) >= most_of(survey) else None


def state_of(survey: Survey) -> SurveyState:
    if survey.opened_at is None:
        return SurveyState.DRAFT
    return SurveyState.CLOSED if closed_by(survey) else SurveyState.OPEN


def places_taken(survey: Survey) -> QuerySet[Participant]:
    """Participants who finished, and those who answered not long ago."""
    is_active = Q(seen_at__gt=timezone.now() - HOLDS)
    return Participant.objects.filter(Q(finished_at__isnull=False) | is_active, survey=survey)


def list_items(*, survey: Survey, is_distractor: bool) -> list[SurveyItem]:
    return list(SurveyItem.objects.filter(survey=survey, is_distractor=is_distractor).order_by("position"))


def list_series(participant: Participant) -> list[SurveyAnswer]:
    """A participant's pairs in their order, with the answers so far."""
    return list(SurveyAnswer.objects.filter(participant=participant).select_related("item").order_by("position"))


@dataclass(frozen=True)
class ParticipantRow:
    """How far a participant came, and what the rule says of them."""

    number: int
    started_at: datetime
    finished_at: datetime | None
    n_dealt: int
    n_answered: int
    seconds: float
    n_right: int
    n_graded: int
    fail_rate: float | None
    standing: Standing


def list_participants(*, survey: Survey) -> QuerySet[Participant]:
    """Participants in the order in which they agreed, with the counts that `describe` reads."""
    is_answered = ~Q(answers__answer="")
    of_distractor = Q(answers__item__is_distractor=True)
    return (
        Participant.objects.filter(survey=survey)
        .annotate(
            n_dealt=Count("answers"),
            n_answered=Count("answers", filter=is_answered),
            n_right=Count("answers", filter=of_distractor & Q(answers__answer=RIGHT)),
            n_wrong=Count("answers", filter=of_distractor & Q(answers__answer=WRONG)),
            ms=Coalesce(Sum("answers__ms"), 0),
        )
        .order_by("number")
    )


def describe(survey: Survey, row: Participant) -> ParticipantRow:
    counts: Any = row
    rated = rate(survey, n_right=counts.n_right, n_wrong=counts.n_wrong)
    is_excluded = rated.rating == "excluded"
    standing: Standing = "excluded" if is_excluded else "counted" if row.finished_at else "unfinished"
    return ParticipantRow(
        row.number, row.started_at, row.finished_at, counts.n_dealt, counts.n_answered, counts.ms / 1000,
        counts.n_right, rated.n_graded, rated.fail_rate, standing,
    )  # fmt: skip


def rate(survey: Survey, *, n_right: int, n_wrong: int) -> ControlResult:
    """What the survey's rule says. It never waits for more distractors than a participant gets."""
    least = max(1, min(survey.min_graded, survey.distractors_each))
    return rate_controls(ControlRecord(n_right, n_wrong), ControlPolicy(survey.fail_rate, least))


def excluded_ids(survey: Survey) -> set[Any]:
    """Participants that the rule excludes."""
    rows = list_participants(survey=survey).iterator(chunk_size=2000)
    return {row.pk for row in rows if describe(survey, row).standing == "excluded"}


@dataclass(frozen=True)
class PairResult:
    """A pair with its answers; no share where nobody answered it."""

    item: SurveyItem
    n: int
    share: Share | None


@dataclass(frozen=True)
class Agreement:
    """Mean and minimum of the shares of good over the pairs that have answers (IMP, Table 1)."""

    n_pairs: int
    n_answers: int
    least_n: int | None
    most_n: int | None
    mean: float | None
    minimum: float | None
    minimum_n: int | None


@dataclass(frozen=True)
class Results:
    n_participants: int
    n_finished: int
    n_unfinished: int
    n_excluded: int
    n_counted: int
    agreement: Agreement
    histogram: list[Bin]
    pairs: list[PairResult]
    distractors: list[PairResult]


def get_results(*, survey: Survey) -> Results:
    """Every figure of a survey, from the answers that count. Distractors show the answers of all participants."""
    people = [describe(survey, row) for row in list_participants(survey=survey)]
    excluded = excluded_ids(survey)
    answers = SurveyAnswer.objects.filter(item__survey=survey).exclude(answer="")
    counted = answers.exclude(participant__in=excluded)
    if not survey.counts_unfinished:
        counted = counted.filter(participant__finished_at__isnull=False)
    pairs = _tally(list_items(survey=survey, is_distractor=False), counted, Answer.GOOD)
    by_standing = [each.standing for each in people]
    n_unfinished = by_standing.count("unfinished")
    n_kept = by_standing.count("counted") + (n_unfinished if survey.counts_unfinished else 0)
    return Results(
        n_participants=len(people),
        n_finished=sum(each.finished_at is not None for each in people),
        n_unfinished=n_unfinished,
        n_excluded=by_standing.count("excluded"),
        n_counted=n_kept,
        agreement=_agreement(pairs),
        histogram=bin_shares([(each.share.k, each.n) for each in pairs if each.share]),
        pairs=pairs,
        distractors=_tally(list_items(survey=survey, is_distractor=True), answers, RIGHT),
    )


def _tally(items: list[SurveyItem], answers: QuerySet[SurveyAnswer], counted: Answer) -> list[PairResult]:
    rows = answers.order_by().values_list("item").annotate(n=Count("pk"), k=Count("pk", filter=Q(answer=counted)))
    found = {item_id: (k, n) for item_id, n, k in rows}
    return [PairResult(item, found.get(item.pk, (0, 0))[1], share_of(*found.get(item.pk, (0, 0)))) for item in items]


def _agreement(pairs: list[PairResult]) -> Agreement:
    shares = [each.share for each in pairs if each.share]
    if not shares:
        return Agreement(0, 0, None, None, None, None, None)
    lowest = min(shares, key=lambda share: (share.share, -share.n))
    counts = [share.n for share in shares]
    mean = sum(share.share for share in shares) / len(shares)
    return Agreement(len(shares), sum(counts), min(counts), max(counts), mean, lowest.share, lowest.n)


PAIR_COLUMNS = (
    "position", "kind", "caption", "caption_key", "image", "image_sha256", "score", "n", "good", "share_good", "low",
    "high",
)  # fmt: skip
PARTICIPANT_COLUMNS = (
    "participant", "standing", "n_dealt", "n_answered", "seconds", "distractors_right", "distractors_answered",
    "fail_rate", "started_at", "finished_at",
)  # fmt: skip
ANSWER_COLUMNS = ("participant", "standing", "place", "kind", "pair", "answer", "ms")


def iter_pair_rows(results: Results) -> Iterator[dict[str, Any]]:
    """Pairs as lines of a table, the hardest first. The share of good is of the answers that count."""
    for each in results.pairs:
        item, share = each.item, each.share
        yield {
            "position": item.position,
            "kind": "pair",
            "caption": item.text,
            "caption_key": item.key,
            "image": item.image_key,
            "image_sha256": item.digest,
            "score": item.score,
            "n": each.n,
            "good": share.k if share else 0,
            "share_good": share.share if share else None,
            "low": share.low if share else None,
            "high": share.high if share else None,
        }


def iter_participant_rows(*, survey: Survey) -> Iterator[dict[str, Any]]:
    for row in list_participants(survey=survey).iterator(chunk_size=500):
        told = describe(survey, row)
        yield {
            "participant": told.number,
            "standing": told.standing,
            "n_dealt": told.n_dealt,
            "n_answered": told.n_answered,
            "seconds": round(told.seconds, 1),
            "distractors_right": told.n_right,
            "distractors_answered": told.n_graded,
            "fail_rate": told.fail_rate,
            "started_at": told.started_at.isoformat(timespec="seconds"),
            "finished_at": told.finished_at.isoformat(timespec="seconds") if told.finished_at else None,
        }


def iter_answer_rows(*, survey: Survey) -> Iterator[dict[str, Any]]:
    """Every answer, in the order of the participants and of their series."""
    standings = {row.number: describe(survey, row).standing for row in list_participants(survey=survey)}
    answers = SurveyAnswer.objects.filter(participant__survey=survey).exclude(answer="")
    rows = answers.order_by("participant__number", "position").values_list(
        "participant__number", "position", "item__is_distractor", "item__position", "answer", "ms"
    )
    for number, place, is_distractor, pair, answer, ms in rows.iterator(chunk_size=2000):
        kind = "distractor" if is_distractor else "pair"
        told = (number, standings.get(number, "unfinished"), place, kind, pair, answer, ms)
        yield dict(zip(ANSWER_COLUMNS, told, strict=True))


def times_dealt(*, survey: Survey, is_distractor: bool) -> dict[int, int]:
    """How often each item lies before a participant who holds a place and is not excluded, by item id."""
    holders = places_taken(survey).exclude(pk__in=excluded_ids(survey)).values("pk")
    items = SurveyItem.objects.filter(survey=survey, is_distractor=is_distractor).order_by()
    rows = items.values_list("pk").annotate(n=Count("answers", filter=Q(answers__participant__in=holders)))
    return dict(rows)


def next_number(survey: Survey) -> int:
    last = Participant.objects.filter(survey=survey).order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1
