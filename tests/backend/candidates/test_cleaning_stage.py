"""The clean stage: rules over every pool, again whenever asked, never under people's hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from backend.annotation.models import Hit, HitItem
from backend.candidates import cleaning
from backend.candidates.cleaning import clean_candidates
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus
from workers.tasks.candidates import clean

Maker = Callable[..., list[Image]]
Adder = Callable[..., Candidate]
Holder = Callable[..., Ledger]


@pytest.fixture
def skyline(make_images: Maker) -> Image:
    return make_images("skyline")[0]


def outcome_of(candidate: Candidate) -> tuple[str, str, str, str]:
    candidate.refresh_from_db()
    return candidate.status, candidate.text, candidate.drop_rule, candidate.drop_detail


def put_into_hit(candidate: Candidate) -> None:
    hit = Hit.objects.create(project=candidate.project, image=candidate.image)
    HitItem.objects.create(hit=hit, candidate=candidate, position=1)


def test_a_caption_is_mended_and_its_raw_text_kept(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    caption = add_caption(skyline, "The cafÃ©  at night\n")
    clean_candidates(ledger=hold_run("clean"), min_words=3)
    assert outcome_of(caption) == ("kept", "The café at night", "", "")
    assert caption.raw_text == "The cafÃ©  at night\n"


def test_each_drop_keeps_its_rule_and_is_counted(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    kept = add_caption(skyline, "A city under a red sky")
    equal = add_caption(skyline, "a city under a red sky!", source="other_image")
    short, empty = add_caption(skyline, "Untitled"), add_caption(skyline, " \u200b")
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, min_words=3)
    assert outcome_of(kept) == ("kept", "A city under a red sky", "", "")
    assert outcome_of(equal) == ("dropped", "", "duplicate", kept.key)
    assert outcome_of(short) == ("dropped", "", "too_short", "1 word, 3 needed")
    assert outcome_of(empty) == ("dropped", "", "empty", "Nothing is left to read.")
    assert ledger.run.counts["dropped"] == {"duplicate": 1, "empty": 1, "too_short": 1}
    assert (ledger.run.counts["in"], ledger.run.counts["out"], ledger.run.done, ledger.run.total) == (4, 1, 4, 4)


def test_equal_captions_of_two_images_are_both_kept(make_images: Maker, add_caption: Adder, hold_run: Holder) -> None:
    captions = [add_caption(image, "A city under a red sky") for image in make_images("one", "two")]
    clean_candidates(ledger=hold_run("clean"), min_words=3)
    assert [outcome_of(caption)[0] for caption in captions] == ["kept", "kept"]


def test_cleaning_again_takes_the_new_parameters_both_ways(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    short, long = add_caption(skyline, "red sky"), add_caption(skyline, "A city under a red sky")
    for min_words, expected in (
        (2, ["kept", "kept"]),
        (5, ["dropped", "kept"]),
        (9, ["dropped"] * 2),
        (1, ["kept"] * 2),
    ):
        clean_candidates(ledger=hold_run_again(hold_run), min_words=min_words)
        assert [outcome_of(short)[0], outcome_of(long)[0]] == expected
    assert outcome_of(short) == ("kept", "red sky", "", "")


def hold_run_again(hold_run: Holder) -> Ledger:
    Run.objects.filter(status=RunStatus.RUNNING).update(status=RunStatus.SUCCEEDED)
    return hold_run("clean")


def test_a_caption_in_a_hit_is_never_touched_again(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    judged = add_caption(skyline, "red  sky", status="kept", text="red sky as people saw it")
    put_into_hit(judged)
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, min_words=9)
    assert outcome_of(judged) == ("kept", "red sky as people saw it", "", "")
    assert ledger.run.counts["in_hits"] == 1


def test_a_newcomer_equal_to_a_caption_in_a_hit_is_the_one_to_go(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    judged = add_caption(skyline, "a red sky", source="other_image", status="kept", text="a red sky")
    put_into_hit(judged)
    newcomer = add_caption(skyline, "A red sky!!!!", source="human")
    clean_candidates(ledger=hold_run("clean"), min_words=3)
    assert outcome_of(newcomer) == ("dropped", "", "duplicate", judged.key)


def test_cleaning_twice_alike_leaves_every_row_as_it_was(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    for text in ("A city under a red sky", "The cafÃ©  at night", "Untitled"):
        add_caption(skyline, text)
    clean_candidates(ledger=hold_run("clean"), min_words=3)
    before = list(Candidate.objects.order_by("id").values())
    again = hold_run_again(hold_run)
    clean_candidates(ledger=again, min_words=3)
    assert list(Candidate.objects.order_by("id").values()) == before
    assert (again.run.counts["out"], again.run.counts["dropped"]) == (2, {"too_short": 1})


def test_other_projects_are_left_alone(
    skyline: Image, add_caption: Adder, hold_run: Holder, charlie: Any, make_images: Maker
) -> None:
    theirs = add_caption(make_images("theirs", of=Project.objects.get(slug="elsewhere"))[0], "no")
    clean_candidates(ledger=hold_run("clean"), min_words=3)
    assert outcome_of(theirs)[0] == "new"


def test_a_project_without_captions_is_cleaned_at_once(project: Project, hold_run: Holder) -> None:
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, min_words=3)
    assert (ledger.run.done, ledger.run.total) == (0, 0)


def test_a_run_killed_in_the_middle_goes_on_and_counts_nothing_twice(
    make_images: Maker, add_caption: Adder, hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for image in make_images(*"abcdef"):
        add_caption(image, "A city under a red sky")
        add_caption(image, "Untitled")
    monkeypatch.setattr(cleaning, "ROWS_AT_ONCE", 5)
    ledger = hold_run("clean")
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(cleaning, "write_cleaned", break_on_call(2, cleaning.write_cleaned))
        clean_candidates(ledger=ledger, min_words=3)
    ledger.run.refresh_from_db()
    assert (ledger.run.done, Candidate.objects.exclude(status="new").count()) == (4, 4)
    clean_candidates(ledger=ledger, min_words=3)
    assert (ledger.run.done, ledger.run.counts["out"], ledger.run.counts["dropped"]) == (12, 6, {"too_short": 6})
    assert not Candidate.objects.filter(status="new").exists()


def break_on_call(n: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, whose nth call writes and then dies before the transaction ends."""
    calls: list[int] = []

    def call(*args: Any) -> Any:
        calls.append(1)
        answer = function(*args)
        if len(calls) == n:
            raise SystemExit("killed")
        return answer

    return call


def test_one_image_with_more_captions_than_a_batch_is_cleaned_whole(
    skyline: Image, add_caption: Adder, hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(7):
        add_caption(skyline, f"A city under {n} red skies")
    monkeypatch.setattr(cleaning, "ROWS_AT_ONCE", 3)
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, min_words=3)
    assert ledger.run.counts["out"] == 7


def test_the_stage_runs_as_a_task(skyline: Image, add_caption: Adder, project: Project) -> None:
    caption = add_caption(skyline, "red sky")
    run = Run.objects.create(project=project, stage="clean", parameters={"min_words": 2})
    clean(str(run.pk))
    run.refresh_from_db()
    assert (run.status, outcome_of(caption)[0]) == (RunStatus.SUCCEEDED, "kept")
    assert not transaction.get_connection().needs_rollback
    assert not services.beat_run(run=run)
