"""HITs that hold a query still: its images in balanced parts, drawn by seed, built once, resumed after a kill."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from backend.annotation.models import Hit, HitItem, Slot
from backend.candidates.models import Candidate
from backend.candidates.queries import add_query
from backend.catalogue.models import Image
from backend.projects.models import Direction, Project
from backend.runs.models import Run, RunStatus
from workers.tasks import annotation

AddImage = Callable[..., Image]
QUERIES = {"solitude": 7, "people chopping vegetables": 3, "joy": 5}


@pytest.fixture
def asked(project: Project, add_image: AddImage) -> Project:
    """A project of three queries over ten images, three to a HIT."""
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    for number in range(10):
        add_image(f"image-{number}", 2)
    for text, n in QUERIES.items():
        add_query(project=project, text=text, images=[f"image-{number}" for number in range(n)])
    return project


def run_stage(project: Project, seed: int = 1, **parameters: int) -> Run:
    run = Run.objects.create(project=project, stage="build_hits", seed=seed, parameters=parameters)
    annotation.build(str(run.pk))
    run.refresh_from_db()
    return run


def cut_of(project: Project) -> list[tuple[str, int, list[str]]]:
    hits = Hit.objects.filter(project=project).select_related("query").order_by("query__id", "part")
    key = "candidate__image__key"
    return [(hit.subject, hit.part, list(hit.items.order_by("position").values_list(key, flat=True))) for hit in hits]


def test_each_query_gets_its_images_in_balanced_parts(asked: Project) -> None:
    run = run_stage(asked)
    assert (run.status, run.counts) == (RunStatus.SUCCEEDED, {"hits": 6, "in": 15, "out": 15, "dropped": {}})
    assert (run.done, run.total) == (3, 3)
    assert [(text, part, len(keys)) for text, part, keys in cut_of(asked)] == [
        ("solitude", 0, 3), ("solitude", 1, 2), ("solitude", 2, 2), ("people chopping vegetables", 0, 3),
        ("joy", 0, 3), ("joy", 1, 2),
    ]  # fmt: skip
    assert Slot.objects.count() == 6 * asked.overlap


def test_captions_of_the_images_are_in_none(asked: Project) -> None:
    run_stage(asked)
    assert not HitItem.objects.filter(candidate__query=None).exists()
    assert Candidate.objects.filter(query=None, hit_items=None).count() == 20


def test_the_captions_of_an_image_are_cut_without_its_queries(asked: Project) -> None:
    Project.objects.filter(pk=asked.pk).update(direction=Direction.CAPTIONS_OF_AN_IMAGE)
    run_stage(asked)
    assert HitItem.objects.filter(candidate__query=None).count() == 20
    assert not HitItem.objects.filter(candidate__query__isnull=False).exists()


@pytest.mark.nightly
def test_building_again_adds_only_what_came_since(asked: Project) -> None:
    run_stage(asked)
    before = cut_of(asked)
    assert run_stage(asked, seed=9).counts["hits"] == 0
    add_query(project=asked, text="joy", images=["image-8", "image-9"])
    assert run_stage(asked).counts == {"hits": 1, "in": 2, "out": 2, "dropped": {}}
    assert cut_of(asked)[:6] == before
    assert cut_of(asked)[6][:2] == ("joy", 2)


@pytest.mark.nightly
def test_the_cut_is_the_same_on_every_database_and_another_by_another_seed(asked: Project) -> None:
    run_stage(asked)
    cut = cut_of(asked)
    assert hashlib.sha256(json.dumps(cut).encode()).hexdigest()[:16] == "bc160a7d1c746207"
    Hit.objects.all().delete()
    run_stage(asked, seed=2)
    assert cut_of(asked) != cut


def test_hits_of_a_run_are_handed_out_by_its_priority(asked: Project) -> None:
    run_stage(asked, priority=7)
    add_query(project=asked, text="joy", images=["image-8"])
    run_stage(asked)
    assert set(Slot.objects.values_list("hit__part", "priority").filter(hit__query__text="joy")) == {
        (0, 7), (1, 7), (2, 0),
    }  # fmt: skip


def test_a_kill_in_the_middle_and_a_resume_build_every_hit_once(
    asked: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotation, "BATCH", 1)
    build, calls = annotation.build_hits, iter(range(9))

    def die_at_the_second(**given: object) -> object:
        built = build(**given)  # type: ignore[arg-type]
        if next(calls) == 1:
            raise KeyboardInterrupt
        return built

    run = Run.objects.create(project=asked, stage="build_hits", seed=1)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(annotation, "build_hits", die_at_the_second)
        annotation.build(str(run.pk))
    assert Hit.objects.count() == 3
    with time_machine.travel(timezone.now() + timedelta(seconds=settings.RUN_STALE_SECONDS * 2), tick=False):
        annotation.build(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.done, run.counts["hits"]) == (RunStatus.SUCCEEDED, 3, 6)
