"""Verdicts over HTTP: appended by the head annotator or a curator, the newest stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Judgment, Slot
from backend.candidates.models import Candidate
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Verdict
from backend.review.selectors import standing_verdicts
from settled import settle_all, wanting
from world import World

Clients = Callable[..., APIClient]
VERDICTS = "/api/v1/projects/skies/verdicts"


@pytest.fixture
def pairs(project: Project, make_judged: Callable[..., Project]) -> list[Candidate]:
    make_judged(project, images=1, captions=3)
    return list(Candidate.objects.filter(project=project).order_by("pk"))


def test_the_head_annotator_settles_a_pair_and_the_newest_verdict_stands(
    client_of: Clients, dora: User, alice: User, project: Project, pairs: list[Candidate]
) -> None:
    for user, label in ((dora, "bad"), (alice, "good")):
        sent = {"candidate": pairs[0].pk, "label": label, "reason": "I looked twice."}
        answer = client_of(user).post(VERDICTS, sent, "json")
        assert (answer.status_code, answer.json()["label"]) == (201, label)
    rows = client_of(dora).get(VERDICTS).json()["results"]
    assert [(row["label"], row["decided_by"], row["key"]) for row in rows] == [
        ("good", "alice", pairs[0].key), ("bad", "dora", pairs[0].key),
    ]  # fmt: skip
    assert {pair: verdict.label for pair, verdict in standing_verdicts(project=project).items()} == {
        pairs[0].pk: "good"
    }


def test_a_verdict_can_be_taken_back_once(
    client_of: Clients, dora: User, project: Project, pairs: list[Candidate]
) -> None:
    back = {"candidate": pairs[1].pk, "label": None}
    assert client_of(dora).post(VERDICTS, back, "json").json()["code"] == "nothing_to_take_back"
    client_of(dora).post(VERDICTS, {"candidate": pairs[1].pk, "label": "bad"}, "json")
    assert client_of(dora).post(VERDICTS, back, "json").json()["label"] is None
    assert client_of(dora).post(VERDICTS, back, "json").status_code == 409
    assert not standing_verdicts(project=project)
    assert Verdict.objects.count() == 2


def test_verdicts_of_one_pair_can_be_asked_for(client_of: Clients, dora: User, pairs: list[Candidate]) -> None:
    for pair in pairs[:2]:
        client_of(dora).post(VERDICTS, {"candidate": pair.pk, "label": "unsure"}, "json")
    rows = client_of(dora).get(VERDICTS, {"candidate": pairs[1].pk}).json()["results"]
    assert [row["candidate"] for row in rows] == [pairs[1].pk]


@pytest.mark.parametrize("sent", [{}, {"label": "good"}, {"candidate": 1, "label": "great"}, {"candidate": "x"}])
def test_what_makes_no_sense_is_refused_in_words(
    client_of: Clients, dora: User, project: Project, sent: dict[str, object]
) -> None:
    answer = client_of(dora).post(VERDICTS, sent, "json")
    assert (answer.status_code, bool(answer.json()["message"])) == (400, True)


def test_a_pair_of_another_project_and_a_hidden_control_are_not_found(
    client_of: Clients, dora: User, charlie: User, project: Project, pairs: list[Candidate]
) -> None:
    World(project).control(pairs[2])
    assert client_of(dora).post(VERDICTS, {"candidate": pairs[2].pk, "label": "bad"}, "json").status_code == 404
    through_his_own = "/api/v1/projects/elsewhere/verdicts"
    sent = {"candidate": pairs[0].pk, "label": "bad"}
    assert client_of(charlie).post(through_his_own, sent, "json").status_code == 404


@pytest.mark.nightly
def test_only_reviewers_of_the_project_get_in(
    client_of: Clients, pairs: list[Candidate], alice: User, dora: User, bob: User, charlie: User
) -> None:
    everybody = (alice, dora, bob, charlie, None)
    assert [client_of(user).get(VERDICTS).status_code for user in everybody] == [200, 200, 403, 404, 401]
    sent = {"candidate": pairs[0].pk, "label": "bad"}
    assert [client_of(user).post(VERDICTS, sent, "json").status_code for user in everybody] == [201, 201, 403, 404, 401]


def n_free() -> int:
    return Slot.objects.filter(assignment=None).count()


@pytest.mark.nightly
def test_nobody_is_asked_about_a_pair_while_a_verdict_stands_on_it(
    client_of: Clients, dora: User, project: Project, pairs: list[Candidate]
) -> None:
    Project.objects.filter(pk=project.pk).update(overlap=3)
    settle_all(project)
    assert (wanting(project), n_free()) == ({pair.pk for pair in pairs}, 1)
    client_of(dora).post(VERDICTS, {"candidate": pairs[0].pk, "label": "bad"}, "json")
    assert (wanting(project), n_free()) == ({pair.pk for pair in pairs[1:]}, 1)
    settle_all(project)
    for pair in pairs[1:]:
        client_of(dora).post(VERDICTS, {"candidate": pair.pk, "label": "good"}, "json")
    assert (wanting(project), n_free()) == (set(), 0)
    client_of(dora).post(VERDICTS, {"candidate": pairs[2].pk, "label": None}, "json")
    assert (wanting(project), n_free()) == ({pairs[2].pk}, 1)


def test_a_verdict_ends_the_adaptive_overlap_of_a_pair_that_people_disagree_on(
    client_of: Clients, dora: User, project: Project, pairs: list[Candidate]
) -> None:
    Project.objects.filter(pk=project.pk).update(confidence=0.99, max_overlap=5)
    Judgment.objects.filter(candidate=pairs[0], annotator=dora).update(label="bad")
    settle_all(project)
    assert pairs[0].pk in wanting(project)
    client_of(dora).post(VERDICTS, {"candidate": pairs[0].pk, "label": "bad"}, "json")
    assert pairs[0].pk not in wanting(project)
