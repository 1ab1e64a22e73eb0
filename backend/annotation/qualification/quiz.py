"""The quiz of a newcomer: pairs of known answer, asked openly, with feedback once an answer is final.

Every change locks the annotator state, so that two tabs or a double click run one after the other. It also locks the
settings of the quiz, so that no attempt begins or ends by settings that are no longer in force.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from backend.annotation.locks import lock_annotator_state, lock_terms
from backend.annotation.models import (
    AnnotatorState,
    Control,
    ControlState,
    Qualification,
    QuizAttempt,
)
from backend.annotation.qualification.attempts import Attempts, attempts_of, get_attempt, is_void, list_questions
from backend.annotation.qualification.qualifying import pass_holds, why_guidelines
from backend.candidates.models import CandidateStatus
from backend.common.errors import Conflict, InvalidInput
from backend.methods.assignment import choose_controls, order_seed
from backend.people.models import User
from backend.projects.models import Project

TOO_FEW = "The quiz has too few questions. Missing: {missing}. Ask a curator to add them."


class NoQuizAsked(Conflict):
    """This project has no quiz."""

    code = "no_quiz_asked"


class AlreadyPassed(Conflict):
    """You passed the quiz. You can start."""

    code = "already_passed"


class GuidelinesFirst(Conflict):
    """Read the project's guidelines first."""

    code = "guidelines_first"


class NoAttemptsLeft(Conflict):
    """You used all your attempts at the quiz. Ask a curator for more."""

    code = "no_attempts_left"


class RetryLater(Conflict):
    """Wait before you try the quiz again."""

    code = "retry_later"


class NoQuizItems(Conflict):
    """The quiz has no questions yet. Ask a curator to add some."""

    code = "no_quiz_items"


class AnswerFinal(Conflict):
    """You already answered this question, maybe in another tab. The first answer counts."""

    code = "answer_final"


class AttemptVoid(Conflict):
    """This attempt does not count, because the quiz changed. Start again."""

    code = "attempt_void"


def quiz_controls(*, project: Project) -> QuerySet[Control]:
    """The controls that the quiz asks; none of them is ever hidden among ordinary pairs."""
    active = Control.objects.filter(project=project, is_quiz=True, state=ControlState.ACTIVE)
    return active.filter(candidate__status=CandidateStatus.KEPT)


@transaction.atomic
def begin_quiz(*, project: Project, user: User) -> QuizAttempt:
    """The unfinished attempt of this person, or a new one. A retry asks other questions where there are enough.

    A void one ends here, neither passed nor failed, and makes room. Raises NoQuizAsked, GuidelinesFirst, AlreadyPassed,
    NoAttemptsLeft, RetryLater, or NoQuizItems where there are fewer than the terms ask.
    """
    annotator_state = lock_annotator_state(project=project, annotator=user)
    terms = lock_terms(project)
    if terms is None:
        raise NoQuizAsked()
    _check_is_asked(annotator_state, project, terms)
    attempts = attempts_of(annotator_state=annotator_state, terms=terms)
    if attempts.open:
        return attempts.open
    _check_may_try(attempts)
    QuizAttempt.objects.filter(project=project, user=user, ended_at=None).update(ended_at=timezone.now())
    return _new_attempt(project, user, terms)


@transaction.atomic
def answer_quiz(*, project: Project, user: User, number: int, answers: Mapping[int, str]) -> QuizAttempt:
    """Give final answers, `{position: label}`, one, some or all. The last one settles the attempt.

    The same answer again changes nothing. Raises AnswerFinal for another one, InvalidInput for positions that were not
    asked, and AttemptVoid, also where too much of it was put aside meanwhile: see `is_void`.
    """
    annotator_state = lock_annotator_state(project=project, annotator=user)
    attempt = get_attempt(project=project, user=user, number=number)
    _check_counts(attempt, lock_terms(project))
    _check_answers(attempt, answers)
    questions = {question.position: question for question in list_questions(attempt=attempt)}
    if attempt.ended_at is None and is_void(attempt, questions):
        raise AttemptVoid()
    for position, label in sorted(answers.items()):
        if position in questions and str(position) not in attempt.answers:
            is_right = label in questions[position].accepted
            attempt.answers[str(position)] = {"label": label, "is_right": is_right}
    if attempt.ended_at is None:
        _settle(attempt, annotator_state, questions)
        attempt.save()
    return attempt


