"""Files of results as a browser sends them."""

from __future__ import annotations

import io
import json
from typing import Any

from backend.benchmarks.data import data_of
from backend.methods.benchmarks.data import BenchmarkData
from backend.methods.benchmarks.per_query import write_table
from backend.methods.benchmarks.results import make_result
from backend.methods.benchmarks.scores import mock_scores
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks import TASKS
from backend.releases.models import Release


def upload(name: str, content: bytes) -> io.BytesIO:
    """A file with a name."""
    file = io.BytesIO(content)
    file.name = name
    return file


def mock_result(
    release: Release,
    name: str,
    *,
    task: str = "retrieval",
    strength: float = 1.0,
    seed: int = 0,
    data: BenchmarkData | None = None,
) -> dict[str, Any]:
    """The files of a mock model's result on a release."""
    settings = Settings(draws=50, seed=seed)
    used = TASKS[task].prepare(data or data_of(release), settings)
    model = mock_scores(used, strength=strength, seed=seed)
    outcome = TASKS[task].evaluate(used, model, settings, None)
    body = make_result(task, used, model, settings, outcome, code="test")
    body["model"]["name"] = name
    return {
        "result": upload("result.json", json.dumps(body).encode()),
        "per_query": upload("per_query.parquet", write_table(outcome.table)),
    }
