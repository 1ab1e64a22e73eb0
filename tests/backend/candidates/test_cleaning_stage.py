"""The clean stage: rules over every pool, again whenever asked, never under people's hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import transaction

from backend.candidates import cleaning
from backend.candidates.cleaning import Demands, clean_candidates, read_demands
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.errors import ConnoteError, InvalidInput
from backend.projects.models import Project
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus
from workers.tasks.candidates import clean
from world import World

pytestmark = pytest.mark.both_engines

Maker = Callable[..., list[Image]]
Adder = Callable[..., Candidate]
Holder = Callable[..., Ledger]


@pytest.fixture
def skyline(make_images: Maker) -> Image:
    return make_images("skyline")[0]


def outcome_of(candidate: Candidate) -> tuple[str, str, str, str]:
    candidate.refresh_from_db()
    return candidate.status, candidate.text, candidate.drop_rule, candidate.drop_detail


def nouns(texts: Sequence[str]) -> list[set[str]]:
    return [{"NOUN"} for _ in texts]


def put_into_hit(candidate: Candidate) -> None:
    World(candidate.project).hit(candidate.image, [candidate])


def test_a_caption_is_repaired_and_its_raw_text_kept(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    caption = add_caption(skyline, "The cafÃ©  at night\n")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    assert outcome_of(caption) == ("kept", "The café at night", "", "")
    assert caption.raw_text == "The cafÃ©  at night\n"


def test_each_drop_keeps_its_rule_and_is_counted(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    kept = add_caption(skyline, "A city under a red sky")
    equal = add_caption(skyline, "a city under a red sky!", source="other_image")
    short, empty = add_caption(skyline, "Untitled"), add_caption(skyline, " \u200b")
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3))
    assert outcome_of(kept) == ("kept", "A city under a red sky", "", "")
    assert outcome_of(equal) == ("dropped", "", "duplicate", kept.key)
    assert outcome_of(short) == ("dropped", "", "too_short", "1 word, 3 needed")
    assert outcome_of(empty) == ("dropped", "", "empty", "Nothing is left to read.")
    assert ledger.run.counts["dropped"] == {"duplicate": 1, "empty": 1, "too_short": 1}
    assert (ledger.run.counts["in"], ledger.run.counts["out"], ledger.run.done, ledger.run.total) == (4, 1, 4, 4)


def test_a_caption_that_says_nearly_the_same_as_a_longer_one_goes(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    longer = add_caption(skyline, "A city with its river under a red evening sky today")
    nearly = add_caption(skyline, "a city with its river under a red evening sky")
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3))
    assert outcome_of(nearly) == ("dropped", "", "near_duplicate", longer.key)
    assert ledger.run.counts["dropped"] == {"near_duplicate": 1}


def test_equal_captions_of_two_images_are_both_kept(make_images: Maker, add_caption: Adder, hold_run: Holder) -> None:
    captions = [add_caption(image, "A city under a red sky") for image in make_images("one", "two")]
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
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
        clean_candidates(ledger=hold_run_again(hold_run), demands=Demands(min_words))
        assert [outcome_of(short)[0], outcome_of(long)[0]] == expected
    assert outcome_of(short) == ("kept", "red sky", "", "")


def hold_run_again(hold_run: Holder) -> Ledger:
    Run.objects.filter(status=RunStatus.RUNNING).update(status=RunStatus.SUCCEEDED)
    return hold_run("clean")


def test_a_caption_in_a_hit_is_never_touched_again(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    judged = add_caption(skyline, "red  sky", status="kept", text="red sky as people saw it")
    put_into_hit(judged)
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(9))
    assert outcome_of(judged) == ("kept", "red sky as people saw it", "", "")
    assert ledger.run.counts["in_hits"] == 1


def test_a_newcomer_equal_to_a_caption_in_a_hit_is_the_one_to_go(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    judged = add_caption(skyline, "a red sky", source="other_image", status="kept", text="a red sky")
    put_into_hit(judged)
    newcomer = add_caption(skyline, "A red sky!!!!", source="human")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    assert outcome_of(newcomer) == ("dropped", "", "duplicate", judged.key)


def test_cleaning_twice_alike_leaves_every_row_as_it_was(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    for text in ("A city under a red sky", "The cafÃ©  at night", "Untitled"):
        add_caption(skyline, text)
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    before = list(Candidate.objects.order_by("id").values())
    again = hold_run_again(hold_run)
    clean_candidates(ledger=again, demands=Demands(3))
    assert list(Candidate.objects.order_by("id").values()) == before
    assert (again.run.counts["out"], again.run.counts["dropped"]) == (2, {"too_short": 1})


def test_other_projects_are_left_alone(
    skyline: Image, add_caption: Adder, hold_run: Holder, charlie: Any, make_images: Maker
) -> None:
    theirs = add_caption(make_images("theirs", of=Project.objects.get(slug="elsewhere"))[0], "no")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    assert outcome_of(theirs)[0] == "new"


def test_a_project_without_captions_is_cleaned_at_once(project: Project, hold_run: Holder) -> None:
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3))
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
        clean_candidates(ledger=ledger, demands=Demands(3))
    ledger.run.refresh_from_db()
    assert (ledger.run.done, Candidate.objects.exclude(status="new").count()) == (4, 4)
    clean_candidates(ledger=ledger, demands=Demands(3))
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
    clean_candidates(ledger=ledger, demands=Demands(3))
    assert ledger.run.counts["out"] == 7


def test_each_source_gets_its_rules(make_images: Maker, add_caption: Adder, hold_run: Holder) -> None:
    """Everything broken is repaired everywhere; hashtags go from all but people's captions, site names from titles."""
    images = make_images("skyline", "shore", "hill", "lake")
    text = "<b>A red sky &amp; the sea</b> prints@theprints.example | The Prints #sky"
    sources = ("human", "corpus", "other_image", "web")
    captions = [
        add_caption(image, text, source=source, source_ref="theprints.example")
        for image, source in zip(images, sources, strict=True)
    ]
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3), tags_of=nouns)
    assert [outcome_of(caption)[1] for caption in captions] == [
        "A red sky & the sea | The Prints #sky",
        "A red sky & the sea | The Prints",
        "A red sky & the sea | The Prints",
        "A red sky & the sea",
    ]
    counts = ledger.run.counts
    assert [counts[f"repaired_{rule}"] for rule in ("markup", "addresses", "hashtags", "site_name")] == [4, 4, 3, 1]


