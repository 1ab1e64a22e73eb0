"""Files of judgments made elsewhere, by layout: rows per annotator, or votes per pair.

| layout | who | looks like |
|---|---|---|
| rows | crowd-kit, Toloka | CSV with `task, worker, label`; also `item` and `response`; a column `gold` is read too |
| by worker | Welinder's birds | YAML or JSON `{worker: {item: label}}` |
| raters | NLVR | JSON lines with `identifier` and `evals` = `{rater: label}` |
| votes | ConQA | JSON `{query: {image: [relevant, non-relevant, unsure]}}` |
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAMES = {"task": ("task", "item", "unit"), "worker": ("worker", "annotator"), "label": ("label", "response", "value")}


class NotJudgmentsError(ValueError):
    """This file holds no judgments in a layout that is known: rows, by worker, raters, or votes."""


@dataclass(frozen=True)
class Rows:
    """Judgments one by one, `task, worker, label`, and the true labels of tasks where the file tells them."""

    rows: tuple[tuple[str, str, str], ...]
    gold: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PairVotes:
    """Votes per pair: `counts` (n, 3) relevant, non-relevant, unsure, the columns of consensus.LABELS; `query` and
    `image` (n,) name the pair."""

    counts: NDArray[np.int64]
    query: tuple[str, ...]
    image: tuple[str, ...]


def read_csv(text: str) -> Rows:
    """Rows of CSV with a header. Raises NotJudgmentsError."""
    rows = list(csv.DictReader(io.StringIO(text)))
    present = set(rows[0]) if rows else set()
    columns = {name: next((each for each in others if each in present), None) for name, others in NAMES.items()}
    missing = [name for name, column in columns.items() if column is None]
    if missing:
        raise NotJudgmentsError(f"The table has no column {' or '.join(missing)}: it needs task, worker and label.")
    task, worker, label = (str(columns[name]) for name in ("task", "worker", "label"))
    gold = {row[task]: row["gold"] for row in rows if row.get("gold")}
    return Rows(tuple((row[task], row[worker], row[label]) for row in rows), gold)


def read_json_lines(text: str) -> Rows:
    """Records with `identifier` and `evals`. Raises NotJudgmentsError."""
    rows: list[tuple[str, str, str]] = []
    gold: dict[str, str] = {}
    for line in text.splitlines():
        record = json.loads(line)
        if not isinstance(record, Mapping) or not isinstance(record.get("evals"), Mapping):
            raise NotJudgmentsError("A line has no `evals` with each rater's label.")
        task = str(record["identifier"])
        rows += [(task, str(rater), str(label)) for rater, label in record["evals"].items()]
        gold |= {task: str(record["label"])} if "label" in record else {}
    return Rows(tuple(rows), gold)


def read_nested(values: Any) -> Rows | PairVotes:
    """`{query: {image: [r, n, u]}}` or `{worker: {item: label}}`. Raises NotJudgmentsError."""
    if not isinstance(values, Mapping) or not all(isinstance(inner, Mapping) for inner in values.values()):
        raise NotJudgmentsError(str(NotJudgmentsError.__doc__))
    told = [(str(outer), str(inner), value) for outer, each in values.items() for inner, value in each.items()]
    if not any(isinstance(value, list) for _, _, value in told):
        return Rows(tuple((item, worker, str(label)) for worker, item, label in told))
    if not all(_are_votes(value) for _, _, value in told):
        raise NotJudgmentsError("Votes are three whole numbers a pair: relevant, non-relevant, unsure.")
    queries, images, votes = zip(*told, strict=True)
    return PairVotes(np.array(votes, dtype=np.int64), tuple(queries), tuple(images))


def _are_votes(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(type(n) is int and n >= 0 for n in value)
