"""The gate: new annotators wait after their first assignments until a head annotator has looked at them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from rest_framework.test import APIClient

from at_once import at_once
from backend.annotation.leases import lease_next
from backend.annotation.models import AnnotatorState, Assignment, Judgment
from backend.feedback.models import Remark
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import ReviewCase
from backend.review.queue.filling import fill_cases
from pages_in_hand import submit, take
from world import World

Clients = Callable[..., APIClient]
Switch = Callable[..., None]
BASE = "/api/v1/projects/skies/review"


@pytest.fixture
def gated(project: Project, switch: Switch) -> Project:
    """bob may do two of six HITs before somebody looks."""
    World(project).add_hits(6, 2)
    switch()
    Project.objects.filter(pk=project.pk).update(gate_after=2)
    project.refresh_from_db()
    return project


def reason_of(project: Project, user: User) -> str | None:
    return lease_next(project=project, annotator=user).reason


def do(project: Project, user: User, n: int) -> list[Assignment]:
    pages = []
    for _ in range(n):
        pages.append(take(project, user))
        submit(pages[-1], idempotency_key=str(pages[-1].pk))
    return pages


def test_who_did_the_first_assignments_waits_and_accepting_them_all_lets_them_on(
    gated: Project, bob: User, client_of: Clients, dora: User
) -> None:
    pages = do(gated, bob, 2)
    answer = client_of(bob).post("/api/v1/projects/skies/assignments/next").json()
    assert answer == {"assignment": None, "reason": "waiting_for_review"}
    head = client_of(dora)
    [waiting] = head.get(f"{BASE}/gate").json()
    assert (waiting["annotator"]["username"], waiting["n_submitted"], len(waiting["cases"])) == ("bob", 2, 2)
    assert head.get(f"{BASE}/counts").json()["waiting_at_gate"] == 1
    assert set(ReviewCase.objects.values_list("priority", flat=True)) == {1000}
    first, second = (ReviewCase.objects.get(assignment=page).pk for page in pages)
    head.post(f"{BASE}/cases/{first}/decisions", {"action": "accept_page"}, "json")
    assert reason_of(gated, bob) == "waiting_for_review"
    done = head.post(f"{BASE}/cases/{second}/decisions", {"action": "accept_page"}, "json").json()
    assert head.get(f"{BASE}/gate").json() == []
    assert head.post(f"{BASE}/undo", {"token": done["undo"]["token"]}, "json").status_code == 200
    assert reason_of(gated, bob) == "waiting_for_review"
    head.post(f"{BASE}/cases/{second}/decisions", {"action": "accept_page"}, "json")
    assert reason_of(gated, bob) is None
    do(gated, bob, 4)
    assert reason_of(gated, bob) == "all_yours_done"


@pytest.mark.nightly
def test_returned_work_opens_the_gate_once_it_is_accepted(
    gated: Project, bob: User, client_of: Clients, dora: User
) -> None:
    pages = do(gated, bob, 2)
    fill_cases(project=gated)
    head = client_of(dora)
    first, second = (ReviewCase.objects.get(assignment=page).pk for page in pages)
    pair = Judgment.objects.filter(assignment=pages[0]).earliest("pk").candidate_id
    back = {"action": "rework", "items": [{"candidate": pair}], "text": "Look again."}
    assert head.post(f"{BASE}/cases/{first}/decisions", back, "json").status_code == 200
    head.post(f"{BASE}/cases/{second}/decisions", {"action": "accept_page"}, "json")
    assert reason_of(gated, bob) == "waiting_for_review"
    world = World(gated)
    world.change_mind(Judgment.objects.get(assignment=pages[0], candidate=pair), "bad")
    fill_cases(project=gated)
    head.post(f"{BASE}/cases/{first}/decisions", {"action": "accept_page"}, "json")
    assert reason_of(gated, bob) is None


def test_a_head_lets_somebody_on_with_a_word(
    gated: Project, bob: User, finn: User, client_of: Clients, dora: User
) -> None:
    head = client_of(dora)
    do(gated, bob, 1)
    early = head.post(f"{BASE}/gate/{bob.pk}/release", {}, "json")
    assert (early.status_code, early.json()["code"]) == (409, "not_waiting")
    do(gated, bob, 1)
    assert head.post(f"{BASE}/gate/{bob.pk}/release", {"text": "Well done."}, "json").status_code == 204
    assert (reason_of(gated, bob), Remark.objects.get().text) == (None, "Well done.")
    assert head.post(f"{BASE}/gate/{finn.pk}/release", {}, "json").status_code == 404


def test_without_a_gate_nobody_waits_and_closing_it_again_lets_all_on(gated: Project, bob: User) -> None:
    do(gated, bob, 2)
    assert reason_of(gated, bob) == "waiting_for_review"
    Project.objects.filter(pk=gated.pk).update(gate_after=0)
    gated.refresh_from_db()
    assert reason_of(gated, bob) is None


def test_a_gate_that_closes_while_a_request_is_on_its_way_holds_for_that_request(gated: Project, bob: User) -> None:
    """Both requests read the project before the head annotator changed the setting."""
    page = take(gated, bob)
    read_before = Assignment.objects.select_related("project__qualification").get(pk=page.pk)
    Project.objects.filter(pk=gated.pk).update(gate_after=1)
    assert lease_next(project=gated, annotator=bob, holding=[page.pk]).reason == "waiting_for_review"
    assert submit(read_before, fetch_next=True).next.reason == "waiting_for_review"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_get_no_more_than_the_gate_allows(gated: Project, bob: User) -> None:
    """Each tab asks for a page beside the one that the other holds, and submits it with the wish for the next."""
    for _ in range(3):
        pages = [take(gated, bob)]
        more = lease_next(project=gated, annotator=bob, holding=[pages[0].pk]).shown
        pages += [more.assignment] if more else []
        at_once([partial(submit, page, idempotency_key=str(page.pk), fetch_next=True) for page in pages])
        if reason_of(gated, bob):
            break
    state = AnnotatorState.objects.get(user=bob)
    assert (state.n_submitted, Assignment.objects.count(), reason_of(gated, bob)) == (2, 2, "waiting_for_review")
