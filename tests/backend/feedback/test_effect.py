"""Before and after: a person's answers around the first feedback of a kind, compared with verdicts or with others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.annotation.models import Assignment, Judgment
from backend.feedback.models import Remark
from backend.methods.quality import difference_of_shares, wilson
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Verdict
from world import World, make_world
from writing import FEEDBACK, Clients, codes, withdraw

EFFECT = f"{FEEDBACK}/effect"
Write = Callable[..., dict[str, Any]]


@pytest.fixture
def world(project: Project) -> World:
    """Twelve HITs of five pairs, answered a day apart."""
    return make_world(project, images=12, captions=5)


@pytest.fixture
def work(world: World) -> Callable[..., list[Judgment]]:
    """`work(bob, 6, "good")`: bob answers the next HITs of his, all alike, a day apart."""

    def answer(person: User, n_hits: int, label: str, *, first: int = 0) -> list[Judgment]:
        made: list[Judgment] = []
        for at in range(first, first + n_hits):
            page = world.judge(person, at, [label] * 5)
            days = timedelta(days=at - 11)
            Assignment.objects.filter(pk=page.pk).update(submitted_at=timezone.now() + days)
            made += page.judgments.order_by("position")
        return made

    return answer


def write_on_day(write: Write, judgment: Judgment, day: int, **more: Any) -> dict[str, Any]:
    """A remark as if it had been written between two HITs."""
    remark = write(judgment, **more)
    at = timezone.now() + timedelta(days=day - 11, hours=-12)
    Remark.objects.filter(pk=remark["id"]).update(created_at=at)
    return remark


def decide(judgments: Sequence[Judgment], label: str, by: User) -> None:
    Verdict.objects.bulk_create(Verdict(candidate=each.candidate, label=label, decided_by=by) for each in judgments)


def effects(client: Any, **asked: object) -> list[dict[str, Any]]:
    answer = client.get(EFFECT, asked)
    assert answer.status_code == 200, answer.json()
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


def test_answers_before_and_after_are_compared_with_verdicts(
    client_of: Clients, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    """Bad was right throughout: wrong in all six HITs before the feedback, right in four of six after it."""
    before, after = work(bob, 6, "good"), work(bob, 4, "bad", first=6)
    last = work(bob, 2, "good", first=10)
    decide([*before, *after, *last], "bad", dora)
    write_on_day(write, before[0], 6)
    (found,) = effects(client_of(dora))
    low, high = wilson(20, 30)
    assert found["before"] == {"k": 0, "n": 30, "share": 0.0, "low": wilson(0, 30)[0], "high": wilson(0, 30)[1]}
    assert found["after"] == {"k": 20, "n": 30, "share": pytest.approx(2 / 3), "low": low, "high": high}
    expected = difference_of_shares((0, 30), (20, 30))
    assert found["difference"] == {"value": expected.value, "low": expected.low, "high": expected.high}
    assert (found["compared_with"], found["n_remarks"], found["template"]) == ("verdicts", 1, None)


@pytest.mark.nightly
def test_n_takes_the_answers_next_to_the_feedback(
    client_of: Clients, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    far, near = work(bob, 4, "bad"), work(bob, 2, "good", first=4)
    soon, late = work(bob, 2, "bad", first=6), work(bob, 4, "good", first=8)
    decide([*far, *near, *soon, *late], "bad", dora)
    write_on_day(write, near[0], 6)
    (found,) = effects(client_of(dora), n=10)
    assert [(found[side]["k"], found[side]["n"]) for side in ("before", "after")] == [(0, 10), (10, 10)]


@pytest.mark.nightly
def test_with_too_few_verdicts_the_majority_of_the_others_is_taken(
    client_of: Clients, world: World, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    """The person's own vote is not among those of the others."""
    before, after = work(bob, 6, "good"), work(bob, 6, "bad", first=6)
    for name in ("erin", "finn"):
        work(world.person(name), 12, "bad")
    decide(before, "good", dora)
    decide(after[:9], "good", dora)
    write_on_day(write, before[0], 6)
    (found,) = effects(client_of(dora))
    assert found["compared_with"] == "majority"
    assert [(found[side]["k"], found[side]["n"]) for side in ("before", "after")] == [(0, 30), (30, 30)]


