"""Second looks: another head annotator judges a pair without seeing the decision on it, and what that tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.review.models import ReviewCase, SecondLook
from backend.review.queue.filling import fill_cases
from backend.review.selectors import standing_verdicts
from world import World

Clients = Callable[..., APIClient]
Switch = Callable[..., None]
BASE = "/api/v1/projects/skies/review"


@pytest.fixture
def decided(
    project: Project, world: World, bob: User, finn: User, switch: Switch, client_of: Clients, dora: User, erin: User
) -> World:
    """bob and finn judged all; dora settled the four pairs as good. Each decision is looked at again."""
    switch(second_look_percent=100)
    for hit in (0, 1):
        for person in (bob, finn):
            world.submit(person, hit, ["good", "good"])
    for pair in world.pairs:
        sent = {"candidate": pair.pk, "label": "good", "reason": "I looked twice."}
        assert client_of(dora).post("/api/v1/projects/skies/verdicts", sent, "json").status_code == 201
    fill_cases(project=project)
    return world


def look(client: APIClient, pair: int, label: str) -> Any:
    case = ReviewCase.objects.get(candidate=pair, is_second_look=True).pk
    sent = {"action": "settle", "items": [{"candidate": pair, "label": label}]}
    return client.post(f"{BASE}/cases/{case}/decisions", sent, "json")


@pytest.mark.nightly
def test_whoever_decided_never_gets_the_second_look(decided: World, client_of: Clients, dora: User, erin: User) -> None:
    hers, others = client_of(dora), client_of(erin)
    case = ReviewCase.objects.filter(is_second_look=True)[0].pk
    assert hers.post(f"{BASE}/next", {}, "json").status_code == 204
    assert hers.get(f"{BASE}/cases").json()["results"] == []
    assert hers.get(f"{BASE}/counts").json()["open"] == 0
    assert hers.get(f"{BASE}/counts").json()["by_reason"] == {}
    assert hers.get(f"{BASE}/cases/{case}").status_code == 404
    assert hers.post(f"{BASE}/cases/{case}/lease").status_code == 404
    assert hers.post(f"{BASE}/cases/{case}/decisions", {"action": "dismiss"}, "json").status_code == 404
    assert others.get(f"{BASE}/counts").json()["by_reason"] == {"second_look": 4}


@pytest.mark.nightly
def test_the_decision_is_hidden_until_the_other_head_has_judged(decided: World, client_of: Clients, erin: User) -> None:
    shown = client_of(erin).post(f"{BASE}/next", {}, "json").json()
    assert shown["second_look"] is True
    [pair] = shown["pairs"]
    assert (pair["verdict"], pair["consensus"], pair["remarks"]) == (None, None, [])
    assert "I looked twice." not in str(shown)
    look(client_of(erin), pair["candidate"], "good")
    after = client_of(erin).get(f"{BASE}/cases/{shown['id']}").json()["pairs"][0]
    assert after["verdict"]["label"] == "good"


@pytest.mark.nightly
def test_heads_are_compared_and_where_they_differ_the_pair_is_disputed_and_the_decision_stands(
    project: Project, decided: World, client_of: Clients, dora: User, erin: User
) -> None:
    client = client_of(erin)
    pairs = [pair.pk for pair in decided.pairs]
    answers = [look(client, pair, label) for pair, label in zip(pairs, ("good", "bad", "good", "good"), strict=True)]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert {verdict.label for verdict in standing_verdicts(project=project).values()} == {"good"}
    told = client.get(f"{BASE}/heads").json()
    assert (told["second_looks"]["n"], told["second_looks"]["agree"]["k"]) == (4, 3)
    [two] = told["pairs"]
    assert (two["n_items"], two["cells"]) == (4, [[3, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert two["value"] == pytest.approx(0.0)
    disputed = client.get(f"{BASE}/cases?reason=disputed").json()["results"]
    assert [case["reasons"][0]["params"] for case in disputed] == [{"by": "second_look"}]
    client.post(f"{BASE}/undo", {"token": answers[1].json()["undo"]["token"]}, "json")
    assert client.get(f"{BASE}/heads").json()["second_looks"]["n"] == 3
    assert client.get(f"{BASE}/cases?reason=disputed").json()["results"] == []


def test_a_new_decision_ends_the_second_look_at_the_old_one(
    project: Project, decided: World, client_of: Clients, erin: User
) -> None:
    pair = decided.pairs[0].pk
    client_of(erin).post("/api/v1/projects/skies/verdicts", {"candidate": pair, "label": None}, "json")
    fill_cases(project=project)
    case = ReviewCase.objects.get(candidate=pair, is_second_look=True)
    assert (case.outcome, SecondLook.objects.count()) == ("resolved", 0)
    client_of(erin).post("/api/v1/projects/skies/verdicts", {"candidate": pair, "label": "bad"}, "json")
    fill_cases(project=project)
    case.refresh_from_db()
    assert (case.closed_at, case.withheld_from) == (None, erin)


def test_without_another_head_there_is_no_second_look(
    project: Project, world: World, bob: User, switch: Switch, client_of: Clients, dora: User
) -> None:
    switch(second_look_percent=100)
    Membership.objects.exclude(user__in=(dora, bob)).delete()
    world.submit(bob, 0, ["good", "good"])
    client_of(dora).post("/api/v1/projects/skies/verdicts", {"candidate": world.pairs[0].pk, "label": "good"}, "json")
    fill_cases(project=project)
    assert not ReviewCase.objects.exists()
