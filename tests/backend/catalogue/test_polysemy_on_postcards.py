"""The stage `polysemy` on drawn postcards, by the models that come with Connote: nothing is stood in for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backend.catalogue import polysemy
from backend.catalogue.corpora import register_corpus, scanned
from backend.methods.export_rows import json_line
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run, RunStatus
from workers.training.postcards.exports import Order, export

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]
VISION, CLIP = "postcards-vision", "postcards-7-tie"


def run_stage(project: Project, stage: str, **parameters: Any) -> Run:
    run = services.start_run(project=project, stage=stage, parameters=parameters, seed=3)
    run.refresh_from_db()
    assert run.status == RunStatus.SUCCEEDED, run.error
    return run


def test_neighbours_look_less_alike_the_farther_one_goes(project: Project, tmp_path: Path, settings: Any) -> None:
    """Each postcard of the corpus has one caption of its own, as in the one-to-one corpora of the paper."""
    settings.EMBEDDINGS, settings.DATA_DIR = tmp_path / "embeddings", tmp_path / "data"
    list(export(tmp_path / "world", Order(targets=2, corpus=60, seed=5), processes=1))
    folder = tmp_path / "world" / "corpus"
    corpus = register_corpus(project=project, folder=folder, manifest=scanned(folder))[0]
    run_stage(project, "embed_corpus", model=VISION)
    asked = {"model": VISION, "clip": CLIP, "queries": 12, "radii": "0,1,5,20,50"}
    run = run_stage(project, "polysemy", **asked)
    row = run.corpus_curves.get(corpus=corpus)
    points = row.curves["points"]
    similarity = [point["image_similarity"] for point in points[1:]]
    assert similarity == sorted(similarity, reverse=True) and similarity[0] > similarity[-1] + 0.05
    assert all(0 < point["geodesic_distance"] < 3.15 for point in points[1:])
    assert [point["n_captions"] for point in points] == [0, 12, 60, 240, 600]
    assert (row.model, row.clip, row.n_unreadable, row.curves["n_queries"]) == (VISION, CLIP, 0, 12)
    again = run_stage(project, "polysemy", **asked)
    first, second = (polysemy.get_report(project=project, run_id=one.pk) for one in (run, again))
    assert json_line(polysemy.present_report(first)) == json_line(polysemy.present_report(second))
    assert polysemy.report_csv(first) == polysemy.report_csv(second)
