"""The queries of a result one by one, with their pictures: the best, the worst, the most surprising; two models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from django.core.cache import cache
from django.db.models import Q

from backend.benchmarks.differences import differences_to, is_comparable
from backend.benchmarks.metrics import cells_of, describe_category
from backend.benchmarks.models import Evaluation
from backend.benchmarks.selectors import get_table
from backend.catalogue.serializers import present_thumbnails
from backend.common.errors import InvalidInput
from backend.methods.benchmarks.per_query import CATEGORIES, Ranks, categories_of, directions_of, only, ranks_of
from backend.methods.benchmarks.tasks.task import CURVE
from backend.methods.export_rows import csv_lines
from backend.methods.ranking.ranking import Floats
from backend.methods.relevance import evaluate_curves
from backend.releases import selectors as releases
from backend.releases.models import Release

ORDERS, SIDES = ("best", "worst", "surprising"), ("different", "a", "b")
PREFIX = 16  # of an image's digest in the ID of a caption
OTHERS = 5  # models that say how hard a query is
MOST_RIGHT = 50  # right items of a query that a page shows
SINGLE, STEPS_OF_TEN = 100, 40  # ranks with a group each; groups for each power of ten after them
KEPT_SECONDS = 24 * 3600
DIFFICULTY = "difficulty="
EQUAL = 1e-9
Facts = dict[str, Any]


class NotComparable(InvalidInput):
    """These two results are of different data, or have no ranks. Choose two models of the same data."""

    code = "not_comparable"


@dataclass(frozen=True)
class Queries:
    """The ranks of one direction, and the average precision of each query."""

    direction: str
    directions: Sequence[str]
    ranks: Ranks
    scores: Floats

    @property
    def place(self) -> dict[str, int]:
        """The number of each query by its ID."""
        return {query: at for at, query in enumerate(self.ranks.queries)}


def load(evaluation: Evaluation, *, direction: str = "", category: str = "", table: pa.Table | None = None) -> Queries:
    """The queries of a direction; without one, of the first. Raises NoRanks, InvalidInput for an unknown direction."""
    if evaluation.task == "auprc":
        raise InvalidInput("A result of auprc has pairs, no queries.", code="no_queries_here")
    whole = get_table(evaluation=evaluation) if table is None else table
    directions = directions_of(whole)
    direction = direction or directions[0]
    if direction not in directions:
        raise InvalidInput("This result does not have this direction.", code="no_such_direction", field="direction")
    body = evaluation.result
    n_items = body["data"]["images" if direction == "text_to_image" else "texts"]
    ranks = ranks_of(only(whole, category), direction, n_items=n_items)
    return Queries(direction, directions, ranks, ranks.measure(ties=body["ties"]["policy"]).values["map"])


def read_queries(
    *, evaluation: Evaluation, direction: str, order: str, category: str, start: int, limit: int
) -> dict[str, Any]:
    """One page of queries, in this order."""
    table = get_table(evaluation=evaluation) if evaluation.task != "auprc" else None
    found = load(evaluation, direction=direction, category=category, table=table)
    expected, by = _expected(evaluation, found, table) if order == "surprising" else (None, "")
    page = _sorted(found.scores, order, expected)[start : start + limit].tolist()
    of_query = _rows_by_query(found.ranks, page)
    rows = [
        {
            **_answer(found, at),
            "query": found.ranks.queries[at],
            "right": [found.ranks.items[each] for each in of_query[at]],
            "expected": None if expected is None else float(expected[at]),
        }
        for at in page
    ]
    return {
        "total": len(found.scores), "direction": found.direction, "directions": found.directions, "order": order,
        "expected_by": by, "results": Items(evaluation.release, found.direction).shown(rows),
    }  # fmt: skip


def read_comparison(
    *, a: Evaluation, b: Evaluation, direction: str, order: str, category: str, start: int, limit: int
) -> dict[str, Any]:
    """One page of the queries of two models. Raises NotComparable."""
    if not is_comparable(a, b) or a.release_id != b.release_id or a.task == "auprc":
        raise NotComparable()
    one, other = (load(each, direction=direction, category=category) for each in (a, b))
    if one.direction not in other.directions or set(one.ranks.queries) != set(other.ranks.queries):
        raise NotComparable()
    place = other.place
    turn = np.array([place[query] for query in one.ranks.queries], np.int64)
    gain = other.scores[turn] - one.scores
    size = {"different": np.abs(gain), "a": -gain, "b": gain}[order]
    page = np.argsort(-size, kind="stable")[start : start + limit].tolist()
    of_query = _rows_by_query(one.ranks, page)
    rows = [
        {
            "query": one.ranks.queries[at],
            "right": [one.ranks.items[each] for each in of_query[at]],
            "a": _answer(one, at),
            "b": _answer(other, int(turn[at])),
        }
        for at in page
    ]
    differences, _ = differences_to(a, [b], category=category)
    return {
        "total": len(gain), "direction": one.direction, "directions": one.directions, "order": order,
        "a": {"id": a.pk, "model": a.model_name}, "b": {"id": b.pk, "model": b.model_name},
        "n_a_better": int((gain < -EQUAL).sum()), "n_b_better": int((gain > EQUAL).sum()),
        "n_equal": int((np.abs(gain) <= EQUAL).sum()), "differences": differences.get(b.pk, {}),
        "results": Items(a.release, one.direction).shown(rows),
    }  # fmt: skip


def _sorted(scores: Floats, order: str, expected: Floats | None) -> np.ndarray[Any, np.dtype[np.int64]]:
    if expected is not None:
        return np.argsort(-np.abs(scores - expected), kind="stable")
    return np.argsort(-scores if order == "best" else scores, kind="stable")


def _answer(found: Queries, at: int) -> Facts:
    """What a model did with a query: the ranks of its right items, and what it put before them."""
    ranking, rows = found.ranks.ranking, _rows_by_query(found.ranks, [at])[at]
    is_ranked = ranking.ranked
    ranks = [
        float(ranking.above[row] + (ranking.tied[row] + 1) / 2) if is_ranked[row] else None for row in rows.tolist()
    ]
    return {
        "score": float(found.scores[at]),
        "ranks": ranks,
        "ties": bool((ranking.tied[rows] > 1).any()),
        "best_wrong": found.ranks.best_wrong[at],
    }


def _rows_by_query(ranks: Ranks, queries: Iterable[int]) -> dict[int, np.ndarray[Any, np.dtype[np.int64]]]:
    """The rows of some queries in the ranking, at most MOST_RIGHT of each; the best first."""
    starts = ranks.ranking.query
    return {
        at: np.arange(*np.searchsorted(starts, (at, at + 1)), dtype=np.int64)[:MOST_RIGHT] for at in queries
    }  # fmt: skip


def _expected(evaluation: Evaluation, found: Queries, table: pa.Table | None) -> tuple[Floats, str]:
    """What one would expect of each query: the mean of other models, or of the same difficulty, or of all queries."""
    others = Evaluation.objects.filter(
        release=evaluation.release_id, task=evaluation.task, data_digest=evaluation.data_digest
    )
    others = others.exclude(pk=evaluation.pk).exclude(stored_as="").exclude(model_digest=evaluation.model_digest)
    told = []
    for other in others.order_by("-created_at")[:OTHERS]:
        queries = load(other, direction=found.direction) if found.direction in _ways(other) else None
        place = {} if queries is None else queries.place
        if queries is not None and place.keys() >= set(found.ranks.queries):
            told.append(queries.scores[[place[query] for query in found.ranks.queries]])
    if told:
        return np.mean(told, axis=0), "models"
    groups = _difficulty(found, table)
    if groups is not None:
        means = np.bincount(groups, weights=found.scores) / np.maximum(np.bincount(groups), 1)
        return means[groups], "category"
    return np.full(len(found.scores), found.scores.mean() if len(found.scores) else 0.0), "all"


def _ways(evaluation: Evaluation) -> Sequence[str]:
    return tuple(evaluation.result["metrics"])


def _difficulty(found: Queries, table: pa.Table | None) -> np.ndarray[Any, np.dtype[np.int64]] | None:
    """A number for the difficulty of each query, where queries are texts that have one."""
    if table is None or found.direction != "text_to_image" or CATEGORIES not in table.column_names:
        return None
    part = table.select(["query", "direction", CATEGORIES]).to_pydict()
    hard = {
        query: next((each for each in values or () if each.startswith(DIFFICULTY)), "")
        for query, way, values in zip(part["query"], part["direction"], part[CATEGORIES], strict=True)
        if way == found.direction
    }
    names = [hard.get(query, "") for query in found.ranks.queries]
    return np.unique(np.array(names), return_inverse=True)[1] if any(names) else None


class Items:
    """Images and captions of a release by the IDs that a result has, with their pictures as far as they may be shown.
    A result of other data may have IDs that the release lacks: these are shown as IDs."""

    def __init__(self, release: Release, direction: str) -> None:
        self.release = release
        self.query_kind, self.item_kind = ("image", "text") if direction == "image_to_text" else ("text", "image")

    def shown(self, rows: Sequence[Facts]) -> list[Facts]:
        """Rows whose IDs are replaced by what they stand for."""
        self._find([*self._named(rows)])
        return [
            {
                **{name: self._side(value) if name in ("a", "b") else value for name, value in row.items()},
                "query": self._item(self.query_kind, row["query"]),
                "right": [self._item(self.item_kind, each) for each in row["right"]],
            }
            | ({"best_wrong": self._wrong(row)} if "best_wrong" in row else {})
            for row in rows
        ]

    def _side(self, answer: Facts) -> Facts:
        return {**answer, "best_wrong": self._wrong(answer)}

    def _wrong(self, answer: Facts) -> Facts | None:
        return None if answer["best_wrong"] is None else self._item(self.item_kind, answer["best_wrong"])

    def _named(self, rows: Sequence[Facts]) -> Iterable[tuple[str, str]]:
        for row in rows:
            yield self.query_kind, row["query"]
            yield from ((self.item_kind, each) for each in row["right"])
            for answer in (row, row.get("a"), row.get("b")):
                if answer and answer.get("best_wrong") is not None:
                    yield self.item_kind, answer["best_wrong"]

    def _find(self, named: Sequence[tuple[str, str]]) -> None:
        digests = {key for kind, key in named if kind == "image"}
        known = {digest[:PREFIX] for digest in digests}
        prefixes = {key.partition("/")[0] for kind, key in named if kind == "text"}
        prefixes = {each for each in prefixes if len(each) == PREFIX and each.isalnum()} - known
        wanted = Q(digest__in=digests)
        for prefix in sorted(prefixes):
            wanted |= Q(digest__startswith=prefix)
        entries = list(releases.list_entries(release=self.release).filter(wanted))
        found = [entry.digest for entry in entries]
        project = self.release.project_id
        self._pictures = releases.get_images_by_digest(project_id=project, digests=found)
        self._gone = set(releases.get_withdrawals(project_id=project, digests=found))
        self._digests = set(found)
        self._captions = {
            f"{entry.digest[:PREFIX]}/{caption['key']}": (entry.digest, caption["text"])
            for entry in entries
            for caption in entry.body["captions"]
        }

    def _item(self, kind: str, key: str) -> Facts:
        if kind == "text":
            digest, text = self._captions.get(key, (None, None))
        else:
            digest, text = (key if key in self._digests else None), None
        picture = self._pictures.get(digest) if digest else None
        is_withdrawn = digest in self._gone
        image_url = present_thumbnails(picture)["small"]["url"] if picture and not is_withdrawn else None
        return {
            "kind": kind, "id": key, "digest": digest, "image_url": image_url, "text": text,
            "is_withdrawn": is_withdrawn,
        }  # fmt: skip


def read_facts(*, evaluation: Evaluation) -> Facts:
    """Curves, groups of ranks and figures by category of a result. Counted at the first look: results do not change."""
    categories = [
        {**describe_category(name), "cells": cells_of(figures)}
        for name, figures in sorted(evaluation.result["categories"].items())
    ]
    counted: Facts = {"curves": {}, "ranks": {}}
    if evaluation.stored_as:
        place = f"benchmark-facts-2:{evaluation.pk}"
        counted = cache.get(place) or _count(evaluation)
        cache.set(place, counted, KEPT_SECONDS)
    axes = ["recall", "precision"] if evaluation.task == "auprc" else ["k", "hit@k"]
    return {**counted, "axes": axes, "categories": categories}


def _count(evaluation: Evaluation) -> Facts:
    table = get_table(evaluation=evaluation)
    if evaluation.task == "auprc":
        return {"curves": _precision_curves(table), "ranks": {}}
    curves: dict[str, list[list[float]]] = {}
    groups: dict[str, list[Facts]] = {}
    for category in ("", *categories_of(table)):
        part = only(table, category)
        for direction in directions_of(part):
            ranks = load(evaluation, direction=direction, table=part).ranks
            if not category:
                ks = [k for k in CURVE if k <= ranks.ranking.n_items]
                values = ranks.measure(ties=evaluation.result["ties"]["policy"], ks=ks).values
                curves[direction] = [[float(k), float(values[f"hit@{k}"].mean())] for k in ks]
            expected = ranks.ranking.above + (ranks.ranking.tied + 1) / 2
            counted = _groups(expected[ranks.ranking.ranked], ranks.ranking.n_items)
            groups.setdefault(direction, []).extend({"category": category, **each} for each in counted)
    return {"curves": curves, "ranks": groups}


def _groups(ranks: Floats, n_items: int) -> list[Facts]:
    """How many ranks are in each group that has any. A rank between two numbers, of equal scores, belongs to the lower
    one."""
    wide = {int(SINGLE * 10 ** (at / STEPS_OF_TEN)) + 1 for at in range(STEPS_OF_TEN * 9)}
    starts = [at for at in (*range(1, SINGLE + 1), *sorted(wide)) if at <= max(n_items, 1)]
    counts = np.diff(np.searchsorted(np.sort(ranks), [*starts, np.inf]))
    ends = [*(start - 1 for start in starts[1:]), None]
    return [
        {"from": start, "to": end, "n": int(n)}
        for start, end, n in zip(starts, ends, counts.tolist(), strict=True)
        if n
    ]


def write_ranks(*, evaluation: Evaluation) -> str:
    """The rank of every right item as CSV. Equal scores share the mean of their ranks."""
    columns = ("direction", "query", "item", "rank", "equal_scores", CATEGORIES)
    table = get_table(evaluation=evaluation)

    def rows() -> Iterator[Facts]:
        for row in table.to_pylist():
            rank = "" if row["above"] is None else f"{row['above'] + (row['tied'] + 1) / 2:g}"
            told = {name: row[name] for name in ("direction", "query", "item")}
            categories = " ".join(row.get(CATEGORIES) or ())
            yield {**told, "rank": rank, "equal_scores": row["tied"] or "", CATEGORIES: categories}

    return "".join(csv_lines(rows(), columns))


def _precision_curves(table: pa.Table) -> dict[str, list[list[float]]]:
    images = np.unique(np.array(table.column("image").to_pylist()), return_inverse=True)[1]
    accepted = np.array(table.column("accepted").to_pylist(), bool)
    masks = {}
    for name in categories_of(table):
        values = table.column(CATEGORIES).to_pylist()
        masks[name] = np.array([name in (each or ()) for each in values], bool)
    found = evaluate_curves(table.column("score").to_numpy(), images, accepted, masks, draws=1)
    return {name or "all": [list(point) for point in curve.points] for name, curve in found.items() if curve.points}


def check_category(evaluation: Evaluation, category: str) -> None:
    """Raises InvalidInput where the result does not have the category."""
    if category and category not in evaluation.result["categories"]:
        raise InvalidInput("This result does not have this category.", code="no_such_category", field="category")