def test_lists_of_keywords_are_kept_from_people_alone(make_images: Maker, add_caption: Adder, hold_run: Holder) -> None:
    images = make_images("one", "two", "three")
    tags, words = "#sky #sea #sand #sun", "sky, sea, red sand, summer sun"
    captions = [
        add_caption(image, text, source=source)
        for image, source in zip(images, ("human", "corpus", "web"), strict=True)
        for text in (f"look at {tags}", words)
    ]
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3), tags_of=nouns)
    outcomes = [outcome_of(caption)[2:] for caption in captions]
    hashtags, commas = "4 hashtags, at most 3 may be", "4 keywords between commas"
    lists = [("keyword_list", hashtags), ("keyword_list", commas)]
    assert outcomes == [("", ""), ("", ""), *lists, *lists]


def test_a_repetition_is_dropped_from_titles_alone(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    text = "Sky, red sky, sky over the red hill"
    corpus, title = add_caption(skyline, text, source="corpus"), add_caption(skyline, text, source="web")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3), tags_of=nouns)
    assert outcome_of(corpus)[0] == "kept"
    assert outcome_of(title)[2:] == ("repetition", "3 of 6 content words are repeated (0.50)")


def test_of_two_twins_the_cleaner_stays(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    dirty = add_caption(
        skyline, "Under a full moon a white boat waits at the old harbour quay!!! | HD", source="corpus"
    )
    clean = add_caption(skyline, "Under a full moon a white boat waits at the old harbour quay", source="web")
    borrowed = add_caption(
        skyline, "Under a full moon a white boat waits at the old harbour quay.", source="other_image"
    )
    repaired = add_caption(
        skyline, "<span>A brown dog runs after a ball<br>in the park by the sea</span> today", source="corpus"
    )
    plain = add_caption(skyline, "A brown dog runs after a ball in the park by the sea", source="corpus")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3), tags_of=nouns)
    assert outcome_of(dirty)[2:] == ("near_duplicate", clean.key)
    assert outcome_of(borrowed)[2:] == ("duplicate", clean.key)
    assert outcome_of(repaired)[2:] == ("near_duplicate", plain.key)
    assert outcome_of(clean)[0] == outcome_of(plain)[0] == "kept"


