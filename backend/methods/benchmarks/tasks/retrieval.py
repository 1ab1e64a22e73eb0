"""Retrieval in both directions: the captions of an image among all captions, and the image of a caption."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.scores import ModelScores
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks.task import (
    Outcome,
    Progress,
    Task,
    as_json,
    curves_of,
    dropped_of,
    evaluate_rankings,
    rank_all,
    register,
    table_of,
)
from backend.methods.ranking.folds import fold_means

OF_QUERIES = ("qrels", "conqa", "judged")  # texts are queries, so images have no captions to find
HEADLINE = ("hit@1", "hit@5", "hit@10", "map@R", "mrr", "ndcg", "rank_all_median", "rsum")


def prepare(data: BenchmarkData, settings: Settings) -> BenchmarkData:
    """The data as they are."""
    return data


def evaluate(data: BenchmarkData, model: ModelScores, settings: Settings, on_progress: Progress | None) -> Outcome:
    """All measures of both directions, or of one where there is only one. Raises DataError for folds of a run."""
    ranked = rank_all(data, model, settings, on_progress)
    of_queries = data.kind in OF_QUERIES
    if way := "text_to_image" if of_queries else data.one_way:
        ranked = ranked.only(way)
    # Texts that are queries have several images, so the query is drawn; else the image with all its captions is.
    owner = np.arange(len(data.texts)) if of_queries else data.owner
    clusters = {"image_to_text": np.arange(len(data.images)), "text_to_image": owner}
    n_clusters = len(data.texts) if of_queries else len(data.images)
    found = evaluate_rankings(ranked, data, settings, clusters, n_clusters)
    names = data.texts if of_queries else data.images
    table = table_of(ranked, data, {way: [names[at] for at in clusters[way]] for way in ranked.rankings})
    extra: dict[str, Any] = {"bootstrap_unit": "query" if of_queries else "image"}
    if settings.folds:
        if model.source is None:
            raise DataError("Folds need scores or embeddings: a run does not have the ranks inside of a fold.")
        means = fold_means(model.source, data.pairs, settings.folds, ties=settings.ties, ks=settings.ks)
        extra["folds"] = {"n": settings.folds, **means}
    return Outcome(
        {way: as_json(figures) for way, figures in found.metrics.items()},
        {name: {way: as_json(of) for way, of in ways.items()} for name, ways in found.categories.items()},
        found.ties,
        dropped_of(found),
        table,
        tuple((way, name) for way in found.metrics for name in HEADLINE if name in found.metrics[way]),
        extra,
        curves_of(ranked, replace(settings, ks=())),
    )


register(Task("retrieval", prepare, evaluate))
