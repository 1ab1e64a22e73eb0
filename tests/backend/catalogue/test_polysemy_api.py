"""Polysemy reports over HTTP: who reads them, and the files they are taken away in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue import polysemy
from backend.catalogue.models import Corpus
from backend.catalogue.polysemy import COLUMNS, Facts
from backend.methods.polysemy import Curves, CurveSums
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run

pytestmark = pytest.mark.django_db
ClientOf = Callable[..., APIClient]
REPORTS = "/api/v1/projects/skies/polysemy"
FACTS = Facts(
    n_pictures=3,
    n_unreadable=1,
    index="exact",
    vectors_digest="a" * 64,
    model="dinov2",
    model_digest="b" * 64,
    clip="ViT-B-32",
    clip_digest="c" * 64,
)


def curves() -> Curves:
    sums = CurveSums([0, 1])
    sums.add([1.0, 0.0], [[0.6, 0.8]], clip_image=[1.0, 0.0], captions=[[0.0, 1.0]], caption_of=[0])
    return sums.curves()


@pytest.fixture
def make_corpus(tmp_path: Path) -> Callable[..., Corpus]:
    def make(project: Project, name: str) -> Corpus:
        facts = {"folder": str(tmp_path), "layout": "webdataset", "n_shards": 1}
        return Corpus.objects.get_or_create(project=project, name=name, digest=name.ljust(64, "0"), defaults=facts)[0]

    return make


@pytest.fixture
def make_report(make_corpus: Callable[..., Corpus]) -> Callable[..., Run]:
    """A report of these corpora, as a run leaves it."""

    def make(project: Project, *names: str, seed: int = 7) -> Run:
        run = Run.objects.create(
            project=project, stage="polysemy", status="succeeded", seed=seed, parameters={"queries": 5}
        )
        for name in names:
            polysemy.keep_curves(run=run, corpus=make_corpus(project, name), curves=curves(), facts=FACTS)
        return run

    return make


def test_reviewers_read_the_reports_newest_first(
    project: Project, make_report: Callable[..., Run], client_of: ClientOf, dora: User
) -> None:
    older, newer = make_report(project, "near"), make_report(project, "near", "coco")
    Run.objects.create(project=project, stage="polysemy", status="failed", parameters={"queries": 5})
    found = client_of(dora).get(REPORTS).json()
    assert [report["id"] for report in found] == [str(newer.pk), str(older.pk)]
    assert [corpus["corpus"] for corpus in found[0]["corpora"]] == ["coco", "near"], "by name"
    assert (found[0]["seed"], found[0]["queries"], found[0]["status"]) == (7, 5, "succeeded")
    near = found[1]["corpora"][0]
    assert (near["n_queries"], near["n_unreadable"], near["model"], near["clip"]) == (1, 1, "dinov2", "ViT-B-32")
    assert [point["image_similarity"] for point in near["points"]] == [None, 0.6]
    assert client_of(dora).get(f"{REPORTS}/{older.pk}").json() == found[1]


def test_nobody_else_sees_them(
    project: Project, make_report: Callable[..., Run], client_of: ClientOf, bob: User, charlie: User, alice: User
) -> None:
    run = make_report(project, "near")
    theirs = make_report(Project.objects.get(slug="elsewhere"), "near")
    for path in (REPORTS, *(f"{REPORTS}/{run.pk}{file}" for file in ("", "/report.json", "/report.csv"))):
        assert client_of(bob).get(path).status_code == 403
        assert client_of(charlie).get(path).status_code == 404
        assert client_of().get(path).status_code in (401, 403)
    for file in ("", "/report.json", "/report.csv"):
        assert client_of(alice).get(f"{REPORTS}/{theirs.pk}{file}").status_code == 404


def test_the_files_hold_what_was_measured_and_nothing_of_this_site(
    project: Project, make_report: Callable[..., Run], client_of: ClientOf, alice: User
) -> None:
    first, second = make_report(project, "near", "coco"), make_report(project, "coco", "near")
    client = client_of(alice)
    for kind, content in (("json", "application/json"), ("csv", "text/csv; charset=utf-8")):
        one, other = (client.get(client.get(f"{REPORTS}/{run.pk}").json()[kind]) for run in (first, second))
        assert one.content == other.content
        assert one["Content-Type"] == content
        assert one["Content-Disposition"] == f'attachment; filename="skies-polysemy.{kind}"'
        assert str(first.pk).encode() not in one.content
    read = json.loads(client.get(f"{REPORTS}/{first.pk}/report.json").content)
    assert [corpus["corpus"] for corpus in read["corpora"]] == ["coco", "near"]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{REPORTS}/{first.pk}/report.csv").content.decode())))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["corpus"], row["radius"], row["image_similarity"]) for row in rows] == [
        ("coco", "0", ""),
        ("coco", "1", "0.6"),
        ("near", "0", ""),
        ("near", "1", "0.6"),
    ]


def test_no_cell_of_the_csv_is_a_formula(
    project: Project, make_report: Callable[..., Run], client_of: ClientOf, alice: User
) -> None:
    """Names of corpora are plain; a row that came into the database by another door is guarded all the same."""
    run = make_report(project, "=1+1")
    assert (
        client_of(alice).get(f"{REPORTS}/{run.pk}/report.csv").content.decode().splitlines()[1].startswith('"\'=1+1"')
    )


def test_a_report_of_an_earlier_version_has_no_intervals(
    project: Project, make_report: Callable[..., Run], client_of: ClientOf, alice: User
) -> None:
    run = make_report(project, "near")
    [row] = run.corpus_curves.all()
    ends = ("_low", "_high")
    row.curves["points"] = [
        {name: value for name, value in point.items() if not name.endswith(ends)} for point in row.curves["points"]
    ]
    row.save()
    client = client_of(alice)
    point = client.get(f"{REPORTS}/{run.pk}").json()["corpora"][0]["points"][1]
    assert (point["image_similarity"], point["image_similarity_low"]) == (0.6, None)
    [_, line] = csv.DictReader(io.StringIO(client.get(f"{REPORTS}/{run.pk}/report.csv").content.decode()))
    assert (line["image_similarity"], line["image_similarity_low"]) == ("0.6", "")


def test_polysemy_reports_are_as_in_their_examples(
    example: Examples, project: Project, make_report: Callable[..., Run], client_of: ClientOf, dora: User
) -> None:
    own, client = f"projects/skies/polysemy/{make_report(project, 'near').pk}", client_of(dora)
    example("projects_polysemy_list", client.get, "projects/skies/polysemy")
    example("projects_polysemy_retrieve", client.get, own)
    example("polysemy_report_json", client.get, f"{own}/report.json")
