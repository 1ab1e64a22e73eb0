"""The stage `polysemy` on its way: what cannot be read or measured, kills, cancelling, other vectors."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from backend.catalogue import corpora
from backend.catalogue import polysemy as service
from backend.catalogue.models import Corpus, CorpusCurves, CorpusShard
from backend.catalogue.sources import MemberRefused
from backend.common.errors import InvalidInput
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import caption, url_corpus
from protractor import Protractor, at
from readings import Readings, cosines, points
from workers.engines import registry
from workers.tasks import polysemy as stage
from workers.tasks import polysemy_survey
from workers.tasks.corpora_folders import folder_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
RunStage = Callable[..., Run]
Embed = Callable[..., Corpus]


@pytest.mark.nightly
def test_a_query_that_can_no_longer_be_read_is_skipped_counted_and_listed(
    embed_at: Embed, measure: RunStage, clip: Readings
) -> None:
    embed_at([0, 30, 60], captions={0: "0", 1: "30", 2: "60"})
    eye = registry.image_encoder(clip.name)
    assert isinstance(eye, Protractor)
    eye.refused = {"1"}
    run = measure(radii="1")
    row = CorpusCurves.objects.get()
    assert (row.n_unreadable, row.curves["n_queries"], points()[0]["n_queries"]) == (1, 2, 2)
    assert (run.counts["dropped"], run.counts["out"], run.done) == ({"unreadable": 1}, 2, 3)
    assert Refusal.objects.get(run=run).name == "000000001"
    assert points()[0]["image_similarity"] == pytest.approx(cosines(30), abs=1e-6), "it is still a neighbour"


def test_a_corpus_whose_shard_is_gone_is_a_sentence(embed_at: Embed, measure: RunStage) -> None:
    corpus = embed_at([0, 30])
    (Path(corpus.folder) / CorpusShard.objects.get().name).unlink()
    run = measure()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "nothing_read")
    assert run.error["message"].startswith("Connote can read none of the 2 images from the corpus 'near'")
    assert Refusal.objects.filter(run=run, code="shard_gone").count() == 2
    assert not CorpusCurves.objects.exists()


@pytest.mark.nightly
def test_pictures_of_a_list_of_addresses_are_fetched_and_one_that_is_gone_is_skipped(
    project: Project, run_here: RunStage, measure: RunStage, settings: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    """As they were for their vectors: through the guarded fetcher, where this site may fetch at all."""
    there = {f"https://pictures.example/{n}.jpg": at(angle, n=n) for n, angle in enumerate((0, 30, 60))}

    def fetch(url: str) -> bytes:
        if url not in there:
            raise MemberRefused("not_fetched", "The server answered 404 instead of an image.")
        return there[url]

    monkeypatch.setattr("workers.tasks.corpora_fetching.Fetcher", lambda: fetch)
    settings.FETCH_CORPORA = True
    folder = url_corpus(tmp_path / "list", "".join(f"{url}\t{30 * n}\n" for n, url in enumerate(there)))
    corpora.register_corpus(project=project, folder=folder, manifest=corpora.scanned(folder), name="far")
    assert run_here("embed_corpus").status == RunStatus.SUCCEEDED
    there.pop("https://pictures.example/2.jpg")
    run = measure(radii="1")
    assert (run.status, run.counts["dropped"]) == (RunStatus.SUCCEEDED, {"not_fetched": 1})
    assert points("far")[0]["n_queries"] == 2
    settings.FETCH_CORPORA = False
    refused = measure(radii="1")
    assert (refused.status, refused.error["code"]) == (RunStatus.FAILED, "not_fetched")


@pytest.mark.nightly
def test_a_corpus_of_another_model_is_refused_naming_both(embed_at: Embed, measure: RunStage) -> None:
    embed_at([0, 30])
    registry.image_encoder.use("dinov2", Protractor(name="dinov2"))
    for names in ("", "near"):
        run = measure(model="dinov2", corpora=names)
        assert (run.status, run.error["code"]) == (RunStatus.FAILED, "other_model")
        assert "has vectors of 'protractor', not of 'dinov2'" in run.error["message"]


def test_numbers_that_are_none_are_refused(
    embed_at: Embed, measure: RunStage, clip: Readings, protractor: Protractor
) -> None:
    corpus = embed_at([0, 30])
    clip.spoilt = caption(1)
    run = measure()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "no_direction")
    assert "'near': The caption vectors must have length one" in run.error["message"]
    path = folder_of(corpus, protractor.digest) / "shard-00000.npy"
    vectors = np.load(path)
    vectors[1] = np.nan
    np.save(path, vectors)
    for folder in path.parents[1].glob("index-*"):
        for file in folder.iterdir():
            file.unlink()
    run = measure()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "no_direction")
    assert "vector with number 1 has no direction" in run.error["message"]
    assert not CorpusCurves.objects.exists()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"corpora": "other"}, "This project has no corpus other"),
        ({"clip": "no-such-folder/x"}, "no-such-folder/x"),
    ],
)
def test_what_cannot_be_measured_is_a_sentence(
    parameters: dict[str, Any], sentence: str, embed_at: Embed, measure: RunStage
) -> None:
    embed_at([0, 30])
    run = measure(**parameters)
    assert run.status == RunStatus.FAILED
    assert sentence in run.error["message"]


def test_without_a_panel_a_clip_must_be_named(embed_at: Embed, measure: RunStage, settings: Any) -> None:
    embed_at([0, 30])
    settings.DIFFICULTY_PANEL = ""
    assert measure().error["code"] == "no_clip"
    assert measure(clip="readings").status == RunStatus.SUCCEEDED


@pytest.mark.nightly
def test_radii_that_are_no_numbers_are_refused_before_the_run(embed_at: Embed, measure: RunStage) -> None:
    embed_at([0, 30])
    for radii in ("", "5,", "-1", "5;6", "10000"):
        with pytest.raises(Exception, match="for example 0, 50, 9999"):
            measure(radii=radii)


@pytest.mark.parametrize(
    ("radii", "sentence"),
    [("5, 0, 5", "More than once among the radii: 5."), (",".join(map(str, range(51))), "at most 50 are measured")],
)
def test_radii_that_repeat_or_are_too_many_are_refused_before_the_run(
    embed_at: Embed, measure: RunStage, radii: str, sentence: str
) -> None:
    embed_at([0, 30])
    with pytest.raises(InvalidInput, match=sentence):
        measure(radii=radii)
    assert not Run.objects.filter(stage="polysemy").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("radii", ["1", "1,2"])
def test_models_that_a_report_loads_are_let_go_of_at_its_end_and_where_it_fails(
    embed_at: Embed, measure: RunStage, clip: Readings, monkeypatch: pytest.MonkeyPatch, radii: str
) -> None:
    embed_at([0, 30])
    eye, reader = registry.image_encoder("protractor"), registry.towers(clip.name)
    registry.forget("protractor")
    registry.forget(clip.name)
    monkeypatch.setattr(registry.image_encoder, "_load", lambda name: eye)
    monkeypatch.setattr(registry, "towers", lambda name: _loaded(name, *reader))
    if radii != "1":
        monkeypatch.setattr(polysemy_survey.Survey, "add", break_off)
    assert measure(radii=radii).status == (RunStatus.SUCCEEDED if radii == "1" else RunStatus.FAILED)
    assert "protractor" not in registry.image_encoder
    assert clip.name not in registry.image_encoder and clip.name not in registry.text_encoder


def _loaded(name: str, images: Any, texts: Any) -> Any:
    """As `registry.towers` leaves them behind."""
    registry.image_encoder.use(name, images)
    registry.text_encoder.use(name, texts)
    return images, texts


def break_off(*_: Any) -> None:
    raise InvalidInput("Something is wrong in the middle.")


class Killed(BaseException):
    """As a kill: nothing in the stage catches it."""


def many(embed_at: Embed) -> Corpus:
    return embed_at(list(range(0, 90, 9)), captions={n: str((37 * n) % 90) for n in range(10)})


@pytest.mark.nightly
def test_a_run_killed_between_slices_gives_the_same_numbers(
    project: Project,
    embed_at: Embed,
    measure: RunStage,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    many(embed_at)
    embed_at([0, 30], name="zz")
    monkeypatch.setattr(polysemy_survey, "QUERIES", 3)
    smooth = measure(radii="1,4")
    real, n_slices = polysemy_survey.Survey.add, [0]

    def dies_at_times(self: Any, rows: Any, sums: Any) -> Any:
        found = real(self, rows, sums)
        n_slices[0] += 1
        if n_slices[0] in (2, 5):
            raise Killed
        return found

    monkeypatch.setattr(polysemy_survey.Survey, "add", dies_at_times)
    with pytest.raises(Killed):
        measure(radii="1,4")
    run = Run.objects.get(status=RunStatus.RUNNING)
    assert (run.cursor["next"], run.done, run.cursor["sums"]["n_queries"]) == (3, 3, 3)
    settings.RUN_STALE_SECONDS = 0
    with pytest.raises(Killed):
        stage.polysemy(str(run.pk))
    stage.polysemy(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.done, run.total, run.counts) == (RunStatus.SUCCEEDED, 12, 12, smooth.counts)
    reports = [service.get_report(project=project, run_id=one.pk) for one in (smooth, run)]
    assert service.report_json(reports[0]) == service.report_json(reports[1])
    assert service.report_csv(reports[0]) == service.report_csv(reports[1])


@pytest.mark.nightly
def test_a_cancelled_run_stops_between_slices_and_its_retry_keeps_what_was_measured(
    project: Project, embed_at: Embed, measure: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed_at([0, 30], name="a")
    many(embed_at)
    monkeypatch.setattr(polysemy_survey, "QUERIES", 3)
    smooth = measure(radii="1,4")
    real, seen = polysemy_survey.Survey.add, []

    def somebody_cancels(self: Any, rows: Any, sums: Any) -> Any:
        seen.append(len(rows))
        if len(seen) == 3:
            services.cancel_run(run=Run.objects.get(status=RunStatus.RUNNING))
        return real(self, rows, sums)

    monkeypatch.setattr(polysemy_survey.Survey, "add", somebody_cancels)
    run = measure(radii="1,4")
    assert (run.status, seen) == (RunStatus.CANCELLED, [2, 3, 3])
    assert run.corpus_curves.get().corpus.name == "a"
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert again.status == RunStatus.SUCCEEDED
    assert seen == [2, 3, 3, 3, 3, 1]
    both = [service.report_json(service.get_report(project=project, run_id=one.pk)) for one in (smooth, again)]
    assert both[0] == both[1]
    assert not run.corpus_curves.exists()


def test_sums_of_other_vectors_are_not_gone_on_with(
    embed_at: Embed, measure: RunStage, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    many(embed_at)
    monkeypatch.setattr(polysemy_survey, "QUERIES", 3)
    real = polysemy_survey.Survey.add

    def dies(self: Any, rows: Any, sums: Any) -> Any:
        if rows[0]:
            raise Killed
        return real(self, rows, sums)

    monkeypatch.setattr(polysemy_survey.Survey, "add", dies)
    with pytest.raises(Killed):
        measure()
    run = Run.objects.get(status=RunStatus.RUNNING)
    run.cursor["made_with"][0] = "f" * 64
    run.save(update_fields=["cursor"])
    settings.RUN_STALE_SECONDS = 0
    stage.polysemy(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "other_vectors")


@pytest.mark.nightly
def test_the_walk_command_makes_a_report(embed_at: Embed, clip: Readings) -> None:
    embed_at([0, 30])
    out, err = StringIO(), StringIO()
    knobs = ["polysemy.queries=1", "polysemy.radii=1"]
    call_command(
        "walk", "--project", "skies", "--from", "polysemy", "--to", "polysemy", "--set", knobs[0], "--set", knobs[1],
        stdout=out, stderr=err,
    )  # fmt: skip
    assert CorpusCurves.objects.get().curves["n_queries"] == 1
