"""The stage that suggests edits: what it finds in which captions, once, again, and after it was killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from django.db.models.functions import MD5

from backend.candidates import suggesting
from backend.candidates.models import Candidate, SuggestedEdit, text_digest
from backend.candidates.selectors import get_candidate
from backend.candidates.suggesting import Parsed
from backend.catalogue.models import Image, Sample, SamplePoint
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus
from suggestions import colours, put_sample_in_force, suggest
from workers.tasks.candidates import clean, suggest_edits

Maker = Callable[..., list[Image]]
Adder = Callable[..., Candidate]
Holder = Callable[..., Ledger]
RED = "A red sky over the hill"


@pytest.fixture
def skyline(make_images: Maker) -> Image:
    return make_images("skyline")[0]


@pytest.fixture
def keep(add_caption: Adder) -> Callable[..., Candidate]:
    """A caption that cleaning kept as it came."""
    return lambda image, text, **fields: add_caption(image, text, text=text, status="kept", **fields)


def rows_of(candidate: Candidate) -> list[tuple[Any, ...]]:
    return list(candidate.suggestions.order_by("position").values_list("position", "kind", "start", "end", "before"))


def walked(project: Project, stage: Any = suggest_edits, **parameters: Any) -> Run:
    """The run of a stage as a worker does it, with the parser that Connote carries."""
    run = Run.objects.create(project=project, stage=stage.name.split(".")[1], parameters=parameters)
    stage(str(run.pk))
    run.refresh_from_db()
    return run


def test_every_kind_is_found_by_the_parser_that_the_run_names(skyline: Image, keep: Adder, project: Project) -> None:
    text = "John's elk runs past the Eiffel Tower with two black cars"
    caption = keep(skyline, text)
    run = walked(project, parser="connote-en")
    assert run.status == RunStatus.SUCCEEDED, run.error
    found = {one.kind: (one.before, one.options) for one in caption.suggestions.all()}
    assert {kind: before for kind, (before, _) in found.items()} == {
        "person": "John", "object_name": "elk", "location": "the Eiffel Tower", "number": "two", "color": "black",
    }  # fmt: skip
    assert (found["person"][1], found["number"][1]) == (["<person>"], [])
    assert found["object_name"][1][0] == "deer" and len(found["color"][1]) == 10
    assert [text[one.start : one.end] == one.before for one in caption.suggestions.all()] == [True] * 5
    assert {name: run.counts[name] for name in ("in", "out", *found)} == dict.fromkeys(("in", "out", *found), 1)
    assert list(run.models_used) == ["connote-en"] and len(run.models_used["connote-en"]) == 64
    caption.refresh_from_db()
    assert (caption.text, caption.raw_text) == (text, text)


def test_places_count_code_points_of_the_cleaned_text(skyline: Image, add_caption: Adder, project: Project) -> None:
    emoji = add_caption(skyline, "&#x1F389;👨‍👩‍👧  two red foxes in the snow")
    hebrew = add_caption(skyline, "שלום two red foxes עולם שלום")
    only = add_caption(skyline, "🎉 🎉 🎉")
    assert walked(project, clean, min_words=2).status == RunStatus.SUCCEEDED
    assert walked(project, parser="connote-en").status == RunStatus.SUCCEEDED
    for caption in (emoji, hebrew):
        caption.refresh_from_db()
        found = {one.before: caption.text[one.start : one.end] for one in caption.suggestions.all()}
        assert found.get("red") == "red" and all(before == there for before, there in found.items())
    assert not only.suggestions.exists()


def test_only_kept_captions_of_the_images_that_were_picked_are_read(
    make_images: Maker, keep: Adder, add_caption: Adder, hold_run: Holder, project: Project, charlie: Any
) -> None:
    picked, left = make_images("picked", "left")
    sample = put_sample_in_force(project)
    SamplePoint.objects.create(sample=sample, image=picked, x=0, y=0, position=1)
    SamplePoint.objects.create(sample=sample, image=left, x=1, y=1)
    theirs = keep(make_images("theirs", of=Project.objects.get(slug="elsewhere"))[0], RED)
    wanted, unpicked = keep(picked, RED), keep(left, RED)
    dropped = add_caption(picked, "red", status="dropped", drop_rule="too_short")
    new = add_caption(picked, "A red sea")
    ledger = suggest(hold_run("suggest_edits"))
    assert rows_of(wanted) == [(0, "color", 0, 5, "A red")]
    assert not any(rows_of(other) for other in (theirs, unpicked, dropped, new))
    assert (ledger.run.done, ledger.run.total, ledger.run.counts["in"]) == (1, 1, 1)


def again(hold_run: Holder) -> Ledger:
    Run.objects.filter(status=RunStatus.RUNNING).update(status=RunStatus.SUCCEEDED)
    return hold_run("suggest_edits")


def test_twice_leaves_every_row_as_it_was(make_images: Maker, keep: Adder, hold_run: Holder) -> None:
    for image in make_images("one", "two"):
        keep(image, RED)
        keep(image, "Nothing to see")
    suggest(hold_run("suggest_edits"))
    before = list(SuggestedEdit.objects.order_by("id").values())
    ledger = suggest(again(hold_run))
    assert list(SuggestedEdit.objects.order_by("id").values()) == before and len(before) == 2
    assert (ledger.run.counts["in"], ledger.run.counts["out"], ledger.run.counts["color"]) == (4, 2, 2)


def test_a_run_killed_in_the_middle_goes_on_and_counts_nothing_twice(
    make_images: Maker, keep: Adder, hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for image in make_images(*"abcde"):
        for colour in ("red", "blue", "green"):
            keep(image, f"A {colour} sky over the hill")
    monkeypatch.setattr(suggesting, "IMAGES_AT_ONCE", 2)
    monkeypatch.setattr(suggesting, "CAPTIONS_AT_ONCE", 4)
    ledger = hold_run("suggest_edits")
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(suggesting, "write_suggestions", break_on_call(4, suggesting.write_suggestions))
        suggest(ledger)
    ledger.run.refresh_from_db()
    assert (ledger.run.done, SuggestedEdit.objects.count()) == (10, 10)
    suggest(ledger)
    assert (ledger.run.done, ledger.run.counts["in"], ledger.run.counts["color"]) == (15, 15, 15)
    assert SuggestedEdit.objects.count() == 15


def test_a_run_killed_before_another_sample_was_put_in_force_reads_every_image_of_that(
    make_images: Maker, keep: Adder, hold_run: Holder, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = sorted(make_images(*"abcde"), key=lambda image: image.digest)
    captions = [keep(image, f"A red sky over hill {n}") for image in images for n in range(3)]
    sample = put_sample_in_force(project)
    for n, image in enumerate(images):
        SamplePoint.objects.create(sample=sample, image=image, x=n, y=0, position=n if n > 1 else None)
    monkeypatch.setattr(suggesting, "IMAGES_AT_ONCE", 2)
    monkeypatch.setattr(suggesting, "CAPTIONS_AT_ONCE", 4)
    ledger = hold_run("suggest_edits")
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(suggesting, "write_suggestions", break_on_call(3, suggesting.write_suggestions))
        suggest(ledger)
    ledger.run.refresh_from_db()
    assert ledger.run.done == 6
    Sample.objects.update(in_force_since=None)
    suggest(ledger)
    assert all(rows_of(caption) for caption in captions)
    assert (ledger.run.done, ledger.run.total, ledger.run.counts["in"], ledger.run.counts["color"]) == (15,) * 4


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


@pytest.mark.parametrize("change", ["A red  sky over the hill!", ""])
def test_what_was_found_in_another_text_is_never_shown(
    skyline: Image, keep: Adder, hold_run: Holder, project: Project, change: str
) -> None:
    caption = keep(skyline, RED)
    suggest(hold_run("suggest_edits"))
    assert [one.before for one in shown(project, caption)] == ["A red"]
    Candidate.objects.filter(pk=caption.pk).update(text=change)
    assert shown(project, caption) == []
    Candidate.objects.filter(pk=caption.pk).update(text=RED)
    assert [one.before for one in shown(project, caption)] == ["A red"]


def shown(project: Project, caption: Candidate) -> list[SuggestedEdit]:
    return list(get_candidate(project=project, candidate_id=caption.pk).suggestions.all())


def test_a_caption_that_was_cleaned_anew_loses_what_was_found_before(
    skyline: Image, keep: Adder, hold_run: Holder
) -> None:
    caption = keep(skyline, "A red and a blue sky")
    suggest(hold_run("suggest_edits"))
    assert [row[4] for row in rows_of(caption)] == ["A red", "a blue"]
    Candidate.objects.filter(pk=caption.pk).update(text="The blue sky")
    suggest(again(hold_run))
    assert rows_of(caption) == [(0, "color", 4, 8, "blue")]
    Candidate.objects.filter(pk=caption.pk).update(text="The sky")
    suggest(again(hold_run))
    assert rows_of(caption) == []


def test_a_caption_that_changes_while_it_is_read_shows_nothing_old(
    skyline: Image, keep: Adder, hold_run: Holder, project: Project
) -> None:
    caption = keep(skyline, RED)

    def slowly(texts: Sequence[str]) -> Iterator[Parsed]:
        Candidate.objects.filter(pk=caption.pk).update(text="Another text by now")
        yield from colours(texts)

    suggest(hold_run("suggest_edits"), slowly)
    assert shown(project, caption) == []


def test_of_a_caption_of_100_kb_the_first_suggestions_are_kept_and_the_rest_is_told(
    skyline: Image, keep: Adder, hold_run: Holder
) -> None:
    caption = keep(skyline, ("red " * 25_000).strip())
    ledger = suggest(hold_run("suggest_edits"))
    assert len(rows_of(caption)) == 200
    assert (ledger.run.counts["color"], ledger.run.counts["dropped"]) == (200, {"too_many": 1})
    [refused] = ledger.run.refusals.all()
    assert (refused.name, refused.message) == (
        caption.key,
        "Connote keeps the first 200 of 25,000 suggestions.",
    )


def test_a_caption_that_no_parser_takes_is_listed_with_its_reason(
    skyline: Image, keep: Adder, hold_run: Holder
) -> None:
    caption = keep(skyline, RED)
    problem = "A text has 600,000 characters. The limit is 100,000. Split it into captions first."

    def refuse(texts: Sequence[str]) -> Iterator[Parsed]:
        yield from (SimpleNamespace(tokens=(), entities=(), problem=problem) for _ in texts)

    ledger = suggest(hold_run("suggest_edits"), refuse)
    assert [(one.name, one.code, one.message) for one in ledger.run.refusals.all()] == [
        (caption.key, "not_parsed", problem)
    ]
    assert ledger.run.counts["dropped"] == {"not_parsed": 1}


def test_without_a_kept_caption_no_parser_is_loaded_and_nothing_is_found(skyline: Image, project: Project) -> None:
    run = walked(project, parser="en-nowhere")
    assert (run.status, run.total, run.models_used) == (RunStatus.SUCCEEDED, 0, {})


def test_a_parser_that_cannot_be_had_fails_the_run_in_its_own_words(
    skyline: Image, keep: Adder, project: Project
) -> None:
    caption = keep(skyline, RED)
    run = walked(project, parser="en-nowhere")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "model_not_found")
    assert "'en-nowhere' is not a folder" in run.error["message"] and "connote-en" in run.error["message"]
    assert not rows_of(caption)


def test_the_digest_of_a_text_is_what_both_databases_compute(skyline: Image, keep: Adder, project: Project) -> None:
    for text in ("plain", "🎉 Закат, שלום", "a\u0301"):
        caption = keep(skyline, text)
        assert Candidate.objects.filter(pk=caption.pk).values_list(MD5("text"), flat=True)[0] == text_digest(text)