def test_both_captions_of_a_hard_negative_pair_stay(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    true = add_caption(skyline, "two brown dogs run after a red ball in the green park by the river")
    wrong = [
        add_caption(skyline, text)
        for text in (
            "three brown dogs run after a red ball in the green park by the river today",
            "two brown dogs run after a blue ball in the green park by the river today",
            "two brown dogs do not run after a red ball in the green park by the river",
        )
    ]
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    assert [outcome_of(caption)[0] for caption in (true, *wrong)] == ["kept"] * 4


def test_the_page_that_a_table_names_tells_the_name_of_the_site(
    make_images: Maker, add_caption: Adder, hold_run: Holder
) -> None:
    images = make_images("one", "two", "three")
    pages = (
        {"page_url": "https://www.skyprints.example/p/1"},
        {"site_name": "Sky Prints"},
        {"page_url": "https://skyprints.tumblr.com/1", "source_ref": "caption-17"},
    )
    captions = [
        add_caption(image, "The sky is red tonight | Sky Prints", source="web", **page)
        for image, page in zip(images, pages, strict=True)
    ]
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3), tags_of=nouns)
    assert {outcome_of(caption)[1] for caption in captions} == {"The sky is red tonight"}


def test_titles_have_their_own_least_number_of_words(skyline: Image, add_caption: Adder, hold_run: Holder) -> None:
    said, title = add_caption(skyline, "A red sky"), add_caption(skyline, "A blue sky", source="web")
    other = add_caption(skyline, "A pink sky", source="laion")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3, 4, frozenset({"web", "laion"})), tags_of=nouns)
    assert outcome_of(said)[0] == "kept"
    assert [outcome_of(one)[2:] for one in (title, other)] == [("too_short", "3 words, 4 needed")] * 2


def test_a_name_that_three_titles_of_a_domain_share_goes_wherever_it_stands_in_the_project(
    make_images: Maker, add_caption: Adder, hold_run: Holder
) -> None:
    images = make_images("one", "two", "three")
    titles = [
        add_caption(
            image, f"The sky is {colour} tonight | Art of Weather", source="web", source_ref="https://x.example/1"
        )
        for image, colour in zip(images, ("red", "blue", "pink"), strict=True)
    ]
    elsewhere = add_caption(images[0], "The sky is grey tonight | Art of Weather", source="web", source_ref="y.example")
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3), tags_of=nouns)
    assert [outcome_of(title)[1] for title in titles] == [f"The sky is {c} tonight" for c in ("red", "blue", "pink")]
    assert outcome_of(elsewhere)[1] == elsewhere.raw_text


def test_a_title_without_noun_verb_or_adjective_is_dropped(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    title = add_caption(skyline, "so it is and ever was", source="web")
    tags = {"so it is and ever was": {"ADV", "PRON", "AUX", "CCONJ"}}
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3), tags_of=lambda texts: [tags[text] for text in texts])
    assert outcome_of(title)[2:] == ("part_of_speech", "No noun, verb or adjective, only ADV AUX CCONJ PRON")


def test_without_a_parser_titles_are_refused_and_nothing_is_written(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    title, caption = add_caption(skyline, "The sky is red tonight", source="web"), add_caption(skyline, "A red sky")
    with pytest.raises(ConnoteError, match="need spaCy"):
        clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    assert [outcome_of(one)[0] for one in (title, caption)] == ["new", "new"]


def test_what_a_person_should_look_at_is_flagged_kept_and_counted(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    plain = add_caption(skyline, "A city under a red sky")
    foreign = add_caption(skyline, "Закат над озером зимой")
    personal = add_caption(skyline, "Call +44 20 7946 0958 for the prints")
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3))
    for caption, flags in ((plain, []), (foreign, ["non_english"]), (personal, ["personal_data"])):
        assert outcome_of(caption)[0] == "kept"
        assert caption.flags == flags
    assert (ledger.run.counts["flagged_non_english"], ledger.run.counts["flagged_personal_data"]) == (1, 1)


