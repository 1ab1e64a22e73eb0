"""One message about several answers, and the same words to all who answered so; neither gives a control away."""

from __future__ import annotations

from typing import Any

import pytest

from backend.annotation.models import AnnotatorState, Assignment, Judgment
from backend.curation.models import Consensus
from backend.feedback.models import Remark
from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.review.models import Verdict
from world import World, make_world
from writing import FEEDBACK, INBOX, REMARKS, TEXT, Clients, codes

BATCHES = f"{FEEDBACK}/batches"


@pytest.fixture
def pages(project: Project, bob: User, dora: User) -> list[list[Judgment]]:
    """Bob's answers on two pages, of five pairs and one control each; the control was shown last."""
    world = make_world(project, images=2, captions=5, controls=2)
    for at in range(2):
        world.submit(bob, at, ["good"] * 5, controls={at: "good"})
        world.submit(dora, at, ["good", "bad", "good", "good", "bad"])
    mine = Assignment.objects.filter(annotator=bob).order_by("submitted_at")
    return [list(page.judgments.order_by("position")) for page in mine]


def send(client: Any, bob: User, **said: Any) -> Any:
    return client.post(BATCHES, {"annotator": bob.pk, "text": TEXT, **said}, "json")


@pytest.mark.nightly
def test_one_message_lists_the_answers_it_is_about(
    client_of: Clients, bob: User, dora: User, pages: list[list[Judgment]]
) -> None:
    chosen = [pages[1][0].pk, pages[0][2].pk]
    sent = send(client_of(dora), bob, judgments=[*chosen, chosen[0]])
    assert sent.status_code == 201
    assert [row["judgment"] for row in sent.json()["rows"]] == chosen
    (found,) = client_of(bob).get(INBOX).json()["results"]
    assert [row["item"]["text"] for row in found["rows"]] == [
        pages[1][0].candidate.text, pages[0][2].candidate.text,
    ]  # fmt: skip
    assert {row["candidate"] for row in found["rows"]} == {row["judgment"] for row in found["rows"]} == {None}


def test_a_batch_with_a_control_is_refused(
    client_of: Clients, bob: User, dora: User, pages: list[list[Judgment]]
) -> None:
    refused = send(client_of(dora), bob, judgments=[pages[0][0].pk, pages[0][5].pk])
    assert (refused.status_code, refused.json()["code"]) == (409, "remark_on_control")
    assert not Remark.objects.exists()


def test_a_batch_that_leaves_out_the_control_alone_is_refused(
    client_of: Clients, bob: User, dora: User, pages: list[list[Judgment]]
) -> None:
    """Who sees feedback on all answers of the page but one knows that this one is the control."""
    head = client_of(dora)
    all_pairs = [judgment.pk for judgment in pages[0][:5]]
    refused = send(head, bob, judgments=all_pairs)
    assert (refused.status_code, refused.json()["code"], refused.json()["details"]["n"]) == (409, "remark_tells", 1)
    assert send(head, bob, judgments=all_pairs[:4]).status_code == 201


@pytest.mark.nightly
def test_single_remarks_cannot_complete_what_a_batch_may_not(
    client_of: Clients, bob: User, dora: User, pages: list[list[Judgment]]
) -> None:
    head = client_of(dora)
    sent = [
        head.post(REMARKS, {"judgment": judgment.pk, "text": TEXT}, "json").status_code for judgment in pages[0][:5]
    ]
    assert sent == [201, 201, 201, 201, 409]


def test_the_last_answers_leave_out_as_many_others_as_there_are_controls(
    client_of: Clients, bob: User, dora: User, pages: list[list[Judgment]]
) -> None:
    sent = send(client_of(dora), bob, last=12).json()
    told = {row["judgment"] for row in sent["rows"]}
    for page in pages:
        left_out = [judgment for judgment in page if judgment.pk not in told]
        assert sum(judgment.control_id is not None for judgment in left_out) == 1
        assert len(left_out) == 2
    assert [row["judgment"] for row in sent["rows"]] == sorted(told, reverse=True)


