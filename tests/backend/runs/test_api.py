"""Runs over HTTP: curators start and stop them, reviewers see them, nobody else does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.runs import queue, services
from backend.runs.import_roots import CHECKS, CHECKS_BY_PERSON
from backend.runs.models import Refusal, Run, RunStatus
from backend.runs.serializers import RunIn
from backend.runs.walk import PHASES, STAGES
from world import World

Clients = Callable[..., APIClient]
RUNS = "/api/v1/projects/skies/runs"


@pytest.fixture
def run(project: Project, alice: User) -> Run:
    return Run.objects.create(project=project, stage="clean", started_by=alice, parameters={"min_words": 3})


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    stages: list[str] = []
    monkeypatch.setattr(services.queue, "send_run", lambda run_id, *, stage: stages.append(stage))
    return stages


@pytest.mark.nightly
def test_a_curator_starts_a_stage_and_gets_its_run(
    client_of: Clients, alice: User, project: Project, sent: list[str], django_capture_on_commit_callbacks: Callable
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = client_of(alice).post(RUNS, {"stage": "import_images", "parameters": {"layout": "coco"}, "seed": 5})
    assert answer.status_code == 201
    assert sent == ["import_images"]
    body = answer.json()
    assert (body["status"], body["seed"], body["started_by"]) == ("queued", 5, "alice")
    assert body["parameters"] == {"source": "", "upload": "", "layout": "coco", "columns": "", "default_licence": ""}
    assert body["code_version"]


def test_a_second_click_on_a_running_stage_is_a_conflict(client_of: Clients, alice: User, project: Project) -> None:
    Run.objects.create(project=project, stage="import_images", status=RunStatus.RUNNING)
    answer = client_of(alice).post(RUNS, {"stage": "import_images"})
    assert (answer.status_code, answer.json()["code"]) == (409, "stage_running")


def test_a_stage_whose_time_has_not_come_says_what_comes_first(
    client_of: Clients, alice: User, project: Project
) -> None:
    answer = client_of(alice).post(RUNS, {"stage": "release"})
    assert (answer.status_code, answer.json()["message"]) == (409, "Select captions first.")


@pytest.mark.parametrize("body", [{"stage": "judge"}, {"stage": "polish"}, {}, {"stage": "import_images", "seed": -1}])
def test_a_start_that_makes_no_sense_is_refused(client_of: Clients, alice: User, project: Project, body: dict) -> None:
    answer = client_of(alice).post(RUNS, body)
    assert (answer.status_code, answer.json()["code"] in ("invalid", "done_by_people", "unknown_stage")) == (400, True)


def test_a_run_shows_how_many_rows_it_refused_and_lists_them(client_of: Clients, dora: User, run: Run) -> None:
    Refusal.objects.create(run=run, line=3, name="a.jpg", code="truncated", message="The file ends too early.")
    Refusal.objects.create(run=run, name="README", code="too_old", message="It is 9.", params={"n": 9}, is_ignored=True)
    client = client_of(dora)
    assert client.get(f"/api/v1/runs/{run.pk}").json()["n_refused"] == 1
    assert client.get(f"/api/v1/runs/{run.pk}/refusals").json()["results"] == [
        {
            "line": 3,
            "name": "a.jpg",
            "code": "truncated",
            "message": "The file ends too early.",
            "params": {},
            "is_ignored": False,
        },
        {
            "line": None,
            "name": "README",
            "code": "too_old",
            "message": "It is 9.",
            "params": {"n": 9},
            "is_ignored": True,
        },
    ]


def test_the_runs_of_one_stage_are_listed_alone(
    client_of: Clients, alice: User, bob: User, charlie: User, project: Project, run: Run
) -> None:
    Run.objects.create(project=project, stage="select", seed=1, status="succeeded")
    client = client_of(alice)
    assert [each["stage"] for each in client.get(RUNS).json()["results"]] == ["select", "clean"]
    assert [each["id"] for each in client.get(RUNS, {"stage": "clean"}).json()["results"]] == [str(run.pk)]
    assert client.get(RUNS, {"stage": "boil"}).status_code == 400
    answers = [client_of(user).get(RUNS, {"stage": "clean"}).status_code for user in (bob, charlie, None)]
    assert answers == [403, 404, 401]


def test_cancel_then_retry(client_of: Clients, alice: User, run: Run, sent: list[str]) -> None:
    client = client_of(alice)
    assert client.post(f"/api/v1/runs/{run.pk}/cancel").json()["status"] == "cancelled"
    again = client.post(f"/api/v1/runs/{run.pk}/retry")
    assert (again.status_code, again.json()["parameters"]) == (201, {"min_words": 3})
    assert client.post(f"/api/v1/runs/{run.pk}/cancel").json()["code"] == "run_over"


def test_the_walk_lists_every_stage_with_what_it_waits_for(client_of: Clients, alice: User, run: Run) -> None:
    stages = {s["name"]: s for s in client_of(alice).get("/api/v1/projects/skies/walk").json()["stages"]}
    assert stages["clean"]["state"] == "running"
    assert stages["clean"]["last_run"]["id"] == str(run.pk)
    assert (stages["import_images"]["state"], stages["import_images"]["startable"]) == ("ready", True)
    assert (stages["select"]["startable"], stages["select"]["why_not"]) == (False, "No caption has the label good yet.")
    assert stages["judge"]["by_people"]
    optional = {name for name, stage in stages.items() if stage["optional"]}
    assert optional >= {"web_titles", "difficulty"} and not optional & {"clean", "select", "release"}
    assert [stages[name]["phase"] for name in ("sample", "clean", "judge", "select", "release")] == list(PHASES)


def test_a_run_that_waits_says_when_no_worker_answers_on_its_queue(
    client_of: Clients, alice: User, project: Project, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def without_gpu() -> dict[str, str]:
        asked.append(1)
        return {"broker": "", "worker_cpu": "", "worker_gpu": queue.NO_WORKER.format(queue="gpu")}

    def lacking() -> list[str]:
        cache.clear()
        stages = client_of(alice).get("/api/v1/projects/skies/walk").json()["stages"]
        return [stage["name"] for stage in stages if stage["lacks_worker"]]

    settings.EMBEDDED = False
    monkeypatch.setattr(queue, "check", without_gpu)
    for stage in ("sample", "clean"):
        Run.objects.create(project=project, stage=stage)
    assert (lacking(), asked) == ([], [])  # a worker takes a run within seconds, so nobody is asked yet
    long_ago = timezone.now() - timedelta(minutes=30)
    Run.objects.update(created_at=long_ago)
    assert (lacking(), asked) == (["sample"], [1])
    busy = Run.objects.create(project=project, stage="select", status="running", heartbeat_at=timezone.now())
    assert lacking() == []  # a worker in the middle of a run may not answer
    Run.objects.filter(pk=busy.pk).update(heartbeat_at=long_ago)
    assert lacking() == ["sample", "select"]


READS = ["/api/v1/projects/skies/walk", RUNS, "/api/v1/runs/{run}", "/api/v1/runs/{run}/refusals"]
WRITES = ["/api/v1/runs/{run}/cancel", "/api/v1/runs/{run}/retry", RUNS]


@pytest.mark.nightly
@pytest.mark.parametrize("address", READS)
@pytest.mark.parametrize(
    ("who", "status"), [("alice", 200), ("dora", 200), ("bob", 403), ("charlie", 404), (None, 401)]
)
def test_reading_runs_takes_a_reviewers_role(
    request: pytest.FixtureRequest, client_of: Clients, run: Run, address: str, who: str | None, status: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    assert client.get(address.format(run=run.pk)).status_code == status


@pytest.mark.parametrize("address", WRITES)
@pytest.mark.parametrize(("who", "status"), [("dora", 403), ("bob", 403), ("charlie", 404), (None, 401)])
def test_only_a_curator_starts_and_stops_runs(
    request: pytest.FixtureRequest, client_of: Clients, run: Run, address: str, who: str | None, status: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    assert client.post(address.format(run=run.pk), {"stage": "clean"}).status_code == status
    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("stage", "parameter"), [("select", "model"), ("clean", "parser"), ("polysemy", "clip"), ("generic", "model")]
)
@pytest.mark.parametrize("model", ["/srv/models/mine", "../mine", "~/mine", ".", "a/b/c", "backend", "a\\b", "x\ny"])
def test_a_model_over_http_is_a_name_and_no_folder_of_the_server(
    client_of: Clients, alice: User, project: Project, stage: str, parameter: str, model: str
) -> None:
    answer = client_of(alice).post(RUNS, {"stage": stage, "parameters": {parameter: model}})
    assert (answer.status_code, answer.json()["code"]) == (400, "model_not_allowed")


def test_whatever_text_a_stage_takes_is_checked_over_http_or_names_nothing_to_load() -> None:
    harmless = {"upload", "default_licence", "origin", "corpus", "corpora", "title_sources", "radii", "columns"}
    harmless |= {"shares", "leave_out", "notes", "release"}
    free = {knob.name for stage in STAGES for knob in stage.parameters if knob.kind is str and not knob.choices}
    assert free == CHECKS.keys() | CHECKS_BY_PERSON.keys() | harmless


@pytest.mark.parametrize(
    "panel",
    ["fine,/srv/mine", "local-dir:/srv/mine", "ViT-B-32/../mine.pt", "ViT-B-32//srv/mine.pt", "ViT-B-32/backend",
     "hf-hub:../mine", "fine,~/mine"],
)  # fmt: skip
def test_a_panel_over_http_is_names_and_no_folders_of_the_server(
    client_of: Clients, alice: User, project: Project, panel: str
) -> None:
    answer = client_of(alice).post(RUNS, {"stage": "difficulty", "parameters": {"panel": panel}})
    assert (answer.status_code, answer.json()["code"]) == (400, "model_not_allowed")


@pytest.mark.parametrize(
    "clip", ["/srv/mine", "local-dir:/srv/mine", "ViT-B-32/../mine.pt", "hf-hub:../mine", "~/mine"]
)
def test_a_clip_over_http_is_a_name_and_no_folder_of_the_server(
    client_of: Clients, alice: User, project: Project, clip: str
) -> None:
    answer = client_of(alice).post(RUNS, {"stage": "polysemy", "parameters": {"clip": clip}})
    assert (answer.status_code, answer.json()["code"]) == (400, "model_not_allowed")


def test_a_panel_over_http_may_name_models_of_hubs_and_folders_under_an_import_root(
    client_of: Clients, alice: User, project: Project, settings: Any, tmp_path: Path
) -> None:
    settings.IMPORT_ROOTS = [tmp_path]
    panel = f"postcards-1-rn, ViT-B-32/laion2b_s34b_b79k,hf-hub:org/name,local-dir:{tmp_path}/mine,{tmp_path}/mine"
    answer = client_of(alice).post(RUNS, {"stage": "difficulty", "parameters": {"panel": panel}})
    assert answer.json()["code"] == "not_startable"  # the panel was fine, the project has nothing to ask about yet


def test_a_model_over_http_may_lie_under_an_import_root(
    client_of: Clients, alice: User, project: Project, settings: Any, tmp_path: Path
) -> None:
    settings.IMPORT_ROOTS = [tmp_path]
    for model in (str(tmp_path / "mine"), "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"):
        answer = client_of(alice).post(RUNS, {"stage": "select", "parameters": {"model": model}})
        assert answer.json()["code"] == "not_startable"  # the model was fine, the project has nothing to select yet


@pytest.mark.parametrize(
    ("stage", "knob", "value", "is_allowed"),
    [
        ("sample", "model", "facebook/dinov2-small", True),
        ("sample", "model", "facebook/other", False),
        ("polysemy", "clip", "hf-hub:timm/large", False),
        ("difficulty", "panel", "ViT-B-32/openai,ViT-L-14/openai", False),
        ("difficulty", "panel", "ViT-B-32/openai,postcards-1-rn", True),
    ],
)
def test_a_site_may_limit_which_models_of_the_hub_its_curators_load(
    project: Project, alice: User, settings: Any, stage: str, knob: str, value: str, is_allowed: bool
) -> None:
    settings.HUB_MODELS = ["facebook/dinov2-*", "ViT-B-32/*"]
    sent = RunIn(data={"stage": stage, "parameters": {knob: value}}, context={"project": project, "user": alice})
    if is_allowed:
        assert sent.is_valid(raise_exception=True)
        return
    with pytest.raises(InvalidInput) as refused:
        sent.is_valid(raise_exception=True)
    assert refused.value.error_code == "hub_model_not_allowed"


def test_a_root_with_the_projects_slug_is_for_that_project_alone(
    client_of: Clients, alice: User, project: Project, settings: Any, tmp_path: Path
) -> None:
    settings.IMPORT_ROOTS = [tmp_path / "{project}"]
    for slug in (project.slug, "seas", f"{project.slug}-too"):
        (tmp_path / slug).mkdir()
        body = {"stage": "import_images", "parameters": {"source": str(tmp_path / slug)}}
        answer = client_of(alice).post(RUNS, body)
        assert answer.status_code == (201 if slug == project.slug else 400), answer.json()


@pytest.mark.nightly
def test_a_stage_that_is_not_for_the_projects_direction_is_not_shown_and_not_started(
    client_of: Clients, alice: User, project: Project
) -> None:
    client = client_of(alice)
    refused = client.post(RUNS, {"stage": "import_queries"})
    assert (refused.status_code, refused.json()["code"]) == (400, "stage_not_here")
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    shown = [stage["name"] for stage in client.get("/api/v1/projects/skies/walk").json()["stages"]]
    assert shown == [
        "import_images", "import_queries", "make_controls", "build_hits", "judge", "settle", "preview_policy",
        "apply_policy", "consensus",
    ]  # fmt: skip
    for stage in STAGES:
        if stage.name not in shown:
            refused = client.post(RUNS, {"stage": stage.name})
            assert (refused.status_code, refused.json()["code"]) == (400, "stage_not_here")
            assert refused.json()["message"] == (
                f"{stage.label} is not a stage of this project. It is for projects that show captions of an image."
            )
    assert not Run.objects.exists()


def test_the_walk_says_how_each_setting_is_typed_and_how_many_there_are_to_pick_from(
    client_of: Clients, alice: User, project: Project
) -> None:
    World(project).photos(16)
    stages = {s["name"]: s for s in client_of(alice).get("/api/v1/projects/skies/walk").json()["stages"]}
    fields = {field["name"]: field for field in stages["sample"]["parameters"]}
    assert (fields["k"]["default"], fields["k"]["out_of"], fields["k"]["advanced"]) == (8, 16, False)
    near = fields["min_dist"]
    assert (near["default"], near["scale"], near["minimum"], near["maximum"], near["advanced"]) == (
        10,
        100,
        0,
        100,
        True,
    )
