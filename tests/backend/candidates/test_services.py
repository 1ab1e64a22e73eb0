"""A person against the rules: what they decide stands, however often cleaning runs, and never under a HIT."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.candidates.cleaning import Demands, clean_candidates
from backend.candidates.models import Candidate, Decision
from backend.candidates.services import (
    AlreadyThere,
    InHit,
    NotCleaned,
    add_candidate,
    drop_candidate,
    restore_candidate,
)
from backend.catalogue.models import Image
from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus
from world import World

Adder = Callable[..., Candidate]


@pytest.fixture
def skyline(make_images: Callable[..., list[Image]]) -> Image:
    return make_images("skyline")[0]


@pytest.fixture
def clean_again(hold_run: Callable[..., Ledger]) -> Callable[..., Run]:
    def clean(min_words: int = 3) -> Run:
        Run.objects.filter(status=RunStatus.RUNNING).update(status=RunStatus.SUCCEEDED)
        ledger = hold_run("clean")
        clean_candidates(ledger=ledger, demands=Demands(min_words), tags_of=lambda texts: [{"NOUN"} for _ in texts])
        return ledger.run

    return clean


def state_of(candidate: Candidate) -> tuple[str, str, str, str]:
    candidate.refresh_from_db()
    return candidate.status, candidate.text, candidate.drop_rule, candidate.drop_detail


def put_into_hit(candidate: Candidate) -> None:
    World(candidate.project).hit(candidate.image, [candidate])


def test_a_restored_caption_is_repaired_and_stays_when_cleaning_runs_again(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    short = add_caption(skyline, "red  sky")
    clean_again()
    assert state_of(short)[2] == "too_short"
    restored = restore_candidate(candidate=short, decided_by=alice, reason="short but good")
    assert (restored.status, restored.text) == ("kept", "red sky")
    run = clean_again(min_words=9)
    assert state_of(short) == ("kept", "red sky", "", "")
    assert run.counts["decided"] == 1
    decision = Decision.objects.get()
    assert (decision.verdict, decision.decided_by, decision.reason) == ("keep", alice, "short but good")


def test_a_restored_title_is_repaired_as_a_title(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    title = add_caption(skyline, "Red &amp; blue | The Prints", source="web", source_ref="theprints.example")
    listed = add_caption(skyline, "Sky  #a #b #c #d", source="web")
    clean_again()
    assert (state_of(title)[2], state_of(listed)[2]) == ("too_short", "keyword_list")
    assert restore_candidate(candidate=title, decided_by=alice).text == "Red & blue"
    assert restore_candidate(candidate=listed, decided_by=alice).text == "Sky #a #b #c #d"


def test_a_title_is_restored_as_the_last_cleaning_that_succeeded_has_it(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    title = add_caption(skyline, "Red &amp; blue | The Prints", source="web", source_ref="theprints.example")
    clean_again()
    Run.objects.update(status=RunStatus.SUCCEEDED)
    for sources in ("human", "Web!"):
        Run.objects.create(
            project=skyline.project, stage="clean", status=RunStatus.FAILED, parameters={"title_sources": sources}
        )
    assert restore_candidate(candidate=title, decided_by=alice).text == "Red & blue"


def test_restoring_a_duplicate_keeps_both_and_drops_neither_again(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    first, second = add_caption(skyline, "A city under a red sky"), add_caption(skyline, "a city under a red sky!")
    clean_again()
    dropped = next(one for one in (first, second) if state_of(one)[2] == "duplicate")
    restore_candidate(candidate=dropped, decided_by=alice)
    other = first if dropped == second else second
    clean_again()
    assert state_of(dropped)[0] == "kept"
    assert state_of(other) == ("dropped", "", "duplicate", dropped.key)


def test_restoring_a_kept_caption_changes_and_records_nothing(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    caption = add_caption(skyline, "A city under a red sky")
    clean_again()
    restore_candidate(candidate=caption, decided_by=alice)
    assert state_of(caption)[0] == "kept"
    assert not Decision.objects.exists()


def test_nothing_to_read_cannot_be_restored(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    empty = add_caption(skyline, " \u200b")
    clean_again()
    with pytest.raises(InvalidInput, match="no text after cleaning"):
        restore_candidate(candidate=empty, decided_by=alice)
    assert state_of(empty)[2] == "empty"


def test_a_caption_dropped_by_hand_stays_dropped_and_says_why(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    caption = add_caption(skyline, "A city under a red sky")
    clean_again()
    drop_candidate(candidate=caption, decided_by=alice, reason="another city")
    clean_again(min_words=1)
    assert state_of(caption) == ("dropped", "", "by_hand", "another city")


def test_what_a_rule_dropped_can_be_dropped_by_hand_for_good(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    short = add_caption(skyline, "red sky")
    clean_again()
    drop_candidate(candidate=short, decided_by=alice)
    clean_again(min_words=1)
    assert state_of(short) == ("dropped", "", "by_hand", "")


def test_the_newest_decision_stands_and_the_older_ones_are_still_there(
    skyline: Image, add_caption: Adder, alice: User, dora: User, clean_again: Callable[..., Run]
) -> None:
    caption = add_caption(skyline, "A city under a red sky")
    clean_again()
    drop_candidate(candidate=caption, decided_by=alice)
    drop_candidate(candidate=caption, decided_by=dora)
    restore_candidate(candidate=caption, decided_by=dora)
    clean_again()
    assert state_of(caption) == ("kept", "A city under a red sky", "", "")
    assert list(caption.decisions.values_list("verdict", "decided_by__username")) == [
        ("drop", "alice"),
        ("keep", "dora"),
    ]


@pytest.mark.parametrize("act", [restore_candidate, drop_candidate])
def test_what_stands_in_a_hit_stays_as_people_saw_it(
    skyline: Image, add_caption: Adder, alice: User, act: Callable[..., Any]
) -> None:
    judged = add_caption(skyline, "A city under a red sky", status="kept", text="A city under a red sky")
    put_into_hit(judged)
    with pytest.raises(InHit):
        act(candidate=judged, decided_by=alice)
    assert state_of(judged) == ("kept", "A city under a red sky", "", "")
    assert not Decision.objects.exists()


@pytest.mark.parametrize("act", [restore_candidate, drop_candidate])
def test_what_was_not_cleaned_yet_cannot_be_decided_on(
    skyline: Image, add_caption: Adder, alice: User, act: Callable[..., Any]
) -> None:
    with pytest.raises(NotCleaned):
        act(candidate=add_caption(skyline, "A city under a red sky"), decided_by=alice)


def test_a_reason_is_short(skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]) -> None:
    caption = add_caption(skyline, "A city under a red sky")
    clean_again()
    with pytest.raises(InvalidInput, match="300 characters"):
        drop_candidate(candidate=caption, decided_by=alice, reason="x" * 301)
    assert state_of(caption)[0] == "kept"


def test_a_caption_added_by_hand_is_kept_however_short_and_stays(
    skyline: Image, alice: User, clean_again: Callable[..., Run]
) -> None:
    added = add_candidate(image=skyline, text=" Red  sky ", added_by=alice)
    clean_again(min_words=9)
    assert state_of(added) == ("kept", "Red sky", "", "")
    assert (added.source, added.source_ref, added.raw_text) == ("human", "by_hand", " Red  sky ")
    assert added.decisions.get().decided_by == alice


def test_what_is_kept_by_hand_is_flagged_like_everything_else(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    short = add_caption(skyline, "Закат")
    clean_again()
    assert restore_candidate(candidate=short, decided_by=alice).flags == ["non_english"]
    assert drop_candidate(candidate=short, decided_by=alice).flags == []
    assert add_candidate(image=skyline, text="Call +44 20 7946 0958", added_by=alice).flags == ["personal_data"]


def test_an_import_that_repeats_an_added_caption_is_the_one_to_go(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    added = add_candidate(image=skyline, text="A city under a red sky", added_by=alice)
    imported = add_caption(skyline, "A city under a red sky!!!")
    clean_again()
    assert state_of(imported) == ("dropped", "", "duplicate", added.key)


def test_what_the_pool_has_is_not_added_again(
    skyline: Image, add_caption: Adder, alice: User, clean_again: Callable[..., Run]
) -> None:
    add_caption(skyline, "A city under a red sky", source="web")
    add_caption(skyline, "red sky")
    clean_again()
    with pytest.raises(AlreadyThere, match="already"):
        add_candidate(image=skyline, text="a city under a RED sky.", added_by=alice)
    with pytest.raises(AlreadyThere, match="Restore it"):
        add_candidate(image=skyline, text="red sky", added_by=alice)
    assert Candidate.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no text"),
        (" \u200b\n", "has no text"),
        ("a\0b", "not valid"),
        ("half a \ud800 character", "not valid"),
        ("a red sky " * 10_001, "100,000 bytes"),
    ],
)
def test_what_cannot_be_read_or_stored_is_not_added(skyline: Image, alice: User, text: str, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        add_candidate(image=skyline, text=text, added_by=alice)
    assert not Candidate.objects.exists()
