"""Polysemy reports: the curves a run measured of its corpora (IMP Figure 3), kept, read and written as files.

A file holds no database ids and no times, so that two runs which measured the same give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from backend.catalogue.models import Corpus, CorpusCurves
from backend.common.errors import NotFound
from backend.methods.export_rows import CsvTable, json_line
from backend.methods.polysemy import Curves, Point
from backend.projects.models import Project
from backend.runs.models import Run

STAGE = "polysemy"
FACTS = ("n_pictures", "n_unreadable", "index", "vectors_digest", "model", "model_digest", "clip", "clip_digest")
COLUMNS = ("corpus", *(field.name for field in fields(Point)))


@dataclass(frozen=True)
class Facts:
    """What curves hang on; the fields are those of CorpusCurves."""

    n_pictures: int
    n_unreadable: int
    index: str
    vectors_digest: str
    model: str
    model_digest: str
    clip: str
    clip_digest: str


def keep_curves(*, run: Run, corpus: Corpus, curves: Curves, facts: Facts) -> CorpusCurves:
    """Keep what a run measured of a corpus, once."""
    defaults = {"curves": curves.to_json(), **vars(facts)}
    return CorpusCurves.objects.update_or_create(run=run, corpus=corpus, defaults=defaults)[0]


def list_reports(*, project: Project) -> QuerySet[Run]:
    """The runs that measured a corpus, newest first, each with its `corpus_curves` by name; there are few."""
    rows = CorpusCurves.objects.select_related("corpus").order_by("corpus__name")
    measured = Exists(CorpusCurves.objects.filter(run=OuterRef("pk")))
    runs = Run.objects.filter(measured, project=project, stage=STAGE).defer("cursor", "log_tail")
    return runs.prefetch_related(Prefetch("corpus_curves", rows))


def get_report(*, project: Project, run_id: UUID) -> Run:
    """One of them. Raises NotFound."""
    found = list_reports(project=project).filter(pk=run_id).first()
    if found is None:
        raise NotFound()
    return found


def present_report(report: Run) -> dict[str, Any]:
    """What a report says, as plain values in an order of its own."""
    asked = {"seed": report.seed, "queries": report.parameters["queries"]}
    return asked | {"corpora": [_present(row) for row in report.corpus_curves.all()]}


def _present(row: CorpusCurves) -> dict[str, Any]:
    names: dict[str, Any] = {"corpus": row.corpus.name, "corpus_digest": row.corpus.digest}
    names |= {name: getattr(row, name) for name in FACTS}
    return {**names, **row.curves, "points": _points(row)}


def _points(row: CorpusCurves) -> list[dict[str, Any]]:
    """Every field of each point: an earlier version measured no intervals."""
    return [{field.name: point.get(field.name) for field in fields(Point)} for point in row.curves["points"]]


def report_json(report: Run) -> str:
    """The report as one line of JSON with sorted keys; what is not defined is null."""
    return json_line(present_report(report))


def report_csv(report: Run) -> str:
    """A row for each corpus and radius; what is not defined is an empty cell, and no cell is a formula."""
    out = io.StringIO()
    table = CsvTable(out, COLUMNS)
    for row in _rows(report):
        table.write(row)
    return out.getvalue()


def _rows(report: Run) -> Iterator[dict[str, Any]]:
    for row in report.corpus_curves.all():
        for point in _points(row):
            yield {"corpus": row.corpus.name, **point}