@pytest.mark.nightly
def test_which_others_are_left_out_does_not_depend_on_their_place(
    client_of: Clients, project: Project, bob: User, dora: User
) -> None:
    """A rule that always leaves out the first one would tell which of two is the control."""
    world = make_world(project, images=12, captions=4, controls=12)
    for at in range(12):
        world.submit(bob, at, ["good"] * 4, controls={at: "good"})
    sent = send(client_of(dora), bob, last=60).json()
    told = {row["judgment"] for row in sent["rows"]}
    left_out = Judgment.objects.filter(annotator=bob, control=None).exclude(pk__in=told)
    assert left_out.count() == 12
    assert len(set(left_out.values_list("position", flat=True))) > 1


def test_a_batch_about_somebody_elses_answers_is_not_found(
    client_of: Clients, bob: User, dora: User, pages: list[list[Judgment]]
) -> None:
    theirs = Judgment.objects.filter(annotator=dora).values_list("pk", flat=True)[0]
    assert send(client_of(dora), bob, judgments=[pages[0][0].pk, theirs]).status_code == 404
    assert not Remark.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [{}, {"last": 101}, {"last": 2, "judgments": [1]}, {"judgments": ["x"]}, {"judgments": [1], "text": " "}],
)
def test_a_batch_that_makes_no_sense_is_refused(
    client_of: Clients, bob: User, dora: User, project: Project, sent: dict[str, Any]
) -> None:
    assert send(client_of(dora), bob, **sent).status_code == 400


def test_somebody_without_answers_gets_no_batch(client_of: Clients, bob: User, dora: User, project: Project) -> None:
    refused = send(client_of(dora), bob, last=20)
    assert (refused.status_code, refused.json()["code"]) == (400, "no_answers_to_tell")


@pytest.mark.nightly
def test_who_may_send_a_batch(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, pages: list[list[Judgment]]
) -> None:
    said = {"judgments": [pages[0][0].pk]}
    everybody = (alice, dora, bob, charlie, None)
    assert codes(client_of, everybody, lambda client: send(client, bob, **said)) == [201, 201, 403, 404, 401]


@pytest.fixture
def four(project: Project, bob: User, dora: User, alice: User) -> list[Judgment]:
    """bob, erin and finn said good of one pair, gus said bad; in this order."""
    world = World(project)
    people = [bob, *world.people("erin", "finn", "gus")]
    world.add_hits(1, 2)
    for person, label in zip(people, ("good", "good", "good", "bad"), strict=True):
        world.judge(person, 0, [label, "good"])
    return list(Judgment.objects.filter(position=1).order_by("pk"))


def test_the_same_words_go_to_all_who_answered_so(client_of: Clients, dora: User, four: list[Judgment]) -> None:
    sent = client_of(dora).post(REMARKS, {"judgment": four[1].pk, "text": TEXT, "is_for_all": True}, "json").json()
    assert (sent["n_sent"], sent["annotator"]["name"]) == (3, "erin")
    written = Remark.objects.order_by("pk").values_list("annotator__username", flat=True)
    assert list(written) == ["erin", "bob", "finn"]


def test_all_who_answered_so_are_without_those_who_left_and_without_the_author(
    client_of: Clients, project: Project, dora: User, four: list[Judgment]
) -> None:
    World(project).judge(dora, four[0].assignment.hit, ["good", "good"])
    Membership.objects.filter(user=four[2].annotator).delete()
    sent = client_of(dora).post(REMARKS, {"judgment": four[0].pk, "text": TEXT, "is_for_all": True}, "json").json()
    assert sent["n_sent"] == 2


def test_the_head_reads_verdict_and_consensus_beside_the_answers(
    client_of: Clients, dora: User, bob: User, four: list[Judgment]
) -> None:
    AnnotatorState.objects.create(project=four[0].assignment.project, user=bob)
    Verdict.objects.create(candidate=four[0].candidate, label="bad", decided_by=dora)
    Consensus.objects.create(candidate=four[0].candidate, label="good", n_good=3, n_bad=1)
    listing = client_of(dora).get(f"/api/v1/projects/skies/annotators/{bob.pk}/judgments").json()["results"]
    told = {row["item"]["position"]: (row["verdict"], row["consensus"]) for row in listing}
    assert told == {1: ("bad", "good"), 2: (None, None)}
