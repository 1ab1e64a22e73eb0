"""The stage evaluate: models on a release, by the code of the command; killed, repeated, and models that fail."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from PIL import Image as Picture
from rest_framework.test import APIClient

from backend.benchmarks.models import Evaluation, ModelDifference
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs import services
from backend.runs.models import Run, RunStatus
from benchmark_uploads import upload
from judged_project import PulledPlug, fall_silent, work_on
from red_tower import RedTower, use
from released_worlds import reject_one_of_each_and_release
from workers.tasks import benchmarks

KEPT_WORLD = reject_one_of_each_and_release


@pytest.fixture(autouse=True)
def pictures(release: Release, settings: Any, tmp_path: Path) -> None:
    """A file for each image of the release."""
    settings.EMBEDDINGS = tmp_path / "vectors"
    for at, image in enumerate(Image.objects.filter(project=release.project)):
        file = io.BytesIO()
        Picture.new("RGB", (8, 8), (40 * at, 90, 90)).save(file, "JPEG")
        image.original = default_storage.save(f"originals/{image.digest}.jpg", ContentFile(file.getvalue()))
        image.save()


def test_the_stage_keeps_what_the_command_gives_and_a_second_run_adds_nothing(
    release: Release, project: Project, run_stage: Callable[..., Run], alice: User, tmp_path: Path
) -> None:
    run = run_stage(project, "evaluate", models="mock", started_by=alice)
    assert (run.status, run.done) == (RunStatus.SUCCEEDED, run.total), run.error
    made = Evaluation.objects.get()
    assert (made.run_id, made.created_by, made.is_of_release, made.source) == (run.pk, alice, True, "run")
    out = tmp_path / "out"
    how = {"model": ["mock"], "out": out, "set": ["seed=7"], "stdout": io.StringIO(), "stderr": io.StringIO()}
    call_command("evaluate", "retrieval", data=Path(f"skies:{release.label}"), **how)
    with default_storage.open(made.stored_as) as stored:
        assert stored.read() == (out / "per_query.parquet").read_bytes()
    call_command("compare", str(out), str(out), stdout=io.StringIO(), stderr=io.StringIO())
    again = run_stage(project, "evaluate", models="mock", release=str(release.pk))
    assert again.status == RunStatus.SUCCEEDED
    assert any("here already" in line for line in again.log_tail)
    assert Evaluation.objects.count() == 1
    with pytest.raises(CommandError, match="There is no release skies:9"):
        call_command("evaluate", "retrieval", data=Path("skies:9.9.9"), **how)


def test_relevance_takes_captions_as_queries_and_the_votes_on_them(
    release: Release, project: Project, run_stage: Callable[..., Run], client_of: Callable[..., APIClient],
    alice: User, board: str,
) -> None:  # fmt: skip
    run = run_stage(project, "evaluate", models="mock", task="relevance", rule="majority")
    assert run.status == RunStatus.SUCCEEDED, run.error
    made = Evaluation.objects.get()
    n_texts = len({text["text"] for entry in release.entries.all() for text in entry.body["captions"]})
    assert made.result["data"]["texts"] == n_texts and made.result["settings"]["rule"] == "majority"
    figure = made.result["metrics"]["text_to_image"]["ndcg"]
    assert figure["n"] == n_texts and 0 < figure["value"] <= 1
    client = client_of(alice)
    query = client.get(f"/api/v1/benchmarks/{made.pk}/queries").json()["results"][0]["query"]
    assert query["kind"] == "text" and query["text"]
    client.delete(f"/api/v1/benchmarks/{made.pk}")
    back = client.post(board, {"result": upload("result.json", json.dumps(made.result).encode())}, "multipart")
    assert back.json()["is_of_release"]


def test_a_run_that_was_killed_after_one_model_goes_on_with_the_next(
    release: Release, project: Project, monkeypatch: pytest.MonkeyPatch, client_of: Callable[..., APIClient],
    alice: User, board: str,
) -> None:  # fmt: skip
    real, asked = benchmarks.measure_model, []

    def measure(task: str, data: Any, name: str, how: Any, **more: Any) -> Any:
        asked.append(name)
        if len(asked) == 2:
            raise PulledPlug
        found = real(task, data, "mock", how, **more)
        found.body["model"] |= {"name": name, "digest": name}
        return found

    monkeypatch.setattr(benchmarks, "measure_model", measure)
    run = services.start_run(project=project, stage="evaluate", parameters={"models": "one,two", "task": "auprc"})
    with pytest.raises(PulledPlug):
        work_on(run)
    assert [each.model_name for each in Evaluation.objects.all()] == ["one"]
    fall_silent(run)
    run = work_on(run)
    assert (run.status, run.done) == (RunStatus.SUCCEEDED, run.total), run.error
    assert asked == ["one", "two", "two"]
    assert ModelDifference.objects.count() == 1  # computed by the worker, before anybody looks
    one = Evaluation.objects.get(model_name="one")
    rows = client_of(alice).get(board, {"reference": str(one.pk)}).json()["rows"]
    cell = next(row for row in rows if row["model"] == "two")["cells"]["pairs.auprc"]
    assert (cell["difference"]["value"], cell["difference"]["is_real"]) == (0.0, False)


def test_images_in_an_object_store_give_the_same_figures(
    release: Release, project: Project, run_stage: Callable[..., Run], monkeypatch: pytest.MonkeyPatch, settings: Any,
    tmp_path: Path,
) -> None:  # fmt: skip
    found = []
    for n, is_local in enumerate((True, False)):
        monkeypatch.setattr("backend.benchmarks.data.is_local", lambda is_local=is_local: is_local)
        settings.EMBEDDINGS = tmp_path / f"vectors {n}"
        use(RedTower())
        run = run_stage(project, "evaluate", models="tower")
        assert run.status == RunStatus.SUCCEEDED, run.error
        made = Evaluation.objects.get()
        found.append((made.result, sorted(path.name for path in settings.EMBEDDINGS.rglob("*.npy"))))
        made.delete()
    assert found[0] == found[1] and found[0][1]
    default_storage.delete(Image.objects.filter(project=project).order_by("digest")[0].original)
    settings.EMBEDDINGS = tmp_path / "empty"
    use(RedTower())
    gone = run_stage(project, "evaluate", models="tower")
    assert (gone.status, (gone.error or {})["code"]) == (RunStatus.FAILED, "unfit_data")
    assert "files are gone" in (gone.error or {})["message"]


def test_a_model_that_fails_is_shown_as_not_run_and_never_as_zero(
    release: Release, project: Project, run_stage: Callable[..., Run], client_of: Callable[..., APIClient],
    alice: User, board: str,
) -> None:  # fmt: skip
    run = run_stage(project, "evaluate", models="nobody/has-this-model,mock")
    assert (run.status, run.counts["dropped"]) == (RunStatus.SUCCEEDED, {"not_run": 1})
    rows = client_of(alice).get(board).json()["rows"]
    assert [(row["model"], bool(row["not_run"]), bool(row["cells"])) for row in rows] == [
        ("mock", False, True), ("nobody/has-this-model", True, False),
    ]  # fmt: skip
    alone = run_stage(project, "evaluate", models="nobody/has-this-model")
    assert (alone.status, (alone.error or {})["code"]) == (RunStatus.FAILED, "no_model_run")
    assert Evaluation.objects.count() == 2
    Image.objects.filter(key="photo-0.jpg").update(digest="0" * 64)
    gone = run_stage(project, "evaluate", models="mock")
    assert (gone.status, (gone.error or {})["code"]) == (RunStatus.FAILED, "unfit_data")
    elsewhere = run_stage(project, "evaluate", models="mock", release="00000000-0000-0000-0000-000000000000")
    assert (elsewhere.error or {})["code"] == "no_release_to_measure"
