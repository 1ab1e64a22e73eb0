"""A page in a person's hands: a page ahead, skipping, keeping, both directions, and all that may be said of an item."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from backend.annotation import places
from backend.annotation.answers import Judged
from backend.annotation.leasing import NextHit, lease_next
from backend.annotation.models import (
    Assignment,
    AssignmentStatus,
    Control,
    ControlMeeting,
    ControlState,
    Hit,
    HitItem,
    Judgment,
    Label,
    Lens,
    SkipReason,
    Slot,
    Standing,
    StandingState,
)
from backend.annotation.quality.replay_reads import read_control_answers
from backend.annotation.refusals import AlreadySkipped, AlreadySubmitted, LeaseExpired
from backend.annotation.returning import keep_lease, return_assignment, skip_assignment
from backend.annotation.revising import revise_judgment
from backend.annotation.selectors import newest_judgment_id
from backend.annotation.showing import ShownHit, get_shown
from backend.annotation.submitting import submit_assignment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image, Query
from backend.common.errors import InvalidInput
from backend.methods.edits import Edit
from backend.people.models import User
from backend.projects.models import Direction, Project

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
TTL = timedelta(minutes=30)
SECOND = timedelta(seconds=1)


def take(project: Project, user: User, holding: tuple[Assignment, ...] = ()) -> Assignment:
    found = lease_next(project=project, annotator=user, holding=[held.pk for held in holding])
    assert found.shown is not None, found.reason
    return found.shown.assignment


def submit(assignment: Assignment, label: str = "good", **more: Any) -> NextHit:
    judged = [Judged(position, Label(label)) for position in range(1, len(assignment.shown) + 1)]
    return submit_assignment(assignment=assignment, judgments=judged, idempotency_key="k", **more).next


@pytest.fixture
def hits(add_image: AddImage, build: Build) -> list[Hit]:
    """Four HITs of three captions."""
    add_image("pier", 12)
    return build()


@pytest.fixture
def leased(project: Project, bob: User, hit: Hit) -> Assignment:
    return take(project, bob)


# A page ahead.


def test_one_page_ahead_may_be_had_and_no_more(project: Project, bob: User, hits: list[Hit]) -> None:
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    assert desk.hit != ahead.hit
    third = lease_next(project=project, annotator=bob, holding=[desk.pk, ahead.pk])
    assert (third.shown, third.reason) == (None, "holds_enough")


def test_who_holds_nothing_in_hand_is_shown_what_they_had_first(project: Project, bob: User, hits: list[Hit]) -> None:
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    assert take(project, bob) == desk
    assert take(project, bob, (desk,)) == ahead


def test_a_submit_hands_over_the_page_after_the_one_ahead(project: Project, bob: User, hits: list[Hit]) -> None:
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    following = submit(desk, fetch_next=True, holding=[ahead.pk]).shown
    assert following
    assert following.assignment.hit not in (desk.hit, ahead.hit)


# Who gets none, and why.


@pytest.mark.parametrize(("state", "reason"), [("paused", "paused"), ("excluded", "excluded"), ("warned", None)])
def test_who_may_not_work_is_told_so_even_with_a_page_in_hand(
    project: Project, bob: User, leased: Assignment, state: StandingState, reason: str | None
) -> None:
    Standing.objects.filter(user=bob).update(state=state)
    found = lease_next(project=project, annotator=bob)
    assert (found.reason, found.shown is None) == (reason, reason is not None)


def test_who_has_done_as_many_as_one_may_gets_no_more(project: Project, bob: User, hits: list[Hit]) -> None:
    project.hits_per_annotator = 2
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    assert submit(desk, fetch_next=True, holding=[ahead.pk]).reason == "cap_reached"
    assert submit(ahead, fetch_next=True).reason == "cap_reached"


def test_nobody_looks_ahead_beyond_what_one_may_do(project: Project, bob: User, hits: list[Hit]) -> None:
    project.hits_per_annotator = 1
    desk = take(project, bob)
    assert lease_next(project=project, annotator=bob, holding=[desk.pk]).reason == "cap_reached"


# Which page.


def test_a_higher_priority_comes_first_and_then_everybodys_first_place(
    project: Project, alice: User, bob: User, hits: list[Hit]
) -> None:
    Slot.objects.filter(hit=hits[2]).update(priority=5)
    assert take(project, bob).hit == hits[2]
    assert take(project, alice).hit == hits[2]
    assert take(project, alice, (alice.assignments.get(),)).hit == hits[0]


def look_at_one_first(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = places.IN_HEAD["listed"]
    monkeypatch.setitem(places.IN_HEAD, "listed", listed.replace(f"LIMIT {places.HEAD}", "LIMIT 1"))


def test_a_place_far_behind_what_one_has_met_is_found(
    project: Project, bob: User, hits: list[Hit], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a head of one place: every way to look is taken."""
    look_at_one_first(monkeypatch)
    seen = []
    while (found := lease_next(project=project, annotator=bob).shown) is not None:
        seen.append(found.assignment.hit_id)
        submit(found.assignment)
    assert seen == [hit.pk for hit in hits]


