"""Calibrate models: a threshold with its curve from pairs, kept as versions that become stale with a reason."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue.models import Image
from backend.catalogue.sources import CaptionRow
from backend.curation.calibrating import own_pairs
from backend.curation.models import CalibrationRecord, Consensus, ModelScore, Rater
from backend.methods.calibration import calibrate_vectors
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run, RunStatus
from cast import bob_and_dora
from drawn import draw
from judged_project import PulledPlug, fall_silent, finish_stage, judge_all, work_on
from kept_worlds import own_copy
from panels import DIMENSIONS, StandIn, seat, store_pictures
from workers.engines import pair_vectors, registry
from workers.engines.protocols import EncodedBlock, PictureSource, Vectors
from workers.tasks.calibration_pairs import _Captions

Clients = Callable[..., APIClient]
RunStage = Callable[..., Run]
BASE = "/api/v1/projects/skies/calibrations"
HOW = {"batch_size": 4}


def direction(word: str | bytes) -> np.ndarray:
    """A unit vector that `word` settles."""
    seed = int.from_bytes(hashlib.sha256(word if isinstance(word, bytes) else word.encode()).digest()[:4])
    vector = np.random.default_rng(seed).normal(size=DIMENSIONS)
    return vector / np.linalg.norm(vector)


@dataclass
class Seer(StandIn):
    """Sees each picture in its own direction. `leans` gives the direction of a text."""

    leans: Callable[[str], np.ndarray] = direction

    def encode_images(self, pictures: Iterable[tuple[str, PictureSource]]) -> Iterator[EncodedBlock]:
        given = list(pictures)
        self.seen.append([key for key, _ in given])
        vectors = np.array([direction(bytes(data)) for _, data in given], dtype=np.float32)
        yield EncodedBlock(tuple(key for key, _ in given), vectors.reshape(-1, DIMENSIONS))

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        return np.array([self.leans(text) for text in texts], dtype=np.float32)


def judge(project: Project) -> None:
    """Twelve images with good captions; their files are stored."""
    judge_all(project, people=bob_and_dora(), images=12, captions=3)
    finish_stage(project, "consensus")
    store_pictures(project)


KEPT_WORLD = judge


@pytest.fixture
def judged(project: Project, settings: Any, tmp_path: Path) -> Project:
    settings.MEDIA_ROOT, settings.CALIBRATIONS = own_copy(tmp_path / "media"), tmp_path / "calibrations"
    settings.EMBEDDINGS, settings.DIFFICULTY_PANEL = tmp_path / "embeddings", "seer"
    return project


def near_its_picture(project: Project) -> Callable[[str], np.ndarray]:
    """The text of each pair leans towards its picture, as a model's that knows something."""
    towards = {pair.text: direction(pair.digest.encode()) for pair in own_pairs(project=project)}

    def lean(text: str) -> np.ndarray:
        vector = towards.get(text, direction(text)) + 1.2 * direction(text)
        return np.asarray(vector / np.linalg.norm(vector))

    return lean


def seat_seer(
    project: Project, settings: Any, name: str = "seer", *, shipped: float | None = None, **more: Any
) -> Seer:
    model = Seer(name, lambda text: 0.3, leans=near_its_picture(project), **more)
    seat(model, folder=settings.CALIBRATIONS, threshold=shipped)
    return model


def calibrated(project: Project, settings: Any, run_stage: RunStage, **knobs: Any) -> CalibrationRecord:
    seat_seer(project, settings)
    run = run_stage(project, "calibrate", **HOW | knobs)
    assert run.status == RunStatus.SUCCEEDED, run.error
    return CalibrationRecord.objects.latest("pk")


