"""Qualification over HTTP: what each of the cast may see and do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control, Qualification, QuizAttempt
from backend.qualification.serializers import present_terms
from world import World

Clients = Callable[..., APIClient]
BASE = "/api/v1/projects/skies/qualification"
TERMS: dict[str, Any] = {
    "version": 0, "asks_guidelines": True, "n_questions": 2, "pass_mark": 0.5, "max_attempts": 2,
    "retry_after_minutes": 0, "valid_days": None,
}  # fmt: skip


@pytest.fixture
def quizzed(project: Project, add_image: Callable[..., Image], client_of: Clients, alice: User) -> Project:
    """A project with a quiz of two out of three items."""
    for pair in add_image("quiz", 3).candidates.all():
        World(project).control(pair, is_quiz=True, explanation="Look left.")
    assert client_of(alice).put(BASE, TERMS, format="json").status_code == 200
    return project


def test_a_project_without_terms_asks_nothing(client_of: Clients, project: Project, alice: User, bob: User) -> None:
    terms = client_of(alice).get(BASE).json()
    assert (terms["version"], terms["asks_guidelines"], terms["n_questions"]) == (0, False, 0)
    mine = client_of(bob).get(f"{BASE}/mine").json()
    assert (mine["is_qualified"], mine["why"], mine["quiz"]["is_asked"]) == (True, None, False)


def test_a_stale_change_of_terms_is_refused(client_of: Clients, quizzed: Project, alice: User) -> None:
    late = client_of(alice).put(BASE, TERMS, format="json")
    assert (late.status_code, late.json()["code"], late.json()["details"]) == (409, "stale", {"version": 1})
    current = client_of(alice).put(BASE, TERMS | {"version": 1, "valid_days": 30}, format="json").json()
    assert (current["version"], current["valid_days"], current["passes_since"]) == (2, 30, None)
    anew = client_of(alice).put(BASE, TERMS | {"version": 2, "passes_anew": True}, format="json").json()
    assert anew["passes_since"] is not None


@pytest.mark.nightly
@pytest.mark.parametrize(
    "wrong",
    [
        {"pass_mark": 1.1}, {"pass_mark": "nan"}, {"n_questions": 51}, {"max_attempts": 0}, {"valid_days": 0},
        {"retry_after_minutes": -1}, {"version": None}, {"asks_guidelines": None},
    ],
)  # fmt: skip
def test_terms_that_make_no_sense_are_refused(
    client_of: Clients, project: Project, alice: User, wrong: dict[str, Any]
) -> None:
    answer = client_of(alice).put(BASE, TERMS | wrong, format="json")
    assert (answer.status_code, list(answer.json()["details"])) == (400, list(wrong))


@pytest.mark.nightly
def test_a_retry_that_asks_what_it_gave_the_answers_to_is_said_so(
    client_of: Clients, quizzed: Project, alice: User, add_image: Callable[..., Image]
) -> None:
    told = client_of(alice).get(BASE).json()
    assert (told["repeats_from"], told["n_quiz_wanted"]) == (2, 4)
    once = client_of(alice).put(BASE, TERMS | {"version": 1, "max_attempts": 1}, format="json").json()
    assert once["repeats_from"] is None
    client_of(alice).put(BASE, TERMS | {"version": 2}, format="json")
    World(quizzed).control(add_image("more", 1).candidates.get(), is_quiz=True)
    enough = client_of(alice).get(BASE).json()
    assert (enough["repeats_from"], enough["n_quiz_controls"], enough["n_quiz_wanted"]) == (None, 4, 4)


@pytest.mark.parametrize(
    ("asked", "there", "attempts", "repeats_from"),
    [
        (3, 6, 4, 3),
        (3, 7, 3, 3),
        (3, 5, 4, 2),
        (3, 6, 2, None),
        (3, 9, 3, None),
        (3, 9, 1000, None),  # how many items would fill a thousand attempts helps nobody
        (3, 8, 1000, 3),
        (3, 2, 4, None),  # nobody can begin it at all
        (0, 0, 4, None),
    ],
)
def test_the_first_attempt_that_repeats_questions_is_told_among_the_first_three(
    asked: int, there: int, attempts: int, repeats_from: int | None
) -> None:
    terms = Qualification(asks_guidelines=False, n_questions=asked, max_attempts=attempts)
    assert present_terms(terms, there, 0)["repeats_from"] == repeats_from


@pytest.fixture
def missed(quizzed: Project, client_of: Clients, alice: User) -> Control:
    """A quiz item that five newcomers answered with bad, the only one of them all."""
    terms = TERMS | {"version": 1, "n_questions": 3, "max_attempts": 2, "pass_mark": 1}
    client_of(alice).put(BASE, terms, format="json")
    wrong = Control.objects.order_by("pk")[1]
    for n in range(5):
        user = World(quizzed).person(f"newcomer-{n}")
        for _ in range(2):
            _take(client_of(user), wrong)
    return wrong


def _take(client: APIClient, wrong: Control) -> None:
    attempt = client.post(f"{BASE}/quiz").json()
    answers = [
        {"position": each["position"], "label": "bad" if each["text"] == wrong.candidate.text else "good"}
        for each in attempt["questions"]
    ]
    client.post(f"{BASE}/quiz/{attempt['number']}/answers", {"answers": answers}, format="json")


@pytest.mark.nightly
def test_a_quiz_item_says_how_many_missed_it_at_their_first_go(
    client_of: Clients, missed: Control, alice: User
) -> None:
    rows = client_of(alice).get("/api/v1/projects/skies/controls").json()["results"]
    told = {row["id"]: (row["n_met"], row["n_passed"], row["n_failed"], row["n_unsure"]) for row in rows}
    assert told.pop(missed.pk) == (5, 0, 5, 0)
    assert set(told.values()) == {(5, 5, 0, 0)}
    one = client_of(alice).get(f"/api/v1/projects/skies/controls/{missed.pk}").json()
    assert (one["n_met"], one["n_failed"]) == (5, 5)


def test_the_curator_is_warned_where_most_people_miss_a_quiz_item(
    client_of: Clients, missed: Control, alice: User
) -> None:
    told = client_of(alice).get(BASE).json()
    assert told["n_missed"] == 1
    patched = client_of(alice).patch(f"/api/v1/projects/skies/controls/{missed.pk}", {"state": "quarantined"})
    assert patched.status_code == 200
    assert client_of(alice).get(BASE).json()["n_missed"] == 0


@pytest.mark.nightly
def test_few_people_say_nothing_of_a_question(client_of: Clients, missed: Control, alice: User) -> None:
    QuizAttempt.objects.filter(user__username="newcomer-0").delete()
    assert client_of(alice).get(BASE).json()["n_missed"] == 0


@pytest.mark.nightly
def test_an_attempt_that_was_failed_by_a_wrong_key_says_that_it_costs_nothing(
    client_of: Clients, missed: Control, alice: User
) -> None:
    newcomer = client_of(User.objects.get(username="newcomer-0"))

    def told() -> list[bool]:
        mine = newcomer.get(f"{BASE}/mine").json()["quiz"]["last"]
        rows = client_of(alice).get(f"{BASE}/attempts").json()["results"]
        assert len({row["is_excused"] for row in rows}) == 1
        one = newcomer.get(f"{BASE}/quiz/{mine['number']}").json()
        return [each["is_excused"] for each in (mine, rows[0], one)]

    assert told() == [False, False, False]
    Control.objects.filter(pk=missed.pk).update(state="quarantined")
    assert told() == [True, True, True]


def test_who_is_in_an_attempt_reads_its_own_terms(client_of: Clients, quizzed: Project, alice: User, bob: User) -> None:
    client_of(bob).post(f"{BASE}/quiz")
    client_of(alice).put(BASE, TERMS | {"version": 1, "n_questions": 3, "pass_mark": 1}, format="json")
    told = client_of(bob).get(f"{BASE}/mine").json()["quiz"]
    assert (told["open_attempt"], told["n_questions"], told["pass_mark"]) == (1, 2, 0.5)


@pytest.mark.nightly
def test_an_attempt_tells_no_key_that_was_found_wrong(client_of: Clients, quizzed: Project, bob: User) -> None:
    client = client_of(bob)
    client.post(f"{BASE}/quiz")
    answer = {"answers": [{"position": 1, "label": "bad"}]}
    client.post(f"{BASE}/quiz/1/answers", answer, format="json")
    Control.objects.filter(candidate=QuizAttempt.objects.get().questions[0]).update(state="quarantined")
    again = client.post(f"{BASE}/quiz").json()
    assert [question["position"] for question in again["questions"]] == [2]
    assert again["n_questions"] == 1
    answer = {"answers": [{"position": 2, "label": "good"}]}
    done = client.post(f"{BASE}/quiz/1/answers", answer, format="json").json()
    assert (done["n_right"], done["n_questions"], done["is_passed"], len(done["questions"])) == (1, 1, True, 1)


@pytest.mark.nightly
def test_a_void_attempt_is_said_so_and_a_new_one_can_be_begun(
    client_of: Clients, quizzed: Project, alice: User, bob: User
) -> None:
    client = client_of(bob)
    first = QuizAttempt.objects.get(number=client.post(f"{BASE}/quiz").json()["number"])
    answer = {"answers": [{"position": 1, "label": "bad"}]}
    client.post(f"{BASE}/quiz/1/answers", answer, format="json")
    Control.objects.filter(candidate=first.questions[1]).update(state="retired")
    last = {"answers": [{"position": 2, "label": "good"}]}
    refused = client.post(f"{BASE}/quiz/1/answers", last, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "attempt_void")
    mine = client.get(f"{BASE}/mine").json()["quiz"]
    assert (mine["open_attempt"], mine["attempts_failed"], mine["next_attempt_at"], mine["last"]) == (
        None,
        0,
        None,
        None,
    )
    begun = client.post(f"{BASE}/quiz").json()
    assert (begun["number"], begun["n_questions"], len(begun["questions"])) == (2, 2, 2)
    rows = client_of(alice).get(f"{BASE}/attempts").json()["results"]
    assert [(row["number"], row["is_passed"], row["ended_at"] is None) for row in rows] == [
        (2, None, True),
        (1, None, False),
    ]


def test_who_cannot_begin_the_quiz_reads_how_many_questions_are_missing(
    client_of: Clients, quizzed: Project, alice: User, bob: User
) -> None:
    client_of(alice).put(BASE, TERMS | {"version": 1, "n_questions": 5}, format="json")
    refused = client_of(bob).post(f"{BASE}/quiz")
    assert (refused.status_code, refused.json()["code"], refused.json()["details"]) == (
        409, "too_few_quiz_items", {"missing": 2},
    )  # fmt: skip
    assert "Missing: 2." in refused.json()["message"]


def test_guidelines_are_read_by_their_digest(client_of: Clients, quizzed: Project, bob: User) -> None:
    Project.objects.update(guidelines="# Look")
    mine = client_of(bob).get(f"{BASE}/mine").json()
    assert (mine["is_qualified"], mine["guidelines"]["text"]) == (False, "# Look")
    digest = mine["guidelines"]["digest"]
    other = client_of(bob).post(f"{BASE}/guidelines-read", {"guidelines_digest": "0" * 64})
    assert (other.status_code, other.json()["code"]) == (409, "guidelines_changed")
    read = client_of(bob).post(f"{BASE}/guidelines-read", {"guidelines_digest": digest}).json()
    assert read["guidelines"]["is_read"] is True
    assert read["why"]["code"] == "pass_first"


@pytest.mark.nightly
def test_nothing_is_told_of_a_question_before_it_is_answered(client_of: Clients, quizzed: Project, bob: User) -> None:
    client = client_of(bob)
    begun = client.post(f"{BASE}/quiz")
    assert begun.status_code == 200
    assert [question["feedback"] for question in begun.json()["questions"]] == [None, None]
    assert not {"accepted", "explanation", "is_quiz"} & set(_keys(begun.json()))
    one = client.post(f"{BASE}/quiz/1/answers", {"answers": [{"position": 1, "label": "bad"}]}, format="json").json()
    feedback = {"label": "bad", "is_right": False, "accepted": ["good"], "explanation": "Look left."}
    assert [question["feedback"] for question in one["questions"]] == [feedback, None]
    assert one["is_passed"] is None
    rest = client.post(f"{BASE}/quiz/1/answers", {"answers": [{"position": 2, "label": "good"}]}, format="json").json()
    assert (rest["n_right"], rest["is_passed"]) == (1, True)
    assert client.get(f"{BASE}/quiz/1").json() == rest
    mine = client.get(f"{BASE}/mine").json()
    assert (mine["is_qualified"], mine["quiz"]["is_passed"], mine["quiz"]["last"]["number"]) == (True, True, 1)


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for inner in value.values() for key in _keys(inner))]
    return [key for inner in value for key in _keys(inner)] if isinstance(value, list) else []


def test_refusals_say_what_to_do(client_of: Clients, quizzed: Project, bob: User) -> None:
    client = client_of(bob)
    for number in (1, 2):
        client.post(f"{BASE}/quiz")
        wrong = {"answers": [{"position": position, "label": "bad"} for position in (1, 2)]}
        assert client.post(f"{BASE}/quiz/{number}/answers", wrong, format="json").json()["is_passed"] is False
    refused = client.post(f"{BASE}/quiz")
    assert (refused.status_code, refused.json()["code"]) == (409, "no_attempts_left")
    mine = client.get(f"{BASE}/mine").json()["quiz"]
    assert (mine["attempts_failed"], mine["attempts_left"], mine["open_attempt"]) == (2, 0, None)
    twice = {"answers": [{"position": 1, "label": "bad"}, {"position": 1, "label": "good"}]}
    assert client.post(f"{BASE}/quiz/1/answers", twice, format="json").status_code == 400


@pytest.mark.nightly
def test_the_lead_sees_all_attempts_and_annotators_do_not(
    client_of: Clients, quizzed: Project, alice: User, bob: User, dora: User
) -> None:
    for user in (bob, dora):
        client_of(user).post(f"{BASE}/quiz")
    for lead in (alice, dora):
        rows = client_of(lead).get(f"{BASE}/attempts").json()["results"]
        assert [row["username"] for row in rows] == ["dora", "bob"]
        assert "accepted" not in json.dumps(rows)
    assert client_of(bob).get(f"{BASE}/attempts").status_code == 403


def test_only_a_curator_sets_terms(client_of: Clients, quizzed: Project, bob: User, dora: User) -> None:
    assert client_of(dora).get(BASE).status_code == 200
    assert client_of(dora).put(BASE, TERMS, format="json").status_code == 403
    assert client_of(bob).get(BASE).status_code == 403


@pytest.mark.nightly
@pytest.mark.parametrize("who", ["charlie", None])
def test_outsiders_see_nothing(client_of: Clients, quizzed: Project, charlie: User, bob: User, who: str | None) -> None:
    client_of(bob).post(f"{BASE}/quiz")
    client = client_of(charlie if who else None)
    answers = {"answers": [{"position": 1, "label": "good"}]}
    seen = [
        client.get(BASE), client.put(BASE, TERMS, format="json"), client.get(f"{BASE}/mine"),
        client.post(f"{BASE}/guidelines-read", {"guidelines_digest": "0"}), client.post(f"{BASE}/quiz"),
        client.get(f"{BASE}/quiz/1"), client.post(f"{BASE}/quiz/1/answers", answers, format="json"),
        client.get(f"{BASE}/attempts"),
    ]  # fmt: skip
    assert {answer.status_code for answer in seen} == {404 if who else 401}
    assert QuizAttempt.objects.get().answers == {}


def test_another_persons_attempt_is_not_there(client_of: Clients, quizzed: Project, bob: User, dora: User) -> None:
    client_of(bob).post(f"{BASE}/quiz")
    answers = {"answers": [{"position": 1, "label": "good"}]}
    for number in (1, 0, 10**30):
        assert client_of(dora).get(f"{BASE}/quiz/{number}").status_code == 404
    assert client_of(dora).post(f"{BASE}/quiz/1/answers", answers, format="json").status_code == 404