def test_what_was_set_free_before_ones_last_place_is_found_again(
    project: Project, alice: User, bob: User, hits: list[Hit], monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at_one_first(monkeypatch)
    first = take(project, alice)
    for _ in hits[1:]:
        submit(take(project, bob))
    Slot.objects.filter(number=2).exclude(hit=hits[0]).delete()
    Slot.objects.filter(number=2).delete()
    return_assignment(assignment=first)
    assert take(project, bob).hit == first.hit


# Skipping, giving back, keeping.


def test_what_is_left_to_others_never_comes_back_and_others_get_it(
    project: Project, alice: User, bob: User, dora: User, leased: Assignment
) -> None:
    skip_assignment(assignment=leased, reason=SkipReason.LANGUAGE, comment="Not mine.")
    leased.refresh_from_db()
    assert (leased.status, leased.skip_reason, leased.skip_comment) == ("skipped", "language", "Not mine.")
    assert lease_next(project=project, annotator=bob).reason == "all_yours_done"
    assert take(project, alice).hit == take(project, dora).hit == leased.hit
    assert lease_next(project=project, annotator=bob).reason == "none_left"


def test_what_is_skipped_for_later_comes_back_last_as_the_same_page(
    project: Project, bob: User, hits: list[Hit]
) -> None:
    first = take(project, bob)
    skip_assignment(assignment=first, reason=SkipReason.CANNOT_TELL, comes_back=True)
    for _ in hits[1:]:
        other = take(project, bob)
        assert other.hit != first.hit
        submit(other)
    again = take(project, bob)
    assert (again.pk, again.shown, again.seed) == (first.pk, first.shown, first.seed)
    submit(again)


def test_a_page_that_ran_out_and_was_taken_comes_back_if_it_is_free_again(
    project: Project, alice: User, bob: User, dora: User, leased: Assignment
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        submit(take(project, alice))
        clock.shift(TTL + SECOND)
        hers = take(project, dora)
        assert lease_next(project=project, annotator=bob).reason == "none_left"
        return_assignment(assignment=hers)
        again = take(project, bob)
    assert (again.pk, again.shown) == (leased.pk, leased.shown)


def test_what_was_submitted_cannot_be_skipped_and_what_was_skipped_not_submitted(
    project: Project, bob: User, hits: list[Hit]
) -> None:
    done, left = take(project, bob), None
    left = take(project, bob, (done,))
    submit(done)
    skip_assignment(assignment=left, reason=SkipReason.BROKEN)
    with pytest.raises(AlreadySubmitted):
        skip_assignment(assignment=done, reason=SkipReason.BROKEN)
    with pytest.raises(AlreadySkipped):
        submit(left)
    with pytest.raises(AlreadySkipped):
        skip_assignment(assignment=left, reason=SkipReason.BROKEN)


def test_a_heartbeat_starts_the_time_anew(project: Project, alice: User, dora: User, leased: Assignment) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        submit(take(project, alice))
        clock.shift(TTL - SECOND)
        assert keep_lease(assignment=leased) == timezone.now() + TTL
        clock.shift(TTL - SECOND)
        assert lease_next(project=project, annotator=dora).shown is None
        clock.shift(2 * SECOND)
        assert lease_next(project=project, annotator=dora).shown


def test_a_heartbeat_of_a_page_that_is_gone_says_so(
    project: Project, alice: User, dora: User, leased: Assignment
) -> None:
    submit(take(project, alice))
    with time_machine.travel(timezone.now() + TTL + SECOND, tick=False):
        assert keep_lease(assignment=leased) > timezone.now()
    with time_machine.travel(timezone.now() + 2 * TTL + 2 * SECOND, tick=False):
        take(project, dora)
        with pytest.raises(LeaseExpired):
            keep_lease(assignment=leased)


# What may be said of an item.

FULL: dict[str, Any] = {
    "lens": Lens.FIGURATIVE,
    "comment": "Late light.",
    "is_generic": True,
    "client_at": timezone.now(),
    "ms": 1500,
}


def judge_with(leased: Assignment, **said: Any) -> None:
    answers = [Judged(1, Label.GOOD, **said), Judged(2, Label.BAD), Judged(3, Label.UNSURE)]
    submit_assignment(assignment=leased, judgments=answers, idempotency_key="k")


def text_at(leased: Assignment, position: int) -> str:
    return Candidate.objects.get(pk=leased.shown[position - 1]).text


def test_all_that_is_said_of_an_item_is_kept_and_shown_again(leased: Assignment) -> None:
    text = text_at(leased, 1)
    edit = Edit(0, 4, text[:4], "<location>", "location")
    judge_with(leased, edits=(edit,), **FULL)
    row = Judgment.objects.get(position=1)
    assert row.edits == [{"start": 0, "end": 4, "kind": "location", "before": "pier", "after": "<location>"}]
    assert {name: getattr(row, name) for name in FULL} == FULL
    leased.refresh_from_db()
    assert get_shown(assignment=leased).said[1] == row


def test_edits_count_code_points_and_not_bytes(leased: Assignment) -> None:
    Candidate.objects.filter(pk=leased.shown[0]).update(text="A 🦉 on the pier")
    judge_with(leased, edits=(Edit(2, 3, "🦉", "owl", "object_name"),))
    assert Judgment.objects.get(position=1).edits[0]["after"] == "owl"


@pytest.mark.parametrize(
    ("edits", "sentence"),
    [
        ([Edit(0, 4, "pear", "x", "other")], "stands 'pier' and not 'pear'"),
        ([Edit(0, 400, "pier", "x", "other")], "lies outside"),
        ([Edit(4, 0, "pier", "x", "other")], "lies outside"),
        ([Edit(0, 4, "pier", "x", "colour")], "no kind of edit"),
        ([Edit(0, 4, "pier", "x", "other"), Edit(2, 4, "er", "y", "other")], "Two edits change"),
        ([Edit(0, 4, "pier", "pier", "other")], "leaves the text as it is"),
    ],
)
def test_an_edit_that_does_not_fit_the_text_is_refused_in_words(
    leased: Assignment, edits: list[Edit], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence) as refused:
        judge_with(leased, edits=tuple(edits))
    assert refused.value.details == {"position": 1}
    assert refused.value.message.startswith("Item 1:")
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("label", [Label.BAD, Label.UNSURE])
def test_only_a_good_caption_has_a_lens(leased: Assignment, label: Label) -> None:
    answers = [Judged(1, label, lens=Lens.LITERAL), Judged(2, Label.BAD), Judged(3, Label.BAD)]
    with pytest.raises(InvalidInput, match="only a good caption has a lens"):
        submit_assignment(assignment=leased, judgments=answers, idempotency_key="k")


def test_the_same_key_with_another_comment_is_not_swallowed(leased: Assignment) -> None:
    judge_with(leased, comment="One.")
    judge_with(leased, comment="One.", ms=7)
    with pytest.raises(AlreadySubmitted, match="other answers"):
        judge_with(leased, comment="Two.")


def test_a_change_of_mind_replaces_all_that_was_said_and_both_rows_are_looked_at_anew(leased: Assignment) -> None:
    judge_with(leased, **FULL)
    Judgment.objects.update(is_dirty=False)
    revise_judgment(assignment=leased, judged=Judged(1, Label.GOOD, comment="Morning light."))
    rows = Judgment.objects.filter(position=1).order_by("pk").values_list("comment", "lens", "is_dirty")
    assert list(rows) == [("Late light.", "figurative", True), ("Morning light.", "", True)]
    assert not Judgment.objects.filter(is_dirty=True).exclude(position=1).exists()


# Hidden controls.


@pytest.fixture
def controls(project: Project, hit: Hit, add_image: AddImage) -> list[Control]:
    """Two on the image of the HIT; a page gets both."""
    project.control_rate = 0.5
    add_image("pier", 2, start=9)
    rows = Candidate.objects.exclude(hit_item__hit=hit).order_by("pk")
    return [Control.objects.create(project=project, candidate=row, accepted=["bad"]) for row in rows]


def test_controls_stand_among_the_others_and_are_met_once(
    project: Project, bob: User, hit: Hit, controls: list[Control]
) -> None:
    page = take(project, bob)
    hidden = [control.candidate_id for control in controls]
    assert sorted(page.shown) == sorted([*hit.items.values_list("candidate", flat=True), *hidden])
    assert sorted(page.shown[int(at) - 1] for at in page.controls) == sorted(hidden)
    assert ControlMeeting.objects.filter(annotator=bob, assignment=page).count() == 2


@pytest.mark.parametrize(
    ("label", "outcome", "counted"),
    [("bad", "passed", (2, 0)), ("good", "failed", (2, 2)), ("unsure", "unsure", (0, 0))],
)
def test_controls_are_graded_at_the_submit(
    project: Project, bob: User, controls: list[Control], label: str, outcome: str, counted: tuple[int, int]
) -> None:
    submit(take(project, bob), label)
    standing = Standing.objects.get(user=bob)
    assert set(ControlMeeting.objects.values_list("outcome", flat=True)) == {outcome}
    assert (standing.n_graded, standing.n_failed) == counted
    assert standing.n_submitted == 1


def test_a_control_in_quarantine_by_then_counts_for_nobody(
    project: Project, bob: User, controls: list[Control]
) -> None:
    page = take(project, bob)
    Control.objects.filter(pk=controls[0].pk).update(state=ControlState.QUARANTINED)
    submit(page, "good")
    standing = Standing.objects.get(user=bob)
    assert (standing.n_graded, standing.n_failed) == (1, 1)


def test_a_change_of_mind_on_a_control_leaves_its_grade(project: Project, bob: User, controls: list[Control]) -> None:
    """The first word is graded, in the counters and in every replay: nobody mends their record afterwards."""
    page = take(project, bob)
    submit(page, "good")
    for at in page.controls:
        revise_judgment(assignment=page, judged=Judged(int(at), Label.BAD))
    standing = Standing.objects.get(user=bob)
    assert (standing.n_graded, standing.n_failed) == (2, 2)
    assert set(ControlMeeting.objects.values_list("outcome", flat=True)) == {"failed"}
    until = newest_judgment_id(project=project)
    answers = read_control_answers(project=project, until=until, without=())[bob.pk]
    assert [answer.grade for answer in answers] == ["failed", "failed"]


def test_a_page_that_comes_back_has_its_controls_still(project: Project, bob: User, controls: list[Control]) -> None:
    page = take(project, bob)
    return_assignment(assignment=page)
    again = take(project, bob)
    assert (again.shown, again.controls) == (page.shown, page.controls)
    assert ControlMeeting.objects.count() == 2


def test_the_order_of_the_buttons_is_drawn_where_the_project_says_so(
    project: Project, alice: User, bob: User, dora: User, hits: list[Hit]
) -> None:
    assert take(project, bob).options == ["good", "bad", "unsure"]
    project.shuffles_options = True
    pages = [take(project, user) for user in (alice, dora)]
    pages += [take(project, user, (page,)) for user, page in zip((alice, dora), pages, strict=True)]
    assert all(sorted(page.options) == ["bad", "good", "unsure"] for page in pages)
    assert len({tuple(page.options) for page in pages}) > 1


# The other direction.


@pytest.fixture
def query_hit(project: Project, add_image: AddImage) -> Hit:
    """A query and three images to judge against it."""
    project.direction = Direction.IMAGES_OF_A_QUERY
    project.save()
    query = Query.objects.create(project=project, text="people chopping vegetables")
    hit = Hit.objects.create(project=project, query=query)
    for position, key in enumerate(("pier", "lamp", "owl"), start=1):
        image = add_image(key, 0)
        pair = Candidate.objects.create(
            project=project, image=image, query=query, key=key, raw_text=query.text, text=query.text, source="query",
            status="kept",
        )  # fmt: skip
        HitItem.objects.create(hit=hit, candidate=pair, position=position)
    Slot.objects.create(project=project, hit=hit, number=1)
    return hit


def what_is_shown(shown: ShownHit) -> list[str]:
    return [item.image.small if item.image else "" for item in shown.items]


def test_where_a_query_is_held_still_images_are_judged(project: Project, bob: User, query_hit: Hit) -> None:
    fresh = lease_next(project=project, annotator=bob).shown
    again = lease_next(project=project, annotator=bob).shown
    assert fresh
    assert again
    assert (fresh.kind, fresh.query, fresh.image) == ("images_of_query", "people chopping vegetables", None)
    assert what_is_shown(fresh) == what_is_shown(again)
    assert set(what_is_shown(fresh)) == {"pier-s.webp", "lamp-s.webp", "owl-s.webp"}
    assert set(fresh.texts) == {None}
    submit(fresh.assignment)
    assert fresh.assignment.judgments.count() == 3


def test_a_picture_takes_no_edits(project: Project, bob: User, query_hit: Hit) -> None:
    with pytest.raises(InvalidInput, match="a picture takes no edits"):
        judge_with(take(project, bob), edits=(Edit(0, 6, "people", "dogs", "other"),))


def test_a_status_is_over_unless_it_is_leased() -> None:
    assert [status for status in AssignmentStatus if not status.is_over] == [AssignmentStatus.LEASED]
