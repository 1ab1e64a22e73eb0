"""Captions become candidates: each once, bad rows listed, nothing lost to a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from backend.candidates import importing
from backend.candidates.importing import import_captions
from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image
from backend.catalogue.sources.rows import CaptionRow, Refused
from backend.common.errors import InvalidInput
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus

pytestmark = pytest.mark.both_engines

Maker = Callable[..., list[Image]]
Holder = Callable[..., Ledger]


def rows_of(*texts: str, image: str = "dog") -> list[CaptionRow]:
    return [CaptionRow(line, image, text, f"c{line}") for line, text in enumerate(texts, start=1)]


def take(hold_run: Holder, rows: list[CaptionRow | Refused], origin: str = "human") -> Run:
    Run.objects.filter(status=RunStatus.RUNNING).update(status=RunStatus.SUCCEEDED)
    ledger = hold_run("import_candidates")
    import_captions(ledger=ledger, rows=rows, origin=origin)
    return ledger.run


def refusals_of(run: Run) -> list[tuple[int | None, str, str]]:
    return list(run.refusals.values_list("line", "name", "code"))


def test_a_caption_becomes_a_new_candidate_of_its_image(make_images: Maker, hold_run: Holder) -> None:
    dog, _ = make_images("dog", "cat")
    run = take(hold_run, rows_of("A dog  on the grass\n"))
    candidate = Candidate.objects.get()
    assert (candidate.image, candidate.raw_text, candidate.text) == (dog, "A dog  on the grass\n", "")
    assert (candidate.source, candidate.source_ref, candidate.status) == ("human", "c1", "new")
    assert candidate.key == candidate_key(digest=dog.digest, source="human", raw_text="A dog  on the grass\n")
    assert candidate.created_at is not None
    assert run.counts == {"dropped": {}, "in": 1, "known": 0, "out": 1}


def test_a_row_that_names_its_source_rank_and_similarity_keeps_them(make_images: Maker, hold_run: Holder) -> None:
    make_images("dog", "cat")
    known = CaptionRow(1, "dog", "A dog runs", source="web", rank=3, similarity=0.75)
    unfit = [
        CaptionRow(2, "dog", "A dog sits", source="Other Site"),
        CaptionRow(3, "dog", "A dog lies", rank=-1),
        CaptionRow(4, "dog", "A dog eats", similarity=float("nan")),
    ]
    run = take(hold_run, [known, *unfit])
    assert list(Candidate.objects.values_list("source", "rank", "similarity")) == [("web", 3, 0.75)]
    assert [code for _, _, code in refusals_of(run)] == ["unfit_source", "unfit_number", "unfit_number"]
    again = take(hold_run, [known, CaptionRow(5, "dog", "A dog naps", rank=7)])
    assert again.counts["known"] == 1
    assert Candidate.objects.get(raw_text="A dog naps").rank == 7


def test_a_row_that_names_its_page_and_its_site_keeps_them(make_images: Maker, hold_run: Holder) -> None:
    """Also beside candidates that are there already, whose rows PostgreSQL compares first."""
    make_images("dog")
    take(hold_run, rows_of("A dog runs"))
    page = f"https://dogs.example/{'p' * 600}"
    take(hold_run, [CaptionRow(2, "dog", "A dog sits | Dogs", page_url=page, site_name="Dogs\0 & cats")])
    kept = Candidate.objects.get(raw_text="A dog sits | Dogs")
    assert (kept.page_url, kept.site_name) == (page[:500], "Dogs\ufffd & cats")
    assert Candidate.objects.filter(page_url="", site_name="").count() == 1


def test_importing_twice_changes_nothing(make_images: Maker, hold_run: Holder) -> None:
    make_images("dog")
    take(hold_run, rows_of("A dog runs", "A dog sleeps"))
    before = list(Candidate.objects.values())
    again = take(hold_run, rows_of("A dog runs", "A dog sleeps", "A dog eats"))
    assert (again.counts["in"], again.counts["out"], again.counts["known"]) == (3, 1, 2)
    assert list(Candidate.objects.values())[:2] == before


def test_the_same_row_twice_in_one_file_is_one_candidate(make_images: Maker, hold_run: Holder) -> None:
    make_images("dog", "cat")
    run = take(hold_run, [*rows_of("It runs", "It runs"), *rows_of("It runs", image="cat")])
    assert (run.counts["out"], run.counts["known"], Candidate.objects.count()) == (2, 1, 2)


def test_one_text_from_two_origins_is_two_candidates(make_images: Maker, hold_run: Holder) -> None:
    make_images("dog")
    take(hold_run, rows_of("A dog runs"), origin="human")
    take(hold_run, rows_of("A dog runs"), origin="web")
    assert set(Candidate.objects.values_list("source", flat=True)) == {"human", "web"}


@pytest.mark.nightly
@pytest.mark.parametrize(
    "text",
    [
        "",
        "🐕" * 25_000,
        "a" * 100_000,
        "tab\tand\\back\\N slash",
        "quote ' and % and %s",
        "كلب",
        "e\u0301",
        "\u2028 \x01",
    ],
)
def test_any_text_up_to_100_kb_is_stored_as_it_came(make_images: Maker, hold_run: Holder, text: str) -> None:
    make_images("dog")
    take(hold_run, rows_of(text))
    take(hold_run, rows_of("A dog runs", text))
    assert Candidate.objects.filter(raw_text=text).count() == 1
    assert Candidate.objects.count() == 2


def test_rows_that_cannot_be_taken_are_listed_with_their_line_and_lose_nothing_else(
    make_images: Maker, hold_run: Holder
) -> None:
    make_images("dog")
    rows = [
        CaptionRow(1, "dog", "A dog runs"),
        CaptionRow(2, "wolf", "A wolf runs"),
        Refused(3, "x" * 400, "not_utf8", "The line is not UTF-8."),
        CaptionRow(4, "dog", "a" * 100_001),
        CaptionRow(5, "dog", "é" * 50_001),
        CaptionRow(6, "dog", "A dog\0runs"),
        CaptionRow(7, "dog", "A dog \ud800 runs"),
        CaptionRow(8, "no\0such", "A dog runs"),
        CaptionRow(9, "dog", "A dog sleeps"),
    ]
    run = take(hold_run, rows)
    assert refusals_of(run) == [
        (2, "wolf", "unknown_image"),
        (3, "x" * 300, "not_utf8"),
        (4, "dog", "caption_too_long"),
        (5, "dog", "caption_too_long"),
        (6, "dog", "caption_not_text"),
        (7, "dog", "caption_not_text"),
        (8, "no\ufffdsuch", "unknown_image"),
    ]
    assert run.counts["dropped"] == {"caption_not_text": 2, "caption_too_long": 2, "not_utf8": 1, "unknown_image": 2}
    assert (run.counts["in"], run.counts["out"], Candidate.objects.count()) == (9, 2, 2)
    assert "wolf" in run.refusals.get(line=2).message


def test_images_of_other_projects_are_unknown(make_images: Maker, hold_run: Holder, charlie: object) -> None:
    make_images("dog", of=Project.objects.get(slug="elsewhere"))
    assert refusals_of(take(hold_run, rows_of("A dog runs"))) == [(1, "dog", "unknown_image")]


def test_a_long_reference_is_cut_and_not_refused(make_images: Maker, hold_run: Holder) -> None:
    make_images("dog")
    take(hold_run, [CaptionRow(1, "dog", "A dog runs", "r" * 500)])
    assert Candidate.objects.get().source_ref == "r" * 200


@pytest.mark.parametrize("origin", ["", "Human", "a b", "x" * 41, "other_image", "human\n"])
def test_an_origin_that_cannot_be_a_name_is_refused(make_images: Maker, hold_run: Holder, origin: str) -> None:
    make_images("dog")
    with pytest.raises(InvalidInput, match="origin"):
        take(hold_run, rows_of("A dog runs"), origin=origin)


def test_an_import_killed_in_the_middle_goes_on_and_does_nothing_twice(
    make_images: Maker, hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_images("dog")
    monkeypatch.setattr(importing, "BATCH", 2)
    rows = [
        *rows_of("A dog runs", "A dog eats"),
        CaptionRow(3, "wolf", "?"),
        *rows_of("A dog naps", "A dog digs", "Dog"),
    ]
    ledger = hold_run("import_candidates")
    with pytest.raises(SystemExit):
        import_captions(ledger=ledger, rows=killed_after(rows, 4), origin="human")
    ledger.run.refresh_from_db()
    assert (ledger.run.cursor, Candidate.objects.count()) == ({"rows": 4}, 3)
    import_captions(ledger=ledger, rows=rows, origin="human")
    assert (ledger.run.done, ledger.run.counts["out"], Candidate.objects.count()) == (6, 5, 5)
    assert refusals_of(ledger.run) == [(3, "wolf", "unknown_image")]


def killed_after(rows: list[CaptionRow], n: int) -> Iterator[CaptionRow]:
    yield from rows[:n]
    raise SystemExit("killed")
