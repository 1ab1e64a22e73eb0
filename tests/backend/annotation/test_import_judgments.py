"""Judgments made elsewhere in a project of one's own: found by key or by image and text, counted like all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import authenticate
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Assignment, Hit, HitItem, Judgment, Slot
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.forecast.services import look
from backend.foreign import rows as storing
from backend.foreign import services as importing
from backend.foreign.services import ImportedJudgments, import_judgments
from backend.methods.foreign import bounds, unnamed
from backend.methods.foreign.labels import read_words
from backend.methods.foreign.told import NotJudgmentsError, Told
from backend.people.models import User
from backend.projects.models import Membership, Project
from foreign_judgments import keys, of_workers, run
from settled import wanting

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def refusals(found: ImportedJudgments) -> dict[str, str]:
    return {refused.where: refused.why for refused in found.refused}


def test_foreign_judgments_count_and_fill_the_places(project: Project, hit: Hit) -> None:
    found = run(project, of_workers(hit, "W1", "W2"))
    assert (found.n_new, found.n_people, found.refused) == (6, 2, [])
    assert counted_judgments(project=project).count() == 6
    assert not Slot.objects.filter(hit=hit, assignment=None).exists()
    assert Slot.objects.filter(hit=hit).count() == project.overlap
    assert not wanting(project)
    assert look(project=project).n_open == 0
    assert set(AnnotatorState.objects.values_list("user__display_name", "n_submitted")) == {("W1", 1), ("W2", 1)}


@pytest.mark.nightly
def test_a_person_of_the_house_goes_on_where_a_foreign_file_ends(project: Project, hit: Hit) -> None:
    run(project, of_workers(hit, "W1")[:2])
    assert Slot.objects.filter(hit=hit, assignment=None).count() == 1  # another for the third pair once that is filled
    assert look(project=project).left.judgments.mean == 3
    run(project, of_workers(hit, "W1"))
    assert Slot.objects.filter(hit=hit, assignment=None).count() == 1
    assert Assignment.objects.get().shown == list(
        HitItem.objects.order_by("position").values_list("candidate", flat=True)
    )


@pytest.fixture
def told(add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> list[Told]:
    """What two workers said of all pairs of two HITs."""
    add_image("pier", 3)
    add_image("cat", 3)
    return [each for hit in build() for each in of_workers(hit, "W1", "W2")]


def test_the_same_file_again_adds_nothing(project: Project, hit: Hit) -> None:
    run(project, of_workers(hit, "W1"))
    again = run(project, of_workers(hit, "W1"))
    assert (again.n_new, again.n_there, again.refused) == (0, 3, [])
    assert (Judgment.objects.count(), AnnotatorState.objects.get().n_submitted) == (3, 1)


@pytest.mark.nightly
def test_an_import_that_is_stopped_keeps_whole_hits_and_goes_on(
    project: Project, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = storing._store_assignments
    monkeypatch.setattr(storing, "ROWS", 1)

    def stop_at_the_second(*given: Any) -> None:
        if Judgment.objects.exists():
            raise KeyboardInterrupt
        store(*given)

    monkeypatch.setattr(storing, "_store_assignments", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        run(project, told)
    assert (Judgment.objects.count(), Assignment.objects.count()) == (6, 2)
    monkeypatch.setattr(storing, "_store_assignments", store)
    rest = run(project, told)
    assert (rest.n_new, rest.n_there, rest.refused) == (6, 6, [])
    assert set(AnnotatorState.objects.values_list("n_submitted", flat=True)) == {2}


def test_what_was_imported_stands(project: Project, hit: Hit) -> None:
    run(project, of_workers(hit, "W1"))
    other = run(project, of_workers(hit, "W1", label="bad"))
    assert set(refusals(other).values()) == {"It was imported before as good. Connote kept that answer."}
    assert set(Judgment.objects.values_list("label", flat=True)) == {"good"}


def test_pairs_are_found_by_image_and_text(project: Project, hit: Hit) -> None:
    images = (
        "pier",
        "/data/upload/3/1a2b3c4d-pier",
        "https://example.org/photos/pier?x=1",
        "http://studio:8080/data/local-files/?d=photos/p%69er",
    )
    told = [
        Told(f"task {n}", str(n), f"W{n}", "Good", image=image, text=f"pier caption {at}")
        for n, image in enumerate(images)
        for at in (1, 2, 3)
    ]
    assert run(project, told).refused == []
    assert set(Judgment.objects.values_list("candidate__text", "label")) == {
        (f"pier caption {n}", "good") for n in (1, 2, 3)
    }


def test_an_image_whose_address_is_broken_has_the_name_at_its_end(project: Project, hit: Hit) -> None:
    """The whole file was refused for it, and nobody told why."""
    images = ("//nas[2]/pier", "http://[photos]/pier", "//ex\u2100mple/pier")
    odd = [Told(image, "", image, "good", image=image, text="pier caption 1") for image in images]
    lost = Told("lost", "", "W1", "good", image="//nas[2]/tower", text="pier caption 1")
    found = run(project, [*odd, lost])
    assert (found.n_new, refusals(found)) == (3, {"lost": importing.NO_PAIR})


@pytest.mark.nightly
@pytest.mark.parametrize("text", ["pier  caption 1 ", "pier caption 1"])
@pytest.mark.parametrize("image", ["pier", "photos/pier", "/data/local-files/?d=x/pier", "https://host.example/a/pier"])
def test_an_image_is_found_by_any_of_its_names_and_a_text_with_other_blanks(
    project: Project, hit: Hit, image: str, text: str
) -> None:
    assert run(project, [Told("1", "", "W1", "good", image=image, text=text)]).n_new == 1


def test_ids_that_became_decimals_find_their_pairs(project: Project, hit: Hit) -> None:
    Image.objects.filter(key="pier").update(key="391895")
    Candidate.objects.filter(key=keys(hit)[1]).update(key="17")
    by_image = Told("1", "", "W1", "good", image="391895.0", text="pier caption 1")
    assert run(project, [by_image, Told("2", "17.0", "W1", "good")]).n_new == 2


def test_a_name_that_several_images_have_is_told_with_their_names(
    project: Project, hit: Hit, add_image: Callable[..., Image]
) -> None:
    for name in ("train/gull.jpg", "val/gull.jpg"):
        add_image(name, 1)
    found = run(project, [Told("1", "", "W1", "good", image="gull.jpg", text="pier caption 1")])
    assert refusals(found) == {"1": "The name of the image can mean several images: train/gull.jpg, val/gull.jpg."}


def test_what_cannot_be_taken_is_told_with_its_place(
    project: Project, hit: Hit, add_image: Callable[..., Image], charlie: User
) -> None:
    key = keys(hit)[0]
    loose = Candidate.objects.filter(image=add_image("gull", 1)).get()
    elsewhere = Candidate.objects.filter(image=add_image("pier", 1, into=Project.objects.get(slug="elsewhere"))).get()
    told = [
        Told("line 2", key, "W1", "good"),
        Told("line 3", key, "W1", "bad"),
        Told("line 4", key, "W2", "maybe"),
        Told("line 5", key, "", "good"),
        Told("line 6", loose.key, "W1", "good"),
        Told("line 7", f"{elsewhere.key}x", "W1", "good"),
        Told("line 8", key, "W3", "good", is_gold=True),
        Told("line 9", key, "W3", "", why_not="The answer was cancelled."),
        Told("line 10", key, "W\0", "good"),
        Told("line 11", key, "W\ud83d", "good"),
    ]
    found = run(project, told)
    assert found.n_new == 1
    assert refusals(found) == {
        "line 3": "This person already answered the pair: line 2.",
        "line 4": "The label is not one of: 0, 1, bad, false, good, irrelevant, no, non-relevant, relevant, true, "
        "unsure, yes: 'maybe'.",
        "line 5": "It does not name the annotator.",
        "line 6": "No pair in a task has this key, or this image and text.",
        "line 7": "No pair in a task has this key, or this image and text.",
        "line 8": "It is marked as a correct answer. Make a test question of it.",
        "line 9": "The answer was cancelled.",
        "line 10": "It has characters that are not valid in a text.",
        "line 11": "It has characters that are not valid in a text.",
    }


def test_a_number_is_one_label_however_it_is_written(project: Project, hit: Hit) -> None:
    """A whole file with 1.0 for 1 was refused."""
    said = {"W1": "1.0", "W2": "1", "W3": "0.0", "W4": "00"}
    assert run(project, [each for who in said for each in of_workers(hit, who, label=said[who])]).refused == []
    judged = Judgment.objects.values_list("annotator__display_name", "label")
    assert set(judged) == {("W1", "good"), ("W2", "good"), ("W3", "bad"), ("W4", "bad")}
    told = of_workers(hit, "W5", label="3.0")
    assert import_judgments(project=project, told=told, labels=read_words("3=good")).n_new == 3


def test_a_foreign_worker_cannot_sign_in_and_belongs_to_nothing(project: Project, hit: Hit, client: APIClient) -> None:
    run(project, of_workers(hit, "W1"))
    user = User.objects.get(display_name="W1")
    assert (user.is_active, user.has_usable_password()) == (False, False)
    assert authenticate(username=user.username, password="") is None
    assert not Membership.objects.filter(user=user).exists()


def test_a_worker_is_one_person_in_a_project_and_another_in_the_next(
    project: Project, hit: Hit, charlie: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    add_image("pier", 3, into=elsewhere)
    run(project, of_workers(hit, "W1"))
    run(elsewhere, of_workers(build(elsewhere)[0], "W1"))
    assert User.objects.filter(display_name="W1").count() == 2


def test_what_is_done_is_told_as_it_is_done(
    project: Project, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(project, told[:2])
    monkeypatch.setattr(storing, "ROWS", 1)
    steps: list[tuple[int, int]] = []
    import_judgments(project=project, told=told, progress=lambda n, n_all: steps.append((n, n_all)))
    assert steps == [(6, 12), (6, 12)]


def test_a_pair_that_too_many_people_judged_is_left_out_and_the_others_are_taken(
    project: Project, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every two people are compared: 8,000 who all met one attention check were 32 million twos, and nothing that reads
    agreement had the memory for them."""
    for room in (importing, storing):
        monkeypatch.setattr(room, "MOST_VOTES", 4)
    run(project, of_workers(hit, "W1", "W2"))
    crowded = [each for each in of_workers(hit, "W3", "W4", "W5") if each.task == keys(hit)[1]]
    others = [each for each in of_workers(hit, "W3") if each.task != keys(hit)[1]]
    found = run(project, [*crowded, *others])
    assert (found.n_new, {why for _, why, _ in found.refused}) == (2, {unnamed.TOO_MANY})
    assert [refused.where for refused in found.refused] == [each.where for each in crowded]
    again = run(project, [*of_workers(hit, "W1", "W2"), *crowded[:2]])
    assert (again.n_new, again.n_there, again.refused) == (2, 6, [])


