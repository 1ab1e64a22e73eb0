"""The quiz: resumed, answered once, other questions on a retry, a mark that may just be reached."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from at_once import at_once
from backend.annotation.leases import lease_next
from backend.annotation.models import Hit
from backend.candidates.models import Candidate
from backend.common.errors import InvalidInput, NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification import services as quiz
from backend.qualification.models import Control, ControlState, QualificationState, QuizAttempt
from backend.qualification.services import answer_quiz, begin_quiz, set_terms
from quizzes import Asks, again, take
from world import World

pytestmark = pytest.mark.django_db


def test_what_is_asked_hangs_on_the_secret_of_the_site(asks: Asks, project: Project, bob: User, settings: Any) -> None:
    asks(40, n_questions=10)
    settings.SECRET_KEY = "one secret of thirty-two characters"
    first = begin_quiz(project=project, user=bob)
    QuizAttempt.objects.all().delete()
    assert begin_quiz(project=project, user=bob).seed == first.seed
    QuizAttempt.objects.all().delete()
    settings.SECRET_KEY = "two secrets of thirty-two characters"
    second = begin_quiz(project=project, user=bob)
    assert second.seed != first.seed and second.questions != first.questions


def test_a_second_tab_is_in_the_same_attempt(asks: Asks, project: Project, bob: User) -> None:
    asks()
    first, second = (begin_quiz(project=project, user=bob) for _ in range(2))
    assert first == second
    assert first.questions == second.questions
    assert len(set(first.questions)) == 3


def test_no_two_unfinished_attempts_can_be_stored(asks: Asks, project: Project, bob: User) -> None:
    asks()
    begin_quiz(project=project, user=bob)
    with pytest.raises(IntegrityError, match=r"quiz_one_attempt|UNIQUE"), transaction.atomic():
        QuizAttempt.objects.create(project=project, user=bob, number=2, seed=1, questions=[1], pass_mark=1)


def test_the_mark_is_passed_where_it_is_just_reached(asks: Asks, project: Project, bob: User, dora: User) -> None:
    asks(10, n_questions=10, pass_mark=0.7)
    assert take(project, bob, 7).is_passed is True
    assert take(project, dora, 6).is_passed is False
    assert QualificationState.objects.get(user=bob).quiz_passed_at is not None
    assert QualificationState.objects.get(user=dora).quiz_passed_at is None


def test_answers_one_by_one_end_the_attempt_with_the_last(asks: Asks, project: Project, bob: User) -> None:
    asks(pass_mark=0.6)
    number = begin_quiz(project=project, user=bob).number
    for position, label in ((2, "good"), (1, "unsure"), (3, "good")):
        attempt = answer_quiz(project=project, user=bob, number=number, answers={position: label})
    assert (attempt.n_right, attempt.is_passed) == (2, True)
    assert attempt.answers["1"] == {"label": "unsure", "is_right": False}


def test_an_answer_is_final_and_the_same_again_is_no_second(asks: Asks, project: Project, bob: User) -> None:
    asks()
    number = begin_quiz(project=project, user=bob).number
    answer_quiz(project=project, user=bob, number=number, answers={1: "bad"})
    answer_quiz(project=project, user=bob, number=number, answers={1: "bad"})
    with pytest.raises(quiz.AnswerFinal) as refused:
        answer_quiz(project=project, user=bob, number=number, answers={1: "good", 2: "good"})
    assert refused.value.details == {"positions": [1]}
    assert QuizAttempt.objects.get().answers == {"1": {"label": "bad", "is_right": False}}


def test_a_whole_quiz_sent_twice_gives_one_result(asks: Asks, project: Project, bob: User) -> None:
    asks()
    first = take(project, bob, 3)
    second = answer_quiz(project=project, user=bob, number=1, answers={1: "good", 2: "good", 3: "good"})
    assert (first.ended_at, first.n_right) == (second.ended_at, second.n_right)
    with pytest.raises(quiz.AlreadyPassed):
        begin_quiz(project=project, user=bob)


def test_what_was_not_asked_cannot_be_answered(asks: Asks, project: Project, bob: User, dora: User) -> None:
    asks()
    number = begin_quiz(project=project, user=bob).number
    with pytest.raises(InvalidInput, match="no question 4"):
        answer_quiz(project=project, user=bob, number=number, answers={4: "good"})
    with pytest.raises(NotFound):
        answer_quiz(project=project, user=dora, number=number, answers={1: "good"})


def test_a_retry_asks_other_questions_while_there_are_any(asks: Asks, project: Project, bob: User) -> None:
    asks(7, max_attempts=5)
    first, second, third = (set(take(project, bob, 0).questions) for _ in range(3))
    assert not first & second
    assert len(third - first - second) == 1
    assert len(third) == 3


def test_two_newcomers_get_questions_of_their_own_draw(asks: Asks, project: Project, bob: User, dora: User) -> None:
    asks(20, n_questions=10)
    bobs, doras = (begin_quiz(project=project, user=user).questions for user in (bob, dora))
    assert bobs != doras


def test_attempts_run_out_and_a_curator_can_allow_more(asks: Asks, project: Project, bob: User) -> None:
    asks(max_attempts=2)
    take(project, bob, 0)
    take(project, bob, 0)
    with pytest.raises(quiz.NoAttemptsLeft):
        begin_quiz(project=again(project), user=bob)
    set_terms(project=project, version=1, passes_anew=False, changes={"max_attempts": 3})
    assert take(project, bob, 3).is_passed is True


def test_the_next_attempt_waits_as_long_as_the_terms_say(asks: Asks, project: Project, bob: User) -> None:
    asks(retry_after_minutes=60)
    ended = take(project, bob, 0).ended_at
    assert ended is not None
    with time_machine.travel(ended + timedelta(minutes=59), tick=False), pytest.raises(quiz.RetryLater) as refused:
        begin_quiz(project=again(project), user=bob)
    assert refused.value.details == {"next_attempt_at": (ended + timedelta(minutes=60)).isoformat()}
    with time_machine.travel(ended + timedelta(minutes=60), tick=False):
        assert begin_quiz(project=again(project), user=bob).number == 2


def test_a_pass_that_ran_out_gives_the_attempts_back(asks: Asks, project: Project, bob: User) -> None:
    asks(max_attempts=2, valid_days=7)
    take(project, bob, 0)
    passed = take(project, bob, 3).ended_at
    assert passed is not None
    with time_machine.travel(passed + timedelta(days=7), tick=False):
        assert take(project, bob, 0).is_passed is False
        assert take(project, bob, 3).is_passed is True


def test_asking_everybody_anew_voids_what_was_begun(asks: Asks, project: Project, bob: User) -> None:
    asks(max_attempts=1)
    begun = begin_quiz(project=project, user=bob)
    set_terms(project=project, version=1, passes_anew=True, changes={"n_questions": 2})
    with pytest.raises(quiz.AttemptVoid):
        answer_quiz(project=again(project), user=bob, number=begun.number, answers={1: "good"})
    assert take(project, bob, 2).number == 2
    begun.refresh_from_db()
    assert (begun.is_passed, begun.ended_at is None) == (None, False)


def test_an_attempt_keeps_the_mark_that_it_began_with(asks: Asks, project: Project, bob: User) -> None:
    asks(pass_mark=0.3)
    begin_quiz(project=project, user=bob)
    set_terms(project=project, version=1, passes_anew=False, changes={"pass_mark": 1})
    assert take(project, bob, 1).is_passed is True


def test_the_quiz_asks_no_hidden_control_and_hides_none_of_its_own(
    asks: Asks, project: Project, bob: User, hit: Hit
) -> None:
    asks(4, n_questions=4)
    hidden = Candidate.objects.filter(image=hit.image).exclude(hit_items__hit=hit)
    assert not hidden.exists()
    Project.objects.filter(pk=project.pk).update(control_rate=0.5)
    asked = set(begin_quiz(project=project, user=bob).questions)
    quizzed = set(Control.objects.filter(is_quiz=True).values_list("candidate", flat=True))
    other = Candidate.objects.exclude(pk__in=quizzed)
    assert asked == quizzed
    World(project).control(other.first())
    Control.objects.filter(is_quiz=True).update(state=ControlState.RETIRED)
    QuizAttempt.objects.all().delete()
    with pytest.raises(quiz.NoQuizItems):
        begin_quiz(project=project, user=bob)
    QualificationState.objects.update_or_create(project=project, user=bob, defaults={"quiz_passed_at": timezone.now()})
    found = lease_next(project=again(project), annotator=bob)
    assert found.shown
    assert not quizzed & set(found.shown.assignment.shown)


@pytest.mark.parametrize(("n_items", "said"), [(0, "no questions yet"), (1, "Missing: 4"), (4, "Missing: 1")])
def test_a_quiz_of_too_few_questions_is_not_begun(
    asks: Asks, project: Project, bob: User, n_items: int, said: str
) -> None:
    asks(n_items, n_questions=5)
    with pytest.raises(quiz.NoQuizItems, match=said) as refused:
        begin_quiz(project=project, user=bob)
    assert refused.value.details == {"missing": 5 - n_items}
    assert not QuizAttempt.objects.exists()


def test_nobody_is_quizzed_where_nothing_is_asked_or_the_guidelines_wait(
    asks: Asks, project: Project, bob: User
) -> None:
    with pytest.raises(quiz.NoQuizAsked):
        begin_quiz(project=project, user=bob)
    asks()
    Project.objects.filter(pk=project.pk).update(guidelines="Look first.")
    with pytest.raises(quiz.GuidelinesFirst):
        begin_quiz(project=again(project), user=bob)


def test_who_has_guidelines_to_read_is_not_told_to_begin_where_no_quiz_is_asked(project: Project, bob: User) -> None:
    set_terms(project=project, version=0, passes_anew=False, changes={"n_questions": 0})
    Project.objects.filter(pk=project.pk).update(guidelines="Look first.")
    with pytest.raises(quiz.GuidelinesFirst, match="guidelines first"):
        begin_quiz(project=again(project), user=bob)
    assert "begin" not in str(quiz.NoQuizAsked.__doc__)


@pytest.mark.django_db(transaction=True)
def test_double_clicks_begin_one_attempt_and_store_one_result(
    asks: Asks, project: Project, bob: User, n_threads: int
) -> None:
    asks()
    begun = at_once([lambda: begin_quiz(project=again(project), user=bob)] * min(8, n_threads))
    assert {attempt.number for attempt in begun} == {1}
    said = [{1: label, 2: "good", 3: "good"} for label in ("good", "bad")] * 2
    answered = at_once(
        [lambda each=each: answer_quiz(project=again(project), user=bob, number=1, answers=each) for each in said]
    )
    stored = QuizAttempt.objects.get()
    results = [one for one in answered if isinstance(one, QuizAttempt)]
    refusals = [one for one in answered if isinstance(one, quiz.AnswerFinal)]
    assert (len(results), len(refusals)) == (2, 2)
    assert {(one.n_right, one.ended_at) for one in results} == {(stored.n_right, stored.ended_at)}


def test_an_attempt_is_timed_by_the_server(asks: Asks, project: Project, bob: User) -> None:
    asks()
    before = timezone.now()
    ended = take(project, bob, 3).ended_at
    assert ended is not None
    assert before <= ended <= timezone.now()