def test_a_tie_of_the_others_is_not_compared(
    client_of: Clients, world: World, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    before = work(bob, 6, "good")
    work(bob, 6, "good", first=6)
    work(world.person("erin"), 12, "bad")
    work(world.person("finn"), 12, "good")
    write_on_day(write, before[0], 6)
    (found,) = effects(client_of(dora))
    assert (found["before"], found["after"], found["difference"]) == (None, None, None)


@pytest.mark.nightly
def test_a_correction_after_the_feedback_does_not_change_what_was_before(
    client_of: Clients, world: World, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    before, after = work(bob, 6, "good"), work(bob, 6, "bad", first=6)
    decide([*before, *after], "bad", dora)
    write_on_day(write, before[0], 6)
    world.change_mind(before[0], "bad")
    (found,) = effects(client_of(dora))
    assert (found["before"]["k"], found["after"]["n"]) == (0, 30)


@pytest.mark.nightly
def test_controls_are_not_compared(
    client_of: Clients, world: World, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    before, after = work(bob, 6, "good"), work(bob, 6, "bad", first=6)
    decide([*before, *after], "bad", dora)
    write_on_day(write, before[0], 6)
    for judgment in after[:7]:
        world.control(judgment.candidate)
    (found,) = effects(client_of(dora))
    assert (found["before"]["n"], found["after"]["n"]) == (30, 23)


@pytest.mark.nightly
def test_each_kind_and_person_has_a_row_cut_at_the_first_of_its_remarks(
    client_of: Clients, world: World, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    head = client_of(dora)
    kind = head.get(f"{FEEDBACK}/templates").json()[0]
    mine = work(bob, 12, "good")
    erin = world.person("erin")
    theirs = work(erin, 12, "bad")
    write_on_day(write, mine[0], 4, template=kind["id"])
    write_on_day(write, mine[1], 8, template=kind["id"])
    write_on_day(write, mine[2], 6)
    write_on_day(write, theirs[0], 6, template=kind["id"])
    withdraw(head, write(theirs[1]))
    found = effects(head)
    told = [(row["annotator"]["name"], (row["template"] or {}).get("code"), row["n_remarks"]) for row in found]
    assert told == [("erin", kind["code"], 1), ("bob", None, 1), ("bob", kind["code"], 2)]
    assert [(row["before"]["n"], row["after"]["n"]) for row in found] == [(30, 30), (30, 30), (20, 30)]
    assert found[2]["first_at"] < found[2]["last_at"]
    assert [row["annotator"]["name"] for row in effects(head, annotator=erin.pk)] == ["erin"]


@pytest.mark.nightly
def test_pages_of_effects_take_two_statements_for_each_row(
    client_of: Clients, world: World, bob: User, dora: User, work: Callable[..., list[Judgment]], write: Write
) -> None:
    head, mine = client_of(dora), work(bob, 12, "good")
    kinds = head.get(f"{FEEDBACK}/templates").json()
    for at, kind in enumerate(kinds[:5]):
        write_on_day(write, mine[at], 6, template=kind["id"])
    counted = []
    for limit in (1, 5):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert len(effects(head, limit=limit)) == limit
        counted.append(len(asked))
    assert counted[1] - counted[0] == 2 * 4


def test_without_feedback_there_is_nothing_to_measure(client_of: Clients, dora: User, project: Project) -> None:
    assert effects(client_of(dora)) == []


@pytest.mark.parametrize("asked", [{"n": 4}, {"n": 201}, {"n": "many"}, {"annotator": 0}])
def test_what_makes_no_sense_is_refused(
    client_of: Clients, dora: User, project: Project, asked: dict[str, object]
) -> None:
    assert client_of(dora).get(EFFECT, asked).status_code == 400


def test_who_may_read_the_effect(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, project: Project
) -> None:
    everybody = (alice, dora, bob, charlie, None)
    assert codes(client_of, everybody, lambda client: client.get(EFFECT)) == [200, 200, 403, 404, 401]
