"""The stage `diversity`: numbers worked from the captions to the report, every kind of dataset, and what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.storage import default_storage

from backend.catalogue.models import Image
from backend.curation.models import SelectionItem
from backend.projects.models import Project
from backend.releases.models import Release, ReleaseEntry
from backend.reports import services
from backend.reports.models import DiversityPart
from backend.runs.models import Run, RunStatus
from backend.runs.services import cancel_run, retry_run, start_run
from judged_project import PulledPlug, fall_silent, work_on
from panels import StandIn
from workers.tasks import diversity as stage

pytestmark = pytest.mark.django_db
MODELS = {"model": "sayings", "clip": "stand-in"}
Reported = Callable[..., Run]
RunStage = Callable[..., Run]


def measures(run: Run) -> dict[str, dict[str, Any]]:
    return {found["measure"]: found for found in run.diversity.body["measures"]}


def write(path: Path, rows: list[dict[str, str]]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return f"file:{path}"


def test_the_numbers_are_those_worked_by_hand(reported: Reported) -> None:
    """The captions of the pier lean on its picture by .8, .6 and 0, so their vectors are (.8, .6), (.6, .8) and (0, 1):
    cosines .96, .6 and .8. Those of the market are the first two. For SBERT they are (1, 0), (.6, .8) and (0, 1)."""
    run = reported()
    found = measures(run)
    assert {name: one["datasets"][0]["mean"] for name, one in found.items()} == {
        "sbert": pytest.approx(np.mean([(0.6 + 0.0 + 0.8) / 3, 0.6]), abs=1e-6),
        "clip_text": pytest.approx(np.mean([(0.96 + 0.6 + 0.8) / 3, 0.96]), abs=1e-6),
        "clip_image": pytest.approx(np.mean([1.4 / 3, 0.7]), abs=1e-6),
    }
    assert found["sbert"]["model"] == "sayings" and found["clip_text"]["digest"] == found["clip_image"]["digest"]
    assert all(one["difference"] is None and len(one["datasets"]) == 1 for one in found.values())
    text = found["clip_text"]["datasets"][0]
    assert (text["n"], text["n_missing"]) == (2, 0)
    # Both images, or one of them twice: the interval spans the means of two draws out of two.
    assert (text["low"], text["high"]) == (pytest.approx(0.786667), pytest.approx(0.96))
    assert sum(found["clip_text"]["density"]["counts"][0]) == 2
    [dataset] = run.diversity.body["datasets"]
    assert (dataset["kind"], dataset["name"], dataset["n_images"], dataset["n_captions"]) == (
        "selection",
        "skies",
        2,
        5,
    )
    assert (run.done, run.total, run.counts["in"], run.counts["no_picture"]) == (2, 2, 2, 0)
    assert set(run.models_used) == {"sayings", "stand-in"}


def test_two_runs_give_the_same_bytes(reported: Reported, tmp_path: Path) -> None:
    other = write(tmp_path / "other.jsonl", [{"image": "a", "caption": f"caption {n}"} for n in range(3)])
    one, two = reported(second=other), reported(second=other)
    assert json.dumps(one.diversity.body) == json.dumps(two.diversity.body)


def test_a_file_without_pictures_is_compared_by_its_captions(reported: Reported, tmp_path: Path) -> None:
    """An image with one caption has no pair. A picture that nobody has gives no value."""
    rows = [{"image": "a", "caption": text} for text in ("red apples", "a red market")]
    run = reported(second=write(tmp_path / "captions.jsonl", [*rows, {"image": "b", "caption": "alone"}]))
    _, dataset = run.diversity.body["datasets"]
    assert dataset | {"digest": ""} == {
        "kind": "file", "name": "captions.jsonl", "digest": "", "n_images": 2, "n_measured": 2, "n_captions": 3,
        "n_single": 1, "n_refused": 0,
    }  # fmt: skip
    found = measures(run)
    second = {name: one["datasets"][1] for name, one in found.items()}
    assert (second["clip_text"]["mean"], second["clip_text"]["n_missing"]) == (0.96, 1)
    assert (second["clip_image"]["mean"], second["clip_image"]["n"]) == (None, 0)
    assert found["clip_text"]["difference"]["value"] == pytest.approx(np.mean([2.36 / 3, 0.96]) - 0.96, abs=1e-6)
    assert found["clip_image"]["difference"]["value"] is None
    assert run.diversity.body["is_paired"] is False


def test_captions_about_images_of_the_project_are_compared_image_by_image(
    chosen: Project, reported: Reported, tmp_path: Path
) -> None:
    keys = list(Image.objects.filter(project=chosen).order_by("pk").values_list("key", flat=True))
    rows = [{"image": key, "caption": text} for key in keys for text in ("red apples", "a red market")]
    run = reported(second=write(tmp_path / "captions.jsonl", rows))
    assert run.diversity.body["is_paired"] is True
    found = measures(run)
    assert found["clip_image"]["datasets"][1]["mean"] == pytest.approx(0.7), "the pictures are the project's"
    assert found["clip_text"]["difference"]["n"] == 2


def test_a_folder_with_pictures_is_read_as_an_import_reads_it(reported: Reported, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a.jpg", "b.jpg"):
        (folder / name).write_bytes(b"broken" if name == "b.jpg" else name.encode())
    rows = [{"file_name": name, "text": text} for name in ("a.jpg", "b.jpg") for text in ("red apples", "a red market")]
    write(folder / "metadata.jsonl", rows)
    run = reported(first=f"file:{folder}")
    found = measures(run)["clip_image"]["datasets"][0]
    assert (found["mean"], found["n"], found["n_missing"]) == (pytest.approx(0.7), 1, 1), "one picture is broken"
    assert run.counts["no_picture"] == 1


def test_a_release_is_measured_as_it_was_frozen(chosen: Project, reported: Reported) -> None:
    image = Image.objects.filter(project=chosen).first()
    assert image is not None
    release = Release.objects.create(
        project=chosen, version=3, digest="d" * 64, manifest={}, n_images=1, n_captions=2, n_judgments=0
    )
    body = {"captions": [{"text": "red apples"}, {"text": "a red market"}]}
    ReleaseEntry.objects.create(release=release, position=1, digest=image.digest, body=body)
    run = reported(second=f"release:{release.pk}")
    assert run.diversity.body["datasets"][1]["name"] == "skies v3"
    assert measures(run)["clip_image"]["datasets"][1]["mean"] == pytest.approx(0.7)


def test_at_most_so_many_images_are_drawn_by_the_seed(reported: Reported, tmp_path: Path) -> None:
    rows = [{"image": f"{n}", "caption": text} for n in range(30) for text in (f"one {n}", f"two {n}")]
    run = reported(first=write(tmp_path / "many.jsonl", rows), images=7)
    [dataset] = run.diversity.body["datasets"]
    assert (dataset["n_images"], dataset["n_measured"]) == (30, 7)
    drawn = [row[0] for part in run.diversity_parts.all() for row in part.values]
    assert drawn == sorted(drawn) and drawn != sorted(f"{n}" for n in range(30))[:7]


def test_a_bertscore_is_measured_where_an_encoder_is_named(reported: Reported) -> None:
    """The carried MiniLM is a BERT like any other."""
    run = reported(bertscore="all-MiniLM-L6-v2", layer=4)
    found = measures(run)["bertscore"]
    assert (found["model"], found["layer"], len(found["digest"])) == ("all-MiniLM-L6-v2", 4, 64)
    assert 0.3 < found["datasets"][0]["mean"] < 1
    assert found["datasets"][0]["n"] == 2


def test_a_killed_worker_goes_on_at_the_next_slice(
    chosen: Project, reported: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "IMAGES", 1)
    whole = reported()
    run = start_run(project=chosen, stage="diversity", parameters=MODELS, seed=7)
    keep = services.keep_part

    def pull(**given: Any) -> Any:
        if given["position"] == 1:
            raise PulledPlug
        return keep(**given)

    monkeypatch.setattr(services, "keep_part", pull)
    with pytest.raises(PulledPlug):
        work_on(run)
    monkeypatch.setattr(services, "keep_part", keep)
    fall_silent(run)
    run = work_on(run)
    assert (run.status, run.done) == (RunStatus.SUCCEEDED, 2), run.error
    assert run.diversity.body == whole.diversity.body


def test_a_retry_goes_on_with_what_was_measured(chosen: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "IMAGES", 1)
    run = start_run(project=chosen, stage="diversity", parameters=MODELS, seed=7)
    measure = stage.measure_entries
    calls: list[int] = []

    def then_cancel(*given: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            cancel_run(run=Run.objects.get(pk=run.pk))
        return measure(*given)

    monkeypatch.setattr(stage, "measure_entries", then_cancel)
    assert work_on(run).status == RunStatus.CANCELLED
    assert DiversityPart.objects.filter(run=run).count() == 1
    again = work_on(retry_run(run=Run.objects.get(pk=run.pk), started_by=None))
    assert again.status == RunStatus.SUCCEEDED, again.error
    assert again.diversity_parts.count() == 2 and len(calls) == 3


def test_a_dataset_that_changed_since_the_start_ends_the_run(chosen: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start_run(project=chosen, stage="diversity", parameters=MODELS, seed=7)
    measure = stage.measure_entries
    monkeypatch.setattr(stage, "measure_entries", lambda *given: (_ for _ in ()).throw(PulledPlug()))
    with pytest.raises(PulledPlug):
        work_on(run)
    monkeypatch.setattr(stage, "measure_entries", measure)
    SelectionItem.objects.filter(candidate__text="red apples").delete()
    fall_silent(run)
    run = work_on(run)
    assert (run.status, (run.error or {})["code"]) == (RunStatus.FAILED, "dataset_changed")


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"first": "everything"}, "no_dataset"),
        ({"first": "release:3"}, "no_dataset"),
        ({"first": "file:"}, "no_dataset"),
        ({"first": "release:00000000-0000-4000-8000-000000000000"}, "not_found"),
        ({"first": "file:/no/such/file"}, "no_such_source"),
        ({"second": "selection"}, "same_datasets"),
        ({"clip": "no-such-model"}, "model_not_found"),
    ],
)
def test_what_cannot_be_measured_is_told(
    chosen: Project, run_stage: RunStage, parameters: dict[str, str], code: str
) -> None:
    run = run_stage(chosen, "diversity", **(MODELS | parameters))
    assert (run.status, (run.error or {})["code"]) == (RunStatus.FAILED, code)


def test_a_selection_of_nothing_has_no_report(chosen: Project, run_stage: RunStage) -> None:
    SelectionItem.objects.all().delete()
    run = run_stage(chosen, "diversity", **MODELS)
    assert (run.status, (run.error or {})["code"]) == (RunStatus.FAILED, "dataset_is_empty")


def test_a_picture_that_is_gone_leaves_the_others(chosen: Project, reported: Reported, models: StandIn) -> None:
    image = Image.objects.filter(project=chosen).first()
    assert image is not None
    default_storage.delete(image.original)
    found = measures(reported())
    assert (found["clip_image"]["datasets"][0]["n"], found["clip_text"]["datasets"][0]["n"]) == (1, 2)
    assert image.digest not in models.seen[0]
