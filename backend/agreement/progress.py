"""How a project's judgments came in: day by day, by label and by source."""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import Any

import numpy as np
from django.db.models import Count
from django.db.models.functions import TruncDate
from numpy.typing import NDArray

from backend.agreement.rows import Rows, day_name
from backend.annotation.models import Assignment, AssignmentStatus
from backend.methods.consensus import LABELS
from backend.projects.models import Project

MOST_DAYS = 730
Ints = NDArray[np.int64]


def tell_progress(project: Project, rows: Rows) -> dict[str, Any]:
    """The newest MOST_DAYS with work, oldest first, and the labels of what counts, in all and by source.

    A day has the judgments of pairs that people made on it, and the assignments that filled a slot. Days are UTC.
    """
    filled = _filled_by_day(project)
    pairs = np.flatnonzero(~rows.is_control)
    days, places = np.unique(rows.days[pairs], return_inverse=True)
    mixes = _mixes(places, rows.labels[pairs], len(days))
    by_day = {day_name(int(day)): mix.tolist() for day, mix in zip(days, mixes, strict=True)}
    counted = np.flatnonzero(rows.is_counted)
    sources, places = np.unique(rows.sources[rows.items[counted]].astype(str), return_inverse=True)
    by_source = _mixes(places, rows.labels[counted], len(sources))
    return {
        "days": [
            {"day": day, "assignments": filled[day], "labels": _named(by_day.get(day, [0] * len(LABELS)))}
            for day in sorted(filled.keys() | by_day.keys())[-MOST_DAYS:]
        ],
        "labels": _named(by_source.sum(axis=0).tolist()),
        "sources": [
            {"source": str(source), "labels": _named(mix.tolist())}
            for source, mix in zip(sources, by_source, strict=True)
        ],
    }


def _mixes(places: Ints, labels: Ints, n: int) -> Ints:
    """How often each label came at each of n places, (n, labels)."""
    cells = places * len(LABELS) + labels
    return np.bincount(cells, minlength=n * len(LABELS)).reshape(n, len(LABELS))


def _named(mix: list[int]) -> dict[str, int]:
    return dict(zip((str(label) for label in LABELS), mix, strict=True))


def _filled_by_day(project: Project) -> Counter[str]:
    done = Assignment.objects.filter(project=project, status=AssignmentStatus.SUBMITTED, submitted_at__isnull=False)
    by_day = done.order_by().annotate(day=TruncDate("submitted_at", tzinfo=UTC)).values_list("day")
    return Counter({day.isoformat(): n for day, n in by_day.annotate(n=Count("pk"))})
