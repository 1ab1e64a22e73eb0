"""My past work: pages as they stood, newest first, open to a change of mind until the review closes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from backend.annotation.hits import build_hits
from backend.annotation.models import Assignment, Hit, Judgment
from backend.candidates.queries import add_query
from backend.catalogue.models import Image, Query
from backend.feedback.models import Remark, RemarkItem
from backend.people.models import User
from backend.projects.models import Direction, Membership, Project
from backend.review.models import Verdict
from backend.runs.models import Run
from world import World

Clients = Callable[..., APIClient]
PAST = "/api/v1/projects/skies/past-work"
MARCH = datetime(2026, 3, 5, 10, tzinfo=UTC)


def take(client: APIClient) -> dict[str, Any]:
    page: dict[str, Any] = client.post("/api/v1/projects/skies/assignments/next").json()["assignment"]
    return page


def submit(client: APIClient, page: dict[str, Any], label: str = "good") -> None:
    said = [{"position": item["position"], "label": label} for item in page["items"]]
    address = f"/api/v1/assignments/{page['id']}/submit"
    assert client.post(address, {"judgments": said}, headers={"Idempotency-Key": "k"}).status_code == 200


def past(client: APIClient, page: dict[str, Any]) -> Any:
    return client.get(f"/api/v1/assignments/{page['id']}/past")


def revise(client: APIClient, page: dict[str, Any], position: int, **said: Any) -> Any:
    return client.post(f"/api/v1/assignments/{page['id']}/judgments/{position}", {"label": "bad", **said}, "json")


@pytest.fixture
def pages(client_of: Clients, bob: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> list[Any]:
    """Three pages that bob has submitted, a minute apart, in the order he had them."""
    for key in ("pier", "tram", "attic"):
        add_image(key, 3)
    build()
    client, found = client_of(bob), []
    for minute in range(3):
        with time_machine.travel(MARCH + timedelta(minutes=minute), tick=False):
            found.append(take(client))
            submit(client, found[-1])
    return found


def test_it_comes_newest_first_with_the_items_in_the_order_they_were_shown(
    client_of: Clients, bob: User, pages: list[Any]
) -> None:
    rows = client_of(bob).get(PAST).json()["results"]
    assert [row["id"] for row in rows] == [page["id"] for page in reversed(pages)]
    for row, page in zip(rows, reversed(pages), strict=True):
        assert [item["text"] for item in row["items"]] == [item["text"] for item in page["items"]]
        assert {item["label"] for item in row["items"]} == {"good"}
        assert {item["closed"] for item in row["items"]} == {None}
        assert row["image"]["thumbnail"]["small"]["width"]


@pytest.mark.nightly
def test_pages_follow_one_another_by_their_place(client_of: Clients, bob: User, pages: list[Any]) -> None:
    client = client_of(bob)
    first = client.get(PAST, {"limit": 2}).json()
    second = client.get(first["next"]).json()
    found = [row["id"] for row in first["results"] + second["results"]]
    assert found == [page["id"] for page in reversed(pages)]
    assert second["next"] is None


def test_a_change_of_mind_shows_at_once_and_the_whole_of_it(client_of: Clients, bob: User, pages: list[Any]) -> None:
    client = client_of(bob)
    edit = {"start": 0, "end": 1, "kind": "other", "before": pages[0]["items"][1]["text"][0], "after": "X"}
    said = {"label": "good", "lens": "emotional", "comment": "It is the light.", "is_generic": True, "edits": [edit]}
    assert revise(client, pages[0], 2, **said).status_code == 201
    item = past(client, pages[0]).json()["items"][1]
    assert {name: item[name] for name in said} == said


@pytest.mark.nightly
def test_a_page_of_which_the_head_annotator_settled_a_pair_is_closed_and_says_by_whom_and_when(
    client_of: Clients, bob: User, dora: User, pages: list[Any]
) -> None:
    client, pair = client_of(bob), Assignment.objects.get(pk=pages[0]["id"]).shown[0]
    with time_machine.travel(MARCH, tick=False):
        Verdict.objects.create(candidate_id=pair, label="bad", decided_by=dora)
    items = past(client, pages[0]).json()["items"]
    sentence = "dora decided on an answer in this task on 2026-03-05. Your answers stay as they are."
    assert [item["closed"] for item in items] == 3 * [{"by": "dora", "on": "2026-03-05", "sentence": sentence}]
    for position in (1, 2):
        refused = revise(client, pages[0], position)
        assert (refused.status_code, refused.json()["code"]) == (409, "review_closed")
        assert refused.json()["message"] == sentence
    assert {item["closed"] for item in past(client, pages[1]).json()["items"]} == {None}
    assert revise(client, pages[1], 2).status_code == 201


def test_a_page_says_who_settled_first_whoever_came_second(
    client_of: Clients, bob: User, dora: User, alice: User, pages: list[Any]
) -> None:
    shown = Assignment.objects.get(pk=pages[0]["id"]).shown
    for pair, head, day in zip(shown, (dora, alice, dora), (8, 6, 7), strict=True):
        with time_machine.travel(MARCH.replace(day=day), tick=False):
            Verdict.objects.create(candidate_id=pair, label="bad", decided_by=head)
    closed = [item["closed"] for item in past(client_of(bob), pages[0]).json()["items"]]
    assert {(each["by"], each["on"]) for each in closed} == {("alice", "2026-03-06")}


@pytest.mark.nightly
def test_a_pair_settled_while_its_page_is_in_hand_closes_the_page_when_it_is_sent(
    client_of: Clients, alice: User, dora: User, pages: list[Any]
) -> None:
    client = client_of(alice)
    page = take(client)
    pair = Assignment.objects.get(pk=page["id"]).shown[1]
    Verdict.objects.create(candidate_id=pair, label="bad", decided_by=dora)
    submit(client, page)
    assert all(item["closed"] for item in past(client, page).json()["items"])


@pytest.mark.nightly
def test_a_verdict_taken_back_opens_the_page_again(client_of: Clients, bob: User, dora: User, pages: list[Any]) -> None:
    pair = Assignment.objects.get(pk=pages[0]["id"]).shown[0]
    for label in ("bad", ""):
        Verdict.objects.create(candidate_id=pair, label=label, decided_by=dora)
    assert {item["closed"] for item in past(client_of(bob), pages[0]).json()["items"]} == {None}
    assert revise(client_of(bob), pages[0], 1).status_code == 201


def test_a_control_closes_with_its_page(
    client_of: Clients, bob: User, dora: User, project: Project, add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
) -> None:  # fmt: skip
    """Were it the one answer of a settled page that stays open, everybody would know it."""
    Project.objects.filter(pk=project.pk).update(control_rate=0.4)
    image = add_image("pier", 0)
    controls = [World(project).control(pair, "bad") for pair in World(project).captions(image, "pier 10", "pier 11")]
    add_image("pier", 3)
    build()
    client = client_of(bob)
    page = take(client)
    submit(client, page)
    assignment = Assignment.objects.get(pk=page["id"])
    hidden = {control.candidate_id for control in controls}
    assert hidden < set(assignment.shown)
    ordinary = [pair for pair in assignment.shown if pair not in hidden]
    Verdict.objects.create(candidate_id=ordinary[0], label="good", decided_by=dora)
    items = past(client, page).json()["items"]
    assert all(item["closed"] for item in items)
    at = assignment.shown.index(hidden.pop()) + 1
    assert revise(client, page, at).status_code == 409


def test_a_query_is_shown_with_its_pictures(
    client_of: Clients, bob: User, project: Project, add_image: Callable[..., Image]
) -> None:
    for number in range(3):
        add_image(f"photo-{number}", 0)
    project.direction = Direction.IMAGES_OF_A_QUERY
    project.save()
    add_query(project=project, text="somebody waits", images=[f"photo-{number}" for number in range(3)])
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, subjects=list(Query.objects.filter(project=project)))
    client = client_of(bob)
    submit(client, take(client))
    (row,) = client.get(PAST).json()["results"]
    assert row["query"] == {"text": "somebody waits"}
    assert all(item["image"]["thumbnail"]["small"]["url"] for item in row["items"])


@pytest.mark.nightly
def test_everybody_sees_their_own_alone(
    client_of: Clients, bob: User, alice: User, dora: User, charlie: User, pages: list[Any]
) -> None:
    everybody = (bob, alice, dora, charlie, None)
    answers = [client_of(user).get(PAST) for user in everybody]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 404, 401]
    assert [len(answer.json()["results"]) for answer in answers[:3]] == [3, 0, 0]
    assert [past(client_of(user), pages[0]).status_code for user in everybody] == [200, 404, 404, 404, 401]


def found(client: APIClient, **wanted: str) -> list[tuple[str, list[int], int]]:
    """The tasks that a filter finds, each with the positions of its items and the number of all its items."""
    rows = client.get(PAST, wanted).json()["results"]
    return [(row["id"], [item["position"] for item in row["items"]], row["n_items"]) for row in rows]


def test_past_work_is_narrowed_to_the_answers_that_a_person_looks_for(
    client_of: Clients, bob: User, dora: User, pages: list[Any]
) -> None:
    """Every condition holds for the same answer, and for the newest one."""
    client, (first, second, third) = client_of(bob), [page["id"] for page in pages]
    revise(client, pages[0], 2)
    revise(client, pages[1], 3, label="unsure")
    judged = Judgment.objects.get(assignment=first, position=2, supersedes=None)
    remark = Remark.objects.create(project=judged.assignment.project, annotator=bob, written_by=dora, text="Look.")
    RemarkItem.objects.create(remark=remark, position=1, judgment=judged)
    assert found(client, label="bad") == [(first, [2], 3)]
    assert found(client, label="good") == [(third, [1, 2, 3], 3), (second, [1, 2], 3), (first, [1, 3], 3)]
    assert found(client, state="revised") == [(second, [3], 3), (first, [2], 3)]
    assert found(client, state="revised", label="unsure") == [(second, [3], 3)]
    assert found(client, state="feedback") == [(first, [2], 3)]
    assert found(client, state="feedback", label="good") == []
    words = pages[2]["items"][1]["text"]
    assert found(client, q=f" {words.upper()} ") == [(third, [2], 3)]
    assert found(client, q="%") == []
    assert found(client_of(dora), label="bad") == []
    Remark.objects.update(withdrawn_at=MARCH)
    assert found(client, state="feedback") == []


@pytest.mark.nightly
def test_pages_of_narrowed_past_work_follow_one_another(client_of: Clients, bob: User, pages: list[Any]) -> None:
    client = client_of(bob)
    for page in (pages[0], pages[2]):
        revise(client, page, 1)
    first = client.get(PAST, {"label": "bad", "limit": 1}).json()
    second = client.get(first["next"]).json()
    assert [row["id"] for row in first["results"] + second["results"]] == [pages[2]["id"], pages[0]["id"]]
    assert second["next"] is None


@pytest.mark.parametrize(
    "wanted",
    [{"label": "fine"}, {"state": "late"}, {"q": "x" * 101}, {"q": "a\0"}],
    ids=["label", "state", "long", "nul"],
)
def test_a_filter_that_past_work_does_not_know_is_refused(
    client_of: Clients, bob: User, project: Project, wanted: dict[str, str]
) -> None:
    refused = client_of(bob).get(PAST, wanted)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")


@pytest.mark.nightly
def test_narrowed_past_work_costs_the_same_statements_for_many_tasks(
    client_of: Clients, bob: User, pages: list[Any], django_assert_max_num_queries: Any
) -> None:
    client, wanted = client_of(bob), {"label": "good", "state": "", "q": "1"}
    with CaptureQueriesContext(connection) as one:
        client.get(PAST, wanted | {"limit": 1})
    with django_assert_max_num_queries(len(one)):
        client.get(PAST, wanted)


@pytest.mark.nightly
def test_who_left_the_project_sees_nothing_of_it_any_more(
    client_of: Clients, bob: User, project: Project, pages: list[Any]
) -> None:
    Membership.objects.filter(project=project, user=bob).delete()
    assert client_of(bob).get(PAST).status_code == 404
    assert past(client_of(bob), pages[0]).status_code == 404


def test_a_page_in_work_is_no_past_work(
    client_of: Clients, alice: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    add_image("pier", 3)
    build()
    page = take(client_of(alice))
    assert client_of(alice).get(PAST).json()["results"] == []
    assert past(client_of(alice), page).status_code == 404


DAYS = f"{PAST}/days"


def test_own_answers_are_counted_by_day_as_they_stand_now(
    client_of: Clients, bob: User, dora: User, pages: list[Any]
) -> None:
    with time_machine.travel(MARCH, tick=False):
        assert revise(client_of(bob), pages[0], 1).status_code == 201
    with time_machine.travel(MARCH + timedelta(days=1), tick=False):
        days = client_of(bob).get(DAYS).json()["days"]
        assert [day["day"] for day in days][::13] == ["2026-02-21", "2026-03-06"]
        counts = {day["day"]: day["labels"] for day in days if any(day["labels"].values())}
        assert counts == {"2026-03-05": {"good": 8, "bad": 1, "unsure": 0}}
        assert not any(sum(day["labels"].values()) for day in client_of(dora).get(DAYS).json()["days"])


def test_days_before_the_last_two_weeks_are_not_read(client_of: Clients, bob: User, pages: list[Any]) -> None:
    with time_machine.travel(MARCH + timedelta(days=14), tick=False):
        assert not any(sum(day["labels"].values()) for day in client_of(bob).get(DAYS).json()["days"])


def test_the_time_of_an_answer_counts_where_it_was_sent(client_of: Clients, bob: User, pages: list[Any]) -> None:
    first = Judgment.objects.filter(assignment=pages[0]["id"]).order_by("pk").values("pk")[:1]
    Judgment.objects.filter(pk__in=list(first.values_list("pk", flat=True))).update(ms=4000)
    with time_machine.travel(MARCH, tick=False):
        today = client_of(bob).get(DAYS).json()["days"][-1]
    assert (today["n_timed"], today["ms"]) == (1, 4000)


def test_nobody_else_counts_the_answers(client_of: Clients, charlie: User, pages: list[Any]) -> None:
    assert client_of(charlie).get(DAYS).status_code == 404
    assert client_of().get(DAYS).status_code in {401, 403}
