"""What an annotator has to read and pass before the first HIT, the guidelines' examples, and attempts at the quiz.

Guidelines are compared by the digest of their text and examples. So a change of another setting asks nobody to read
them again. A pass stays valid when the terms change; a curator can ask everybody to pass again (`passes_since`).
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.candidates.models import Candidate, CandidateStatus
from backend.common.compiled import Compiled
from backend.common.errors import existing
from backend.common.labels import Label
from backend.methods.cleaning import comparison_form
from backend.methods.said import Said
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import (
    Control,
    ControlState,
    GuidelineExample,
    Qualification,
    QualificationState,
    QuizAttempt,
)

READ_FIRST = Said("read_first", "Read the guidelines before you start.")
READ_AGAIN = Said("read_again", "The guidelines changed. Read them again before you continue.")
PASS_FIRST = Said("pass_first", "Pass the quiz before you start.")
PASS_AGAIN = Said("pass_again", "Your quiz result is not valid any more. Pass the quiz again.")
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
ENOUGH_PEOPLE = 5  # With fewer answers a question may look wrong by chance.
ShownPairs = set[tuple[int, str]]  # (image, comparison form of the text) of pairs whose answer the guidelines show


def nothing_asked() -> Qualification:
    """The terms of a project for which nobody set any; not stored."""
    return Qualification(asks_guidelines=False, version=0)


def terms_of(*, project: Project) -> Qualification:
    """The project's terms. One query at most for each object `project`."""
    try:
        return project.qualification
    except Qualification.DoesNotExist:
        return nothing_asked()


STATE = Compiled(lambda given: QualificationState.objects.filter(project=given("project"), user=given("user")))


def state_of(*, project: Project, user: User) -> QualificationState:
    """What the user has read and passed; a row that is not stored if they did neither."""
    found = STATE.first(project=project.pk, user=user.pk)
    return found or QualificationState(project=project, user=user)


def why_not_qualified(*, project: Project, user: User) -> Said | None:
    """What the user has to do before the first HIT, as a sentence; None if nothing.

    No query if `project` was read with its `qualification` and that asks nothing.
    """
    terms = terms_of(project=project)
    if not (terms.n_questions or (terms.asks_guidelines and has_guidelines(project))):
        return None
    state = state_of(project=project, user=user)
    if (unread := why_guidelines(state=state, project=project, terms=terms)) is not None:
        return unread
    if not terms.n_questions or pass_holds(state=state, terms=terms):
        return None
    return PASS_AGAIN if state.quiz_passed_at else PASS_FIRST


def why_guidelines(*, state: QualificationState, project: Project, terms: Qualification) -> Said | None:
    """Why the guidelines have to be read, or None."""
    if not terms.asks_guidelines or not has_guidelines(project):
        return None
    if state.guidelines_digest == guidelines_digest(project):
        return None
    return READ_AGAIN if state.guidelines_digest else READ_FIRST


def pass_holds(*, state: QualificationState, terms: Qualification) -> bool:
    """Whether the last pass of the quiz is valid today."""
    after = LONG_AGO
    if terms.passes_since:
        after = terms.passes_since - timedelta(microseconds=1)  # a pass of that very moment is valid
    if terms.valid_days is not None:
        after = max(after, timezone.now() - timedelta(days=terms.valid_days))
    return state.quiz_passed_at is not None and state.quiz_passed_at > after


def has_guidelines(project: Project) -> bool:
    """Whether there is a text or an example to read."""
    return bool(project.guidelines or project.examples_digest)


def guidelines_digest(project: Project) -> str:
    """SHA-256 of the guidelines' text followed by the digest of their examples, hex."""
    return hashlib.sha256((project.guidelines + project.examples_digest).encode()).hexdigest()


def list_examples(*, project: Project) -> list[GuidelineExample]:
    """The project's examples with their images, in order. No query if the project has none."""
    if not project.examples_digest:
        return []
    return list(GuidelineExample.objects.filter(project=project).select_related("image"))


def shown_pairs(image_ids: Collection[int]) -> ShownPairs:
    """The pairs of these images whose answer the guidelines show."""
    rows = GuidelineExample.objects.filter(image__in=image_ids).values_list("image", "text")
    return {(image_id, comparison_form(text)) for image_id, text in rows}


def quiz_controls(*, project: Project) -> QuerySet[Control]:
    """The questions that the quiz can ask; none of them is ever an item of a HIT."""
    active = Control.objects.filter(project=project, is_quiz=True, state=ControlState.ACTIVE)
    return active.filter(candidate__status=CandidateStatus.KEPT)


@dataclass(frozen=True)
class Question:
    """A question of an attempt; `position` counts from 1."""

    position: int
    candidate: Candidate
    accepted: list[str]
    explanation: str
    answer: dict[str, Any] | None

    @property
    def feedback(self) -> dict[str, Any] | None:
        """The answer and the right one; None for a question that is not answered."""
        return self.answer and {**self.answer, "accepted": self.accepted, "explanation": self.explanation}


@dataclass(frozen=True)
class Attempts:
    """The failed attempts of a user since their last pass, and what is left; `open` is an unfinished one if it is not
    void."""

    failed: int
    left: int
    next_at: datetime | None
    open: QuizAttempt | None
    last: QuizAttempt | None


