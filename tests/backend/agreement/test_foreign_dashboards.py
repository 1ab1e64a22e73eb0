"""Judgments made elsewhere stand in the same tables as those of the house, with the figures of their file's report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.agreement import services
from backend.agreement.models import Snapshot
from backend.annotation.models import Judgment
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


@pytest.mark.nightly
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


def test_the_first_read_after_an_import_covers_all_of_it_also_while_an_older_count_ends(
    client_of: Clients, project: Project, alice: User, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chore began to count before the import and ends after it. Figures, intervals and numbers are of one count."""
    address = f"/api/v1/projects/{project.slug}/agreement"

    def read() -> dict[str, Any]:
        found: dict[str, Any] = client_of(alice).get(address).json()
        assert not found["is_stale"]
        [whole] = found["slices"]
        assert whole["n_judgments"] == Judgment.objects.count()
        return whole

    import_judgments(project=project, told=told[:9])
    before = read()
    Snapshot.objects.update(claimed_at=timezone.now())
    import_judgments(project=project, told=told)
    monkeypatch.setattr("time.sleep", lambda seconds: Snapshot.objects.update(claimed_at=None))
    whole = read()
    assert whole["n_judgments"] == 36 and whole["figures"] != before["figures"]
    services.renew(project=project)
    assert read() == whole, "its intervals are those of all judgments"


@pytest.mark.nightly
def test_foreign_workers_stand_in_the_leads_table(
    client_of: Clients, project: Project, alice: User, told: list[Told]
) -> None:
    import_judgments(project=project, told=told)
    rows = client_of(alice).get(f"/api/v1/projects/{project.slug}/annotators").json()["results"]
    assert {row["user"]["display_name"] for row in rows} >= set(WORKERS)
