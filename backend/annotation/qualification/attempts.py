"""The attempts of people at the quiz, for reading: what each asks still, and what they leave a person."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.annotation.models import AnnotatorState, Control, ControlState, Qualification, QuizAttempt
from backend.annotation.qualification.answered import list_excused
from backend.candidates.models import Candidate
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project


@dataclass(frozen=True)
class Question:
    """A question of an attempt; `position` is its number from 1."""

    position: int
    candidate: Candidate
    accepted: tuple[str, ...]
    explanation: str


@dataclass(frozen=True)
class Attempts:
    """How often a person has failed since their last pass, and what that leaves them.

    `open` is the unfinished one, unless it is void. `excused` are those, by id, that were failed by wrong keys alone.
    """

    failed: int
    left: int
    next_at: datetime | None
    open: QuizAttempt | None
    last: QuizAttempt | None
    excused: Collection[int]


def get_attempt(*, project: Project, user: User, number: int) -> QuizAttempt:
    """The person's own attempt. Raises NotFound where there is none."""
    found = QuizAttempt.objects.filter(project=project, user=user, number=number).first()
    if found is None:
        raise NotFound("This quiz attempt does not exist.", code="no_such_attempt")
    return found


def list_questions(*, attempt: QuizAttempt) -> list[Question]:
    """The attempt's questions in the order asked, those left out that do not count.

    What is in quarantine has a wrong key, which is neither held against anybody nor told. What was retired, or deleted,
    is not asked any more; an answer given before counts. An open attempt that lacks too much by that is void: see
    `is_void`.
    """
    controls = Control.objects.filter(project=attempt.project_id, candidate__in=attempt.questions)
    controls = controls.exclude(state=ControlState.QUARANTINED).filter(_is_asked(attempt))
    found = {control.candidate_id: control for control in controls.select_related("candidate__image")}
    asked = ((n, found.get(candidate_id)) for n, candidate_id in enumerate(attempt.questions, start=1))
    return [Question(n, one.candidate, tuple(one.accepted), one.explanation) for n, one in asked if one is not None]


def _is_asked(attempt: QuizAttempt) -> Q:
    """The controls that an attempt asks still, and those whose question was answered."""
    answered = Q(candidate__in=[attempt.questions[int(position) - 1] for position in attempt.answers])
    return answered if attempt.ended_at else answered | Q(state=ControlState.ACTIVE)


def list_attempts(*, project: Project) -> QuerySet[QuizAttempt]:
    """Everybody's attempts, newest first, for whoever leads the annotators."""
    return QuizAttempt.objects.filter(project=project).select_related("user").order_by("-id")


def attempts_of(*, annotator_state: AnnotatorState, terms: Qualification) -> Attempts:
    """How the person's attempts stand. A pass, or everybody being asked anew, gives all of them back.

    One that was failed by wrong keys alone is not held against them.
    """
    mine = list(
        _since_anew(QuizAttempt.objects.filter(project=annotator_state.project_id, user=annotator_state.user_id), terms)
    )
    since = annotator_state.quiz_passed_at
    excused = list_excused(mine)
    ended = [one for one in mine if one.is_passed is False and one.pk not in excused]
    failed = [one.ended_at for one in ended if one.ended_at and not (since and one.ended_at <= since)]
    left = max(0, terms.max_attempts - len(failed))
    next_at = failed[-1] + timedelta(minutes=terms.retry_after_minutes) if failed and left else None
    unfinished = next((one for one in reversed(mine) if one.ended_at is None), None)
    settled = next((one for one in reversed(mine) if one.is_passed is not None), None)
    later = next_at if next_at and next_at > timezone.now() else None
    if unfinished and is_void(unfinished, [each.position for each in list_questions(attempt=unfinished)]):
        unfinished = None
    return Attempts(len(failed), left, later, unfinished, settled, excused)


def is_void(attempt: QuizAttempt, positions: Collection[int]) -> bool:
    """Whether an open attempt came to nothing: a question without an answer was put aside, or most of those with one.

    Graded over the rest it would be another quiz. `positions` are those of the questions that count.
    """
    left = {n for n, _ in enumerate(attempt.questions, start=1) if str(n) not in attempt.answers}
    return not left or not left <= set(positions) or 2 * len(positions) < len(attempt.questions)


def _since_anew(attempts: QuerySet[QuizAttempt], terms: Qualification) -> QuerySet[QuizAttempt]:
    since = {"created_at__gte": terms.passes_since} if terms.passes_since else {}
    return attempts.filter(**since).order_by("number")
