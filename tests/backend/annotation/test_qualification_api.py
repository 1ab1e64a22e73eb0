"""Qualification over HTTP: what each of the cast may see and do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Control, QuizAttempt
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project

Clients = Callable[..., APIClient]
BASE = "/api/v1/projects/skies/qualification"
TERMS: dict[str, Any] = {
    "version": 0, "asks_guidelines": True, "n_questions": 2, "pass_mark": 0.5, "max_attempts": 2,
    "retry_after_minutes": 0, "valid_days": None,
}  # fmt: skip


@pytest.fixture
def quizzed(project: Project, add_image: Callable[..., Image], client_of: Clients, alice: User) -> Project:
    """A project with a quiz of two out of three items."""
    for pair in Candidate.objects.filter(image=add_image("quiz", 3)):
        Control.objects.create(
            project=project, candidate=pair, accepted=["good"], is_quiz=True, explanation="Look left."
        )
    assert client_of(alice).put(BASE, TERMS, format="json").status_code == 200
    return project


def test_a_project_without_terms_asks_nothing(client_of: Clients, project: Project, alice: User, bob: User) -> None:
    terms = client_of(alice).get(BASE).json()
    assert (terms["version"], terms["asks_guidelines"], terms["n_questions"]) == (0, False, 0)
    assert terms["warning"] is None
    mine = client_of(bob).get(f"{BASE}/mine").json()
    assert (mine["is_qualified"], mine["why"], mine["quiz"]["is_asked"]) == (True, None, False)


def test_a_stale_change_of_terms_is_refused(client_of: Clients, quizzed: Project, alice: User) -> None:
    late = client_of(alice).put(BASE, TERMS, format="json")
    assert (late.status_code, late.json()["code"], late.json()["details"]) == (409, "stale", {"version": 1})
    current = client_of(alice).put(BASE, TERMS | {"version": 1, "valid_days": 30}, format="json").json()
    assert (current["version"], current["valid_days"], current["passes_since"]) == (2, 30, None)
    anew = client_of(alice).put(BASE, TERMS | {"version": 2, "passes_anew": True}, format="json").json()
    assert anew["passes_since"] is not None


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


def test_a_quiz_with_too_few_items_is_said_so(client_of: Clients, quizzed: Project, alice: User) -> None:
    assert client_of(alice).get(BASE).json()["warning"] is None
    short = client_of(alice).put(BASE, TERMS | {"version": 1, "n_questions": 5}, format="json").json()
    assert "5 questions, but there are 3" in short["warning"] and "mark 2 more" in short["warning"]
    Control.objects.all().delete()
    assert "nobody can begin" in client_of(alice).get(BASE).json()["warning"]


def test_who_cannot_begin_the_quiz_reads_how_many_questions_are_missing(
    client_of: Clients, quizzed: Project, alice: User, bob: User
) -> None:
    client_of(alice).put(BASE, TERMS | {"version": 1, "n_questions": 5}, format="json")
    refused = client_of(bob).post(f"{BASE}/quiz")
    assert (refused.status_code, refused.json()["code"], refused.json()["details"]) == (
        409, "no_quiz_items", {"missing": 2},
    )  # fmt: skip
    assert "lacks 2 of its 5 questions" in refused.json()["message"]


def test_guidelines_are_read_by_their_digest(client_of: Clients, quizzed: Project, bob: User) -> None:
    Project.objects.update(guidelines="# Look")
    mine = client_of(bob).get(f"{BASE}/mine").json()
    assert (mine["is_qualified"], mine["guidelines"]["text"]) == (False, "# Look")
    digest = mine["guidelines"]["digest"]
    other = client_of(bob).post(f"{BASE}/guidelines-read", {"guidelines_digest": "0" * 64})
    assert (other.status_code, other.json()["code"]) == (409, "guidelines_changed")
    read = client_of(bob).post(f"{BASE}/guidelines-read", {"guidelines_digest": digest}).json()
    assert read["guidelines"]["is_read"] is True
    assert read["why"] == "Pass the project's quiz before you begin."


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
