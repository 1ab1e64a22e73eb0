"""The stage `polysemy`: the curves of Figure 3 for corpora whose angles a test settles, whatever happens on the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from backend.catalogue import polysemy as service
from backend.catalogue.models import Corpus, CorpusCurves, CorpusShard
from backend.methods.polysemy import CurveSums
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import caption
from protractor import Protractor, at, corpus_at
from workers.engines import registry
from workers.engines.protocols import Vectors
from workers.tasks import polysemy as stage
from workers.tasks import polysemy_survey
from workers.tasks.corpora_folders import folder_of

pytestmark = pytest.mark.django_db(transaction=True)
RunStage = Callable[..., Run]
Embed = Callable[..., Corpus]


@dataclass
class Readings:
    """A text encoder in the space of the protractor: `60` is the vector of 60 degrees, other texts that of 90."""

    name: str = "readings"
    dimensions: int = 4
    seen: list[str] = field(default_factory=list)
    spoilt: str = ""  # a text that gets NaN

    @property
    def digest(self) -> str:
        return Protractor(self.name).digest

    def encode(self, texts: Sequence[str], **_: Any) -> Vectors:
        self.seen += texts
        return np.stack([self.vector_of(text) for text in texts])

    def vector_of(self, text: str) -> Vectors:
        if text == self.spoilt:
            return np.full(4, np.nan, dtype=np.float32)
        turn = np.radians(float(text) if text.isdigit() else 90.0)
        return np.array([np.cos(turn), np.sin(turn), 0, 0], dtype=np.float32)


@pytest.fixture
def clip(settings: Any, protractor: Protractor) -> Iterator[Readings]:
    """The CLIP of this test's site, the last of its panel: it sees widths as angles and reads them as numbers."""
    made = Readings()
    settings.DIFFICULTY_PANEL = f"somebody-else, {made.name}"
    registry.image_encoder.use(made.name, Protractor(made.name))
    registry.text_encoder.use(made.name, made)
    yield made
    registry.forget(made.name)


@pytest.fixture
def measure(run_here: RunStage, clip: Readings) -> RunStage:
    def run(**parameters: Any) -> Run:
        return run_here("polysemy", **parameters)

    return run


def points(name: str = "near") -> list[dict[str, Any]]:
    row = CorpusCurves.objects.filter(corpus__name=name).order_by("-run__created_at")[0]
    found: list[dict[str, Any]] = row.curves["points"]
    return found


def cosines(*degrees: float) -> float:
    return float(np.mean(np.cos(np.radians(degrees))))


def test_two_pictures_worked_by_hand(embed_at: Embed, measure: RunStage) -> None:
    """Pictures at 0 and 30 degrees say 50 and 45: from the first it is 45 degrees to what the other says, back 20."""
    corpus = embed_at([0, 30], captions={0: "50", 1: "45"})
    run = measure(radii="0, 1")
    assert run.status == RunStatus.SUCCEEDED, run.error
    alone, one = points()
    assert (alone["image_similarity"], alone["in_cluster_similarity"], alone["geodesic_distance"]) == (None, None, None)
    assert one["image_similarity"] == pytest.approx(cosines(30), abs=1e-6)
    assert one["in_cluster_similarity"] == pytest.approx(cosines(30), abs=1e-6)
    assert one["geodesic_distance"] == pytest.approx(np.radians((45 + 20) / 2), abs=1e-6)
    assert (one["n_queries"], one["n_queries_with_captions"], one["n_captions"], one["n_short"]) == (2, 2, 2, 0)
    row = CorpusCurves.objects.get()
    assert (row.run, row.corpus, row.n_pictures, row.n_unreadable, row.index) == (run, corpus, 2, 0, "exact")
    assert (row.model, row.clip, row.curves["n_queries"]) == ("protractor", "readings", 2)
    assert run.models_used == {name: Protractor(name).digest for name in ("protractor", "readings")}
    assert (run.done, run.total, run.counts) == (2, 2, {"in": 2, "out": 2, "dropped": {}})
    assert run.log_tail == ["2 of the 2 pictures of near are queries."]


def brute_force(degrees: Sequence[int], said: Sequence[str], radii: Sequence[int]) -> list[dict[str, Any]]:
    """The pure method over every picture with all others in order of their angle."""
    vectors = np.stack([Readings().vector_of(str(angle)) for angle in degrees])
    texts = np.stack([Readings().vector_of(text) for text in said])
    sums = CurveSums(radii)
    for own in range(len(degrees)):
        others = [n for n in np.argsort(-(vectors @ vectors[own]), kind="stable") if n != own][: max(radii)]
        of = list(range(len(others)))
        sums.add(vectors[own], vectors[others], clip_image=vectors[own], captions=texts[others], caption_of=of)
    found: list[dict[str, Any]] = sums.curves().to_json()["points"]
    return found


