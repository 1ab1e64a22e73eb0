"""Judgments made elsewhere stand in the same tables as those of the house, with the figures of their file's report."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.foreign.services import import_judgments
from backend.methods.foreign.reading import Rows
from backend.methods.foreign.report import report_rows
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Project
from world import make_world

Clients = Callable[..., APIClient]
WORKERS = ("W1", "W2", "W3")


@pytest.fixture
def told(project: Project) -> list[Told]:
    """Three workers on 12 pairs; they agree on two in three."""
    pairs = make_world(project, images=4, captions=3).pairs
    said = ("good", "bad", "unsure")
    return [
        Told(f"{worker} {n}", pair.key, worker, said[n % 2] if n % 3 else said[who])
        for n, pair in enumerate(pairs)
        for who, worker in enumerate(WORKERS)
    ]


def test_foreign_judgments_have_the_figures_of_their_files_report(
    client_of: Clients, project: Project, alice: User, told: list[Told]
) -> None:
    assert import_judgments(project=project, told=told).n_new == 36
    [whole] = client_of(alice).get(f"/api/v1/projects/{project.slug}/agreement").json()["slices"]
    ours = {
        f"{figure['measure']}, unsure as {figure['reading']}": (figure["value"], f"n={figure['n_items']:,}")
        for figure in whole["figures"]
        if figure["value"] is not None
    }
    report = report_rows(Rows(tuple((each.task, each.worker, each.label) for each in told)))
    theirs = {line.figure: (line.ours.split()[0], line.ours.split()[-1]) for line in report if line.figure in ours}
    assert len(theirs) >= 7
    assert {name: (f"{value:.4f}", n) for name, (value, n) in ours.items()} == theirs


def test_foreign_workers_stand_in_the_leads_table(
    client_of: Clients, project: Project, alice: User, told: list[Told]
) -> None:
    import_judgments(project=project, told=told)
    rows = client_of(alice).get(f"/api/v1/projects/{project.slug}/annotators").json()["results"]
    assert {row["user"]["display_name"] for row in rows} >= set(WORKERS)
