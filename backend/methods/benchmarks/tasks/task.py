"""What a task is: data and scores in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.per_query import CATEGORIES
from backend.methods.benchmarks.scores import ModelScores
from backend.methods.benchmarks.settings import Settings
from backend.methods.ranking import Order, Ranking, measure, rank_both, rank_run
from backend.methods.ranking.figures import Direction, Evaluation, evaluate
from backend.methods.ranking.ranking import Ints

Progress = Callable[[int], None]
CURVE = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000)


@dataclass(frozen=True)
class Outcome:
    """The parts of a result that a task makes, its table of queries or pairs, and what its drawings show."""

    metrics: Mapping[str, Any]
    categories: Mapping[str, Any]
    ties: Mapping[str, Any]
    dropped: Mapping[str, Any]
    table: pa.Table
    headline: tuple[tuple[str, str], ...]  # the figures that a table for people shows: (direction, name)
    extra: Mapping[str, Any] = field(default_factory=dict)
    curves: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    axes: tuple[str, str] = ("k", "hit@k")


@dataclass(frozen=True)
class Task:
    """`prepare` makes the data that scores are for; `evaluate` makes the figures."""

    name: str
    prepare: Callable[[BenchmarkData, Settings], BenchmarkData]
    evaluate: Callable[[BenchmarkData, ModelScores, Settings, Progress | None], Outcome]


TASKS: dict[str, Task] = {}


def register(task: Task) -> Task:
    """Let `manage.py evaluate` know the task."""
    TASKS[task.name] = task
    return task


def order_of(settings: Settings, data: BenchmarkData) -> Order | None:
    """The order of equal scores, where the settings ask for one."""
    if settings.ties == "stable":
        return Order(np.arange(len(data.images)), np.arange(len(data.texts)))
    if settings.ties == "docno":
        return Order(_backwards(data.images), _backwards(data.texts))
    return None


def _backwards(ids: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    places = np.empty(len(ids), np.int64)
    places[sorted(range(len(ids)), key=lambda at: ids[at].encode("utf-8", "surrogatepass"), reverse=True)] = np.arange(
        len(ids)
    )
    return places


@dataclass(frozen=True)
class Ranked:
    """The rankings of the directions that there are, with the ids of their queries and items, and the best wrong item
    of each query by direction."""

    rankings: Mapping[str, Ranking]
    queries: Mapping[str, Sequence[str]]
    items: Mapping[str, Sequence[str]]
    wrong: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def only(self, direction: str) -> Ranked:
        """One direction alone. Raises DataError where it is not there."""
        if direction not in self.rankings:
            raise DataError(
                "These data have queries for one direction, and the run is for the other. Turn the run round."
            )
        wrong = {direction: self.wrong[direction]} if direction in self.wrong else {}
        return Ranked(
            {direction: self.rankings[direction]},
            {direction: self.queries[direction]},
            {direction: self.items[direction]},
            wrong,
        )


def rank_all(data: BenchmarkData, model: ModelScores, settings: Settings, on_progress: Progress | None) -> Ranked:
    """Both directions of a model that scored everything; of a run, its one."""
    if model.source is None:
        return _ranked_run(data, model, settings)
    to_text, to_image, counts = rank_both(
        model.source,
        data.pairs,
        order=order_of(settings, data),
        with_wrong=True,
        on_progress=on_progress,
        counting=model.counting,
    )
    return Ranked(
        {"image_to_text": to_text, "text_to_image": to_image},
        {"image_to_text": data.images, "text_to_image": data.texts},
        {"image_to_text": data.texts, "text_to_image": data.images},
        {"image_to_text": counts.wrong_text.tolist(), "text_to_image": counts.wrong_image.tolist()},
    )


def _ranked_run(data: BenchmarkData, model: ModelScores, settings: Settings) -> Ranked:
    is_to_image = model.direction == "text_to_image"
    queries, items = (data.texts, data.images) if is_to_image else (data.images, data.texts)
    sides = (data.pairs.text, data.pairs.image) if is_to_image else (data.pairs.image, data.pairs.text)
    relevant: dict[str, set[str]] = {query: set() for query in queries}
    for query, item in zip(*(side.tolist() for side in sides), strict=True):
        relevant[queries[query]].add(items[item])
    n_items = max(len(items), *(len(found) for found in model.run.values()))
    ranking, _, names = rank_run(
        model.run, relevant, n_items=n_items, ties=settings.ties, as_float32=settings.ties == "docno"
    )
    return Ranked({model.direction: ranking}, {model.direction: queries}, {model.direction: names})


def table_of(ranked: Ranked, data: BenchmarkData, clusters: Mapping[str, Sequence[str]]) -> pa.Table:
    """A row for each right item: its expected rank, how many items score more and the same, the best wrong item of its
    query, the image or query that the bootstrap draws with it, and the categories of its text."""
    parts = []
    for direction, ranking in ranked.rankings.items():
        queries, items = ranked.queries[direction], ranked.items[direction]
        wrong, cluster = ranked.wrong.get(direction), clusters[direction]
        of, is_ranked = ranking.query.tolist(), ranking.ranked
        best = [items[wrong[at]] if wrong is not None and wrong[at] >= 0 else None for at in of]
        parts.append(
            pa.table({
                "direction": pa.array([direction] * len(of), pa.string()),
                "query": pa.array([queries[at] for at in of], pa.string()),
                "item": pa.array([items[at] for at in ranking.item.tolist()], pa.string()),
                "rank": pa.array(ranking.above + (ranking.tied + 1) / 2, pa.float64(), mask=~is_ranked),
                "above": pa.array(ranking.above, pa.int64(), mask=~is_ranked),
                "tied": pa.array(ranking.tied, pa.int64(), mask=~is_ranked),
                "best_wrong": pa.array(best, pa.string()),
                "cluster": pa.array([cluster[at] for at in of], pa.string()),
                CATEGORIES: categories_by_text(data, _texts_of(direction, ranking, ranked, data)),
            })
        )  # fmt: skip
    return pa.concat_tables(parts)


def categories_by_text(data: BenchmarkData, texts: Ints) -> pa.Array:
    """The categories of each text, as `field=value`."""
    fields = sorted(data.categories.items())
    of_text = [sorted(f"{name}={value}" for name, values in fields for value in values[at]) for at in texts.tolist()]
    return pa.array(of_text, pa.list_(pa.string()))


def as_json(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Figures by their names, as JSON keeps them."""
    return {name: figure.as_json() for name, figure in figures.items()}