@pytest.mark.nightly
def test_a_record_has_the_threshold_of_the_projects_own_pairs_and_its_curve(
    judged: Project, settings: Any, run_stage: RunStage, client_of: Clients, dora: User
) -> None:
    record = calibrated(judged, settings, run_stage)
    pairs = list(own_pairs(project=judged))
    assert len(pairs) == len({pair.digest for pair in pairs}) == 12
    images = np.array([direction(pair.digest.encode()) for pair in pairs], dtype=np.float32)
    texts = [pair.text for pair in pairs]
    captions = np.array([near_its_picture(judged)(text) for text in texts], dtype=np.float32)
    assert record.calibration == calibrate_vectors(images, texts, captions, batch_size=4, seed=7).to_json()
    told = client_of(dora).get(f"{BASE}/{record.pk}").json()
    assert (told["figures"]["batch_size"], told["figures"]["prevalence"], told["n_positives"]) == (4, 0.25, 12)
    assert (told["figures"]["pairs"], told["stale_reasons"]) == ("12 pairs of the project skies", [])
    [chosen] = [point for point in told["curve"] if point["threshold"] == told["threshold"]]
    assert chosen["f1"] == told["f1"] == max(point["f1"] for point in told["curve"])
    file = client_of(dora).get(told["files"]["json"])
    assert json.loads(file.content)["curve"] == told["curve"]
    table = client_of(dora).get(told["files"]["csv"]).getvalue().decode().lstrip("\ufeff")
    rows = list(csv.DictReader(table.splitlines()))
    assert [float(row["threshold"]) for row in rows] == [point["threshold"] for point in told["curve"]]
    assert [row["is_chosen"] for row in rows].count("True") == 1
    assert not list((settings.EMBEDDINGS / "calibrations").glob("*"))


def test_difficulty_votes_by_the_newest_record_and_a_new_one_is_the_next_version(
    judged: Project, settings: Any, run_stage: RunStage, client_of: Clients, dora: User
) -> None:
    calibrated(judged, settings, run_stage)
    record = calibrated(judged, settings, run_stage, most=8)
    run_stage(judged, "select", k=2)
    seat_seer(judged, settings, shipped=0.9)
    run = run_stage(judged, "difficulty")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert Rater.objects.get().threshold == record.calibration["threshold"] != 0.9
    [model] = client_of(dora).get(BASE).json()["models"]
    assert (model["model"], model["state"], model["used"], model["is_in_panel"]) == ("seer", "current", record.pk, True)
    assert [(one["version"], one["id"] == record.pk) for one in model["versions"]] == [(2, True), (1, False)]
    assert model["figures"]["n_pairs"] == 8


@pytest.mark.nightly
def test_a_killed_worker_goes_on_behind_the_pairs_that_it_had(
    judged: Project, settings: Any, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_vectors, "SLICE", 3)
    smooth = calibrated(judged, settings, run_stage)
    model = seat_seer(judged, settings)
    run = Run.objects.create(project=judged, stage="calibrate", parameters=HOW, seed=7)
    encode, calls = registry.text_encoder("seer").encode, []

    def pull_the_plug_at_the_third_slice(texts: Sequence[str]) -> Vectors:
        calls.append(texts)
        if len(calls) == 3:
            raise PulledPlug
        return encode(texts)

    registry.text_encoder("seer").encode = pull_the_plug_at_the_third_slice
    with pytest.raises(PulledPlug):
        work_on(run)
    again = seat_seer(judged, settings)
    fall_silent(run)
    run = work_on(run)
    assert (run.status, run.done, run.total) == (RunStatus.SUCCEEDED, 12, 12), run.error
    assert [len(keys) for keys in model.seen] == [3, 3, 3]
    assert [len(keys) for keys in again.seen] == [3, 3]
    newest = CalibrationRecord.objects.latest("pk")
    assert (newest.calibration, newest.curve, newest.version) == (smooth.calibration, smooth.curve, 2)


