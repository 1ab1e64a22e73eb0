"""Decisions on cases over HTTP: what they do, what they refuse, and taking them back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.answers import Judged
from backend.annotation.closings import ReviewClosed
from backend.annotation.leases import lease_next
from backend.annotation.models import Assignment, HitItem, Judgment, Slot
from backend.annotation.submissions import revise_judgment
from backend.common.labels import Label
from backend.feedback.models import Remark, RemarkAnswer
from backend.feedback.services import answer_remark
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import CaseDecision, PairTally, ReviewCase, Verdict
from backend.review.queue.filling import fill_cases
from backend.review.selectors import standing_verdicts
from pages_in_hand import submit, take
from world import World

Clients = Callable[..., APIClient]
Switch = Callable[..., None]
BASE = "/api/v1/projects/skies/review"


class Desk:
    """A head annotator at the queue."""

    def __init__(self, client: APIClient) -> None:
        self.client = client

    def next(self, **asked: Any) -> Any:
        answer = self.client.post(f"{BASE}/next", asked, "json")
        return answer.json() if answer.status_code == 200 else None

    def decide(self, case: int, action: str, **sent: Any) -> Any:
        return self.client.post(f"{BASE}/cases/{case}/decisions", {"action": action, **sent}, "json")

    def undo(self, answer: Any) -> Any:
        return self.client.post(f"{BASE}/undo", {"token": answer.json()["undo"]["token"]}, "json")


@pytest.fixture
def desk(client_of: Clients, dora: User) -> Desk:
    return Desk(client_of(dora))


@pytest.fixture
def pages(project: Project, world: World, bob: User, finn: User, switch: Switch) -> list[Assignment]:
    """bob and finn judged the first HIT: they are tied on its first pair, and agree on the second."""
    switch(ties=True, first_assignments=1)
    return [world.submit(bob, 0, ["good", "good"]), world.submit(finn, 0, ["bad", "good"])]


def labels(project: Project) -> dict[int, str]:
    return {pair: verdict.label for pair, verdict in standing_verdicts(project=project).items()}


def test_a_tie_is_settled_with_an_edit_and_what_was_said_of_it_and_undone(
    project: Project, world: World, pages: list[Assignment], desk: Desk
) -> None:
    case = desk.next(reason="tie")
    [pair] = case["pairs"]
    assert [(answer["label"], answer["is_counted"]) for answer in pair["answers"]] == [("good", True), ("bad", True)]
    assert (pair["majority"], pair["verdict"], case["held_by"]["name"]) == (None, None, "dora")
    edit = {"start": 0, "end": 7, "kind": "other", "before": "caption", "after": "Caption"}
    item = {"candidate": pair["candidate"], "label": "bad", "text_edit": {"edits": [edit]}, "reason": "wrong_count",
            "confidence": 2, "note": "Three boats."}  # fmt: skip
    done = desk.decide(case["id"], "settle", items=[item])
    assert (done.status_code, done.json()["case"]["state"], done.json()["case"]["outcome"]) == (200, "done", "settle")
    shown = desk.client.get(f"{BASE}/cases/{case['id']}").json()["pairs"][0]["verdict"]
    assert {name: shown[name] for name in ("label", "reason", "confidence", "note", "edits")} == {
        "label": "bad", "reason": "wrong_count", "confidence": 2, "note": "Three boats.", "edits": [edit],
    }  # fmt: skip
    assert not PairTally.objects.filter(is_tie=True).exists()
    assert fill_cases(project=project)
    assert desk.next(reason="tie") is None
    undone = desk.undo(done)
    assert (undone.status_code, undone.json()["state"], undone.json()["held_by"]["name"]) == (200, "open", "dora")
    assert (labels(project), Verdict.objects.count()) == ({}, 2)
    assert PairTally.objects.get().is_tie
    assert desk.next(reason="tie")["id"] == case["id"]
    assert desk.undo(done).json()["code"] == "undo_too_late"


@pytest.mark.nightly
def test_undoing_brings_the_decision_back_that_another_head_took(
    project: Project, world: World, pages: list[Assignment], desk: Desk, client_of: Clients, alice: User
) -> None:
    pair = world.pairs[0].pk
    client_of(alice).post("/api/v1/projects/skies/verdicts", {"candidate": pair, "label": "unsure"}, "json")
    fill_cases(project=project)
    page = ReviewCase.objects.get(assignment=pages[0])
    done = desk.decide(page.pk, "settle", items=[{"candidate": pair, "label": "good"}])
    assert (done.json()["case"]["state"], labels(project)) == ("open", {pair: "good"})
    assert desk.undo(done).status_code == 200
    assert labels(project) == {pair: "unsure"}
    assert standing_verdicts(project=project)[pair].decided_by == alice


def test_an_old_decision_and_one_that_another_followed_cannot_be_undone(
    project: Project, world: World, pages: list[Assignment], desk: Desk, client_of: Clients, alice: User
) -> None:
    case = desk.next(reason="tie")
    item = {"candidate": case["pairs"][0]["candidate"], "label": "bad"}
    done = desk.decide(case["id"], "settle", items=[item])
    client_of(alice).post("/api/v1/projects/skies/verdicts", {**item, "label": "good"}, "json")
    assert desk.undo(done).json()["code"] == "undo_too_late"
    assert labels(project) == {item["candidate"]: "good"}
    other = desk.next(reason="first_work")
    done = desk.decide(other["id"], "dismiss")
    CaseDecision.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert desk.undo(done).json()["code"] == "undo_too_late"


def test_only_the_head_who_decided_can_undo(
    pages: list[Assignment], desk: Desk, client_of: Clients, erin: User
) -> None:
    done = desk.decide(desk.next()["id"], "dismiss")
    assert Desk(client_of(erin)).undo(done).json()["code"] == "bad_undo_token"
    forged = desk.client.post(f"{BASE}/undo", {"token": f"{CaseDecision.objects.get().pk}"}, "json")
    assert (forged.status_code, forged.json()["code"]) == (400, "bad_undo_token")


def test_the_majority_is_accepted_on_a_page_where_there_is_one(
    project: Project, world: World, pages: list[Assignment], desk: Desk
) -> None:
    tie = desk.next(reason="tie")
    assert desk.decide(tie["id"], "accept_majority").json()["code"] == "no_majority"
    page = desk.next(reason="first_work")
    assert desk.decide(page["id"], "accept_majority").json()["case"]["state"] == "open"
    assert labels(project) == {world.pairs[1].pk: "good"}
    settled = desk.decide(page["id"], "settle", items=[{"candidate": world.pairs[0].pk, "label": "bad"}])
    assert settled.json()["case"]["outcome"] == "settle"
    assert fill_cases(project=project)
    assert ReviewCase.objects.get(pk=tie["id"]).outcome == "resolved"


def test_a_page_is_accepted_with_corrections_and_its_first_decision_stays_the_first(
    project: Project, world: World, pages: list[Assignment], desk: Desk, client_of: Clients
) -> None:
    fill_cases(project=project)
    of_bob, of_finn = (ReviewCase.objects.get(assignment=page).pk for page in pages)
    pair = world.pairs[0].pk
    correction = [{"candidate": pair, "label": "bad", "reason": "wrong_object"}]
    assert desk.decide(of_bob, "accept_page", items=correction).json()["code"] == "items_not_used"
    assert desk.decide(of_bob, "accept_with_corrections").json()["code"] == "no_items"
    assert desk.decide(of_bob, "accept_with_corrections", items=correction).status_code == 200
    assert desk.decide(of_finn, "accept_page").status_code == 200
    assert desk.decide(of_finn, "accept_page").json()["code"] == "already_closed"
    told = {row["annotator"]["username"]: row for row in desk.client.get(f"{BASE}/pages/summary").json()}
    assert [told[name]["first_pass_approved"]["k"] for name in ("bob", "finn")] == [0, 1]
    assert [told[name]["agreement_with_head"]["k"] for name in ("bob", "finn")] == [0, 1]
    assert told["bob"]["confusion"] == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_rework_goes_to_the_annotator_and_comes_back_when_they_changed_it(
    project: Project, world: World, pages: list[Assignment], desk: Desk, bob: User
) -> None:
    fill_cases(project=project)
    case = ReviewCase.objects.get(assignment=pages[0]).pk
    pair = world.pairs[0].pk
    assert desk.decide(case, "rework", text="Look.").json()["code"] == "no_items_to_return"
    assert desk.decide(case, "rework", items=[{"candidate": pair}]).json()["code"] == "rework_needs_text"
    returned = desk.decide(case, "rework", items=[{"candidate": pair, "label": "bad"}], text="Count the boats.")
    assert returned.json()["case"]["outcome"] == "rework"
    remark = Remark.objects.get()
    assert (remark.annotator, remark.items.get().label, remark.text) == (bob, "bad", "Count the boats.")
    fill_cases(project=project)
    assert ReviewCase.objects.get(pk=case).closed_at is not None
    change(pages[0], "bad")
    fill_cases(project=project)
    again = desk.next(reason="rework_done")
    assert (again["id"], [reason["code"] for reason in again["reasons"]]) == (case, ["rework_done"])
    assert desk.decide(case, "accept_page").status_code == 200
    [row] = [row for row in desk.client.get(f"{BASE}/pages/summary").json() if row["annotator"]["id"] == bob.pk]
    assert (row["n_reviewed"], row["rejected"]["k"], row["first_pass_approved"]["k"]) == (1, 1, 0)
    assert fill_cases(project=project)
    assert ReviewCase.objects.get(pk=case).closed_at is not None


def change(page: Assignment, label: str) -> Judgment:
    return revise_judgment(assignment=page, judged=Judged(1, Label(label)))


@pytest.mark.nightly
def test_a_returned_answer_stays_open_on_a_page_that_a_decision_closed(
    project: Project, world: World, pages: list[Assignment], desk: Desk
) -> None:
    fill_cases(project=project)
    case = ReviewCase.objects.get(assignment=pages[0]).pk
    desk.decide(case, "settle", items=[{"candidate": world.pairs[1].pk, "label": "bad"}])
    with pytest.raises(ReviewClosed):
        change(pages[0], "bad")
    desk.decide(case, "rework", items=[{"candidate": world.pairs[0].pk}], text="Look again.")
    assert change(pages[0], "bad").label == "bad"


def test_a_reply_to_returned_work_opens_its_case_and_no_second_one(
    project: Project, world: World, pages: list[Assignment], desk: Desk, switch: Switch
) -> None:
    switch(replies=True, ties=True)
    tie = desk.next(reason="tie")
    assert desk.decide(tie["id"], "rework", text="What do you see?").status_code == 200
    assert Remark.objects.count() == 2
    for remark in Remark.objects.all():
        answer_remark(remark=remark, answer=RemarkAnswer.TALK, text="A boat.")
    fill_cases(project=project)
    again = desk.next()
    assert (again["id"], [reason["code"] for reason in again["reasons"]]) == (tie["id"], ["rework_done"])


def test_undoing_rework_takes_the_remark_back(pages: list[Assignment], desk: Desk, world: World) -> None:
    case = desk.next(reason="first_work")
    item = {"candidate": world.pairs[0].pk}
    done = desk.decide(case["id"], "rework", items=[item], text="Look again.")
    assert desk.undo(done).status_code == 200
    assert Remark.objects.get().withdrawn_at is not None


@pytest.mark.nightly
def test_more_judgments_are_asked_of_others_in_a_follow_up(
    project: Project, world: World, pages: list[Assignment], desk: Desk
) -> None:
    tie = desk.next(reason="tie")
    done = desk.decide(tie["id"], "ask_more", k=2)
    assert done.json()["case"]["outcome"] == "ask_more"
    followup = HitItem.objects.get(candidate=world.pairs[0], hit__root=world.hits[0]).hit
    assert Slot.objects.filter(hit=followup, assignment=None).count() == 2
    assert HitItem.objects.filter(hit=followup, control=None).count() == 1
    fill_cases(project=project)
    assert desk.next(reason="tie") is None
    gina, hal = world.people("gina", "hal")
    for person, label in ((gina, "bad"), (hal, "good")):
        page = take(project, person)
        while page.hit_id != followup.pk:
            world_submit(page)
            page = take(project, person)
        world_submit(page, label)
    assert all(take_of(project, page.annotator) != followup.pk for page in pages)
    fill_cases(project=project)
    assert desk.next(reason="tie")["id"] == tie["id"]


def world_submit(page: Assignment, label: str = "good") -> None:
    submit(page, label, idempotency_key=str(page.pk))


def take_of(project: Project, person: User) -> int | None:
    shown = lease_next(project=project, annotator=person).shown
    return shown.assignment.hit_id if shown else None


def test_asking_for_more_is_undone_and_refused_where_a_decision_stands(
    project: Project, world: World, pages: list[Assignment], desk: Desk
) -> None:
    tie = desk.next(reason="tie")
    done = desk.decide(tie["id"], "ask_more", k=3)
    assert desk.undo(done).status_code == 200
    assert not Slot.objects.filter(hit__root=world.hits[0]).exists()
    assert not HitItem.objects.filter(asked__gt=0).exists()
    page = desk.next(reason="first_work")
    settled = [{"candidate": world.pairs[0].pk, "label": "bad"}]
    desk.decide(page["id"], "settle", items=settled)
    refused = desk.decide(page["id"], "ask_more", items=[{"candidate": world.pairs[0].pk}])
    assert (refused.status_code, refused.json()["code"]) == (409, "pair_already_decided")


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("settle", {}, "no_items"),
    ("settle", {"items": [{"candidate": "pair"}]}, "item_without_label"),
    ("settle", {"items": [{"candidate": "pair", "label": "good"}] * 2}, "item_named_twice"),
    ("settle", {"items": [{"candidate": "control", "label": "good"}]}, "item_not_in_case"),
    ("settle", {"items": [{"candidate": "other", "label": "good"}]}, "item_not_in_case"),
    ("rework", {"items": [{"candidate": "control"}], "text": "Look."}, "item_not_in_case"),
    ("ask_more", {}, "no_items"),
    ("ask_more", {"k": 6}, "invalid"),
    ("praise", {}, "invalid"),
]  # fmt: skip


def test_what_makes_no_sense_is_refused_and_changes_nothing(
    project: Project, world: World, bob: User, switch: Switch, desk: Desk
) -> None:
    switch(first_assignments=1)
    world.submit(bob, 0, ["good", "good"], controls={0: "bad"})
    case = desk.next()
    named = {"pair": world.pairs[0].pk, "control": world.controls[0].candidate_id, "other": world.pairs[2].pk}
    for action, sent, code in BAD:
        items = [{**item, "candidate": named[item["candidate"]]} for item in sent.get("items", [])]
        answer = desk.decide(case["id"], action, **sent | ({"items": items} if items else {}))
        assert (answer.status_code in (400, 409), answer.json()["code"]) == (True, code), (action, sent)
        assert not CaseDecision.objects.exists()
    assert desk.next()["id"] == case["id"]


@pytest.mark.nightly
def test_the_head_sees_controls_marked_with_the_answer_of_this_page_alone(
    project: Project, world: World, bob: User, finn: User, switch: Switch, desk: Desk
) -> None:
    switch(first_assignments=1)
    world.submit(finn, 0, ["good", "good"], controls={0: "good"})
    page = world.submit(bob, 0, ["good", "good"], controls={0: "bad"})
    fill_cases(project=project)
    case = ReviewCase.objects.get(assignment=page).pk
    shown = desk.client.get(f"{BASE}/cases/{case}").json()["pairs"]
    assert [pair["is_control"] for pair in shown] == [False, False, True]
    assert (shown[2]["control_label"], [answer["label"] for answer in shown[2]["answers"]]) == ("good", ["bad"])
    assert shown[0]["answers"][1]["reliability"]["k"] == 0


def test_many_cases_are_decided_at_once_and_those_that_cannot_be_are_named(
    project: Project, world: World, bob: User, finn: User, desk: Desk, client_of: Clients, alice: User, switch: Switch
) -> None:
    for hit in (0, 1):
        world.submit(bob, hit, ["good", "good"])
        world.submit(finn, hit, ["bad", "bad"])
    switch(ties=True, first_assignments=1)
    fill_cases(project=project)
    ties = list(ReviewCase.objects.filter(candidate__isnull=False).order_by("pk").values_list("pk", flat=True))
    page = ReviewCase.objects.filter(assignment__isnull=False)[0].pk
    client_of(alice).post(f"{BASE}/cases/{ties[0]}/lease")
    sent = {"action": "settle", "cases": [*ties, page, ties[1], 999], "label": "bad"}
    answer = desk.client.post(f"{BASE}/decisions", sent, "json").json()
    refused = {one["case"]: one["code"] for one in answer["refused"]}
    assert (answer["n_done"], refused) == (3, {ties[0]: "case_held", page: "action_not_for_case", 999: "no_such_case"})
    assert "alice" in answer["refused"][0]["message"]
    assert list(labels(project).values()) == ["bad"] * 3
    assert PairTally.objects.filter(is_tie=True).count() == 1
    for wrong in ({"action": "settle", "cases": ties}, {"action": "rework", "cases": ties}, {"action": "ask_more"}):
        assert desk.client.post(f"{BASE}/decisions", wrong, "json").status_code == 400


def test_more_judgments_of_many_pairs_are_asked_for_at_once(
    project: Project, world: World, pages: list[Assignment], bob: User, finn: User, desk: Desk
) -> None:
    fill_cases(project=project)
    ties = list(ReviewCase.objects.filter(candidate__isnull=False).values_list("pk", flat=True))
    answer = desk.client.post(f"{BASE}/decisions", {"action": "ask_more", "cases": ties, "k": 2}, "json").json()
    assert answer == {"n_done": 1, "refused": []}
    assert HitItem.objects.get(candidate=world.pairs[0], hit__root=None).asked == 4


def test_a_page_action_is_refused_on_a_pair(pages: list[Assignment], desk: Desk) -> None:
    tie = desk.next(reason="tie")
    for action in ("accept_page", "accept_with_corrections"):
        assert desk.decide(tie["id"], action).json()["code"] == "action_not_for_case"


def test_skipped_cases_come_again_after_the_others(pages: list[Assignment], desk: Desk) -> None:
    first = desk.next()
    second = desk.next(after=first["id"])
    third = desk.next(after=second["id"])
    assert len({first["id"], second["id"], third["id"]}) == 3
    assert desk.next(after=third["id"])["id"] == first["id"]
    counts = desk.client.get(f"{BASE}/counts").json()
    assert (counts["open"], counts["mine"]) == (3, 1)
    assert counts["by_reason"] == {"tie": 1, "first_work": 2}


@pytest.mark.nightly
def test_a_held_case_is_refused_to_others_until_the_lease_ends(
    pages: list[Assignment], desk: Desk, client_of: Clients, erin: User
) -> None:
    held, other = desk.next(), Desk(client_of(erin))
    assert other.decide(held["id"], "dismiss").json()["code"] == "case_held"
    refused = other.client.post(f"{BASE}/cases/{held['id']}/lease")
    assert (refused.status_code, refused.json()["details"]["name"]) == (409, "dora")
    assert other.next()["id"] != held["id"]
    ReviewCase.objects.filter(pk=held["id"]).update(leased_until=timezone.now())
    assert other.decide(held["id"], "dismiss").status_code == 200
    assert desk.decide(held["id"], "dismiss").json()["code"] == "already_closed"