def curves_of(ranked: Ranked, settings: Settings) -> dict[str, list[tuple[float, float]]]:
    """hit@k by k, for each direction."""
    found = {}
    for direction, ranking in ranked.rankings.items():
        ks = [k for k in CURVE if k <= ranking.n_items]
        values = measure(ranking, ties=settings.ties, ks=ks).values
        found[direction] = [(float(k), float(values[f"hit@{k}"].mean())) for k in ks if len(values[f"hit@{k}"])]
    return found


def evaluate_rankings(
    ranked: Ranked, data: BenchmarkData, settings: Settings, clusters: Mapping[str, Ints], n_clusters: int
) -> Evaluation:
    """The figures of all directions. A category is of texts, which are the queries of one direction."""
    directions = [
        Direction(name, ranking, clusters[name], data.masks(_texts_of(name, ranking, ranked, data)))
        for name, ranking in ranked.rankings.items()
    ]
    return evaluate(
        directions, n_clusters=n_clusters, ties=settings.ties, ks=settings.ks, draws=settings.draws, seed=settings.seed
    )


def _texts_of(direction: str, ranking: Ranking, ranked: Ranked, data: BenchmarkData) -> Ints:
    if direction == "text_to_image":
        return ranking.query
    numbers = data.text_numbers
    items = ranked.items[direction]
    return ranking.item if items is data.texts else np.array([numbers[items[at]] for at in ranking.item], np.int64)


def dropped_of(found: Evaluation) -> dict[str, Any]:
    """Queries without figures, and why."""
    return {name: {"n": n, "reason": "no_right_item"} for name, n in found.dropped.items()}
