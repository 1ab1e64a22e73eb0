"""Relevance as ConQA measures it: the relevant images of a query, and conceptual against descriptive queries.

In a release, each caption is a query. The votes on it say by the same rules whether its image is relevant. A caption
that stands on several images is one query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from backend.methods.benchmarks.comparing import mann_whitney
from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.scores import ModelScores
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks.retrieval import OF_QUERIES
from backend.methods.benchmarks.tasks.retrieval import evaluate as evaluate_retrieval
from backend.methods.benchmarks.tasks.task import Outcome, Progress, Task, rank_all, register
from backend.methods.ranking import make_pairs, measure
from backend.methods.relevance import RULES

WAY = "text_to_image"
MEASURES = ("ndcg", "r_precision", "hit@1", "hit@5", "hit@10")  # the paper calls hit@k recall@k
KINDS = ("conceptual", "descriptive")
NO_VOTES = (
    "{name} has no votes. The task relevance needs ConQA's folder, TREC qrels, or a release with judged captions."
)

NONE_RELEVANT = "{name} has no caption whose image is relevant by the rule {rule}. Choose another rule."


def prepare(data: BenchmarkData, settings: Settings) -> BenchmarkData:
    """The data with queries as texts, those of a release from the votes. Raises DataError where there are no votes."""
    if data.kind in OF_QUERIES:
        return data
    if data.captions is None or not any(map(any, data.judged)):
        raise DataError(NO_VOTES.format(name=data.name))
    first = {caption: at for at, caption in reversed(list(enumerate(data.captions)))}
    numbers = sorted(first.values())
    query = np.searchsorted(numbers, [first[data.captions[at]] for at in data.pairs.text])
    keys = query * len(data.images) + data.pairs.image
    pairs, of_pair = np.unique(keys, return_inverse=True)
    votes = np.zeros((len(pairs), 3), np.int64)
    np.add.at(votes, of_pair, np.array(data.judged, np.int64)[data.pairs.text])
    text, image = np.divmod(pairs[RULES[settings.rule](*votes.T)], len(data.images))
    if not len(text):
        raise DataError(NONE_RELEVANT.format(name=data.name, rule=settings.rule))
    return replace(
        data,
        kind="judged",
        texts=tuple(data.texts[at] for at in numbers),
        captions=tuple(data.captions[at] for at in numbers),
        pairs=make_pairs(image, text, n_images=len(data.images), n_texts=len(numbers)),
        categories={name: _joined(values, data, first) for name, values in data.categories.items()},
        rejected={},
        judged=(),
        notes=(*data.notes, f"The rule of relevance is {settings.rule}."),
    )


def _joined(
    values: Sequence[frozenset[str]], data: BenchmarkData, first: Mapping[str, int]
) -> tuple[frozenset[str], ...]:
    """The categories of each query: those of all captions that it is made of."""
    found: dict[int, frozenset[str]] = dict.fromkeys(sorted(first.values()), frozenset())
    for caption, each in zip(data.captions or (), values, strict=True):
        found[first[caption]] |= each
    return tuple(found.values())


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
