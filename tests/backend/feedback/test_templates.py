"""Templates: a project begins with the same ones; reviewers change them; what was sent keeps its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.annotation.models import Judgment
from backend.feedback.templates import DEFAULTS, MOST_TEMPLATES
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import GuidelineExample
from world import World
from writing import FEEDBACK, PROJECT, REMARKS, TEXT, Clients, codes, withdraw

Write = Callable[..., dict[str, Any]]
TEMPLATES = f"{FEEDBACK}/templates"
OWN = {"name": "Boats", "text": "A ferry has two decks."}


def listed(client: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get(TEMPLATES).json()
    return rows


def test_a_project_begins_with_the_defaults_once(client_of: Clients, dora: User, project: Project) -> None:
    first, again = listed(client_of(dora)), listed(client_of(dora))
    assert first == again
    assert [row["code"] for row in first] == list(DEFAULTS)
    assert all(row["name"] and row["text"] and not row["is_own"] for row in first)


def test_a_changed_default_says_that_its_words_are_the_projects_own(
    client_of: Clients, dora: User, project: Project
) -> None:
    head = client_of(dora)
    row = listed(head)[0]
    changed = head.patch(f"{TEMPLATES}/{row['id']}", {"text": "Please look twice."}, "json").json()
    assert (changed["name"], changed["text"], changed["is_own"]) == (row["name"], "Please look twice.", True)
    assert listed(head)[0] == changed


def test_a_template_counts_its_use_and_stays_on_what_was_sent(
    client_of: Clients, dora: User, judged: list[Judgment], write: Write
) -> None:
    head = client_of(dora)
    made = head.post(TEMPLATES, OWN, "json").json()
    write(judged[0], template=made["id"])
    withdraw(head, write(judged[1], template=made["id"]))
    assert [row["n_used"] for row in listed(head) if row["id"] == made["id"]] == [1]
    assert head.delete(f"{TEMPLATES}/{made['id']}").status_code == 204
    assert made["id"] not in [row["id"] for row in listed(head)]
    assert {row["template"]["name"] for row in head.get(REMARKS).json()["results"]} == {"Boats"}
    refused = head.post(REMARKS, {"judgment": judged[0].pk, "text": TEXT, "template": made["id"]}, "json")
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_template")


def test_deleted_defaults_do_not_come_back(client_of: Clients, dora: User, project: Project) -> None:
    head = client_of(dora)
    for row in listed(head):
        head.delete(f"{TEMPLATES}/{row['id']}")
    assert listed(head) == []


def test_there_is_an_end_to_templates(client_of: Clients, dora: User, project: Project) -> None:
    head = client_of(dora)
    sent = [head.post(TEMPLATES, OWN, "json").status_code for _ in range(MOST_TEMPLATES - len(DEFAULTS) + 1)]
    assert (set(sent[:-1]), sent[-1]) == ({201}, 409)


@pytest.mark.parametrize("sent", [{}, {"name": "x"}, {"name": " ", "text": "y"}, {"name": "x" * 81, "text": "y"}])
def test_a_template_without_words_is_refused(
    client_of: Clients, dora: User, project: Project, sent: dict[str, str]
) -> None:
    assert client_of(dora).post(TEMPLATES, sent, "json").status_code == 400


@pytest.mark.nightly
def test_who_may_have_templates(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, project: Project
) -> None:
    everybody = (alice, dora, bob, charlie, None)
    one = f"{TEMPLATES}/{listed(client_of(dora))[0]['id']}"
    last = f"{TEMPLATES}/{listed(client_of(dora))[-1]['id']}"
    assert codes(client_of, everybody, lambda client: client.get(TEMPLATES)) == [200, 200, 403, 404, 401]
    assert codes(client_of, everybody, lambda client: client.post(TEMPLATES, OWN, "json")) == [201, 201, 403, 404, 401]
    assert codes(client_of, everybody, lambda client: client.patch(one, OWN, "json")) == [200, 200, 403, 404, 401]
    assert codes(client_of, everybody, lambda client: client.delete(last)) == [204, 404, 403, 404, 401]
    elsewhere = one.replace("skies", "elsewhere")
    assert client_of(charlie).patch(elsewhere, OWN, "json").status_code == 404


@pytest.mark.nightly
def test_a_curator_makes_the_pair_an_example_in_the_guidelines(
    client_of: Clients, alice: User, dora: User, project: Project, judged: list[Judgment]
) -> None:
    sent = {"judgment": judged[0].pk, "text": TEXT, "label": "bad", "is_example": True}
    assert client_of(dora).post(REMARKS, sent, "json").json()["code"] == "only_curators"
    for text in (TEXT, "Better said."):
        assert client_of(alice).post(REMARKS, sent | {"text": text}, "json").status_code == 201
    (example,) = client_of(alice).get(f"{PROJECT}/guidelines/examples").json()["examples"]
    assert (example["text"], example["label"]) == (judged[0].candidate.text, "bad")
    assert example["explanation"] == "Better said."


@pytest.mark.parametrize(
    ("more", "code"),
    [({"label": None}, "example_needs_label"), ({"text": "x" * 501}, "example_too_long")],
)
def test_an_example_that_cannot_be_made_sends_nothing(
    client_of: Clients, alice: User, judged: list[Judgment], more: dict[str, object], code: str
) -> None:
    sent = {"judgment": judged[0].pk, "text": TEXT, "label": "bad", "is_example": True, **more}
    assert client_of(alice).post(REMARKS, sent, "json").json()["code"] == code
    assert not GuidelineExample.objects.exists()
    assert client_of(alice).get(REMARKS).json()["results"] == []


def test_a_control_never_becomes_an_example(
    client_of: Clients, alice: User, project: Project, judged: list[Judgment]
) -> None:
    World(project).control(judged[0].candidate)
    sent = {"judgment": judged[0].pk, "text": TEXT, "label": "bad", "is_example": True}
    assert client_of(alice).post(REMARKS, sent, "json").status_code == 409
    assert not GuidelineExample.objects.exists()