def test_other_pairs_than_at_the_start_end_a_run_with_the_reason(
    judged: Project, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_seer(judged, settings)
    run = Run.objects.create(project=judged, stage="calibrate", parameters=HOW, seed=7)
    run.cursor = {"models": ["seer"], "pairs": "other", "position": 0, "taken": 4, "rows": 4, "weights": "x"}
    run.save()
    run = work_on(run)
    assert run.error == {
        "code": "pairs_changed",
        "message": "The pairs have changed since the start of this run. Start Calibrate again.",
    }


def change_weights(project: Project, settings: Any) -> None:
    other = seat_seer(project, settings, "other")
    registry.use_image_encoder("seer", registry.image_encoder("other"))
    registry.use_text_encoder("seer", registry.text_encoder("other"))
    seat(other, folder=settings.CALIBRATIONS, threshold=0.9)
    (settings.CALIBRATIONS / "other.json").rename(settings.CALIBRATIONS / "seer.json")


def change_preprocessing(project: Project, settings: Any) -> None:
    seat_seer(project, settings, shipped=0.9, preprocessing="another crop")


def change_pairs(project: Project, settings: Any) -> None:
    seat_seer(project, settings, shipped=0.9)
    Consensus.objects.filter(candidate__image=Image.objects.order_by("pk")[0]).update(label="bad")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("change", "reason", "words"),
    [
        (change_weights, "weights", "the weights of the model changed"),
        (change_preprocessing, "preprocessing", "the preprocessing of the model changed"),
        (change_pairs, "pairs", "the pairs changed"),
    ],
)
def test_a_record_becomes_stale_with_its_reason_and_difficulty_warns_and_takes_the_shipped_one(
    judged: Project, settings: Any, run_stage: RunStage, client_of: Clients, dora: User,
    change: Callable[[Project, Any], None], reason: str, words: str,
) -> None:  # fmt: skip
    record = calibrated(judged, settings, run_stage)
    run_stage(judged, "select", k=2)
    change(judged, settings)
    run = run_stage(judged, "difficulty")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert f"version 1) is stale: {words}. Connote uses the calibration that came with" in " ".join(run.log_tail)
    assert Rater.objects.get().threshold == 0.9
    [model] = client_of(dora).get(BASE).json()["models"]
    assert (model["state"], model["stale_reasons"], model["used"]) == ("stale", [reason], None)
    assert client_of(dora).get(f"{BASE}/{record.pk}").json()["stale_reasons"] == [reason]


