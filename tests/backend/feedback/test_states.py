"""The states of a remark: sent, seen, acknowledged, answered, withdrawn; and one list over all people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError

from backend.annotation.models import Judgment
from backend.feedback.models import Remark, RemarkState
from backend.feedback.selectors import STATES
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Verdict
from writing import FEEDBACK, INBOX, REMARKS, TEXT, Clients, answer, codes, reply, see, states, unread, withdraw

Write = Callable[..., dict[str, Any]]


@pytest.mark.nightly
def test_each_step_moves_the_remark_on_and_leaves_its_time(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    person, head, remark = client_of(bob), client_of(dora), write(judged[0])

    def now() -> dict[str, Any]:
        (found,) = head.get(REMARKS).json()["results"]
        return dict(found)

    assert now()["state"] == "sent"
    see(person, remark)
    assert now()["state"] == "seen"
    answer(person, remark, "acknowledge")
    assert now()["state"] == "acknowledged"
    answer(person, remark, "talk", "Which boat?")
    found = now()
    assert (found["state"], found["awaits_reply"]) == ("answered", True)
    times = [found[name] for name in ("created_at", "seen_at", "acknowledged_at", "answered_at")]
    assert times == sorted(times)
    answer(person, remark, "agree")
    assert (now()["state"], now()["awaits_reply"]) == ("acknowledged", False)


def test_agreeing_with_words_does_not_wait_for_a_reply(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    agreed = answer(client_of(bob), write(judged[0]), "agree", "You are right.").json()
    assert (agreed["state"], agreed["awaits_reply"], len(agreed["replies"])) == ("acknowledged", False, 1)
    assert client_of(dora).get(f"{FEEDBACK}/counts").json()["n_waiting"] == 0


def test_the_database_refuses_to_wait_on_one_who_agrees(judged: list[Judgment], write: Write) -> None:
    write(judged[0])
    with pytest.raises(IntegrityError):
        Remark.objects.update(answer="agree", awaits_reply=True)


@pytest.mark.nightly
def test_the_inbox_marks_seen_once_and_only_what_is_ones_own(
    client_of: Clients, bob: User, alice: User, judged: list[Judgment], write: Write
) -> None:
    first, second = write(judged[0]), write(judged[1])
    assert see(client_of(alice), first).json() == {"n_unread": 0}
    assert unread(client_of(bob)) == 2
    assert see(client_of(bob), first).json() == {"n_unread": 1}
    seen_at = Remark.objects.get(pk=first["id"]).seen_at
    see(client_of(bob), first, second)
    assert Remark.objects.get(pk=first["id"]).seen_at == seen_at
    assert unread(client_of(bob)) == 0


@pytest.mark.nightly
def test_a_reply_that_came_while_the_page_was_open_stays_unread(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    remark = write(judged[0])
    see(client_of(bob), remark)
    reply(client_of(dora), remark, "One more thing.")
    assert see(client_of(bob), remark, n_replies=0).json() == {"n_unread": 1}
    assert see(client_of(bob), remark, n_replies=1).json() == {"n_unread": 0}


@pytest.mark.nightly
def test_what_was_withdrawn_before_it_was_seen_is_gone_from_the_inbox(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    remark = write(judged[0])
    assert withdraw(client_of(dora), remark).json()["state"] == "withdrawn"
    assert (client_of(bob).get(INBOX).json()["results"], unread(client_of(bob))) == ([], 0)
    (kept,) = client_of(dora).get(REMARKS, {"state": "withdrawn"}).json()["results"]
    assert (kept["text"], bool(kept["withdrawn_at"])) == (TEXT, True)


def test_what_was_withdrawn_after_it_was_seen_keeps_only_the_words_of_the_person(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    person, head, remark = client_of(bob), client_of(dora), write(judged[0], label="bad")
    answer(person, remark, "talk", "Which boat?")
    reply(head, remark, "The red one.")
    withdraw(head, remark)
    (found,) = person.get(INBOX).json()["results"]
    assert (found["state"], found["text"], found["rows"][0]["label"], found["is_unread"]) == (
        "withdrawn",
        "",
        None,
        False,
    )
    assert [each["text"] for each in found["replies"]] == ["Which boat?"]
    assert "red one" not in str(found)
    refused = [answer(person, remark, "agree"), reply(head, remark, "So?")]
    assert [each.json()["code"] for each in refused] == ["remark_withdrawn"] * 2
    assert withdraw(head, remark).status_code == 200


def test_a_withdrawn_remark_does_not_keep_its_page_open(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    remark = write(judged[0])
    Verdict.objects.create(candidate=judged[1].candidate, label="bad", decided_by=dora)
    address = f"/api/v1/assignments/{judged[0].assignment_id}/judgments/1"
    assert client_of(bob).post(address, {"label": "bad"}, "json").status_code == 201
    withdraw(client_of(dora), remark)
    assert client_of(bob).post(address, {"label": "good"}, "json").json()["code"] == "review_closed"


@pytest.mark.nightly
def test_the_list_is_narrowed_by_person_author_kind_and_what_waits(
    client_of: Clients, alice: User, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    head = client_of(dora)
    kind = head.get(f"{FEEDBACK}/templates").json()[0]["id"]
    to_bob, of_kind = write(judged[0]), write(judged[1], template=kind)
    others = Judgment.objects.get(annotator=dora, position=1)
    by_alice = client_of(alice).post(REMARKS, {"judgment": others.pk, "text": TEXT}, "json").json()
    answer(client_of(bob), to_bob, "talk", "Why?")

    def found(**asked: object) -> list[int]:
        return [row["id"] for row in head.get(REMARKS, asked).json()["results"]]

    assert found() == [by_alice["id"], of_kind["id"], to_bob["id"]]
    assert found(annotator=bob.pk) == [of_kind["id"], to_bob["id"]]
    assert found(author=alice.pk) == [by_alice["id"]]
    assert found(template=kind) == [of_kind["id"]]
    assert found(is_waiting=True) == found(state="answered") == [to_bob["id"]]
    counts = head.get(f"{FEEDBACK}/counts").json()
    assert (counts["n_waiting"], states(head)) == (1, {"sent": 2, "answered": 1})
    names = [[person["name"] for person in counts[side]] for side in ("annotators", "authors")]
    assert names == [["bob", "dora"], ["alice", "dora"]]


@pytest.mark.nightly
def test_the_filters_say_what_the_states_say(
    client_of: Clients, bob: User, dora: User, judged: list[Judgment], write: Write
) -> None:
    """One remark in each state, and each filter finds its own."""
    written = [write(judged[at % 3]) for at in range(6)]
    person = client_of(bob)
    see(person, written[1])
    answer(person, written[2], "acknowledge")
    answer(person, written[3], "agree")
    answer(person, written[4], "talk", "Why?")
    withdraw(client_of(dora), written[5])
    by_filter = {state: set(Remark.objects.filter(narrowed)) for state, narrowed in STATES.items()}
    by_property = {state: {row for row in Remark.objects.all() if row.state == state} for state in RemarkState}
    assert by_filter == by_property
    assert all(by_filter.values())


def test_who_may_see_counts_mark_seen_and_withdraw(
    client_of: Clients, judged: list[Judgment], write: Write, alice: User, dora: User, bob: User, charlie: User
) -> None:
    everybody, remark = (alice, dora, bob, charlie, None), write(judged[0])
    assert codes(client_of, everybody, lambda client: client.get(f"{FEEDBACK}/counts")) == [200, 200, 403, 404, 401]
    assert codes(client_of, everybody, lambda client: see(client, remark)) == [200, 200, 200, 404, 401]
    assert codes(client_of, everybody, lambda client: withdraw(client, remark)) == [200, 200, 404, 404, 401]


@pytest.mark.parametrize(
    "sent", [{}, {"remarks": [{"id": 1}]}, {"remarks": [{"id": 0, "n_replies": 0}]}, {"remarks": 3}]
)
def test_what_makes_no_sense_is_not_seen(client_of: Clients, bob: User, project: Project, sent: object) -> None:
    assert client_of(bob).post(f"{INBOX}/seen", sent, "json").status_code == 400
