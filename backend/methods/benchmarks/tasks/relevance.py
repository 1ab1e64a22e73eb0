"""Relevance as ConQA measures it: the relevant images of a query, and conceptual against descriptive queries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from backend.methods.benchmarks.comparing import mann_whitney
from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.scores import ModelScores
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks.retrieval import evaluate as evaluate_retrieval
from backend.methods.benchmarks.tasks.task import Outcome, Progress, Task, rank_all, register
from backend.methods.ranking import measure

WAY = "text_to_image"
MEASURES = ("ndcg", "r_precision", "hit@1", "hit@5", "hit@10")  # the paper calls hit@k recall@k
KINDS = ("conceptual", "descriptive")
NO_VOTES = "{name} has no votes on images for queries. The task relevance needs ConQA's folder or TREC qrels."


def prepare(data: BenchmarkData, settings: Settings) -> BenchmarkData:
    """The data as they are. Raises DataError where texts are not queries."""
    if data.kind not in ("conqa", "qrels"):
        raise DataError(NO_VOTES.format(name=data.name))
    return data


def evaluate(data: BenchmarkData, model: ModelScores, settings: Settings, on_progress: Progress | None) -> Outcome:
    """NDCG, R-precision and hit@1, 5, 10, and whether conceptual queries are harder than descriptive ones."""
    settings = replace(settings, ks=(1, 5, 10), folds=0)
    whole = evaluate_retrieval(data, model, settings, on_progress)

    def only(figures: Any) -> dict[str, Any]:
        return {WAY: {name: figures[WAY][name] for name in MEASURES}}

    extra = dict(whole.extra)
    if "query" in data.categories:
        extra["contrast"] = _contrast(data, model, settings)
    return replace(
        whole,
        metrics=only(whole.metrics),
        categories={name: only(figures) for name, figures in whole.categories.items()},
        headline=tuple((WAY, name) for name in MEASURES),
        extra=extra,
    )


def _contrast(data: BenchmarkData, model: ModelScores, settings: Settings) -> list[dict[str, Any]]:
    """For each measure: whether conceptual queries score less (Mann-Whitney U, one-sided)."""
    ranking = rank_all(data, model, settings, None).rankings[WAY]
    found = measure(ranking, ties=settings.ties)
    kinds = np.array([next(iter(kind)) for kind in data.categories["query"]])[found.queries]
    samples = {name: [found.values[name][kinds == kind] for kind in KINDS] for name in MEASURES}
    return mann_whitney(samples)


register(Task("relevance", prepare, evaluate))
