"""Nobody can tell a hidden control by what becomes of its page: returned, read again, changed, closed by the review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
import time_machine
from django.db import transaction
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, Control, HitItem, Slot, Standing
from backend.annotation.places import is_of_use
from backend.annotation.returning import DONE_FOR_ONE_MORE, MOST_WAITING
from backend.annotation.selectors import counted_judgments, has_work_left
from backend.annotation.settling import settle_hits, settle_project
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Verdict
from hidden_pages import Page, shape_of
from hidden_reviews import past_pages
from hidden_world import FEWER, NEXT, answers, kept_page, submit, work

pytest_plugins = ("hidden_fixtures",)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("the_same_moment"), pytest.mark.nightly]


@pytest.fixture
def n_subjects() -> int:
    return FEWER


def test_who_returns_a_page_of_a_control_alone_gets_it_back_like_any_other(
    client_of: Callable[..., APIClient], of_images: list[User]
) -> None:
    client, returned = client_of(of_images[0]), list[str]()
    while content := client.post(NEXT).json()["assignment"]:
        if content["id"] in returned:
            break
        page = Assignment.objects.get(pk=content["id"])
        if len(page.controls) < len(page.shown):
            assert submit(client, content, "once").status_code == 200
        else:
            returned.append(content["id"])
            assert client.post(f"/api/v1/assignments/{content['id']}/return").status_code == 204
    assert content is not None and content["id"] in returned


@pytest.mark.parametrize("adaptive", [{}, {"confidence": 0.95, "max_overlap": 6}], ids=["fixed", "adaptive"])
def test_a_page_is_of_use_while_a_pair_is_wanted_that_was_open_when_it_was_drawn(
    client_of: Callable[..., APIClient], people: list[User], project: Project, adaptive: dict[str, Any]
) -> None:
    """And for no other, whether controls stand on it or not: it comes back, is let go or called late by that."""
    Project.objects.filter(pk=project.pk).update(**adaptive)
    seen: Counter[tuple[bool, bool]] = Counter()
    for page in work(client_of, people):
        assignment = Assignment.objects.get(pk=page.content["id"])
        pairs = dict(HitItem.objects.filter(hit=assignment.hit_id).values_list("candidate", "is_open"))
        assert {pair for pair in pairs if is_of_use(assignment, [pair])} == {pair for pair in pairs if pairs[pair]}
        assert not is_of_use(assignment, ())
        seen[bool(page.controls), len(page.items) > 1] += 1
    assert set(seen) == set(product((True, False), repeat=2))


def test_a_pair_that_gave_way_waits_for_the_page_in_hand(
    client_of: Callable[..., APIClient], of_images: list[User], project: Project
) -> None:
    """Else others could fill its place once the HIT is settled, and the page end where one that shows it does not."""
    holder, *others = client_of(of_images[0]), *of_images[1:], *User.objects.filter(username__startswith="late")
    while content := holder.post(NEXT).json()["assignment"]:
        page = Assignment.objects.get(pk=content["id"])
        if len(page.controls) == len(page.shown):
            break
        submit(holder, content, "once")
    Slot.objects.filter(assignment=None).exclude(hit=page.hit_id).delete()
    settle_hits(project=project, hits=[page.hit_id])
    while list(work(client_of, others)):
        settle_hits(project=project, hits=[page.hit_id])
    with time_machine.travel(page.expires_at + timedelta(minutes=1), tick=False):
        assert holder.post(NEXT).json()["assignment"]["id"] == content["id"]
        assert submit(holder, content, "once").json()["is_late"] is False
    list(work(client_of, others))
    assert not HitItem.objects.filter(hit=page.hit_id, is_open=True).exists()


def test_where_too_few_people_could_judge_what_gives_way_short_pages_hold_no_control(
    client_of: Callable[..., APIClient], of_images: list[User]
) -> None:
    Standing.objects.update(state="paused")
    pages = list(work(client_of, of_images))
    assert not [page for page in pages if len(page.items) < 3 and page.controls]
    assert not Slot.objects.exclude(assignment__status="submitted").exists()


def test_what_gave_way_to_controls_is_judged_as_often_as_asked(
    client_of: Callable[..., APIClient], people: list[User], project: Project
) -> None:
    late = list(User.objects.filter(username__startswith="late").order_by("username"))
    first, follow_up = list(work(client_of, people)), list(work(client_of, late))
    assert not Slot.objects.exclude(assignment__status="submitted").exists()
    assert not HitItem.objects.filter(is_open=True).exists()
    votes = Counter(counted_judgments(project=project).values_list("candidate", flat=True))
    assert set(votes.values()) == {4}
    assert set(votes) == set(HitItem.objects.values_list("candidate", flat=True))
    assert 0 < len(follow_up) < len(first) / 4


def test_reading_a_page_again_tells_the_same(client_of: Callable[..., APIClient], people: list[User]) -> None:
    client = client_of(people[0])
    kinds: set[bool] = set()
    for _ in range(12):
        page = kept_page(answer := client.post(NEXT), answer.json()["assignment"])
        address = f"/api/v1/assignments/{page.content['id']}"
        again = client.get(address)
        assert again.json() == page.content
        kinds.add(bool(page.controls))
        submit(client, page.content, "once")
        past = client.get(address).json()
        said = {answered["position"]: answered["label"] for answered in answers(page.content)}
        assert {item["position"]: item["label"] for item in past["items"]} == said
        assert shape_of(past["items"][0]) == shape_of(past["items"][-1])
    assert kinds == {True, False}


def test_progress_repeats_and_errors_count_controls_as_any_item(
    client_of: Callable[..., APIClient], people: list[User]
) -> None:
    client, n_items = client_of(people[0]), 0
    for _ in range(8):
        page = kept_page(answer := client.post(NEXT), answer.json()["assignment"])
        short = {"judgments": answers(page.content)[1:]}
        refused = client.post(
            f"/api/v1/assignments/{page.content['id']}/submit", short, headers={"Idempotency-Key": "a"}
        )
        details = refused.json()["details"]
        assert (details["missing"], details["unknown"], details["twice"]) == ([1], [], [])
        first, again = (submit(client, page.content, "once") for _ in range(2))
        assert first.json() == again.json()
        assert set(first.json()) == {"submitted_at", "is_late", "next", "reason"}
        n_items += len(page.items)
        mine = client.get("/api/v1/projects/skies/progress").json()["mine"]
        assert mine["judgments_total"] == n_items


@pytest.mark.parametrize("overlap", [1, 4])
def test_the_projects_progress_grows_by_one_whatever_was_on_the_page(
    client_of: Callable[..., APIClient], people: list[User], project: Project, overlap: int
) -> None:
    """A pair that gave way to a control asks for one more place: who saw it added would know of the control."""
    Project.objects.filter(pk=project.pk).update(overlap=overlap)
    settle_project(project=project)
    client, short = client_of(people[0]), set[bool]()
    told = client.get("/api/v1/projects/skies/progress").json()["project"]
    for _ in range(40):
        page = kept_page(answer := client.post(NEXT), answer.json()["assignment"])
        short |= {bool(page.controls)} if len(page.items) < 3 else set()
        submit(client, page.content, "once")
        told["assignments_submitted"] += 1
        assert client.get("/api/v1/projects/skies/progress").json()["project"] == told
    assert short == {True, False}


def test_a_returned_page_comes_back_with_the_same_controls_at_the_same_places(
    client_of: Callable[..., APIClient], people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.annotation.returning.MOST_WAITING", FEWER)
    client = client_of(people[0])
    before: dict[str, Any] = {}
    while content := client.post(NEXT).json()["assignment"]:
        if content["id"] in before:
            break
        before[content["id"]] = [(item["position"], item["text"], item["image"]) for item in content["items"]]
        assert client.post(f"/api/v1/assignments/{content['id']}/return").status_code == 204
    assert [(item["position"], item["text"], item["image"]) for item in content["items"]] == before[content["id"]]


def test_who_gives_back_page_after_page_does_not_see_them_all(
    client_of: Callable[..., APIClient], people: list[User]
) -> None:
    """Borrowed words stand on two pictures: with all in sight, each control of what is to come back would be known."""
    client, seen = client_of(people[0]), set[str]()
    refused = None
    while refused is None:
        content = client.post(NEXT).json()["assignment"]
        seen.add(content["id"])
        way = {"return": None, "skip": {"reason": "cannot_tell", "to": "me"}}
        for verb, body in way.items():
            answer = client.post(f"/api/v1/assignments/{content['id']}/{verb}", body)
            refused = answer if answer.status_code != 204 else None
    assert (refused.status_code, refused.json()["code"]) == (409, "left_too_many")
    assert len(seen) == MOST_WAITING + 1 < FEWER
    to_others = {"reason": "disturbing", "to": "others"}
    assert client.post(f"/api/v1/assignments/{content['id']}/skip", to_others).status_code == 204
    for _ in range(DONE_FOR_ONE_MORE):
        submit(client, client.post(NEXT).json()["assignment"], "once")
    page = client.post(NEXT).json()["assignment"]["id"]
    assert client.post(f"/api/v1/assignments/{page}/return").status_code == 204


def test_a_control_alone_on_its_page_closes_where_all_is_settled_later(
    client_of: Callable[..., APIClient], of_images: list[User], dora: User
) -> None:
    list(work(client_of, of_images))
    pairs = HitItem.objects.values_list("candidate", flat=True)
    with time_machine.travel(datetime(2026, 3, 6, 10, tzinfo=UTC), tick=False):
        Verdict.objects.bulk_create(Verdict(candidate_id=pair, label="good", decided_by=dora) for pair in pairs)
    pages = list(past_pages(client_of, of_images))
    assert [page for page in pages if len(page.controls) == len(page.items)]
    assert all(item["closed"] != "null" for page in pages for item in page.items)


def test_with_an_adaptive_overlap_what_a_change_of_mind_opens_for_others_is_not_told(
    client_of: Callable[..., APIClient], of_images: list[User], project: Project
) -> None:
    """Of a control nothing opens: who saw that something did would know of each item what it is."""
    Project.objects.filter(pk=project.pk).update(overlap=2, confidence=0.8, max_overlap=6)
    Control.objects.update(accepted=["good"])
    settle_project(project=project)
    late = list(User.objects.filter(username__startswith="late"))
    person, pages, opened = of_images[0], list(agree(client_of, [*of_images, *late])), Counter[bool]()
    client, mine = client_of(person), [page for page in pages if page.known[3] == person.username and page.controls]

    def seen() -> tuple[object, object, bool]:
        told = client.post(NEXT).json(), client.get("/api/v1/projects/skies/progress").json()
        return *told, has_work_left(project_id=project.pk, user=person)

    before = seen()
    for page in mine[:6]:
        for item in page.items:
            address = f"/api/v1/assignments/{page.content['id']}/judgments/{item['position']}"
            assert client.post(address, {"label": "bad"}).status_code == 201
            opened[Slot.objects.filter(assignment=None).exists()] += 1
            assert seen() == before
            assert client.post(address, {"label": "good"}).status_code == 201
    assert opened[True] and opened[False]


def test_what_a_submit_opens_for_others_is_not_told_to_who_submitted(
    client_of: Callable[..., APIClient], of_images: list[User], project: Project
) -> None:
    """At the end of a project "all_yours_done" followed 117 of 121 pages with a control, and 24 of 301 others."""
    Project.objects.filter(pk=project.pk).update(overlap=1)
    Slot.objects.filter(number__gt=1).delete()
    client, told, opened = client_of(of_images[0]), set[tuple[object, ...]](), Counter[bool]()
    while content := client.post(NEXT).json()["assignment"]:
        with transaction.atomic():
            Slot.objects.filter(assignment=None).delete()
            submit(client, content, "as if it were the last")
            opened[Slot.objects.filter(assignment=None).exists()] += 1
            reason = client.post(NEXT).json()["reason"]
            told.add((reason, has_work_left(project_id=project.pk, user=of_images[0])))
            transaction.set_rollback(True)
        submit(client, content, "once")
    assert told == {("none_left", False)}
    assert opened[True] and opened[False]


def agree(client_of: Callable[..., APIClient], people: list[User]) -> Iterator[Page]:
    """Every page that these people are handed, all of it good."""
    for person in people:
        client = client_of(person)
        while content := (answer := client.post(NEXT)).json()["assignment"]:
            yield kept_page(answer, content)
            judgments = [{"position": item["position"], "label": "good"} for item in content["items"]]
            address = f"/api/v1/assignments/{content['id']}/submit"
            assert client.post(address, {"judgments": judgments}, headers={"Idempotency-Key": "a"}).status_code == 200
