"""Lists of the queue: filters, orders, pages; and disputes with their file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.models import Judgment
from backend.curation.models import Consensus
from backend.people.models import User
from backend.projects.models import Project
from backend.review.queue.filling import fill_cases
from world import World

Clients = Callable[..., APIClient]
Switch = Callable[..., None]
BASE = "/api/v1/projects/skies/review"


@pytest.fixture
def judged(project: Project, bob: User, finn: User, switch: Switch) -> World:
    """Three HITs of two captions: tied on each first pair; bob comments each second pair."""
    world = World(project)
    world.add_hits(3, 2)
    switch(ties=True, comments=True, first_assignments=1)
    for hit in range(3):
        world.submit(bob, hit, ["good", "good"])
        world.submit(finn, hit, ["bad", "good"])
    Judgment.objects.filter(annotator=bob, position=2).update(comment="=1+1 looks odd")
    fill_cases(project=project)
    return world


def listed(client: APIClient, **asked: Any) -> list[dict[str, Any]]:
    """All pages, two cases each."""
    found: list[dict[str, Any]] = []
    page = client.get(f"{BASE}/cases", {"limit": 2, **asked}).json()
    while True:
        found += page["results"]
        if page["next"] is None:
            return found
        page = client.get(page["next"]).json()


ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["tie", "tie", "tie", "comment", "comment", "comment", "first_work", "first_work"]),
    ({"reason": "tie"}, ["tie"] * 3),
    ({"kind": "assignment"}, ["first_work"] * 2),
    ({"kind": "pair", "reason": "first_work"}, []),
    ({"order": "entropy"}, ["tie"] * 3),
    ({"state": "done"}, []),
]


@pytest.mark.parametrize(("asked", "codes"), ASKED)
def test_cases_are_filtered_ordered_and_paged(
    judged: World, client_of: Clients, dora: User, asked: dict[str, Any], codes: list[str]
) -> None:
    found = listed(client_of(dora), **asked)
    assert [case["reasons"][0]["code"] for case in found][: len(codes)] == codes
    assert len({case["id"] for case in found}) == len(found)
    assert asked.get("order") or len(found) == len(codes)


def test_the_newest_come_first_and_cases_of_one_annotator_can_be_asked_for(
    judged: World, client_of: Clients, dora: User, bob: User, finn: User
) -> None:
    ids = [case["id"] for case in listed(client_of(dora), order="newest")]
    assert len(ids) == 8
    codes = {name.username: sorted(case["reasons"][0]["code"] for case in listed(client_of(dora), annotator=name.pk))
             for name in (bob, finn)}  # fmt: skip
    assert codes == {"bob": ["comment"] * 3 + ["first_work"], "finn": ["first_work"]}


@pytest.mark.nightly
def test_closed_cases_are_listed_the_last_closed_first(judged: World, client_of: Clients, dora: User) -> None:
    client = client_of(dora)
    closed = []
    for _ in range(3):
        case = client.post(f"{BASE}/next", {}, "json").json()
        client.post(f"{BASE}/cases/{case['id']}/decisions", {"action": "dismiss"}, "json")
        closed.append(case["id"])
    found = listed(client, state="done")
    assert [case["id"] for case in found] == closed[::-1]
    assert {(case["outcome"], case["closed_by"]["name"], case["state"]) for case in found} == {
        ("dismiss", "dora", "done")
    }


def test_disputes_say_in_what_way_and_come_as_a_guarded_file(
    judged: World, project: Project, client_of: Clients, dora: User
) -> None:
    client = client_of(dora)
    for pair, label in ((judged.pairs[1], "bad"), (judged.pairs[3], "good")):
        client.post("/api/v1/projects/skies/verdicts", {"candidate": pair.pk, "label": label}, "json")
    Consensus.objects.create(candidate=judged.pairs[3], label="unsure")
    judged.pairs[0].text = "=HYPERLINK(1)"
    judged.pairs[0].save()
    fill_cases(project=project)
    found = client.get(f"{BASE}/disputes").json()["results"]
    kinds = {dispute["candidate"]: dispute["kinds"] for dispute in found}
    assert kinds == {
        judged.pairs[0].pk: ["tie"],
        judged.pairs[2].pk: ["tie"],
        judged.pairs[4].pk: ["tie"],
        judged.pairs[1].pk: ["verdict_against_majority"],
        judged.pairs[3].pk: ["consensus_against_verdict"],
    }
    assert client.get(f"{BASE}/counts").json()["disputes"] == 5
    for kind in ("tie", "verdict_against_majority", "consensus_against_verdict", "low_agreement"):
        rows = client.get(f"{BASE}/disputes", {"kind": kind}).json()["results"]
        assert {row["candidate"] for row in rows} == {pair for pair, those in kinds.items() if kind in those}
    file = client.get(f"{BASE}/disputes", {"format": "csv"})
    lines = file.getvalue().decode().splitlines()
    assert (len(lines), file["Content-Type"]) == (6, "text/csv; charset=utf-8")
    assert '"\'=HYPERLINK(1)"' in lines[1]
    tie = client.get(f"{BASE}/cases?reason=tie").json()["results"][0]
    assert tie["id"] in {row["case"] for row in found}


@pytest.mark.nightly
def test_disputes_are_ordered_by_division_by_number_of_votes_and_by_newest_vote(
    judged: World, project: Project, client_of: Clients, dora: User, make_user: Callable[..., User]
) -> None:
    first, second, third = (judged.pairs[at].pk for at in (0, 2, 4))
    more = judged.people("gus", "hal")
    for person, label in zip(more, ("good", "bad"), strict=True):
        judged.submit(person, 1, [label, "good"])
    judged.submit(judged.person("ida"), 2, ["unsure", "good"])
    now = timezone.now()
    for at, pair in enumerate((third, first, second)):
        Judgment.objects.filter(candidate=pair).update(created_at=now + timedelta(seconds=at))
    fill_cases(project=project)

    def ordered(order: str) -> list[int]:
        found: list[int] = []
        page = client_of(dora).get(f"{BASE}/disputes", {"order": order, "limit": 1}).json()
        while page["results"]:
            found += [row["candidate"] for row in page["results"]]
            page = client_of(dora).get(page["next"]).json() if page["next"] else {"results": []}
        return found

    assert ordered("entropy")[0] == third
    assert ordered("votes") == [second, third, first]
    assert ordered("newest") == [second, first, third]


FORGED = b64encode(urlencode({"p": '["yesterday", 1]'}).encode()).decode()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "asked",
    [
        "cases?reason=bored", "cases?annotator=x", "cases?state=shut", "disputes?kind=odd", "cases?cursor=bad",
        "disputes?order=loudest", f"cases?order=newest&cursor={FORGED}", f"cases?cursor={FORGED}",
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused(judged: World, client_of: Clients, dora: User, asked: str) -> None:
    assert client_of(dora).get(f"{BASE}/{asked}").status_code in (400, 404)
