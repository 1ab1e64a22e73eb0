"""All that may be said of an item, in both directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import pytest
from django.utils import timezone

from backend.annotation.answers import Judged
from backend.annotation.leases import AlreadySubmitted, lease_next
from backend.annotation.models import AnnotatorState, Assignment, Hit, Judgment, Lens
from backend.annotation.shown_hits import ShownHit, show_assignments
from backend.annotation.submissions import revise_judgment, submit_assignment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.errors import InvalidInput
from backend.common.labels import Label
from backend.methods.edits import Edit
from backend.people.models import User
from backend.projects.models import Direction, Project
from pages_in_hand import submit, take
from world import World

AddImage = Callable[..., Image]


@pytest.fixture
def leased(project: Project, bob: User, hit: Hit) -> Assignment:
    return take(project, bob)


FULL: dict[str, Any] = {
    "lens": Lens.FIGURATIVE,
    "comment": "Late light.",
    "is_generic": True,
    "client_at": timezone.now(),
    "ms": 1500,
}


def judge_with(leased: Assignment, edits: Sequence[Edit] = (), **said: Any) -> None:
    answers = [
        Judged(1, Label.GOOD, edits=[asdict(edit) for edit in edits], **said),
        Judged(2, Label.BAD),
        Judged(3, Label.UNSURE),
    ]
    submit_assignment(assignment=leased, judgments=answers, idempotency_key="k")


def text_at(leased: Assignment, position: int) -> str:
    return Candidate.objects.get(pk=leased.shown[position - 1]).text


def test_all_that_is_said_of_an_item_is_kept_and_shown_again(leased: Assignment) -> None:
    text = text_at(leased, 1)
    edit = Edit(0, 4, text[:4], "<location>", "location")
    judge_with(leased, edits=[edit], **FULL)
    row = Judgment.objects.get(position=1)
    assert row.edits == [{"start": 0, "end": 4, "kind": "location", "before": "pier", "after": "<location>"}]
    assert {name: getattr(row, name) for name in FULL} == FULL
    leased.refresh_from_db()
    [shown] = show_assignments([leased])
    assert shown.items[0].said == row


def test_edits_count_code_points_and_not_bytes(leased: Assignment) -> None:
    Candidate.objects.filter(pk=leased.shown[0]).update(text="A 🦉 on the pier")
    judge_with(leased, edits=[Edit(2, 3, "🦉", "owl", "object_name")])
    assert Judgment.objects.get(position=1).edits[0]["after"] == "owl"


@pytest.mark.parametrize(
    ("edits", "sentence"),
    [
        ([Edit(0, 4, "pear", "x", "other")], 'has "pier", not "pear"'),
        ([Edit(0, 400, "pier", "x", "other")], "is outside the text"),
        ([Edit(4, 0, "pier", "x", "other")], "is outside the text"),
        ([Edit(0, 4, "pier", "x", "colour")], "is not a kind of edit"),
        ([Edit(0, 4, "pier", "x", "other"), Edit(2, 4, "er", "y", "other")], "two edits change"),
        ([Edit(0, 4, "pier", "pier", "other")], "changes nothing"),
        ([Edit(0, 4, "pier", "x" * 100_000, "other")], "more than 100,000 characters"),
    ],
)
def test_an_edit_that_does_not_fit_the_text_is_refused_in_words(
    leased: Assignment, edits: list[Edit], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence) as refused:
        judge_with(leased, edits=edits)
    assert (refused.value.details or {})["position"] == 1
    assert refused.value.message.startswith("Item 1:")
    assert not Judgment.objects.exists()


UNSEEN = [
    [Edit(0, 1, "p", "", "other"), Edit(1, 1, "", "p", "other")],
    [Edit(4, 5, " ", "\u00a0", "other")],
    *([Edit(2, 2, "", sign, "other")] for sign in ("\u200b", "\u00ad", "\u2060", "\ufeff")),
]


@pytest.mark.parametrize("edits", UNSEEN)
def test_edits_that_nobody_can_see_are_none(leased: Assignment, edits: list[Edit]) -> None:
    judge_with(leased, edits=edits, comment="Late light.")
    judge_with(leased, edits=edits, comment="Late light.")  # the same key again is no other answer
    assert list(Judgment.objects.filter(position=1).values_list("edits", "comment")) == [([], "Late light.")]


def test_an_accent_written_in_two_signs_is_no_edit(leased: Assignment) -> None:
    Candidate.objects.filter(pk=leased.shown[0]).update(text="A caf\u00e9 and a \u2800 sign")
    judge_with(leased, edits=[Edit(2, 6, "caf\u00e9", "cafe\u0301", "other"), Edit(13, 14, "\u2800", "", "other")])
    assert Judgment.objects.get(position=1).edits == []


def test_a_change_of_mind_that_nobody_can_see_is_none(leased: Assignment) -> None:
    judge_with(leased)
    revise_judgment(assignment=leased, judged=Judged(1, Label.GOOD, edits=[asdict(Edit(2, 2, "", "\u200b", "other"))]))
    assert Judgment.objects.filter(position=1).count() == 1


@pytest.mark.parametrize("after", ["", " ", "\u2003", "\u200b", "\u3164", "\u2800", "\ufe0f", "\u0301"])
def test_edits_that_leave_nothing_of_a_caption_are_refused(leased: Assignment, after: str) -> None:
    text = Candidate.objects.get(pk=leased.shown[0]).text
    with pytest.raises(InvalidInput, match="remove the whole caption"):
        judge_with(leased, edits=[Edit(0, len(text), text, after, "other")])


@pytest.mark.parametrize("label", [Label.BAD, Label.UNSURE])
def test_only_a_good_caption_has_a_lens(leased: Assignment, label: Label) -> None:
    answers = [Judged(1, label, lens=Lens.LITERAL), Judged(2, Label.BAD), Judged(3, Label.BAD)]
    with pytest.raises(InvalidInput, match="only for a good caption"):
        submit_assignment(assignment=leased, judgments=answers, idempotency_key="k")


def test_the_same_key_with_another_comment_is_not_swallowed(leased: Assignment) -> None:
    judge_with(leased, comment="One.")
    judge_with(leased, comment="One.", ms=7)
    with pytest.raises(AlreadySubmitted, match="other answers"):
        judge_with(leased, comment="Two.")


def test_a_change_of_mind_replaces_all_that_was_said_and_is_counted(leased: Assignment) -> None:
    judge_with(leased, **FULL)
    for _ in range(2):  # said twice, it is one change
        revise_judgment(assignment=leased, judged=Judged(1, Label.GOOD, comment="Morning light."))
    rows = Judgment.objects.filter(position=1).order_by("pk").values_list("comment", "lens")
    assert list(rows) == [("Late light.", "figurative"), ("Morning light.", "")]
    assert AnnotatorState.objects.get(user=leased.annotator).n_revised == 1


@pytest.fixture
def query_hit(project: Project) -> Hit:
    """A query and three images to judge against it."""
    project.direction = Direction.IMAGES_OF_A_QUERY
    project.save()
    world = World(project)
    return world.hit(*world.query("people chopping vegetables", world.images("pier", "lamp", "owl")))


def what_is_shown(shown: ShownHit) -> list[str]:
    return [item.image.small if item.image else "" for item in shown.items]


def test_where_a_query_is_held_still_images_are_judged(project: Project, bob: User, query_hit: Hit) -> None:
    fresh = lease_next(project=project, annotator=bob).shown
    again = lease_next(project=project, annotator=bob).shown
    assert fresh
    assert again
    hit = fresh.assignment.hit
    assert (hit.image, hit.query and hit.query.text) == (None, "people chopping vegetables")
    assert what_is_shown(fresh) == what_is_shown(again)
    assert set(what_is_shown(fresh)) == {"pier-s.webp", "lamp-s.webp", "owl-s.webp"}
    assert {item.text for item in fresh.items} == {None}
    submit(fresh.assignment)
    assert fresh.assignment.judgments.count() == 3


def test_a_picture_takes_no_edits(project: Project, bob: User, query_hit: Hit) -> None:
    with pytest.raises(InvalidInput, match="only captions, not images"):
        judge_with(take(project, bob), edits=[Edit(0, 6, "people", "dogs", "other")])
