"""Diversity reports over HTTP: who reads them, what can be compared, and the files they are taken away in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.releases.models import Release
from backend.reports.datasets import Dataset, Entry
from backend.reports.selectors import COLUMNS, IMAGE_COLUMNS
from backend.reports.services import Measured, UsedModel, keep_part, keep_report
from backend.runs.models import Run

pytestmark = pytest.mark.django_db
ClientOf = Callable[..., APIClient]
MakeReport = Callable[..., Run]
REPORTS, RUNS = "/api/v1/projects/skies/diversity", "/api/v1/projects/skies/runs"
FILES = ("report.json", "report.csv", "images.csv", "report.svg")
WORDS, CLIP = UsedModel("words", "a" * 64), UsedModel("postcards-7-tie", "b" * 64, is_trained_on_drawings=True)


def dataset(name: str, n: int) -> Dataset:
    return Dataset("file", name, tuple(Entry(f"{name}-{at}", ("one", "two")) for at in range(n)), n)


@pytest.fixture
def make_report() -> MakeReport:
    """A report of two files of three images, as a run leaves it."""

    def make(project: Project, second: str = "<other>.jsonl") -> Run:
        run = Run.objects.create(
            project=project, stage="diversity", status="succeeded", seed=7,
            parameters={"first": "file:/srv/data/=first.jsonl", "second": f"file:/srv/data/{second}"},
        )  # fmt: skip
        datasets = [dataset("=first.jsonl", 3), dataset(second, 3)]
        for at, one in enumerate(datasets):
            values = [{"sbert": 0.2 + at / 10 + n / 100, "clip_text": 0.5, "clip_image": None} for n in range(3)]
            measured = [Measured(entry.key, 2, found) for entry, found in zip(one.entries, values, strict=True)]
            keep_part(run=run, dataset=at, position=0, measured=measured)
        models = {"sbert": WORDS, "clip_text": CLIP, "clip_image": CLIP}
        keep_report(run=run, datasets=datasets, models=models, seed=7)
        return run

    return make


def test_reviewers_read_the_reports_newest_first(
    project: Project, make_report: MakeReport, client_of: ClientOf, dora: User, alice: User
) -> None:
    older, newer = make_report(project), make_report(project)
    going = Run.objects.create(project=project, stage="diversity", parameters={"first": "selection", "second": ""})
    Run.objects.create(project=project, stage="polysemy", parameters={})
    for person in (dora, alice):
        found = client_of(person).get(REPORTS).json()
        assert [report["id"] for report in found] == [str(run.pk) for run in (going, newer, older)]
        assert (found[0]["status"], found[0]["asked"], found[0]["compared"]) == ("queued", ["selection"], None)
        assert found[1]["asked"] == ["file:=first.jsonl", "file:<other>.jsonl"], "no folder of this server"
        assert [one["n_captions"] for one in found[1]["compared"]] == [6, 6]


def test_one_report_has_means_intervals_and_densities(
    project: Project, make_report: MakeReport, client_of: ClientOf, dora: User
) -> None:
    run = make_report(project)
    found = client_of(dora).get(f"{REPORTS}/{run.pk}").json()
    sbert, text, image = found["report"]["measures"]
    assert [one["mean"] for one in sbert["datasets"]] == [0.21, 0.31]
    assert sbert["datasets"][0]["low"] < 0.21 < sbert["datasets"][0]["high"]
    assert sbert["difference"]["value"] == -0.1 and sbert["difference"]["is_paired"] is False
    assert [len(counts) for counts in sbert["density"]["counts"]] == [50, 50]
    assert text["density"]["curves"] == [None, None] and text["is_trained_on_drawings"] is True
    assert image["density"] is None and image["datasets"][0]["mean"] is None
    going = Run.objects.create(project=project, stage="diversity", parameters={"first": "selection", "second": ""})
    waiting = client_of(dora).get(f"{REPORTS}/{going.pk}").json()
    assert (waiting["report"], waiting["files"]) == (None, None)
    answer = client_of(dora).get(f"{REPORTS}/{going.pk}/report.json")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_report_yet")


def test_nobody_else_sees_them(
    project: Project, make_report: MakeReport, client_of: ClientOf, bob: User, charlie: User, alice: User, dora: User
) -> None:
    run = make_report(project)
    theirs = make_report(Project.objects.get(slug="elsewhere"))
    places = (
        REPORTS,
        f"{REPORTS}/datasets",
        *(f"{REPORTS}/{run.pk}{file}" for file in ("", *(f"/{f}" for f in FILES))),
    )
    for path in places:
        assert client_of(alice).get(path).status_code == client_of(dora).get(path).status_code == 200
        assert client_of(bob).get(path).status_code == 403
        assert client_of(charlie).get(path).status_code == 404
        assert client_of().get(path).status_code in (401, 403)
    of_another_stage = Run.objects.create(project=project, stage="select")
    assert client_of(alice).get(f"{REPORTS}/{of_another_stage.pk}").status_code == 404
    for file in ("", *(f"/{name}" for name in FILES)):
        assert client_of(alice).get(f"{REPORTS}/{theirs.pk}{file}").status_code == 404


def test_only_curators_start_a_report(
    project: Project, client_of: ClientOf, dora: User, bob: User, charlie: User
) -> None:
    body = {"stage": "diversity", "parameters": {"first": "selection"}}
    assert client_of(dora).post(RUNS, body, format="json").status_code == 403
    assert client_of(bob).post(RUNS, body, format="json").status_code == 403
    assert client_of(charlie).post(RUNS, body, format="json").status_code == 404


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("file:/etc/passwd", "source_not_allowed"),
        ("file:../secrets", "source_not_allowed"),
        ("upload:00000000-0000-4000-8000-000000000000", "unknown_upload"),
        ("release:00000000-0000-4000-8000-000000000000", "no_such_release"),
        ("everything", "no_dataset"),
    ],
)
def test_a_report_reads_only_what_its_curator_may_read(
    project: Project, client_of: ClientOf, alice: User, first: str, code: str
) -> None:
    for name in ("first", "second"):
        body = {"stage": "diversity", "parameters": {name: first}}
        answer = client_of(alice).post(RUNS, body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not Run.objects.exists()


def test_a_release_of_another_project_needs_a_membership_there(
    project: Project, client_of: ClientOf, alice: User, charlie: User, settings: Any
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    counts = {"n_images": 1, "n_captions": 1, "n_judgments": 0}
    release = Release.objects.create(project=elsewhere, version=1, digest="d" * 64, manifest={}, **counts)
    body = {"stage": "diversity", "parameters": {"first": f"release:{release.pk}"}}
    client = client_of(alice)
    assert client.post(RUNS, body, format="json").json()["code"] == "no_such_release"
    assert client.get(f"{REPORTS}/datasets").json() == []
    Membership.objects.create(project=elsewhere, user=alice, role=Role.HEAD_ANNOTATOR)
    assert client.post(RUNS, body, format="json").json()["code"] == "not_startable", "this project has no image yet"
    name = {"name": f"release:{release.pk}", "kind": "release", "project": "Elsewhere", "version": 1, "n": 1}
    assert client.get(f"{REPORTS}/datasets").json() == [name]


@pytest.mark.nightly
def test_the_files_hold_what_was_measured_and_nothing_of_this_site(
    project: Project, make_report: MakeReport, client_of: ClientOf, alice: User
) -> None:
    first, second = make_report(project), make_report(project)
    client = client_of(alice)
    kinds = {"json": "application/json", "csv": "text/csv; charset=utf-8", "images": "text/csv; charset=utf-8"}
    for kind, content in (kinds | {"svg": "image/svg+xml"}).items():
        one, other = (client.get(client.get(f"{REPORTS}/{run.pk}").json()["files"][kind]) for run in (first, second))
        one_bytes, other_bytes = one.getvalue(), other.getvalue()
        assert one_bytes == other_bytes and str(first.pk).encode() not in one_bytes and b"/srv" not in one_bytes
        assert one["Content-Type"] == content and one["Content-Disposition"].startswith("attachment")
    read = json.loads(client.get(f"{REPORTS}/{first.pk}/report.json").content)
    assert read["format"] == "connote-diversity/1"


def test_the_tables_have_a_row_for_each_measure_and_each_image(
    project: Project, make_report: MakeReport, client_of: ClientOf, alice: User
) -> None:
    run = make_report(project)
    table = client_of(alice).get(f"{REPORTS}/{run.pk}/report.csv").getvalue().decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["measure"], row["dataset"], row["mean"]) for row in rows[:3]] == [
        ("sbert", "1", "0.21"),
        ("sbert", "2", "0.31"),
        ("sbert", "difference", "-0.1"),
    ]
    assert rows[0]["name"] == "'=first.jsonl", "no cell is a formula"
    images = client_of(alice).get(f"{REPORTS}/{run.pk}/images.csv").getvalue().decode()
    cells = list(csv.DictReader(io.StringIO(images)))
    assert tuple(cells[0]) == IMAGE_COLUMNS and len(cells) == 6
    assert (cells[0]["n_captions"], cells[0]["sbert"], cells[0]["clip_image"]) == ("2", "0.2", "")


def test_the_drawing_is_whole_and_no_name_is_markup(
    project: Project, make_report: MakeReport, client_of: ClientOf, alice: User, tmp_path: Path
) -> None:
    run = make_report(project, "<script>x</script>.jsonl")
    svg = client_of(alice).get(f"{REPORTS}/{run.pk}/report.svg").content.decode()
    drawing = ElementTree.fromstring(svg)  # noqa: S314  # our own drawing
    said = [text.text or "" for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert "<script>x</script>.jsonl" in said and "<script>" not in svg
    assert any(text.startswith("mean 0.210 [") for text in said)
    assert "No image has a value." in said
    assert len(list(drawing.iter("{http://www.w3.org/2000/svg}polyline"))) == 4, "of two measures and two datasets"


def test_diversity_reports_are_as_in_their_examples(
    example: Examples, project: Project, make_report: MakeReport, client_of: ClientOf, dora: User
) -> None:
    own, client = f"projects/skies/diversity/{make_report(project).pk}", client_of(dora)
    example("projects_diversity_list", client.get, "projects/skies/diversity")
    example("projects_diversity_datasets_list", client.get, "projects/skies/diversity/datasets")
    example("projects_diversity_retrieve", client.get, own)
    example("diversity_report_json", client.get, f"{own}/report.json")