def test_votes_without_names_take_no_place_of_people_whichever_come_first(
    project: Project, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "MOST_VOTES", 2)
    named = of_workers(hit, "W1", "W2")
    unnamed_votes = [each._replace(is_unnamed=True) for each in of_workers(hit, "voter 1", "voter 2")]
    for told in (unnamed_votes, named):
        found = run(project, told)
        assert (found.n_new, found.refused) == (6, [])
    again = run(project, [*unnamed_votes, *named])
    assert (again.n_new, again.n_there, again.refused) == (0, 12, [])
    assert {why for _, why, _ in run(project, of_workers(hit, "W3")).refused} == {unnamed.TOO_MANY}


def test_people_of_whom_not_every_two_can_be_compared_are_refused_before_anything_is_stored(
    project: Project, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_CELLS", 1000)
    with pytest.raises(NotJudgmentsError, match="135 comparisons of 10 people"):
        run(project, of_workers(hit, *(f"W{n}" for n in range(10))))
    assert not Judgment.objects.exists()
    assert run(project, of_workers(hit, "W1", "W2")).n_new == 6


def test_a_person_whom_another_file_spells_otherwise_is_the_same(project: Project, hit: Hit) -> None:
    """NFC and NFD of one name, and its capitals."""
    first, *others = keys(hit)
    assert run(project, [Told("1", first, "Zoë", "good")]).n_new == 1
    for n, (key, name) in enumerate(zip(others, ("ZOË", "Zoe\u0308"), strict=False)):
        found = run(project, [Told("1", key, name, "good")])
        assert (found.n_new, found.n_people, n) == (1, 1, n)
    again = run(project, [Told("1", first, " zoë", "good")])
    assert (again.n_new, again.n_there) == (0, 1)
    assert Judgment.objects.values("annotator").distinct().count() == 1
    assert AnnotatorState.objects.get(project=project, is_foreign=True).user.display_name == "Zoë"
