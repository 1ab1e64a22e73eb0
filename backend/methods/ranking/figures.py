"""The figures of a ranking: means over queries and ranks of right items, for all and by category, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from backend.methods.ranking.intervals import DRAWS, Bootstrap, interval
from backend.methods.ranking.measures import KS, PerQuery, measure
from backend.methods.ranking.ranking import Bools, Floats, Ints, Ranking, Ties

RSUM = ("hit@1", "hit@5", "hit@10")
RANKS = ("rank_all_mean", "rank_all_median", "rank_best_mean", "rank_best_median")


@dataclass(frozen=True)
class Figure:
    """A figure with its interval, and the number of queries or right items it is of. `contribution`, of a category:
    its sum over the queries of all categories. `reason` says why there is no value."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    contribution: float | None = None
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """What there is to say, without what there is not."""
        return {
            name: value for name, value in asdict(self).items() if value is not None or name in ("value", "low", "high")
        }


@dataclass(frozen=True)
class Direction:
    """A ranking, the cluster of each query that the bootstrap draws, and which right items a category has."""

    name: str
    ranking: Ranking
    cluster: Ints  # (n_queries,)
    categories: Mapping[str, Bools] = field(default_factory=dict)  # name -> (p,)


@dataclass(frozen=True)
class Evaluation:
    """All figures of several directions. Keys of `metrics` and of a category: direction, then measure."""

    metrics: dict[str, dict[str, Figure]]
    categories: dict[str, dict[str, dict[str, Figure]]]
    ties: dict[str, dict[str, Any]]
    dropped: dict[str, int]
    per_query: dict[str, PerQuery]


def evaluate(
    directions: Sequence[Direction],
    *,
    n_clusters: int,
    ties: Ties = "expected",
    ks: Sequence[int] = KS,
    draws: int = DRAWS,
    seed: int = 0,
) -> Evaluation:
    """Every figure, with `ties` as the order of equal scores and intervals at 95%."""
    bootstrap = Bootstrap(n_clusters, draws=draws, seed=seed)
    parts = {(each.name, ""): _Part(each, measure(each.ranking, ties=ties, ks=ks), "") for each in directions}
    per_query = {each.name: parts[each.name, ""].measured for each in directions}
    for each in directions:
        for category, chosen in each.categories.items():
            only = Direction(each.name, each.ranking.keep(chosen), each.cluster)
            parts[each.name, category] = _Part(only, measure(only.ranking, ties=ties, ks=ks), category)
    for part in parts.values():
        part.add_to(bootstrap)
    drawn = bootstrap.run() if n_clusters > 1 else {}
    totals = {name: len(found.queries) for name, found in per_query.items()}
    found = {key: part.figures(drawn, totals[key[0]]) for key, part in parts.items()}
    metrics = {each.name: found[each.name, ""] for each in directions}
    if len(directions) > 1 and all("rsum" in each for each in metrics.values()):
        metrics["both"] = {"rsum": _sum([f"{each.name}||" for each in directions], list(metrics.values()), drawn)}
    categories: dict[str, dict[str, dict[str, Figure]]] = {}
    for (name, category), figures in found.items():
        if category:
            categories.setdefault(category, {})[name] = figures
    return Evaluation(
        metrics=metrics,
        categories=categories,
        ties={each.name: _ties_of(each.ranking, per_query[each.name], ks) for each in directions},
        dropped={each.name: each.ranking.n_dropped for each in directions},
        per_query=per_query,
    )


class _Part:
    """The measures of one direction, of all right items or of a category's."""

    def __init__(self, direction: Direction, measured: PerQuery, category: str) -> None:
        self.measured, self.is_category = measured, bool(category)
        self._key = f"{direction.name}|{category}|"
        self._of_queries = direction.cluster[measured.queries]
        self._of_items = direction.cluster[direction.ranking.query]
        self._has_ranks = bool(direction.ranking.ranked.all())
        self._n_items = len(direction.ranking)

    def add_to(self, bootstrap: Bootstrap) -> None:
        if not len(self.measured.queries):
            return
        for name, values in self.measured.values.items():
            bootstrap.add_mean(self._key + name, values, self._of_queries)
        if self._has_ranks:
            for name, values, clusters in self._ranks():
                bootstrap.add_mean(f"{self._key}{name}_mean", values, clusters)
                bootstrap.add_median(f"{self._key}{name}_median", values, clusters, floor=name == "rank_best")

    def _ranks(self) -> tuple[tuple[str, Floats, Ints], ...]:
        return (
            ("rank_all", self.measured.rank_all, self._of_items),
            ("rank_best", self.measured.rank_best, self._of_queries),
        )

    def figures(self, drawn: Mapping[str, Floats], n_total: int) -> dict[str, Figure]:
        n = len(self.measured.queries)
        if not n:
            return {name: Figure(None, None, None, 0, reason="no_queries") for name in self.measured.values}
        found = {}
        for name, values in self.measured.values.items():
            contribution = float(values.sum()) / n_total if self.is_category else None
            found[name] = Figure(float(values.mean()), *self._interval(name, drawn), n, contribution)
        for name, values, _ in self._ranks():
            for statistic in ("mean", "median"):
                key = f"{name}_{statistic}"
                if not self._has_ranks:
                    found[key] = Figure(None, None, None, len(values), reason="not_all_ranked")
                    continue
                value = float(values.mean() if statistic == "mean" else np.median(values))
                # The median of the best ranks is rounded down, as the codes of PVSE, PCME and DivE do it.
                value = float(np.floor(value)) if key == "rank_best_median" else value
                found[key] = Figure(value, *self._interval(key, drawn), len(values))
        if all(name in found for name in RSUM):
            found["rsum"] = _sum([self._key], [found], drawn)
        return found

    def _interval(self, name: str, drawn: Mapping[str, Floats]) -> tuple[float | None, float | None]:
        return interval(drawn[self._key + name]) if self._key + name in drawn else (None, None)


def _sum(keys: Sequence[str], figures: Sequence[Mapping[str, Figure]], drawn: Mapping[str, Floats]) -> Figure:
    """100 times the sum of hit@1, hit@5 and hit@10 of one direction or both."""
    parts = [each[name] for each in figures for name in RSUM]
    n = min(each.n for each in parts)
    if any(each.value is None for each in parts):
        return Figure(None, None, None, 0, reason="no_queries")
    value = 100 * sum(each.value for each in parts if each.value is not None)
    if not drawn:
        return Figure(value, None, None, n)
    return Figure(value, *interval(100 * np.sum([drawn[key + name] for key in keys for name in RSUM], axis=0)), n)


def _ties_of(ranking: Ranking, measured: PerQuery, ks: Sequence[int]) -> dict[str, Any]:
    """How many queries hang on the order of equal scores, and the figures at its best and its worst."""
    n = len(measured.queries)
    extremes: tuple[Ties, Ties] = ("optimistic", "pessimistic")
    return {
        "tied_queries": int(measured.is_tied.sum()),
        "share": float(measured.is_tied.mean()) if n else None,
        "largest": int(ranking.tied[ranking.ranked].max()) if ranking.ranked.any() else 0,
        **{
            each: {name: float(values.mean()) for name, values in measure(ranking, ties=each, ks=ks).values.items()}
            for each in (extremes if n else ())
        },
    }
