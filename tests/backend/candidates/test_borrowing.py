"""Captions of other images: the same ones on every database, never what the image already says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.candidates import borrowing
from backend.candidates.borrowing import borrow_captions
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus

Maker = Callable[..., list[Image]]
Adder = Callable[..., Candidate]
Holder = Callable[..., Ledger]
Pairs = set[tuple[str, str, str]]
KEYS = ("dog", "cat", "cow", "hen", "fox")


@pytest.fixture
def images(make_images: Maker, add_caption: Adder) -> list[Image]:
    """Five images with two captions each, all different."""
    images = make_images(*KEYS)
    for image in images:
        add_caption(image, f"A {image.key} on the grass")
        add_caption(image, f"One brown {image.key} looks up")
    return images


def borrowed() -> Pairs:
    rows = Candidate.objects.filter(source="other_image")
    return set(rows.values_list("image__key", "source_ref", "raw_text"))


def borrow(hold_run: Holder, n: int, *, seed: int = 0) -> Ledger:
    Run.objects.filter(status=RunStatus.RUNNING).update(status=RunStatus.SUCCEEDED)
    ledger = hold_run("import_candidates", seed=seed)
    borrow_captions(ledger=ledger, n_borrowed=n)
    return ledger


def test_every_image_borrows_captions_of_others_and_says_whose(images: list[Image], hold_run: Holder) -> None:
    ledger = borrow(hold_run, 3)
    pairs = borrowed()
    assert {key: sum(mine == key for mine, _, _ in pairs) for key in KEYS} == dict.fromkeys(KEYS, 3)
    assert all(mine != lender and lender in text for mine, lender, text in pairs)
    assert (ledger.run.counts["borrowed"], ledger.run.done) == (15, 5)


def test_titles_of_web_pages_whose_site_would_give_them_away_are_not_lent(
    images: list[Image], add_caption: Adder, hold_run: Holder, project: Project
) -> None:
    for image in images:
        add_caption(image, f"A {image.key} at noon | The Prints", source="web", source_ref="theprints.example")
        add_caption(image, f"A {image.key} by night | The Prints", source="alt", source_ref="theprints.example")
    borrow(hold_run, 12)
    lent = {text for _, _, text in borrowed()}
    assert not [text for text in lent if "noon" in text] and [text for text in lent if "night" in text]
    Candidate.objects.filter(source="other_image").delete()
    Run.objects.create(
        project=project, stage="clean", status=RunStatus.SUCCEEDED, parameters={"title_sources": "web,alt"}
    )
    borrow(hold_run, 12)
    assert len(borrowed()) == 5 * 8 and not [text for _, _, text in borrowed() if "Prints" in text]


def test_an_image_without_captions_of_its_own_borrows_too(
    images: list[Image], make_images: Maker, hold_run: Holder
) -> None:
    make_images("blank")
    borrow(hold_run, 2)
    assert sum(mine == "blank" for mine, _, _ in borrowed()) == 2


def test_the_same_seed_borrows_the_same_and_another_seed_others(images: list[Image], hold_run: Holder) -> None:
    borrow(hold_run, 2, seed=5)
    first = borrowed()
    again = borrow(hold_run, 2, seed=5)
    assert borrowed() == first
    assert again.run.counts["borrowed"] == 0
    Candidate.objects.filter(source="other_image").delete()
    borrow(hold_run, 2, seed=6)
    assert borrowed() != first


def test_the_draw_knows_neither_ids_nor_the_order_of_import(
    images: list[Image], hold_run: Holder, make_images: Maker, add_caption: Adder
) -> None:
    borrow(hold_run, 2, seed=5)
    first = borrowed()
    texts = list(Candidate.objects.exclude(source="other_image").values_list("image__key", "raw_text"))
    Image.objects.all().delete()
    anew = {image.key: image for image in make_images(*reversed(KEYS))}
    for key, text in reversed(texts):
        add_caption(anew[key], text)
    borrow(hold_run, 2, seed=5)
    assert borrowed() == first


def test_what_an_image_already_says_is_not_borrowed(make_images: Maker, add_caption: Adder, hold_run: Holder) -> None:
    dog, cat = make_images("dog", "cat")
    for text in ("A dog on the grass", "Green grass"):
        add_caption(dog, text)
    for text in ("GREEN  grass!", "A cat sleeps", "a cat sleeps."):
        add_caption(cat, text)
    borrow(hold_run, 4)
    assert {(mine, lender) for mine, lender, _ in borrowed()} == {("dog", "cat"), ("cat", "dog")}
    assert sorted(text.lower().strip(".") for _, _, text in borrowed()) == ["a cat sleeps", "a dog on the grass"]


def test_a_small_draw_is_widened_until_it_is_enough(
    make_images: Maker, add_caption: Adder, hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    dog, cat = make_images("dog", "cat")
    for n in range(200):
        add_caption(dog, f"A dog with {n} spots")
    add_caption(cat, "A cat sleeps")
    borrow(hold_run, 1)
    assert ("dog", "cat", "A cat sleeps") in borrowed()


def test_a_lone_image_borrows_nothing(make_images: Maker, add_caption: Adder, hold_run: Holder) -> None:
    add_caption(make_images("dog")[0], "A dog on the grass")
    borrow(hold_run, 3)
    assert borrowed() == set()


def test_a_project_without_captions_borrows_nothing(make_images: Maker, hold_run: Holder) -> None:
    make_images("dog", "cat")
    borrow(hold_run, 3)
    assert borrowed() == set()


def test_captions_of_other_projects_are_not_lent(
    make_images: Maker, add_caption: Adder, hold_run: Holder, charlie: object
) -> None:
    make_images("dog")
    add_caption(make_images("theirs", of=Project.objects.get(slug="elsewhere"))[0], "A secret of theirs")
    borrow(hold_run, 3)
    assert borrowed() == set()


def test_borrowing_killed_in_the_middle_goes_on_as_if_nothing_had_been(
    images: list[Image], hold_run: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    borrow(hold_run, 2, seed=5)
    whole = borrowed()
    Candidate.objects.filter(source="other_image").delete()
    monkeypatch.setattr(borrowing, "ROWS_AT_ONCE", 1)
    Run.objects.update(status=RunStatus.SUCCEEDED)
    ledger = hold_run("import_candidates", seed=5)
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(borrowing, "insert_candidates", _dies_after(2, borrowing.insert_candidates))
        borrow_captions(ledger=ledger, n_borrowed=2)
    assert 0 < len(borrowed()) < len(whole)
    borrow_captions(ledger=ledger, n_borrowed=2)
    assert borrowed() == whole
    assert (ledger.run.counts["borrowed"], ledger.run.done) == (10, 5)


def _dies_after(n: int, insert: Callable[..., int]) -> Callable[..., int]:
    calls: list[int] = []

    def call(rows: object) -> int:
        calls.append(1)
        if len(calls) > n:
            raise SystemExit("killed")
        return insert(rows)

    return call