def _check_is_asked(annotator_state: AnnotatorState, project: Project, terms: Qualification) -> None:
    """Guidelines come first even where no quiz does, so that nobody takes that for leave to begin."""
    if why_guidelines(annotator_state=annotator_state, project=project, terms=terms):
        raise GuidelinesFirst()
    if not terms.n_questions:
        raise NoQuizAsked()
    if pass_holds(annotator_state=annotator_state, terms=terms):
        raise AlreadyPassed()


def _check_may_try(attempts: Attempts) -> None:
    if not attempts.left:
        raise NoAttemptsLeft(details={"failed": attempts.failed})
    if attempts.next_at:
        raise RetryLater(details={"next_attempt_at": attempts.next_at.isoformat()})


def _new_attempt(project: Project, user: User, terms: Qualification) -> QuizAttempt:
    before = QuizAttempt.objects.filter(project=project, user=user)
    number = (before.aggregate(last=Max("number"))["last"] or 0) + 1
    # The secret, as in drawing a page: with this code and their own name a person could work out what is asked next.
    seed = order_seed(settings.SECRET_KEY, "quiz", project.slug, user.username, number)
    asked = {candidate for questions in before.values_list("questions", flat=True) for candidate in questions}
    questions = _draw(project, asked, terms.n_questions, seed)
    _check_enough(len(questions), terms.n_questions)
    return QuizAttempt.objects.create(
        project=project, user=user, number=number, seed=seed, questions=questions, pass_mark=terms.pass_mark
    )


def _check_enough(n: int, n_asked: int) -> None:
    """A shorter quiz would be another one: with one question right, four of five would count as passed."""
    if not n:
        raise NoQuizItems(details={"missing": n_asked})
    if n < n_asked:
        raise NoQuizItems(TOO_FEW, code="too_few_quiz_items", params={"missing": n_asked - n})


def _draw(project: Project, asked: Iterable[int], n: int, seed: int) -> list[int]:
    """`n` quiz items by seed, those that were never asked first."""
    pool = dict(quiz_controls(project=project).values_list("candidate__key", "candidate"))
    known = set(asked)
    fresh = choose_controls([key for key, candidate in pool.items() if candidate not in known], n=n, seed=seed)
    again = choose_controls([key for key, candidate in pool.items() if candidate in known], n=n, seed=seed)
    return [pool[key] for key in (*fresh, *again)[:n]]


def _check_counts(attempt: QuizAttempt, terms: Qualification | None) -> None:
    is_void = attempt.ended_at is not None and attempt.is_passed is None
    since = terms.passes_since if terms else None
    if is_void or (attempt.ended_at is None and since and attempt.created_at < since):
        raise AttemptVoid()


def _check_answers(attempt: QuizAttempt, answers: Mapping[int, str]) -> None:
    given = {int(position): answer["label"] for position, answer in attempt.answers.items()}
    if unknown := sorted(set(answers) - set(range(1, len(attempt.questions) + 1))):
        numbers = ", ".join(map(str, unknown))
        raise InvalidInput(
            "This quiz attempt has no question {numbers}.",
            code="no_such_question",
            params={"numbers": numbers},
            details={"unknown": unknown},
        )
    if other := sorted(position for position, label in answers.items() if given.get(position, label) != label):
        raise AnswerFinal(details={"positions": other})


def _settle(attempt: QuizAttempt, annotator_state: AnnotatorState, positions: Collection[int]) -> None:
    """End the attempt where every question is answered. Unsure is right only where it is accepted.

    `positions` are those of the questions that count: not those with a wrong key, found so after they were answered.
    """
    asked = {str(position) for position in positions}
    if asked - set(attempt.answers):
        return
    for position in set(attempt.answers) - asked:
        attempt.answers[position]["is_out"] = True
    attempt.n_right = sum(attempt.answers[position]["is_right"] for position in asked)
    attempt.is_passed, attempt.ended_at = attempt.n_right / len(asked) >= attempt.pass_mark, timezone.now()
    if attempt.is_passed:
        annotator_state.quiz_passed_at = attempt.ended_at
        annotator_state.save(update_fields=["quiz_passed_at"])
