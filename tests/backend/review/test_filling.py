"""What comes into the review queue: each rule with a worked case, and that filling again adds nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.annotation.models import AnnotatorState, Assignment, Judgment, Slot
from backend.feedback.models import RemarkAnswer
from backend.feedback.services import answer_remark, reply_to_remark, write_remark
from backend.people.models import RightsRecord, User
from backend.projects.models import Project
from backend.review.models import PairTally, QueueState, ReviewCase, ReviewReason
from backend.review.queue import filling
from backend.review.queue.filling import fill_cases, fill_if_old
from backend.review.queue.rules import change_settings
from backend.review.services import record_verdict
from world import World

Switch = Callable[..., None]
Reasons = list[tuple[str, str]]


def open_reasons(project: Project) -> Reasons:
    """What each open case is about, and why: `("pair 1", "tie")`; pairs and assignments by their number."""
    pairs = list(Judgment.objects.order_by("candidate").values_list("candidate", flat=True).distinct())
    pages = list(Assignment.objects.order_by("created_at", "pk").values_list("pk", flat=True))
    rows = ReviewReason.objects.filter(project=project, closed_at=None, case__closed_at=None).select_related("case")
    return sorted(
        (
            f"pair {pairs.index(row.case.candidate_id)}"
            if row.case.candidate_id
            else f"page {pages.index(row.case.assignment_id)}",
            row.code,
        )
        for row in rows
    )


def filled(project: Project) -> Reasons:
    """The open reasons after a filling, which another filling does not change."""
    assert fill_cases(project=project)
    found = open_reasons(project)
    assert fill_cases(project=project)
    QueueState.objects.update(submitted_at=None, assignment=None, judgment=0, verdict=0)
    assert fill_cases(project=project)
    assert open_reasons(project) == found
    return found


def say(judgment: Judgment, **fields: Any) -> None:
    Judgment.objects.filter(pk=judgment.pk).update(**fields)


def first_of(page: Assignment) -> Judgment:
    return page.judgments.order_by("position")[0]


EDIT = [{"start": 0, "end": 1, "kind": "other", "before": "c", "after": "C"}]
IN_ONE_ANSWER: list[tuple[dict[str, Any], dict[str, Any], Reasons]] = [
    ({"comments": True}, {"comment": "What is this?"}, [("pair 0", "comment")]),
    ({"edits": True}, {"edits": EDIT}, [("pair 0", "edit")]),
    ({"generic": True}, {"is_generic": True}, [("pair 0", "too_generic")]),
    ({"comments": True}, {"edits": EDIT, "is_generic": True}, []),
    ({"edits": True, "generic": True}, {"comment": "What is this?"}, []),
]


@pytest.mark.parametrize(("rules", "said", "expected"), IN_ONE_ANSWER)
def test_what_stands_in_one_answer_opens_its_pair(
    project: Project, world: World, bob: User, switch: Switch, rules: dict[str, Any], said: dict[str, Any],
    expected: Reasons,
) -> None:  # fmt: skip
    switch(**rules)
    say(first_of(world.submit(bob, 0, ["good", "good"])), **said)
    assert filled(project) == expected


def test_the_first_assignments_of_each_annotator_come_and_of_the_others_a_share(
    project: Project, world: World, bob: User, finn: User, switch: Switch
) -> None:
    for hit in (0, 1):
        for person in (bob, finn):
            world.submit(person, hit, ["good", "good"])
    switch(first_assignments=1)
    assert filled(project) == [("page 0", "first_work"), ("page 1", "first_work")]
    switch(first_assignments=1, sample_percent=100)
    found = filled(project)
    assert [code for _, code in found] == ["first_work", "first_work", "sample", "sample"]
    switch(sample_percent=0)
    assert filled(project) == []


VOTES: list[tuple[list[str], str]] = [
    (["good", "good"], ""),
    (["good", "bad"], "tie"),
    (["good", "bad", "unsure"], "tie"),
    (["good", "good", "bad"], ""),
    (["good", "good", "bad", "unsure"], "low_agreement"),
    (["good", "good", "good", "bad", "bad"], ""),
]


@pytest.mark.parametrize(("votes", "code"), VOTES)
def test_ties_and_low_agreement_come_once_every_slot_is_filled(
    project: Project, world: World, switch: Switch, votes: list[str], code: str
) -> None:
    switch(ties=True, low_agreement=True)
    Slot.objects.all().delete()
    free = Slot.objects.create(project=project, hit=world.hits[0], root=world.hits[0], number=99)
    for person, label in zip(world.people(*(f"reader{n}" for n in range(len(votes)))), votes, strict=True):
        page = world.judge(person, 0, [label, "good"])
        Slot.objects.create(project=project, hit=page.hit, root=page.hit, number=person.pk, assignment=page)
        AnnotatorState.objects.create(project=project, user=person, n_submitted=1)
    assert filled(project) == []
    free.delete()
    QueueState.objects.all().delete()
    assert filled(project) == ([("pair 0", code)] if code else [])


def test_a_failed_control_opens_its_assignment_and_its_comment_too(
    project: Project, world: World, bob: User, switch: Switch
) -> None:
    switch(failed_controls=True, comments=True)
    page = world.submit(bob, 0, ["good", "good"], controls={0: "bad", 1: "good"})
    say(page.judgments.get(control=world.controls[1]), comment="Is this right?")
    assert filled(project) == [("page 0", "comment"), ("page 0", "failed_control")]
    assert ReviewCase.objects.get().annotator == bob


@pytest.mark.nightly
def test_a_tie_is_over_when_the_votes_change_and_a_new_tie_comes_back(
    project: Project, world: World, bob: User, finn: User, switch: Switch
) -> None:
    switch(ties=True)
    page = world.submit(bob, 0, ["good", "good"])
    world.submit(finn, 0, ["bad", "good"])
    assert filled(project) == [("pair 0", "tie")]
    mind = world.change_mind(first_of(page), "bad")
    assert filled(project) == []
    assert (ReviewCase.objects.get().outcome, PairTally.objects.count()) == ("resolved", 0)
    world.change_mind(mind, "unsure")
    assert filled(project) == [("pair 0", "tie")]


def test_an_excluded_annotator_makes_no_tie(
    project: Project, world: World, bob: User, finn: User, switch: Switch
) -> None:
    switch(ties=True)
    for person, label in ((bob, "good"), (finn, "bad")):
        world.submit(person, 0, [label, "good"])
    assert filled(project) == [("pair 0", "tie")]
    AnnotatorState.objects.filter(user=finn).update(state="excluded")
    assert filled(project) == []


def test_a_reply_waits_until_the_head_annotator_answers(
    project: Project, world: World, bob: User, dora: User, switch: Switch
) -> None:
    switch(replies=True)
    page = world.submit(bob, 0, ["good", "good"])
    remark = write_remark(project=project, judgment_id=first_of(page).pk, text="Look again.", written_by=dora)
    assert filled(project) == []
    answer_remark(remark=remark, answer=RemarkAnswer.TALK, text="Why?")
    assert filled(project) == [("pair 0", "reply")]
    reply_to_remark(remark=remark, text="There are two boats.", author=dora)
    assert filled(project) == []
    answer_remark(remark=remark, answer=RemarkAnswer.TALK, text="I see one.")
    assert filled(project) == [("pair 0", "reply")]


def test_a_request_of_the_quality_rules_opens_the_newest_assignment_once(
    project: Project, world: World, bob: User, switch: Switch
) -> None:
    switch(policy_requests=True)
    world.submit(bob, 0, ["good", "good"])
    AnnotatorState.objects.filter(user=bob).update(needs_review=True)
    assert filled(project) == [("page 0", "policy")]
    world.submit(bob, 1, ["good", "good"])
    assert filled(project) == [("page 0", "policy")]
    AnnotatorState.objects.filter(user=bob).update(needs_review=False)
    assert filled(project) == []


@pytest.mark.nightly
def test_votes_that_came_after_a_decision_and_differ_from_it_open_the_pair(
    project: Project, world: World, bob: User, finn: User, dora: User, switch: Switch
) -> None:
    switch()
    pages = [world.submit(person, 0, ["good", "good"]) for person in (bob, finn)]
    verdict = record_verdict(
        project=project, candidate_id=first_of(pages[0]).candidate_id, label="good", decided_by=dora
    )
    assert filled(project) == []
    for page in pages:
        world.change_mind(first_of(page), "bad")
    assert filled(project) == [("pair 0", "disputed")]
    tally = PairTally.objects.get()
    assert (tally.n_bad, tally.verdict, tally.is_against) == (2, verdict.label, True)


@pytest.mark.nightly
def test_a_rule_that_is_switched_off_takes_its_reasons_along_and_the_change_is_recorded(
    project: Project, world: World, bob: User, dora: User, switch: Switch
) -> None:
    switch(comments=True, edits=True)
    say(first_of(world.submit(bob, 0, ["good", "good"])), comment="Hm.", edits=EDIT)
    assert filled(project) == [("pair 0", "comment"), ("pair 0", "edit")]
    change_settings(project=project, changes={"comments": False}, by=dora)
    assert filled(project) == [("pair 0", "edit")]
    record = RightsRecord.objects.get()
    assert (record.actor, record.before, record.after) == (dora, {"comments": True}, {"comments": False})


@pytest.mark.nightly
def test_what_was_submitted_while_the_queue_was_filled_is_found_later(
    project: Project, world: World, bob: User, finn: User, switch: Switch
) -> None:
    """A transaction that began earlier may commit later: its assignment has an earlier time."""
    switch(first_assignments=5)
    world.submit(bob, 0, ["good", "good"])
    assert filled(project) == [("page 0", "first_work")]
    late = world.submit(finn, 0, ["good", "good"])
    Assignment.objects.filter(pk=late.pk).update(submitted_at=timezone.now() - timedelta(seconds=90))
    assert fill_cases(project=project)
    assert len(open_reasons(project)) == 2


@pytest.mark.nightly
def test_small_batches_find_what_one_batch_finds(
    project: Project, world: World, bob: User, finn: User, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pair is looked at with the last assignment of its HIT, whichever batch reads it."""
    for person, label in ((bob, "good"), (finn, "bad")):
        for hit in (0, 1):
            say(first_of(world.submit(person, hit, [label, "good"])), comment="Hm.")
    switch(ties=True, comments=True, first_assignments=1)
    whole = filled(project)
    assert [code for _, code in whole].count("tie") == 2
    for most in (1, 2, 3):
        ReviewCase.objects.all().delete()
        PairTally.objects.all().delete()
        QueueState.objects.all().delete()
        monkeypatch.setattr(filling, "BATCH", most)
        assert fill_cases(project=project)
        assert open_reasons(project) == whole


def test_a_reader_fills_the_queue_where_few_assignments_wait_and_leaves_many_to_the_worker(
    project: Project, world: World, bob: User, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch(first_assignments=5)
    for hit in (0, 1):
        world.submit(bob, hit, ["good", "good"])
    monkeypatch.setattr(filling, "READER_BATCH", 2)
    fill_if_old(project=project)
    assert open_reasons(project) == []
    monkeypatch.setattr(filling, "READER_BATCH", 3)
    fill_if_old(project=project)
    assert len(open_reasons(project)) == 2


@pytest.mark.nightly
def test_the_strongest_reason_orders_the_queue(
    project: Project, world: World, bob: User, finn: User, switch: Switch
) -> None:
    switch(ties=True, comments=True, first_assignments=1)
    page = world.submit(bob, 0, ["good", "good"])
    world.submit(finn, 0, ["bad", "good"])
    say(page.judgments.order_by("position")[1], comment="Hm.")
    filled(project)
    order = ReviewCase.objects.filter(closed_at=None).order_by("-priority", "id")
    assert [case.reasons.get().code for case in order] == ["tie", "comment", "first_work", "first_work"]