def get_attempt(*, project: Project, user: User, number: int) -> QuizAttempt:
    """The user's own attempt. Raises NotFound."""
    found = QuizAttempt.objects.filter(project=project, user=user, number=number).first()
    found = existing(found, "This quiz attempt does not exist.", code="no_such_attempt")
    mark_excused([found])
    return found


def list_attempts(*, project: Project) -> QuerySet[QuizAttempt]:
    """The attempts of all users, newest first."""
    return QuizAttempt.objects.filter(project=project).select_related("user").order_by("-id")


def list_questions(*, attempt: QuizAttempt) -> list[Question]:
    """The questions of the attempt that count, in the order asked.

    A question in quarantine has a wrong key: it does not count and is not shown. A question that was retired or deleted
    counts only if it was answered before.
    """
    is_asked = Q(candidate__in=[attempt.questions[int(position) - 1] for position in attempt.answers])
    if attempt.ended_at is None:
        is_asked |= Q(state=ControlState.ACTIVE)
    controls = Control.objects.filter(is_asked, project=attempt.project_id, candidate__in=attempt.questions)
    controls = controls.exclude(state=ControlState.QUARANTINED).select_related("candidate__image")
    found = {control.candidate_id: control for control in controls}
    return [
        Question(at, one.candidate, one.accepted, one.explanation, attempt.answers.get(str(at)))
        for at, candidate_id in enumerate(attempt.questions, start=1)
        if (one := found.get(candidate_id)) is not None
    ]


def attempts_of(*, state: QualificationState, terms: Qualification) -> Attempts:
    """The user's attempts. A pass, or a request that everybody passes again, gives all of them back."""
    rows = QuizAttempt.objects.filter(project=state.project_id, user=state.user_id).order_by("number")
    if terms.passes_since:
        rows = rows.filter(created_at__gte=terms.passes_since)
    mine, since = mark_excused(list(rows)), state.quiz_passed_at
    ended = [one for one in mine if one.is_passed is False and not one.is_excused]
    failed = [one.ended_at for one in ended if one.ended_at and not (since and one.ended_at <= since)]
    left = max(0, terms.max_attempts - len(failed))
    next_at = failed[-1] + timedelta(minutes=terms.retry_after_minutes) if failed and left else None
    unfinished = next((one for one in reversed(mine) if one.ended_at is None), None)
    if unfinished and is_void(unfinished, [each.position for each in list_questions(attempt=unfinished)]):
        unfinished = None
    return Attempts(
        failed=len(failed),
        left=left,
        next_at=next_at if next_at and next_at > timezone.now() else None,
        open=unfinished,
        last=next((one for one in reversed(mine) if one.is_passed is not None), None),
    )


def is_void(attempt: QuizAttempt, positions: Collection[int]) -> bool:
    """Whether an open attempt lost an open question or most of its questions: the rest would be another quiz.

    `positions` are those of the questions that count.
    """
    left = {n for n, _ in enumerate(attempt.questions, start=1) if str(n) not in attempt.answers}
    return not left or not left <= set(positions) or 2 * len(positions) < len(attempt.questions)


def mark_excused(attempts: list[QuizAttempt]) -> list[QuizAttempt]:
    """Say of each of these attempts of one project whether it failed only because of questions in quarantine.

    Such an attempt is not a pass, but it does not count as a failure.
    """
    failed = [attempt for attempt in attempts if attempt.is_passed is False]
    if failed:
        out = Control.objects.filter(project=failed[0].project_id, is_quiz=True, state=ControlState.QUARANTINED)
        wrong = set(out.values_list("candidate", flat=True))
        for attempt in failed:
            left = attempt.graded(without=wrong)
            n_right = sum(answer["is_right"] for answer in left)
            attempt.is_excused = not left or n_right / len(left) >= attempt.pass_mark
    return attempts


def count_answers(*, project_id: int) -> dict[int, Counter[str]]:
    """How people answered each question the first time, by candidate: n_met, n_passed, n_failed, n_unsure.

    Later answers of the same user do not count: by then they have seen the right answer. Void attempts count.
    """
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    known: set[tuple[int, int]] = set()
    attempts = QuizAttempt.objects.filter(project=project_id).order_by("user", "number")
    for user, questions, answers in attempts.values_list("user", "questions", "answers").iterator():
        for position, answer in answers.items():
            candidate = questions[int(position) - 1]
            if (user, candidate) not in known:
                known.add((user, candidate))
                wrong = "n_unsure" if answer["label"] == Label.UNSURE else "n_failed"
                found[candidate].update(("n_met", "n_passed" if answer["is_right"] else wrong))
    return dict(found)


def count_missed(*, project_id: int) -> int:
    """The quiz questions in use that most people answer wrong: perhaps their key is wrong."""
    fared = count_answers(project_id=project_id).items()
    missed = [candidate for candidate, n in fared if n["n_met"] >= ENOUGH_PEOPLE and 2 * n["n_passed"] < n["n_met"]]
    in_use = Control.objects.filter(project=project_id, is_quiz=True, state=ControlState.ACTIVE)
    return in_use.filter(candidate__in=missed).count() if missed else 0
