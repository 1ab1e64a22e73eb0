"""HITs out of kept captions: built once, resumed after a kill, the same on every database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from backend.annotation.hits import build_hits
from backend.annotation.models import Hit
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run, RunStatus
from workers.tasks import annotation

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
KEYS = ("pier", "lamp", "meadow", "tram", "owl")


def cut_of(project: Project) -> list[tuple[str, int, list[str], list[int]]]:
    """The project's HITs by what they hold, without a database id."""
    hits = Hit.objects.filter(project=project).select_related("image").order_by("image__digest", "part")
    return [
        (
            hit.image.digest,
            hit.part,
            list(hit.items.order_by("position").values_list("candidate__key", flat=True)),
            list(hit.slots.order_by("number").values_list("number", flat=True)),
        )
        for hit in hits
    ]


def run_stage(project: Project, seed: int = 1) -> Run:
    run = Run.objects.create(project=project, stage="build_hits", seed=seed)
    annotation.build(str(run.pk))
    run.refresh_from_db()
    return run


@pytest.fixture
def twin(project: Project) -> Project:
    """A project cut like the first one, with its own rows."""
    return Project.objects.create(
        slug="twin", name="Twin", created_by=project.created_by, overlap=2, captions_per_hit=3
    )


def test_every_kept_caption_is_in_one_hit_with_the_projects_places(project: Project, add_image: AddImage) -> None:
    add_image("pier", 7)
    add_image("lamp", 2)
    run = run_stage(project)
    assert run.status == RunStatus.SUCCEEDED
    assert run.counts == {"hits": 4, "in": 9, "out": 9, "dropped": {}}
    assert (run.done, run.total) == (2, 2)
    assert sorted(len(keys) for _, _, keys, _ in cut_of(project)) == [2, 2, 2, 3]
    assert {tuple(places) for *_, places in cut_of(project)} == {(1, 2)}


def test_dropped_and_uncleaned_captions_are_in_none(project: Project, add_image: AddImage) -> None:
    add_image("pier", 2)
    add_image("pier", 2, start=10, status="dropped")
    add_image("pier", 2, start=20, status="new")
    assert run_stage(project).counts["out"] == 2
    assert set(Candidate.objects.exclude(hit_items=None).values_list("status", flat=True)) == {"kept"}


def test_building_again_adds_nothing(project: Project, add_image: AddImage) -> None:
    add_image("pier", 7)
    run_stage(project)
    before = cut_of(project)
    again = run_stage(project, seed=99)
    assert (again.counts["hits"], again.counts["in"]) == (0, 0)
    assert cut_of(project) == before


def test_captions_that_came_later_get_hits_of_their_own(project: Project, add_image: AddImage) -> None:
    add_image("pier", 4)
    run_stage(project)
    before = cut_of(project)
    add_image("pier", 2, start=50)
    assert run_stage(project).counts == {"hits": 1, "in": 2, "out": 2, "dropped": {}}
    assert cut_of(project)[:2] == before
    assert cut_of(project)[2][1] == 2


def test_another_projects_captions_are_left_alone(project: Project, twin: Project, add_image: AddImage) -> None:
    add_image("pier", 3)
    add_image("pier", 3, into=twin)
    run_stage(project)
    assert cut_of(twin) == []


def test_a_project_without_images_builds_nothing(project: Project) -> None:
    assert run_stage(project).status == RunStatus.SUCCEEDED


def test_the_cut_is_the_same_on_every_database(project: Project, add_image: AddImage) -> None:
    for key in KEYS:
        add_image(key, 8)
    run_stage(project)
    cut = json.dumps(cut_of(project)).encode()
    assert hashlib.sha256(cut).hexdigest()[:16] == "b579483890558ca3"


def test_a_kill_in_the_middle_and_a_resume_give_the_same_hits(
    project: Project, twin: Project, add_image: AddImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in KEYS:
        add_image(key, 8)
        add_image(key, 8, into=twin)
    run_stage(project)
    monkeypatch.setattr(annotation, "BATCH", 2)
    run = Run.objects.create(project=twin, stage="build_hits", seed=1)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(annotation, "build_hits", pull_the_plug_at(call=2))
        annotation.build(str(run.pk))
    assert 0 < len(cut_of(twin)) < len(cut_of(project))
    with time_machine.travel(timezone.now() + timedelta(seconds=settings.RUN_STALE_SECONDS * 2), tick=False):
        annotation.build(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.attempt, run.done) == (RunStatus.SUCCEEDED, 2, 5)
    assert run.counts == {"hits": 15, "in": 40, "out": 40, "dropped": {}}
    assert cut_of(twin) == cut_of(project)


def pull_the_plug_at(*, call: int) -> Callable[..., Any]:
    calls = 0

    def build_then_die(**given: Any) -> Any:
        nonlocal calls
        calls += 1
        built = build_hits(**given)
        if calls == call:
            raise KeyboardInterrupt
        return built

    return build_then_die


def test_a_cancelled_build_can_be_retried_to_the_same_end(project: Project, add_image: AddImage) -> None:
    add_image("pier", 8)
    run = Run.objects.create(project=project, stage="build_hits", seed=1)
    services.cancel_run(run=run)
    again = services.retry_run(run=run, started_by=None)
    annotation.build(str(again.pk))
    assert [len(keys) for _, _, keys, _ in cut_of(project)] == [3, 3, 2]


def test_the_walks_stage_is_this_task() -> None:
    assert annotation.build.name == services.queue.TASKS["build_hits"]
