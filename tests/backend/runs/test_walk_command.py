"""`manage.py walk`: stages in order, each a Run; it stops where people have work, and says what it lacks."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.models import QuerySet

from backend.candidates.models import Candidate
from backend.candidates.queries import add_query
from backend.projects.models import Direction, Project
from backend.runs import services
from backend.runs.models import Run
from backend.runs.walk import STAGES, get_stage, read_parameters
from world import World

# Runs are sent on commit, so these tests commit.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def captions(project: Project) -> list[Candidate]:
    """Four captions of one image as they come from an import: three fit to be kept, one too short."""
    texts = ("A lamp shines on a bed", "Two bears on a dry plain", "Rows of suitcases wait", "lamp")
    return World(project).captions(World(project).image("lamp"), *texts, status="new")


def walk(*arguments: str) -> str:
    out = io.StringIO()
    call_command("walk", "--project", "skies", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def of_needed_stages() -> QuerySet[Run]:
    """The runs in the order they came, but those of optional stages, which may lack the models they would ask."""
    needed = [stage.name for stage in STAGES if not stage.is_optional]
    return Run.objects.filter(stage__in=needed).order_by("created_at")


@pytest.mark.nightly
def test_it_walks_from_one_stage_to_another_and_reports_each(project: Project, captions: list[Candidate]) -> None:
    report = walk("--from", "clean", "--to", "build_hits", "--set", "clean.min_words=2", "--seed", "5")
    assert "Clean captions: succeeded." in report and "1  too_short" in report
    assert "Build tasks: succeeded. hits 1, in 3, out 3." in report
    runs = of_needed_stages().values_list("stage", "status", "seed", "parameters")
    asked = read_parameters(get_stage("clean"), {"min_words": 2})
    assert list(runs) == [("clean", "succeeded", 5, asked), ("build_hits", "succeeded", 5, {"priority": 0})]


def test_it_stops_where_people_have_work_and_says_how_much(project: Project, captions: list[Candidate]) -> None:
    with pytest.raises(CommandError, match=r"2 assignments are still open.*--from consensus") as stopped:
        walk()
    assert stopped.value.returncode == 2
    assert list(of_needed_stages().values_list("stage", flat=True)) == ["clean", "build_hits"]


def test_a_stage_whose_time_has_not_come_stops_the_walk(project: Project) -> None:
    with pytest.raises(CommandError, match="Import captions first"):
        walk()
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--from", "release", "--to", "clean"], "release comes after clean"),
        (["--set", "clean"], "Write --set STAGE.NAME=VALUE"),
        (["--set", "polish.depth=1"], "Write --set STAGE.NAME=VALUE"),
        (["--set", "clean.min_words=many"], "min_words takes a whole number"),
        (["--set", "clean.depth=1"], "Clean captions has no setting depth"),
    ],
)
def test_an_argument_that_makes_no_sense_is_named(
    project: Project, captions: list[Candidate], arguments: list[str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        walk(*arguments)


def test_an_optional_stage_that_fails_does_not_stop_the_walk_and_says_so(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT, settings.CALIBRATIONS = tmp_path / "media", tmp_path
    run_stage(make_judged(project, images=2), "consensus")
    run_stage(project, "select")
    said = io.StringIO()
    knobs = ["--set", "difficulty.panel=nobody-calibrated-this"]
    with pytest.raises(CommandError, match="these stages failed: Rate difficulty"):
        call_command("walk", "--project", "skies", "--from", "difficulty", *knobs, stdout=io.StringIO(), stderr=said)
    assert "Rate difficulty is optional. The pipeline goes on without it." in said.getvalue()
    assert set(Run.objects.values_list("stage", "status")) >= {("difficulty", "failed"), ("release", "succeeded")}
    with pytest.raises(CommandError, match="policy must be one of"):
        walk("--from", "difficulty", "--set", "difficulty.policy=strict")


def test_a_site_without_calibrated_models_walks_to_a_release_without_an_error(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT, settings.CALIBRATIONS = tmp_path / "media", tmp_path
    settings.DIFFICULTY_PANEL = "ViT-B-32/openai,postcards-1-rn"
    make_judged(project, images=2)
    said = io.StringIO()
    call_command("walk", "--project", "skies", "--from", "consensus", stdout=io.StringIO(), stderr=said)
    assert "Rate difficulty is optional and is left out. These models of the site are not" in said.getvalue()
    assert "ViT-B-32/openai. Run Calibrate models first." in said.getvalue()
    assert list(Run.objects.order_by("created_at").values_list("stage", "status")) == [
        (stage, "succeeded") for stage in ("consensus", "select", "release")
    ]


@pytest.mark.nightly
def test_what_no_other_stage_reads_is_made_only_where_it_is_named(project: Project, captions: list[Candidate]) -> None:
    walk("--from", "clean", "--to", "build_hits")
    assert not Run.objects.filter(stage="generic").exists()
    for named in (["--to", "build_hits", "--set", "generic.panel=nobody"], ["--from", "generic", "--to", "build_hits"]):
        with pytest.raises(CommandError, match="these stages failed: Find generic captions"):
            walk(*named)
        assert Run.objects.filter(stage="generic").exists()
        Run.objects.filter(stage="generic").delete()


def test_a_run_whose_worker_fell_silent_is_not_waited_for_without_end(
    project: Project, captions: list[Candidate], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """A database that is locked when the run should be noted as over, say: Celery swallows that in this process."""
    settings.RUN_STALE_SECONDS = 0.1
    finish, broken = services.finish_run, [OperationalError("database is locked")]

    def finish_at_the_second_try(*, run: Run) -> bool:
        if broken:
            raise broken.pop()
        return finish(run=run)

    monkeypatch.setattr(services, "fail_run", lambda **what: False)
    monkeypatch.setattr(services, "finish_run", finish_at_the_second_try)
    assert "Clean captions: succeeded." in walk("--to", "clean")
    assert list(Run.objects.values_list("stage", "attempt")) == [("clean", 2)]


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="The project 'seas' does not exist"):
        call_command("walk", "--project", "seas")


def test_a_project_of_queries_walks_its_own_stages_and_refuses_others_by_name(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    images = World(project).photos(2)
    add_query(project=project, text="A quiet place", images=[image.key for image in images])
    with pytest.raises(CommandError, match=r"2 assignments are still open"):
        walk()
    assert list(Run.objects.values_list("stage", "status")) == [("build_hits", "succeeded")]
    for arguments in (["--from", "clean"], ["--to", "select"], ["--set", "suggest_edits.parser=x"]):
        with pytest.raises(CommandError, match="is not a stage of this project"):
            walk(*arguments)