def test_a_flag_goes_when_cleaning_no_longer_finds_a_reason(
    skyline: Image, add_caption: Adder, hold_run: Holder
) -> None:
    caption = add_caption(
        skyline, "A city under a red sky", flags=["adult"], status="kept", text="A city under a red sky"
    )
    clean_candidates(ledger=hold_run("clean"), demands=Demands(3))
    assert outcome_of(caption)[0] == "kept" and caption.flags == []


def test_images_whose_pool_is_empty_in_the_end_are_counted_and_told_of(
    make_images: Maker, add_caption: Adder, hold_run: Holder
) -> None:
    emptied, kept, _ = make_images("emptied", "kept", "without captions")
    add_caption(emptied, "Untitled")
    add_caption(emptied, "🐕")
    add_caption(kept, "A city under a red sky")
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3))
    assert ledger.run.counts["no_candidates"] == 1
    assert ledger.run.log_tail == [
        "Images without captions now: 1. Look at the removed captions, import more, or use lower limits."
    ]


def test_titles_are_cleaned_in_smaller_steps_and_twice_gives_the_same_bytes(
    make_images: Maker, add_caption: Adder, hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, image in enumerate(make_images(*"abcdef")):
        add_caption(
            image, f"The sky over hill {number} is  red | The Prints", source="web", source_ref="prints.example"
        )
        add_caption(image, "Untitled", source="web")
    monkeypatch.setattr(cleaning, "TITLES_AT_ONCE", 5)
    read = []
    for _ in range(2):
        clean_candidates(ledger=hold_run_again(hold_run), demands=Demands(3), tags_of=nouns)
        read.append(list(Candidate.objects.order_by("id").values()))
    assert read[0] == read[1]
    assert {row["text"] for row in read[0]} == {"", *(f"The sky over hill {number} is red" for number in range(6))}


@pytest.mark.parametrize("sources", ["Web!", "web, a b", "a" * 41])
def test_a_source_of_titles_has_a_possible_name_or_there_is_no_run(
    project: Project, skyline: Image, add_caption: Adder, sources: str
) -> None:
    add_caption(skyline, "A city under a red sky")
    with pytest.raises(InvalidInput, match="title_sources takes a list with commas, for example web"):
        services.start_run(project=project, stage="clean", parameters={"title_sources": sources})
    assert not Run.objects.exists()


def test_sources_of_titles_may_be_several() -> None:
    assert read_demands({"title_sources": " web,alt_text ,, a-1"}).title_sources == {"web", "alt_text", "a-1"}


def test_a_run_may_have_no_source_of_titles() -> None:
    asked = {"min_words": 3, "title_min_words": 5, "title_sources": " "}
    assert read_demands(asked) == Demands(3, 5, frozenset())


def test_titles_are_read_by_the_parser_that_the_run_names(skyline: Image, add_caption: Adder, project: Project) -> None:
    title = add_caption(skyline, "Headlights carve a path through the night | Flickr", source="web")
    nothing = add_caption(skyline, "of to and with from", source="web")
    run = Run.objects.create(project=project, stage="clean", parameters={"min_words": 2})
    clean(str(run.pk))
    run.refresh_from_db()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert outcome_of(title) == ("kept", "Headlights carve a path through the night", "", "")
    assert outcome_of(nothing)[2] == "part_of_speech"
    assert set(run.models_used) == {"cleaning-rules", "connote-en"}


def test_a_parser_that_cannot_be_had_fails_the_run_in_its_own_words(
    skyline: Image, add_caption: Adder, project: Project
) -> None:
    title = add_caption(skyline, "Headlights carve a path through the night", source="web")
    run = Run.objects.create(project=project, stage="clean", parameters={"min_words": 2, "parser": "en-nowhere"})
    clean(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "model_not_found")
    assert "connote-en" in run.error["message"]
    assert outcome_of(title)[0] == "new"


def test_the_stage_runs_as_a_task(skyline: Image, add_caption: Adder, project: Project) -> None:
    caption = add_caption(skyline, "red sky")
    run = Run.objects.create(project=project, stage="clean", parameters={"min_words": 2})
    clean(str(run.pk))
    run.refresh_from_db()
    assert (run.status, outcome_of(caption)[0]) == (RunStatus.SUCCEEDED, "kept")
    assert not transaction.get_connection().needs_rollback
    assert not services.beat_run(run=run)
