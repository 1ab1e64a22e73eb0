"""Controls made of unlike images: once each, by seed, in both directions, and never out of what is alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from backend.annotation.hits import build_hits
from backend.annotation.models import HitItem
from backend.candidates.models import OTHER_IMAGE, Candidate
from backend.candidates.queries import add_query
from backend.catalogue.models import Image
from backend.controls import maker as making
from backend.controls.services import KnownAnswer, make_control
from backend.methods.unlike import bits_apart, farthest
from backend.projects.models import Direction, Project
from backend.qualification.models import Control
from backend.runs.models import Run, RunStatus
from workers.tasks import control_making
from workers.tasks.control_making import by_vectors

AddImage = Callable[..., Image]
NIGHT, DAY = "0000000000000000", "ffffffffffffffff"
Made = set[tuple[str, str]]


@pytest.fixture
def images(add_image: AddImage) -> list[Image]:
    """Four images of the night and twelve of the day, three captions each; those of a kind have one hash."""
    made = [add_image(f"night-{n}", 3) for n in range(4)] + [add_image(f"day-{n}", 3) for n in range(12)]
    Image.objects.filter(key__startswith="day").update(perceptual_hash=DAY)
    return made


def run_stage(project: Project, seed: int = 1, k: int = 2, **parameters: Any) -> Run:
    run = Run.objects.create(
        project=project, stage="make_controls", seed=seed, parameters={"k": k, "by": "hash"} | parameters
    )
    control_making.make_controls(str(run.pk))
    run.refresh_from_db()
    assert run.status == RunStatus.SUCCEEDED, run.error
    return run


def made() -> Made:
    return set(Control.objects.values_list("candidate__image__key", "candidate__text"))


def test_each_image_gets_bad_captions_of_unlike_images(project: Project, images: list[Image]) -> None:
    run = run_stage(project)
    # The twelve images of the day want 24 captions of the night, which has twelve.
    assert run.counts == {"dropped": {}, "in": 32, "missing": 12, "out": 20}
    assert "12 controls could not be made" in run.log_tail[0]
    nights = {(key, text) for key, text in made() if key.startswith("night")}
    assert len(nights) == 8
    assert all(text.startswith("day") for _, text in nights)
    control = Control.objects.select_related("candidate").first()
    assert control is not None
    assert (control.accepted, control.origin, control.is_quiz) == (["bad"], "other_image", False)
    assert (control.candidate.source, control.candidate.status) == (OTHER_IMAGE, "kept")
    assert control.candidate.text.startswith(control.candidate.source_ref)


def test_no_words_are_a_control_twice(project: Project, images: list[Image]) -> None:
    run_stage(project, k=4)
    texts = [text for _, text in made()]
    assert len(texts) == len(set(texts))


@pytest.mark.nightly
def test_making_again_makes_only_what_is_missing(project: Project, images: list[Image], add_image: AddImage) -> None:
    run_stage(project)
    before = made()
    assert run_stage(project, seed=9, k=1).counts["out"] == 0
    assert made() == before
    add_image("night-9", 3)
    run_stage(project)
    assert {key for key, _ in made() - before} >= {"night-9"}


def test_a_quiz_item_that_was_written_in_the_words_of_another_image_is_none_of_those_to_make(
    project: Project, images: list[Image]
) -> None:
    words = Candidate.objects.filter(image__key="day-0").values_list("text", flat=True)[0]
    answer = KnownAnswer(("bad",), is_quiz=True)
    quiz = make_control(image=images[0], of=words, answer=answer, made_by=None)
    assert quiz.origin == "person"
    run_stage(project)
    assert Control.objects.filter(candidate__image=images[0], is_quiz=False).count() == 2


@pytest.mark.nightly
def test_what_people_write_while_controls_are_made_is_said_once_all_the_same(
    project: Project, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "AT_ONCE", 1)
    give, written = making._give_captions, []

    def give_and_write(maker: making.Maker, batch: list[Image], step: Any) -> None:
        """A curator takes the first words of another image that no control has said yet."""
        give(maker, batch, step)
        unsaid = Candidate.objects.filter(control=None).exclude(image=batch[0]).order_by("text")
        words = next(text for text in unsaid.values_list("text", flat=True) if text not in {each for _, each in made()})
        written.append(make_control(image=batch[0], of=words, answer=KnownAnswer(("bad",)), made_by=None))

    monkeypatch.setattr(making, "_give_captions", give_and_write)
    run_stage(project, k=1)
    texts = [text for _, text in made()]
    assert len(texts) == len(set(texts))
    assert len(written) == 16


@pytest.mark.nightly
def test_the_draw_is_the_seeds(project: Project, images: list[Image]) -> None:
    run_stage(project)
    first = made()
    Candidate.objects.filter(control__isnull=False).delete()
    run_stage(project)
    assert made() == first
    Candidate.objects.filter(control__isnull=False).delete()
    run_stage(project, seed=2)
    assert made() != first


def test_they_stand_in_no_hit_and_are_lent_to_nobody(project: Project, images: list[Image]) -> None:
    run = run_stage(project)
    build_hits(project=project, run=run, subjects=images)
    assert HitItem.objects.count() == 16 * 3
    assert not HitItem.objects.filter(candidate__control__isnull=False).exists()


def test_borrowed_captions_are_not_lent_on(project: Project, images: list[Image]) -> None:
    Candidate.objects.update(source=OTHER_IMAGE)
    assert run_stage(project).counts["out"] == 0


def test_a_query_gets_images_unlike_all_of_its_own(project: Project, images: list[Image]) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    add_query(project=project, text="stars", images=["night-0", "night-1"])
    add_query(project=project, text="moonlight", images=["night-2"])
    add_query(project=project, text="nothing yet")
    run = run_stage(project)
    assert run.counts == {"dropped": {}, "in": 6, "missing": 2, "out": 4}
    pairs = list(Control.objects.values_list("candidate__query__text", "candidate__image__key", "candidate__source"))
    assert {text for text, *_ in pairs} == {"stars", "moonlight"}
    assert all(key.startswith("day") and source == "query" for _, key, source in pairs)
    assert len({key for _, key, _ in pairs}) == 4  # an image that comes again could be told
    assert run_stage(project).counts["out"] == 0


@pytest.mark.nightly
def test_a_querys_controls_are_of_no_other_query_where_there_are_enough_of_such(
    project: Project, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "DRAWN", 8)
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    asked = ["night-0", *(f"day-{n}" for n in range(6))]
    add_query(project=project, text="stars", images=asked[:1])
    add_query(project=project, text="noon", images=asked[1:])
    for seed in range(6):
        run_stage(project, seed=seed, k=1)
        lent = set(Control.objects.values_list("candidate__image__key", flat=True))
        assert len(lent) == 2 and lent.isdisjoint(asked)
        Candidate.objects.filter(control__isnull=False).delete()


@pytest.mark.nightly
def test_words_are_lent_by_images_that_nobody_judges_where_there_are_enough_of_them(
    project: Project, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "DRAWN", 8)
    judged = Image.objects.filter(key__in=["day-0", "night-0"]).order_by("digest")
    monkeypatch.setattr(making, "images_to_judge", lambda project: judged)
    for seed in range(6):
        run_stage(project, seed=seed, k=1)
        assert len(made()) == 2
        assert not {text.rpartition(" caption ")[0] for _, text in made()} & {"day-0", "night-0"}
        Candidate.objects.filter(control__isnull=False).delete()


@pytest.mark.parametrize(("n_met", "n_wanted", "n_left"), [(0, 25, 100), (36, 16, 64), (36, 17, 100), (37, 1, 100)])
def test_few_that_are_apart_would_come_again_and_again(n_met: int, n_wanted: int, n_left: int) -> None:
    """Sixty-four are drawn from, of which a quarter are unlike."""
    digests = [f"{n:02}" for n in range(100)]
    assert making.apart(digests, set(digests[:n_met]), n_wanted) == digests[100 - n_left :]


def test_a_kill_in_the_middle_and_a_resume_make_the_same_controls(
    project: Project, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import timedelta

    import time_machine
    from django.conf import settings
    from django.utils import timezone

    from backend.controls import maker as service

    run_stage(project)
    whole = made()
    Candidate.objects.filter(control__isnull=False).delete()
    monkeypatch.setattr(service, "AT_ONCE", 5)
    write, calls = service._write, iter(range(9))

    def die_at_the_second(*given: Any, **more: Any) -> None:
        write(*given, **more)
        if next(calls) == 1:
            raise KeyboardInterrupt

    run = Run.objects.create(project=project, stage="make_controls", seed=1, parameters={"k": 2, "by": "hash"})
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(service, "_write", die_at_the_second)
        control_making.make_controls(str(run.pk))
    with time_machine.travel(timezone.now() + timedelta(seconds=settings.RUN_STALE_SECONDS * 2), tick=False):
        control_making.make_controls(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.done, run.total) == (RunStatus.SUCCEEDED, 16, 16)
    assert made() == whole


class Vectors:
    """Vectors by key, as shards hold them."""

    def __init__(self, of: dict[str, list[float]]) -> None:
        self.keys = list(of)
        self.values = np.array(list(of.values()), dtype=np.float32)

    def ids_of(self, keys: Sequence[str]) -> Any:
        return np.array([self.keys.index(key) if key in self.keys else -1 for key in keys])

    def rows(self, ids: Any) -> Any:
        return self.values[ids]


def test_a_model_says_what_is_alike_and_an_image_without_a_vector_is_never_unlike() -> None:
    likeness = by_vectors(Vectors({"a": [1, 0], "b": [0, 1], "c": [0.6, 0.8]}))  # type: ignore[arg-type]
    found = likeness("a", ["b", "c", "gone"])
    assert found[:2] == pytest.approx([0, 0.6])
    assert farthest(found, at_least=1) == (0,)
    assert farthest(likeness("gone", ["a", "b"]), at_least=1) == ()


def test_hashes_are_as_far_apart_as_their_bits() -> None:
    assert (bits_apart(NIGHT, DAY), bits_apart(DAY, DAY)) == (64, 0)
