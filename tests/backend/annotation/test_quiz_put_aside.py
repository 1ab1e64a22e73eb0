"""Questions of the quiz that are put aside, as their answer is wrong: what was begun, failed and counted by them."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from backend.people.models import User
from backend.projects.models import Project
from backend.qualification import services as quiz
from backend.qualification.models import Control, ControlState, QualificationState, QuizAttempt
from backend.qualification.selectors import Attempts, attempts_of, count_answers, list_questions
from backend.qualification.services import answer_quiz, begin_quiz
from quizzes import Asks, again, take

pytestmark = pytest.mark.django_db


def test_an_attempt_without_any_question_left_is_begun_anew(asks: Asks, project: Project, bob: User) -> None:
    asks()
    first = begin_quiz(project=project, user=bob)
    Control.objects.filter(candidate__in=first.questions).delete()
    second = begin_quiz(project=project, user=bob)
    assert second.number == 2
    assert not set(first.questions) & set(second.questions)


def put_aside(attempt: QuizAttempt, position: int, state: ControlState = ControlState.QUARANTINED) -> None:
    Control.objects.filter(candidate=attempt.questions[position - 1]).update(state=state)


ASIDE = [ControlState.QUARANTINED, ControlState.RETIRED, None]


def attempts_after(project: Project, user: User) -> Attempts:
    state = QualificationState.objects.get(project=project, user=user)
    return attempts_of(state=state, terms=again(project).qualification)


def take_out(attempt: QuizAttempt, positions: Collection[int], state: ControlState | None) -> None:
    """These questions are put aside; deleted, where no state is named."""
    asked = Control.objects.filter(candidate__in=[attempt.questions[position - 1] for position in positions])
    if state is None:
        asked.delete()
    else:
        asked.update(state=state)


@pytest.mark.nightly
@pytest.mark.parametrize("state", ASIDE)
@pytest.mark.parametrize("said", ["good", "bad"])
@pytest.mark.parametrize("aside", [(2, 3, 4, 5), (4,)])
def test_an_attempt_whose_open_questions_were_put_aside_is_neither_passed_nor_failed(
    asks: Asks, project: Project, bob: User, aside: tuple[int, ...], said: str, state: ControlState | None
) -> None:
    """One right answer was a pass by 1 of 1, and one wrong answer cost the only attempt."""
    asks(12, n_questions=5, pass_mark=0.8, max_attempts=1, retry_after_minutes=60)
    first = begin_quiz(project=project, user=bob)
    answer_quiz(project=again(project), user=bob, number=1, answers={1: said})
    take_out(first, aside, state)
    second = begin_quiz(project=again(project), user=bob)
    assert (second.number, len(second.questions), second.answers) == (2, 5, {})
    assert not set(first.questions) & set(second.questions)
    first.refresh_from_db()
    assert (first.is_passed, first.n_right, first.ended_at is None) == (None, None, False)
    assert QualificationState.objects.get(user=bob).quiz_passed_at is None
    now = attempts_after(project, bob)
    assert (now.failed, now.left, now.next_at, now.open, now.last) == (0, 1, None, second, None)


@pytest.mark.parametrize("state", ASIDE)
def test_an_attempt_that_lost_an_open_question_takes_no_more_answers(
    asks: Asks, project: Project, bob: User, state: ControlState | None
) -> None:
    asks(pass_mark=1)
    first = begin_quiz(project=project, user=bob)
    answer_quiz(project=project, user=bob, number=1, answers={1: "good"})
    take_out(first, [2], state)
    assert attempts_after(project, bob).open is None
    for answers in ({2: "good"}, {3: "good"}, {1: "good"}, {2: "good", 3: "good"}):
        with pytest.raises(quiz.AttemptVoid):
            answer_quiz(project=project, user=bob, number=1, answers=answers)
    first.refresh_from_db()
    assert (set(first.answers), first.is_passed) == ({"1"}, None)
    assert begin_quiz(project=again(project), user=bob).number == 2
    with pytest.raises(quiz.AttemptVoid):
        answer_quiz(project=project, user=bob, number=1, answers={3: "good"})


def test_a_void_attempt_leaves_no_trace_of_itself_where_too_few_questions_are_left(
    asks: Asks, project: Project, bob: User
) -> None:
    asks(5, n_questions=5)
    first = begin_quiz(project=project, user=bob)
    answer_quiz(project=project, user=bob, number=1, answers={1: "good"})
    put_aside(first, 2, ControlState.RETIRED)
    for _ in range(2):
        with pytest.raises(quiz.NoQuizItems, match="Missing: 1"):
            begin_quiz(project=again(project), user=bob)
        assert attempts_after(project, bob).open is None
    put_aside(first, 2, ControlState.ACTIVE)
    assert begin_quiz(project=again(project), user=bob).number == 1


def test_a_wrong_key_that_was_answered_already_is_not_graded(asks: Asks, project: Project, bob: User) -> None:
    asks(pass_mark=1)
    attempt = begin_quiz(project=project, user=bob)
    answer_quiz(project=project, user=bob, number=1, answers={1: "bad"})
    put_aside(attempt, 1)
    done = answer_quiz(project=project, user=bob, number=1, answers={2: "good", 3: "good"})
    assert (done.is_passed, done.n_right, done.n_questions) == (True, 2, 2)
    assert done.answers["1"] == {"label": "bad", "is_right": False, "is_out": True}
    assert [question.position for question in list_questions(attempt=done)] == [2, 3]


@pytest.mark.nightly
@pytest.mark.parametrize("n_aside", [2, 3])
def test_an_attempt_is_graded_while_half_of_its_questions_count(
    asks: Asks, project: Project, bob: User, n_aside: int
) -> None:
    """Of five questions with one left, one right answer was a pass."""
    asks(12, n_questions=5, pass_mark=0.8)
    first = begin_quiz(project=project, user=bob)
    answer_quiz(project=again(project), user=bob, number=1, answers=dict.fromkeys(range(1, 5), "good"))
    take_out(first, range(1, 1 + n_aside), ControlState.QUARANTINED)
    if n_aside == 2:
        done = answer_quiz(project=again(project), user=bob, number=1, answers={5: "good"})
        assert (done.is_passed, done.n_questions) == (True, 3)
        return
    with pytest.raises(quiz.AttemptVoid):
        answer_quiz(project=again(project), user=bob, number=1, answers={5: "good"})
    assert begin_quiz(project=again(project), user=bob).number == 2
    now = attempts_after(project, bob)
    assert (now.failed, QualificationState.objects.get(user=bob).quiz_passed_at) == (0, None)


def test_what_was_answered_before_it_was_retired_still_counts(asks: Asks, project: Project, bob: User) -> None:
    asks(pass_mark=1)
    attempt = begin_quiz(project=project, user=bob)
    answer_quiz(project=project, user=bob, number=1, answers={1: "bad"})
    put_aside(attempt, 1, ControlState.RETIRED)
    done = answer_quiz(project=project, user=bob, number=1, answers={2: "good", 3: "good"})
    assert (done.is_passed, done.n_right, done.n_questions) == (False, 2, 3)


def test_what_was_said_in_a_void_attempt_is_the_first_word_to_a_question(
    asks: Asks, project: Project, bob: User
) -> None:
    """Whoever is asked it again has read the answer."""
    asks(4)
    first = begin_quiz(project=project, user=bob)
    answer_quiz(project=project, user=bob, number=1, answers={1: "bad"})
    put_aside(first, 2, ControlState.RETIRED)
    assert first.questions[0] in take(project, bob, 3).questions
    fared = count_answers(project_id=project.pk)[first.questions[0]]
    assert fared == {"n_met": 1, "n_failed": 1}


def test_an_attempt_of_nothing_but_wrong_keys_is_begun_anew(asks: Asks, project: Project, bob: User) -> None:
    asks()
    first = begin_quiz(project=project, user=bob)
    answer_quiz(project=project, user=bob, number=1, answers={1: "bad"})
    for position in (1, 2, 3):
        put_aside(first, position)
    with pytest.raises(quiz.AttemptVoid):
        answer_quiz(project=project, user=bob, number=1, answers={2: "bad"})
    assert begin_quiz(project=again(project), user=bob).number == 2


def test_who_failed_by_a_wrong_key_alone_has_used_no_attempt(
    asks: Asks, project: Project, bob: User, dora: User
) -> None:
    asks(max_attempts=1, retry_after_minutes=60, pass_mark=0.6)
    first, other = take(project, bob, 1), take(project, dora, 0)
    put_aside(first, 2)
    put_aside(other, 2)
    with pytest.raises(quiz.NoAttemptsLeft):
        begin_quiz(project=again(project), user=dora)
    with pytest.raises(quiz.NoAttemptsLeft):
        begin_quiz(project=again(project), user=bob)
    put_aside(first, 3)
    state = QualificationState.objects.get(user=bob)
    attempts = attempts_of(state=state, terms=again(project).qualification)
    assert (attempts.failed, attempts.left, attempts.next_at) == (0, 1, None)
    assert state.quiz_passed_at is None
    Control.objects.update(state=ControlState.ACTIVE)
    with pytest.raises(quiz.NoAttemptsLeft):
        begin_quiz(project=again(project), user=bob)
