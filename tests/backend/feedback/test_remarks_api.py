"""Remarks: the head annotator writes on a caption somebody judged, and the two talk; nobody else reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, Judgment
from backend.feedback.models import Remark
from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.review.models import Verdict
from world import World
from writing import INBOX, REMARKS, TEXT, Clients, answer, reply, unread


def test_a_person_finds_the_remark_beside_the_picture_the_caption_and_their_own_word(
    client_of: Clients, bob: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    write(judged[0], label="bad")
    (found,) = client_of(bob).get(INBOX).json()["results"]
    (row,) = found["rows"]
    assert (found["text"], row["label"], row["label_then"]) == (TEXT, "bad", "good")
    assert (found["written_by"]["name"], found["is_unread"], found["answer"]) == ("dora", True, None)
    assert row["image"]["thumbnail"]["small"]["url"]
    assert (row["item"]["text"], row["item"]["label"]) == (judged[0].candidate.text, "good")
    assert (row["assignment"], row["item"]["position"]) == (str(judged[0].assignment_id), 1)
    assert unread(client_of(bob)) == 1


@pytest.mark.nightly
@pytest.mark.parametrize(("said", "text"), [("acknowledge", ""), ("agree", ""), ("talk", "I took it for one.")])
def test_every_answer_takes_the_remark_off_the_unread(
    client_of: Clients, bob: User, judged: list[Judgment], write: Callable[..., dict[str, Any]], said: str, text: str
) -> None:
    client = client_of(bob)
    answered = answer(client, write(judged[0]), said, text).json()
    at = answered["answered_at" if said == "talk" else "acknowledged_at"]
    assert (answered["answer"], answered["is_unread"], bool(at)) == (said, False, True)
    assert answered["awaits_reply"] is (said == "talk")
    assert [each["text"] for each in answered["replies"]] == ([text] if text else [])
    assert unread(client) == 0


@pytest.mark.nightly
def test_a_talk_goes_back_and_forth_and_each_side_sees_whose_turn_it_is(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    remark, person, head = write(judged[0]), client_of(bob), client_of(dora)
    answer(person, remark, "talk", "Is it not the ferry?")
    assert [row["id"] for row in head.get(REMARKS, {"is_waiting": True}).json()["results"]] == [remark["id"]]
    replied = reply(head, remark, "The ferry has two decks.").json()
    assert (replied["is_unread"], replied["awaits_reply"]) == (True, False)
    assert unread(person) == 1
    seen = answer(person, remark, "acknowledge").json()
    assert (seen["answer"], seen["is_unread"]) == ("talk", False)
    assert [(each["author"]["name"], each["text"]) for each in seen["replies"]] == [
        ("bob", "Is it not the ferry?"), ("dora", "The ferry has two decks."),
    ]  # fmt: skip


def test_a_talk_without_words_is_refused(
    client_of: Clients, bob: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    refused = answer(client_of(bob), write(judged[0]), "talk")
    assert (refused.status_code, refused.json()["message"]) == (400, "Write what you want to discuss.")
    assert unread(client_of(bob)) == 1


@pytest.mark.nightly
def test_unread_remarks_come_first_and_pages_follow_one_another(
    client_of: Clients, bob: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    client, written = client_of(bob), [write(judgment) for judgment in judged]
    answer(client, written[2], "acknowledge")
    first = client.get(INBOX, {"limit": 2}).json()
    second = client.get(first["next"]).json()
    assert [row["id"] for row in first["results"]] == [written[1]["id"], written[0]["id"]]
    assert [row["id"] for row in second["results"]] == [written[2]["id"]]


@pytest.mark.nightly
def test_after_a_change_of_mind_both_words_are_told(
    client_of: Clients, bob: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    client = client_of(bob)
    write(judged[0], label="bad")
    address = f"/api/v1/assignments/{judged[0].assignment_id}/judgments/1"
    assert client.post(address, {"label": "bad"}, "json").status_code == 201
    (row,) = client.get(INBOX).json()["results"][0]["rows"]
    assert (row["label_then"], row["item"]["label"], row["closed"]) == ("good", "bad", None)


def test_a_remark_on_what_is_settled_says_that_it_is_closed(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    write(judged[0])
    Verdict.objects.create(candidate=judged[0].candidate, label="bad", decided_by=dora)
    (row,) = client_of(bob).get(INBOX).json()["results"][0]["rows"]
    assert row["closed"]["by"] == "dora"


@pytest.mark.nightly
def test_what_a_remark_is_about_stays_open_until_it_is_settled_itself(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    """The rest of its page is closed as soon as one pair of the page is settled."""
    client, page = client_of(bob), f"/api/v1/assignments/{judged[0].assignment_id}"
    write(judged[0], label="bad")
    Verdict.objects.create(candidate=judged[1].candidate, label="bad", decided_by=dora)
    words = ["bad", "unsure"]

    def state() -> tuple[list[bool], bool, int]:
        items, (found,) = client.get(f"{page}/past").json()["items"], client.get(INBOX).json()["results"]
        revised = client.post(f"{page}/judgments/1", {"label": words.pop()}, "json")
        return [bool(item["closed"]) for item in items], bool(found["rows"][0]["closed"]), revised.status_code

    assert state() == ([False, True, True], False, 201)
    assert client.post(f"{page}/judgments/3", {"label": "good"}, "json").status_code == 409
    Verdict.objects.create(candidate=judged[0].candidate, label="bad", decided_by=dora)
    assert state() == ([True, True, True], True, 409)


def test_a_remark_to_somebody_else_keeps_no_page_of_mine_open(
    client_of: Clients, dora: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    write(judged[0])
    Verdict.objects.create(candidate=judged[1].candidate, label="bad", decided_by=dora)
    mine = Assignment.objects.get(hit=judged[0].assignment.hit, annotator=dora)
    items = client_of(dora).get(f"/api/v1/assignments/{mine.pk}/past").json()["items"]
    assert all(item["closed"] for item in items)


def test_a_hidden_control_takes_no_remark_and_the_head_is_told_why(
    client_of: Clients, dora: User, project: Project, judged: list[Judgment]
) -> None:
    World(project).control(judged[0].candidate)
    refused = client_of(dora).post(REMARKS, {"judgment": judged[0].pk, "text": TEXT}, "json")
    assert (refused.status_code, refused.json()["code"]) == (409, "remark_on_control")
    assert "would reveal" in refused.json()["message"]
    assert not Remark.objects.exists()


def test_nobody_writes_to_somebody_who_left(
    client_of: Clients, bob: User, dora: User, project: Project, judged: list[Judgment]
) -> None:
    Membership.objects.filter(project=project, user=bob).delete()
    refused = client_of(dora).post(REMARKS, {"judgment": judged[0].pk, "text": TEXT}, "json")
    assert (refused.status_code, refused.json()["code"]) == (409, "nobody_reads")


@pytest.mark.parametrize("sent", [{}, {"judgment": 1}, {"text": "x"}, {"judgment": 1, "text": "  "}])
def test_what_makes_no_sense_is_refused_in_words(
    client_of: Clients, dora: User, project: Project, sent: dict[str, object]
) -> None:
    refused = client_of(dora).post(REMARKS, sent, "json")
    assert (refused.status_code, bool(refused.json()["message"])) == (400, True)


@pytest.mark.nightly
def test_who_may_write_read_and_answer(
    client_of: Clients, judged: list[Judgment], write: Callable[..., dict[str, Any]],
    alice: User, dora: User, bob: User, charlie: User,
) -> None:  # fmt: skip
    everybody = (alice, dora, bob, charlie, None)
    remark = write(judged[0])
    sent = {"judgment": judged[1].pk, "text": TEXT}

    def codes(ask: Callable[[APIClient], Any]) -> list[int]:
        return [ask(client_of(user)).status_code for user in everybody]

    assert codes(lambda client: client.get(REMARKS)) == [200, 200, 403, 404, 401]
    assert codes(lambda client: client.post(REMARKS, sent, "json")) == [201, 201, 403, 404, 401]
    assert codes(lambda client: client.get(INBOX)) == [200, 200, 200, 404, 401]
    assert codes(lambda client: client.get(f"{INBOX}/unread")) == [200, 200, 200, 404, 401]
    assert codes(lambda client: answer(client, remark, "acknowledge")) == [404, 404, 200, 404, 401]
    assert codes(lambda client: reply(client, remark, "Yes.")) == [201, 201, 404, 404, 401]
    listing = f"/api/v1/projects/skies/annotators/{bob.pk}/judgments"
    assert codes(lambda client: client.get(listing)) == [200, 200, 403, 404, 401]
    assert client_of(alice).get(INBOX).json()["results"] == []


def test_a_judgment_of_another_project_is_not_found(client_of: Clients, charlie: User, judged: list[Judgment]) -> None:
    sent = {"judgment": judged[0].pk, "text": TEXT}
    assert client_of(charlie).post("/api/v1/projects/elsewhere/remarks", sent, "json").status_code == 404


@pytest.mark.nightly
def test_the_head_lists_by_state_and_person(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    written, head = [write(judgment) for judgment in judged], client_of(dora)
    answer(client_of(bob), written[1], "agree")
    asked = {"annotator": bob.pk, "state": "sent"}
    assert [row["id"] for row in head.get(REMARKS, asked).json()["results"]] == [written[2]["id"], written[0]["id"]]
    assert head.get(REMARKS, {"annotator": dora.pk}).json()["results"] == []


def test_the_head_reads_what_somebody_judged_beside_the_votes_of_the_others(
    client_of: Clients, bob: User, dora: User, project: Project, judged: list[Judgment],
    write: Callable[..., dict[str, Any]],
) -> None:  # fmt: skip
    remark, head = write(judged[2]), client_of(dora)
    Judgment.objects.filter(pk=judged[1].pk).update(comment="Two boats.")
    World(project).control(judged[1].candidate, "bad")
    listing = f"/api/v1/projects/skies/annotators/{bob.pk}/judgments"
    rows = head.get(listing).json()["results"]
    assert [row["item"]["position"] for row in rows] == [3, 2, 1]
    assert [row["others"]["bad"] for row in rows] == [2, 0, 2]
    assert [row["remark"] for row in rows] == [remark["id"], None, None]
    assert [row["is_control"] for row in rows] == [False, True, False]

    def positions(**asked: object) -> list[int]:
        return [row["item"]["position"] for row in head.get(listing, asked).json()["results"]]

    assert positions(is_disagreeing=True) == [3, 1]
    assert positions(label="unsure") == [3]
    assert positions(is_commented=True) == [2]
    assert positions(is_commented=True, label="good") == []


def test_the_inbox_of_one_task_holds_what_was_written_about_it(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Callable[..., dict[str, Any]]
) -> None:
    written = write(judged[0])
    client, other = client_of(bob), "11111111-1111-4111-8111-111111111111"
    found = client.get(INBOX, {"assignment": str(judged[0].assignment_id)}).json()["results"]
    assert [each["id"] for each in found] == [written["id"]]
    assert client.get(INBOX, {"assignment": other}).json()["results"] == []
    assert client_of(dora).get(INBOX, {"assignment": str(judged[0].assignment_id)}).json()["results"] == []
    assert client.get(INBOX, {"assignment": "all"}).status_code == 400