def test_the_stage_says_what_the_pure_method_says_of_all_pairs(
    embed_at: Embed, measure: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    degrees, said = [0, 7, 19, 32, 43, 59, 77, 90], ["3", "80", "21", "9", "66", "50", "14", "33"]
    embed_at(degrees, captions=dict(enumerate(said)))
    monkeypatch.setattr(polysemy_survey, "QUERIES", 3)
    measure(radii="1,3,5,20")
    for found, expected in zip(points(), brute_force(degrees, said, [1, 3, 5, 20]), strict=True):
        assert found == {name: pytest.approx(value, abs=1e-6) for name, value in expected.items()}
    assert points()[-1]["n_short"] == len(degrees)


def test_copies_are_neighbours_and_the_query_itself_is_not(embed_at: Embed, measure: RunStage) -> None:
    """Three pictures with one vector: whichever the index names first, each has the two others."""
    embed_at([40, 40, 40], captions={0: "40", 1: "50", 2: "60"})
    measure(radii="1,2")
    one, two = points()
    assert (one["image_similarity"], two["image_similarity"], two["n_short"]) == (pytest.approx(1), pytest.approx(1), 0)
    assert two["geodesic_distance"] == pytest.approx(np.radians((0 + 10 + 20) * 2 / 6), abs=1e-6)


def test_a_corpus_with_one_picture_has_curves_without_values(embed_at: Embed, measure: RunStage) -> None:
    embed_at([20])
    assert measure(radii="0,5").status == RunStatus.SUCCEEDED
    for point in points():
        assert (point["image_similarity"], point["geodesic_distance"], point["n_captions"]) == (None, None, 0)
    assert CorpusCurves.objects.get().curves["n_queries"] == 1


def test_two_corpora_are_measured_each_by_itself(
    project: Project, embed_at: Embed, measure: RunStage, tmp_path: Path
) -> None:
    embed_at([0, 10], name="b", captions={0: "0", 1: "10"})
    embed_at([0, 60], name="a", captions={0: "0", 1: "60"})
    corpus_at(project, tmp_path / "c", [5], name="c")
    run = measure(radii="1")
    assert [row.corpus.name for row in service.get_report(project=project, run_id=run.pk).corpus_curves.all()] == [
        "a",
        "b",
    ]
    assert points("a")[0]["image_similarity"] == pytest.approx(0.5, abs=1e-6)
    assert points("b")[0]["image_similarity"] == pytest.approx(cosines(10), abs=1e-6)
    assert "The corpus 'c' has no vectors yet and was left aside." in run.log_tail
    measure(corpora=" b ", radii="1")
    assert CorpusCurves.objects.count() == 3


def test_as_many_pictures_are_drawn_as_asked_and_the_same_for_the_same_seed(
    embed_at: Embed, run_here: RunStage, clip: Readings
) -> None:
    embed_at(list(range(0, 90, 6)), captions={n: str(5 * n) for n in range(15)})
    first, again, other = (
        service.report_json(run_here("polysemy", queries=4, radii="3", seed=seed)) for seed in (1, 1, 2)
    )
    assert first == again
    assert json.loads(first)["corpora"][0]["n_queries"] == 4
    assert json.loads(first)["corpora"] != json.loads(other)["corpora"]


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
    assert run.error["message"].startswith("None of the 2 pictures drawn from the corpus 'near' can be read")
    assert Refusal.objects.filter(run=run, code="shard_gone").count() == 2
    assert not CorpusCurves.objects.exists()


def test_a_corpus_of_another_model_is_refused_naming_both(embed_at: Embed, measure: RunStage) -> None:
    embed_at([0, 30])
    registry.image_encoder.use("dinov2", Protractor(name="dinov2"))
    for corpora in ("", "near"):
        run = measure(model="dinov2", corpora=corpora)
        assert (run.status, run.error["code"]) == (RunStatus.FAILED, "other_model")
        assert "embedded by 'protractor', not by 'dinov2'" in run.error["message"]


def test_numbers_that_are_none_are_refused(
    embed_at: Embed, measure: RunStage, clip: Readings, protractor: Protractor
) -> None:
    corpus = embed_at([0, 30])
    clip.spoilt = caption(1)
    run = measure()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "no_direction")
    assert "'near': The caption vectors must be of length one" in run.error["message"]
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


def test_captions_that_are_missing_leave_the_similarity(
    embed_at: Embed, measure: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers.tasks.retrieval_gallery import Gallery

    real = Gallery.lenders

    def without_captions(self: Gallery, ids: Any) -> Any:
        return {row: one._replace(captions=()) for row, one in real(self, ids).items()}

    embed_at([0, 30])
    monkeypatch.setattr(Gallery, "lenders", without_captions)
    measure(radii="1")
    point = points()[0]
    assert (point["geodesic_distance"], point["n_queries_with_captions"], point["n_captions"]) == (None, 0, 0)
    assert point["image_similarity"] == pytest.approx(cosines(30), abs=1e-6)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"radii": "5, 0, 5"}, "The radii 0, 5, 5 name one more than once"),
        ({"corpora": "other"}, "There is no corpus 'other' in this project"),
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


def test_radii_that_are_no_numbers_are_refused_before_the_run(embed_at: Embed, measure: RunStage) -> None:
    embed_at([0, 30])
    for radii in ("", "5,", "-1", "5;6", "10000"):
        with pytest.raises(Exception, match="whole numbers below 10,000"):
            measure(radii=radii)


class Killed(BaseException):
    """As a kill: nothing in the stage catches it."""


def many(embed_at: Embed) -> Corpus:
    return embed_at(list(range(0, 90, 9)), captions={n: str((37 * n) % 90) for n in range(10)})


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


def test_the_walk_command_makes_a_report(embed_at: Embed, clip: Readings) -> None:
    embed_at([0, 30])
    out, err = StringIO(), StringIO()
    knobs = ["polysemy.queries=1", "polysemy.radii=1"]
    call_command(
        "walk", "--project", "skies", "--from", "polysemy", "--to", "polysemy", "--set", knobs[0], "--set", knobs[1],
        stdout=out, stderr=err,
    )  # fmt: skip
    assert CorpusCurves.objects.get().curves["n_queries"] == 1


def test_tall_pictures_lie_at_right_angles(embed_at: Embed, measure: RunStage) -> None:
    embed_at({"flat": at(0, n=1), "tall": at(0, n=2, tall=True)}, captions={0: "0", 1: "0"})
    measure(radii="1")
    assert points()[0]["image_similarity"] == pytest.approx(0, abs=1e-6)
    assert points()[0]["geodesic_distance"] == pytest.approx(np.pi / 4, abs=1e-6), "0 and 90 degrees"