def test_a_record_of_other_pairs_is_used_with_a_warning_where_there_is_no_other(
    judged: Project, settings: Any, run_stage: RunStage
) -> None:
    record = calibrated(judged, settings, run_stage)
    run_stage(judged, "select", k=2)
    change_pairs(judged, settings)
    (settings.CALIBRATIONS / "seer.json").unlink()
    run = run_stage(judged, "difficulty")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert "There is no other calibration, so Connote uses this one." in " ".join(run.log_tail)
    assert Rater.objects.get().threshold == record.calibration["threshold"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Eight drawn pictures under different captions; one is listed twice, and one file is no picture."""
    folder = tmp_path / "pairs"
    folder.mkdir()
    lines = [{"file_name": f"{n}.png", "caption": f"photograph {n}"} for n in range(8)]
    for n in range(8):
        (folder / f"{n}.png").write_bytes(draw(15 * n))
    lines.append({"file_name": "0.png", "caption": "another caption of the first"})
    (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder / "pairs.jsonl"


def test_the_command_keeps_the_same_record_for_all_projects_and_a_changed_file_makes_it_stale(
    judged: Project, settings: Any, run_stage: RunStage, table: Path, client_of: Clients, dora: User
) -> None:
    seat_seer(judged, settings)
    assert run_stage(judged, "calibrate", pairs=str(table), **HOW).status == RunStatus.SUCCEEDED
    seat_seer(judged, settings)
    call_command(
        "calibrate", "seer", pairs=str(table), batch_size=4, seed=7, stdout=io.StringIO(), stderr=io.StringIO()
    )
    of_site, of_project = CalibrationRecord.objects.order_by("-pk")
    assert (of_site.project, of_site.version, of_project.project) == (None, 1, judged)
    for name in ("calibration", "curve", "pairs", "pairs_digest", "digest", "key", "asked"):
        assert getattr(of_site, name) == getattr(of_project, name)
    assert of_site.pairs == "8 pairs of pairs.jsonl"
    table.write_text(table.read_text() + "\n")
    run_stage(judged, "select", k=2)
    seat_seer(judged, settings, shipped=0.9)
    assert "the pairs changed" in " ".join(run_stage(judged, "difficulty").log_tail)
    [model] = client_of(dora).get(BASE).json()["models"]
    assert [one["stale_reasons"] for one in model["versions"]] == [["pairs"], ["pairs"]]
    assert [one["is_of_site"] for one in model["versions"]] == [True, False]


def test_an_image_that_is_gone_is_listed_and_loses_nothing_else(
    judged: Project, settings: Any, run_stage: RunStage
) -> None:
    gone = Image.objects.order_by("pk")[3]
    default_storage.delete(gone.original)
    record = calibrated(judged, settings, run_stage)
    assert (record.calibration["n_pairs"], record.n_lost, record.run.counts["dropped"]) == (11, 1, {"unreadable": 1})
    assert list(record.run.refusals.values_list("name", "message")) == [(gone.digest, "The image is gone.")]


@pytest.mark.parametrize(
    ("leans", "knobs", "sentence"),
    [
        (lambda text: np.full(DIMENSIONS, np.nan), {}, "The model seer gets no threshold. A score is NaN or infinite"),
        (lambda text: np.eye(DIMENSIONS)[0], {}, "The model seer gets no threshold. All scores are the same"),
        (direction, {"batch_size": 13}, "There are 12 pairs, but a batch needs 13. Give more pairs or a smaller"),
        (direction, {"models": "nobody/knows-this"}, "nobody/knows-this"),
        (direction, {"pairs": "/nowhere/pairs.csv"}, "does not exist"),
        (direction, {"models": "seer,seer"}, "names seer more than once"),
    ],
)
def test_what_gives_no_threshold_ends_the_run_with_a_sentence(
    judged: Project, settings: Any, run_stage: RunStage, leans: Any, knobs: dict[str, Any], sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model = Seer("seer", lambda text: 0.3, leans=leans)
    if "same" in sentence:
        monkeypatch.setattr(sys.modules[__name__], "direction", lambda word: np.eye(DIMENSIONS)[0])
    seat(model, folder=settings.CALIBRATIONS, threshold=None)
    run = run_stage(judged, "calibrate", **HOW | knobs)
    assert run.status == RunStatus.FAILED
    assert sentence in run.error["message"]
    assert not CalibrationRecord.objects.exists()


def test_reviewers_read_calibrations_and_nobody_else(
    client_of: Clients, judged: Project, settings: Any, run_stage: RunStage,
    alice: User, dora: User, bob: User, charlie: User,
) -> None:  # fmt: skip
    record = calibrated(judged, settings, run_stage)
    for page in ("", f"/{record.pk}", f"/{record.pk}/record.json", f"/{record.pk}/curve.csv"):
        statuses = [client_of(user).get(f"{BASE}{page}").status_code for user in (alice, dora, bob, charlie, None)]
        assert statuses == [200, 200, 403, 404, 401], page
    CalibrationRecord.objects.update(project=Project.objects.create(slug="far-away", name="Far away", created_by=alice))
    assert client_of(alice).get(f"{BASE}/{record.pk}").status_code == 404


@pytest.mark.nightly
def test_no_path_of_the_server_is_shown(
    judged: Project, settings: Any, run_stage: RunStage, table: Path, client_of: Clients, dora: User
) -> None:
    settings.DIFFICULTY_PANEL = "local-dir:/srv/models/seer"
    model = Seer("seer", lambda text: 0.3, leans=near_its_picture(judged))
    seat(model, folder=settings.CALIBRATIONS, threshold=None)
    registry.use_image_encoder("local-dir:/srv/models/seer", registry.image_encoder("seer"))
    registry.use_text_encoder("local-dir:/srv/models/seer", registry.text_encoder("seer"))
    run = run_stage(judged, "calibrate", pairs=str(table), **HOW)
    assert run.status == RunStatus.SUCCEEDED, run.error
    record = CalibrationRecord.objects.get()
    for page in ("", f"/{record.pk}", f"/{record.pk}/record.json"):
        told = client_of(dora).get(f"{BASE}{page}").content.decode()
        assert "srv" not in told
        assert str(table.parent) not in told
    [row] = client_of(dora).get(BASE).json()["models"]
    assert (row["model"], row["name"], row["state"]) == ("seer", "", "current")
    run_stage(judged, "select", k=2)
    assert run_stage(judged, "release").status == RunStatus.SUCCEEDED
    manifest = Release.objects.get().manifest
    assert manifest["stages"]["calibrate"]["parameters"]["batch_size"] == 4
    assert str(table.parent) not in json.dumps(manifest)


def test_a_model_that_came_with_its_calibration_is_shown_as_shipped(
    client_of: Clients, dora: User, project: Project, settings: Any
) -> None:
    settings.DIFFICULTY_PANEL = "postcards-1-rn,nobody/calibrated-this"
    shipped, missing = client_of(dora).get(BASE).json()["models"]
    assert (shipped["state"], shipped["is_carried"], shipped["is_shipped_used"]) == ("shipped", True, True)
    assert shipped["figures"]["batch_size"] == 256
    assert (shipped["n_parameters"], shipped["licence"], len(shipped["digest"])) == (842_448, "Apache-2.0", 64)
    assert (missing["n_parameters"], missing["licence"], missing["digest"]) == (None, "", "")
    assert (missing["state"], missing["figures"], missing["name"]) == ("missing", None, "nobody/calibrated-this")


def test_the_other_models_of_the_site_are_listed_without_paths(
    client_of: Clients, dora: User, project: Project, settings: Any
) -> None:
    settings.VISION_MODEL, settings.SENTENCE_MODEL = "postcards-vision", "/srv/models/sentences"
    images, sentences, words = client_of(dora).get(BASE).json()["helpers"]
    assert images == {"use": "images", "model": "postcards-vision", "licence": "Apache-2.0", "n_parameters": 1_266_167}
    assert sentences == {"use": "sentences", "model": "sentences", "licence": "", "n_parameters": None}
    assert (words["use"], words["model"], words["licence"]) == ("words", "connote-en", "CC BY-SA 4.0")


def test_extra_models_do_not_make_the_panel_score_again(judged: Project, settings: Any, run_stage: RunStage) -> None:
    run_stage(judged, "select", k=2)
    first = seat_seer(judged, settings, "first", shipped=0.3)
    run_stage(judged, "difficulty", panel="first")
    scores = list(ModelScore.objects.order_by("difficulty__item__candidate").values_list("pk", "score"))
    for names in ("extra", "other-extra"):
        seen = len(first.seen)
        first, extra = (seat_seer(judged, settings, name, shipped=0.3) for name in ("first", names))
        run = run_stage(judged, "difficulty", panel="first", extra_models=names, policy="majority")
        assert (run.status, first.seen, len(extra.seen)) == (RunStatus.SUCCEEDED, [], seen), run.error
        assert (run.done, run.total, run.counts["out"]) == (24, 24, 24)
        kept = ModelScore.objects.filter(is_in_panel=True).order_by("difficulty__item__candidate")
        assert list(kept.values_list("pk", "score")) == scores
        assert set(ModelScore.objects.filter(is_in_panel=False).values_list("rater__name", flat=True)) == {names}
        assert set(ModelScore.objects.values_list("difficulty__policy", "difficulty__run")) == {("majority", run.pk)}
        first = extra
    first = seat_seer(judged, settings, "first", shipped=0.5)
    seat_seer(judged, settings, "extra", shipped=0.3)
    run_stage(judged, "difficulty", panel="first", extra_models="extra")
    assert first.seen != []  # another threshold is another vote


@pytest.mark.nightly
def test_captions_of_a_file_do_not_lie_in_memory(tmp_path: Path) -> None:
    """8 MB of captions pass through a hundredth of that, and come out once each by their image, the first of each."""
    long = "a caption that is long enough to weigh something " * 16
    rows = (CaptionRow(n, f"{n // 2}.png", f"{long}{n}", "", "") for n in range(10_000))
    with _Captions(tmp_path / "captions.sqlite") as captions:
        tracemalloc.start()
        try:
            captions.add(rows)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 200_000
        assert captions.n == 5_000
        for _ in range(2):
            captions.rewind()
            taken = [captions.take(f"{n}.png") for n in (7, 7, 8, 9_999)]
            assert taken == [f"{long}14", None, f"{long}16", None]


def test_calibrations_are_as_in_their_examples(
    example: Examples, judged: Project, settings: Any, run_stage: RunStage, client_of: Clients, dora: User
) -> None:
    record, own = calibrated(judged, settings, run_stage), "projects/skies/calibrations"
    example("calibrations_read", client_of(dora).get, own)
    example("calibration_read", client_of(dora).get, f"{own}/{record.pk}")
    example("calibration_json", client_of(dora).get, f"{own}/{record.pk}/record.json")
