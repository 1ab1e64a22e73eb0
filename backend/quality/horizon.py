"""What a replay of a policy reads: judgments as they were at a moment, annotator by annotator, in bounded memory.

Judgments are added, never changed, so the id of the newest one names a moment. For the whole project only tables of
numbers are in memory: votes by pair, answers to controls, one quick time for each annotator. Judgments are read for one
annotator at a time, and no more than the widest window of the rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, cast
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from numpy.typing import NDArray

from backend.annotation.models import (
    DONE,
    LEFT_TO_RULES,
    Assignment,
    AssignmentStatus,
    DecidedStatus,
    Judgment,
    StatusDecision,
)
from backend.annotation.selectors import current_judgments, last_settled_judgment, timely_judgments, unnamed_voters
from backend.common.counting import in_one
from backend.common.models import LARGEST_ID
from backend.controls.audit import list_accused, list_quarantined
from backend.methods.consensus import LABELS
from backend.methods.quality import Turn, floor_of
from backend.methods.quality.controls import Grade
from backend.methods.quality.speed import FEWEST_TIMES, QUICK_OF
from backend.projects.models import Project

AT_ONCE = 500  # assignments whose judgments are read in one statement
PLACE: dict[str, int] = {label: place for place, label in enumerate(LABELS)}
VOTES = np.dtype([("candidate", "i8"), ("votes", "i8", (len(LABELS),))])


class TurnItem(NamedTuple):
    candidate: int
    label: str
    position: int
    ms: int | None


@dataclass(frozen=True)
class Horizon:
    """A moment, and what the id of a judgment does not tell: decisions, controls in quarantine, and skips.

    `skips` has (user, HITs, skipped HITs) of every annotator except votes without names. `skips_since` has the same
    since the last check of an annotator, if there was one.
    """

    until: int
    decided_until: int
    quarantined: tuple[int, ...]
    skips: tuple[tuple[int, int, int], ...]
    skips_since: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class ControlAnswer:
    control: int
    assignment: UUID
    grade: Grade
    at: datetime


@dataclass(frozen=True)
class VoteTable:
    """Votes that count, by pair and label: ids ascending, votes of shape (pairs, 3)."""

    candidates: NDArray[np.int64]
    votes: NDArray[np.int64]

    def of(self, candidates: Sequence[int]) -> NDArray[np.int64]:
        """The votes on these pairs, (n, 3); zeros for a pair without votes."""
        wanted = np.asarray(candidates, dtype=np.int64)
        found = np.zeros((len(wanted), len(LABELS)), dtype=np.int64)
        if not len(self.candidates) or not len(wanted):
            return found
        at = np.minimum(np.searchsorted(self.candidates, wanted), len(self.candidates) - 1)
        is_there = self.candidates[at] == wanted
        found[is_there] = self.votes[at[is_there]]
        return found


def take_horizon(*, project: Project) -> Horizon:
    """This moment."""
    with transaction.atomic():
        newest = last_settled_judgment(project=project)
        decided = read_decisions(project=project)
    is_skipped = Q(status=AssignmentStatus.SKIPPED)
    ended = _ended(project).values_list("annotator").annotate(met=Count("pk"), skipped=Count("pk", filter=is_skipped))
    return Horizon(
        until=newest,
        decided_until=decided.newest,
        # With those that the audit would quarantine now.
        quarantined=tuple(sorted({*list_quarantined(project=project), *list_accused(project)})),
        skips=tuple(sorted(ended)),
        skips_since=skips_since(project, decided.looked_at),
    )


def skips_since(project: Project, looked_at: dict[int, datetime]) -> tuple[tuple[int, int, int], ...]:
    """(user, HITs, skipped HITs) of HITs leased after the check of each user.

    The times are compared here: one condition for each of a thousand users is deeper than SQLite allows.
    """
    met: Counter[int] = Counter()
    skipped: Counter[int] = Counter()
    first = min(looked_at.values(), default=timezone.now())
    rows = _ended(project).filter(annotator__in=in_one(looked_at), leased_at__gt=first)
    for user, at, status in rows.values_list("annotator_id", "leased_at", "status").iterator(chunk_size=5000):
        if at > looked_at[user]:
            met[user] += 1
            skipped[user] += status == AssignmentStatus.SKIPPED
    return tuple((user, met[user], skipped[user]) for user in sorted(met))


def _ended(project: Project) -> QuerySet[Assignment]:
    """The submitted and skipped assignments, without votes without names."""
    ended = Assignment.objects.filter(project=project, status__in=(*DONE, AssignmentStatus.SKIPPED)).order_by()
    return ended.exclude(annotator__in=unnamed_voters(project=project))


def read_control_answers(*, project: Project, until: int, without: Collection[int]) -> dict[int, list[ControlAnswer]]:
    """The first answers of each annotator to controls, in order, except the controls `without`."""
    first = Judgment.objects.filter(control__project=project, pk__lte=until).exclude(outcome="").order_by("pk")
    told = first.values_list("annotator_id", "assignment_id", "outcome", "control_id", "created_at")
    answers: dict[int, list[ControlAnswer]] = defaultdict(list)
    for user, assignment, outcome, control, at in told.iterator(chunk_size=5000):
        if control not in without:
            answers[user].append(ControlAnswer(control, assignment, cast(Grade, outcome), at))
    return answers


def read_votes(*, project: Project, until: int, without: Collection[int]) -> VoteTable:
    """Votes on every pair, in time, except those of the annotators `without`."""
    rows = timely_judgments(project=project, until=until).exclude(annotator__in=without)
    by_label = {f"n_{label}": Count("pk", filter=Q(label=label)) for label in LABELS}
    counted = rows.order_by("candidate").values_list("candidate").annotate(**by_label)
    table = np.fromiter(((row[0], row[1:]) for row in counted.iterator(chunk_size=5000)), dtype=VOTES)
    return VoteTable(table["candidate"], table["votes"])


def read_floor(*, project: Project, until: int, without: Collection[int] = ()) -> float | None:
    """The shortest plausible time in seconds, from the lower quartile of each annotator except those `without`.

    None if nobody sent enough times. One statement, and one row for each annotator.
    """
    timed = current_judgments(project=project, until=until).filter(ms__isnull=False).exclude(annotator__in=without)
    ranked = timed.order_by().annotate(
        n_times=Window(Count("pk"), partition_by=F("annotator")),
        place=Window(RowNumber(), partition_by=F("annotator"), order_by="ms"),
    )
    last_of_quick = {"n_times__lte": F("place") * QUICK_OF, "n_times__gt": (F("place") - 1) * QUICK_OF}
    quick = ranked.filter(n_times__gte=FEWEST_TIMES, **last_of_quick).values_list("ms", flat=True)
    return floor_of(ms / 1000 for ms in quick if ms is not None)


@dataclass(frozen=True)
class Decisions:
    """What people decided, by user id: decisions that have priority over the rules, and valid checks that a rule
    asked for, by annotator. `newest` is the id of the newest decision."""

    newest: int
    by_hand: dict[int, StatusDecision]
    looks: dict[int, StatusDecision]

    @property
    def looked_at(self) -> dict[int, datetime]:
        """When each annotator was checked."""
        return {user: look.created_at for user, look in self.looks.items()}


def read_decisions(*, project: Project, until: int | None = None) -> Decisions:
    """The newest decision of each person counts."""
    rows = StatusDecision.objects.filter(annotator_state__project=project).select_related("annotator_state")
    rows = rows.filter(pk__lte=LARGEST_ID if until is None else until).order_by("pk")
    newest = {row.annotator_state.user_id: row for row in rows}
    return Decisions(
        newest=max((row.pk for row in newest.values()), default=0),
        by_hand={user: row for user, row in newest.items() if row.state not in LEFT_TO_RULES},
        looks=_looks(rows),
    )


def _looks(rows: Iterable[StatusDecision]) -> dict[int, StatusDecision]:
    """The valid check of each user, from decisions in their order.

    The end of a pause takes the pause back, so the check before the pause stays valid. After any other decision the
    rules ask for a new check.
    """
    looks: dict[int, StatusDecision] = {}
    before: dict[int, str] = {}
    for row in rows:
        user = row.annotator_state.user_id
        if user in looks and before[user] == DecidedStatus.PAUSED and row.state in LEFT_TO_RULES:
            continue  # the end of a pause, which counts once
        before[user] = row.state
        if row.state == DecidedStatus.REVIEWED:
            looks[user] = row
        elif row.state != DecidedStatus.PAUSED:
            looks.pop(user, None)
    return looks


def read_turns(
    *, project: Project, until: int, user: int, most: int | None, answers: Sequence[ControlAnswer], table: VoteTable,
    votes_count: bool, after: datetime | None = None,
) -> list[Turn]:  # fmt: skip
    """The newest `most` turns of one annotator up to a judgment, oldest first; None: all. With `after`, only those
    submitted later.

    A first turn holds the grades of all earlier controls. `votes_count`: the `table` of votes has the annotator's own,
    which are subtracted.
    """
    done = Assignment.objects.filter(project=project, annotator=user, status__in=DONE)
    if after is not None:
        done = done.filter(submitted_at__gt=after)
    done = done.filter(Exists(Judgment.objects.filter(assignment=OuterRef("pk"), pk__lte=until)))
    hits = list(done.order_by("-submitted_at", "-pk").values_list("pk", "status", "options")[:most])[::-1]
    grades: dict[UUID, list[Grade]] = {pk: [] for pk, _, _ in hits}
    earlier: list[Grade] = []
    for answer in answers:
        grades.get(answer.assignment, earlier).append(answer.grade)
    said = current_judgments(project=project, until=until).filter(control=None).order_by("assignment_id", "position")
    items: dict[UUID, list[TurnItem]] = defaultdict(list)
    for start in range(0, len(hits), AT_ONCE):
        some = said.filter(assignment__in=[pk for pk, _, _ in hits[start : start + AT_ONCE]])
        for pk, *item in some.values_list("assignment_id", "candidate_id", "label", "position", "ms"):
            items[pk].append(TurnItem._make(item))
    turns = [Turn(grades=tuple(earlier))] if earlier else []
    for pk, status, options in hits:
        labels = tuple(PLACE[item.label] for item in items[pk])
        others = table.of([item.candidate for item in items[pk]])
        if votes_count and status == AssignmentStatus.SUBMITTED:
            others[np.arange(len(labels)), labels] -= 1
        turns.append(
            Turn(
                labels=labels,
                places=tuple(item.position - 1 for item in items[pk]),
                options=tuple(PLACE[label] for label in options),
                seconds=tuple(item.ms / 1000 for item in items[pk] if item.ms is not None),
                others=others,
                grades=tuple(grades[pk]),
            )
        )
    return turns
