"""The stage `polysemy`: the curves of Figure 3 for corpora whose angles a test settles."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.catalogue import polysemy as service
from backend.catalogue.models import Corpus, CorpusCurves
from backend.methods.polysemy import CurveSums
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from protractor import Protractor, at, corpus_at
from readings import Readings, cosines, points
from workers.tasks import polysemy_survey

pytestmark = pytest.mark.django_db(transaction=True)
RunStage = Callable[..., Run]
Embed = Callable[..., Corpus]


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
    assert run.log_tail == ["2 of the 2 images of near are queries."]


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


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_copies_are_neighbours_and_the_query_itself_is_not(embed_at: Embed, measure: RunStage) -> None:
    """Three pictures with one vector: whichever the index names first, each has the two others."""
    embed_at([40, 40, 40], captions={0: "40", 1: "50", 2: "60"})
    measure(radii="1,2")
    one, two = points()
    assert (one["image_similarity"], two["image_similarity"], two["n_short"]) == (pytest.approx(1), pytest.approx(1), 0)
    assert two["geodesic_distance"] == pytest.approx(np.radians((0 + 10 + 20) * 2 / 6), abs=1e-6)


@pytest.mark.nightly
def test_a_corpus_with_one_picture_has_curves_without_values(embed_at: Embed, measure: RunStage) -> None:
    embed_at([20])
    assert measure(radii="0,5").status == RunStatus.SUCCEEDED
    for point in points():
        assert (point["image_similarity"], point["geodesic_distance"], point["n_captions"]) == (None, None, 0)
    assert CorpusCurves.objects.get().curves["n_queries"] == 1


@pytest.mark.nightly
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
    assert "The corpus 'c' has no vectors yet and was left out." in run.log_tail
    measure(corpora=" b ", radii="1")
    assert CorpusCurves.objects.count() == 3


@pytest.mark.nightly
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


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_tall_pictures_lie_at_right_angles(embed_at: Embed, measure: RunStage) -> None:
    embed_at({"flat": at(0, n=1), "tall": at(0, n=2, tall=True)}, captions={0: "0", 1: "0"})
    measure(radii="1")
    assert points()[0]["image_similarity"] == pytest.approx(0, abs=1e-6)
    assert points()[0]["geodesic_distance"] == pytest.approx(np.pi / 4, abs=1e-6), "0 and 90 degrees"
