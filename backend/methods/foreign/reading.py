"""Files of judgments made elsewhere, by layout: rows per annotator, or votes per pair or item.

| layout | who | looks like |
|---|---|---|
| rows | crowd-kit, Toloka | CSV with `task, worker, label`; also `item` and `response`; a column `gold` is read too |
| by worker | Welinder's birds | YAML or JSON `{worker: {item: label}}` |
| raters | NLVR | JSON lines with `identifier` and `evals` = `{rater: label}` |
| tasks | Label Studio | JSON or JSON_MIN, see label_studio.py |
| votes | ConQA | JSON `{query: {image: [relevant, non-relevant, unsure]}}` |
| counts | VALSE | JSON `{item: {"mturk": {label: votes}}}` |
| scores | TIFA | JSON `{item: {"human_scores": [4, 5]}}`, on a scale |

The layout is told by what a file holds; its name plays no part.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from backend.methods.foreign.label_studio import is_label_studio, read_label_studio
from backend.methods.foreign.told import NotJudgmentsError, Told

NAMES = {"task": ("task", "item", "unit"), "worker": ("worker", "annotator"), "label": ("label", "response", "value")}
IMAGE_COLUMNS, TEXT_COLUMNS = ("image", "image_key"), ("caption", "text", "query")
COUNTS, SCORES = "mturk", "human_scores"


@dataclass(frozen=True)
class Columns:
    """What a table calls task, worker and label, where it is none of the usual names. A task may be several columns,
    by comma; `is_ordered` says that its labels have an order, lowest first by name."""

    task: str = ""
    worker: str = ""
    label: str = ""
    is_ordered: bool = False


@dataclass(frozen=True)
class Rows:
    """Judgments one by one, `task, worker, label`, the true labels of tasks where the file tells them, and how many
    rows lack one of the three."""

    rows: tuple[tuple[str, str, str], ...]
    gold: dict[str, str] = field(default_factory=dict)
    is_ordered: bool = False
    n_left_out: int = 0


@dataclass(frozen=True)
class PairVotes:
    """Votes per pair: `counts` (n, 3) relevant, non-relevant, unsure, the columns of consensus.LABELS; `query` and
    `image` (n,) name the pair."""

    counts: NDArray[np.int64]
    query: tuple[str, ...]
    image: tuple[str, ...]


@dataclass(frozen=True)
class ItemVotes:
    """Votes per item over labels of their own: `counts` (n, k), the columns of `labels`; `item` (n,) names them."""

    counts: NDArray[np.int64]
    labels: tuple[str, ...]
    item: tuple[str, ...]
    is_ordered: bool = False


Foreign = Rows | PairVotes | ItemVotes


def read_judgments(text: str, columns: Columns = Columns()) -> Foreign:  # it is frozen
    """What a file holds, by its content. Raises NotJudgmentsError, with a sentence on what is wrong."""
    if not text.strip():
        raise NotJudgmentsError("The file is empty.")
    if text.lstrip()[0] not in "[{":
        return read_csv(text, columns) if _is_table(text) else read_nested(_yaml(text))
    values = _json(text)
    if values is None:
        return read_json_lines(text) if _is_json_lines(text) else read_nested(_yaml(text))
    if is_label_studio(values):
        return _rows_of(read_label_studio(values, label=columns.label))
    return read_nested(values)


def tell_judgments(text: str, columns: Columns = Columns()) -> list[Told]:
    """Judgments by named people, one by one, with where each stands. Raises NotJudgmentsError, for votes too."""
    values = _json(text) if text.lstrip()[:1] in ("[", "{") else None
    if is_label_studio(values):
        return read_label_studio(values, label=columns.label)
    if values is None and text.strip() and _is_table(text) and text.lstrip()[0] not in "[{":
        return _tell_csv(text, columns)
    read = read_judgments(text, columns)
    if not isinstance(read, Rows):
        raise NotJudgmentsError("These are votes whose voters are not named, and a project keeps judgments by person.")
    return [Told(f"judgment {n}", *row) for n, row in enumerate(read.rows, start=1)]


def read_csv(text: str, columns: Columns = Columns()) -> Rows:
    """Rows of CSV with a header. Raises NotJudgmentsError."""
    table, names = _table_of(text, columns)
    task, worker, label = names
    told = [(_joined(row, task), row[worker[0]], row[label[0]]) for row in table if all(map(row.get, sum(names, ())))]
    gold = {_joined(row, task): row["gold"] for row in table if row.get("gold")}
    if not told:
        raise NotJudgmentsError("No row names a task, a worker and a label.")
    return Rows(tuple(told), gold, columns.is_ordered, len(table) - len(told))


def _tell_csv(text: str, columns: Columns) -> list[Told]:
    table, (task, worker, label) = _table_of(text, columns)
    return [
        Told(
            f"line {line}", _joined(row, task), row[worker[0]] or "", row[label[0]] or "",
            image=_any(row, IMAGE_COLUMNS), text=_any(row, TEXT_COLUMNS),
            why_not="" if row[label[0]] and row[worker[0]] else "It names no worker or no label.",
        )
        for line, row in enumerate(table, start=2)
    ]  # fmt: skip


def _table_of(text: str, columns: Columns) -> tuple[list[dict[str, str]], list[tuple[str, ...]]]:
    """The rows, and the columns of task, worker and label."""
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), restval="")
    rows, present = list(reader), set(reader.fieldnames or ())
    asked = {"task": columns.task, "worker": columns.worker, "label": columns.label}
    chosen = {
        name: tuple(wanted.split(",")) if wanted else tuple(each for each in NAMES[name] if each in present)[:1]
        for name, wanted in asked.items()
    }
    if unknown := [each for names in chosen.values() for each in names if each not in present]:
        raise NotJudgmentsError(f"The table has no column {' or '.join(unknown)}.")
    if missing := [name for name, names in chosen.items() if not names]:
        raise NotJudgmentsError(f"The table has no column {' or '.join(missing)}: it needs task, worker and label.")
    return rows, [chosen["task"], chosen["worker"], chosen["label"]]


def _joined(row: Mapping[str, str], names: Sequence[str]) -> str:
    return " | ".join(row[name] for name in names)


def _any(row: Mapping[str, str], names: Sequence[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


def _rows_of(told: Sequence[Told]) -> Rows:
    said = [each for each in told if not each.why_not]
    if not said:
        raise NotJudgmentsError("None of the annotations holds a choice.")
    gold = {each.task: each.label for each in said if each.is_gold}
    rows = tuple((each.task, each.worker, each.label) for each in said if not each.is_gold)
    return Rows(rows, gold, n_left_out=len(told) - len(said))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _yaml(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f", see its line {where.line + 1}" if where else ""
        raise NotJudgmentsError(f"This is neither JSON nor CSV nor YAML{line}.") from error


def _is_table(text: str) -> bool:
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    return "," in first and ":" not in first.split(",")[0]


def _is_json_lines(text: str) -> bool:
    return isinstance(_json(text.strip().split("\n", 1)[0]), Mapping)


def read_json_lines(text: str) -> Rows:
    """Records with `identifier` and `evals`. Raises NotJudgmentsError."""
    rows: list[tuple[str, str, str]] = []
    gold: dict[str, str] = {}
    for n, line in enumerate(text.splitlines(), start=1):
        record = _json(line)
        if (
            not isinstance(record, Mapping)
            or not isinstance(record.get("evals"), Mapping)
            or "identifier" not in record
        ):
            raise NotJudgmentsError(f"Line {n} has no `identifier` or no `evals` with each rater's label.")
        task = str(record["identifier"])
        rows += [(task, str(rater), _label(said)) for rater, said in record["evals"].items()]
        gold |= {task: str(record["label"])} if "label" in record else {}
    return _labelled(rows, gold)


def read_nested(values: Any) -> Foreign:
    """`{query: {image: [r, n, u]}}`, `{worker: {item: label}}` or VALSE's counts. Raises NotJudgmentsError."""
    if not isinstance(values, Mapping) or not all(isinstance(inner, Mapping) for inner in values.values()):
        raise NotJudgmentsError(str(NotJudgmentsError.__doc__))
    if values and all(isinstance(inner.get(COUNTS), Mapping) for inner in values.values()):
        return _item_votes({str(item): inner[COUNTS] for item, inner in values.items()})
    if values and all(isinstance(inner.get(SCORES), list) for inner in values.values()):
        return _scores({str(item): inner[SCORES] for item, inner in values.items()})
    told = [(str(outer), str(inner), value) for outer, each in values.items() for inner, value in each.items()]
    if not any(isinstance(value, list) for _, _, value in told):
        return _labelled([(item, worker, _label(said)) for worker, item, said in told], {})
    if not all(_are_votes(value) for _, _, value in told):
        raise NotJudgmentsError("Votes are three whole numbers a pair: relevant, non-relevant, unsure.")
    queries, images, votes = zip(*told, strict=True)
    return PairVotes(np.array(votes, dtype=np.int64), tuple(queries), tuple(images))


def _label(said: Any) -> str:
    return "" if said is None else str(said)


def _labelled(rows: Sequence[tuple[str, str, str]], gold: dict[str, str]) -> Rows:
    """The rows that have a label. Raises NotJudgmentsError where none has."""
    kept = tuple(row for row in rows if row[2])
    if not kept:
        raise NotJudgmentsError("Nobody has said anything in this file.")
    return Rows(kept, gold, n_left_out=len(rows) - len(kept))


def _are_votes(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(type(n) is int and n >= 0 for n in value)


def _item_votes(votes: Mapping[str, Mapping[str, Any]]) -> ItemVotes:
    labels = sorted({str(label) for each in votes.values() for label in each})
    if not labels:
        raise NotJudgmentsError("No item has a vote.")
    table = [[each.get(label, 0) for label in labels] for each in votes.values()]
    if not all(type(n) is int and n >= 0 for row in table for n in row):
        raise NotJudgmentsError("Votes are whole numbers by label.")
    return ItemVotes(np.array(table, dtype=np.int64), tuple(labels), tuple(votes))


def _scores(scores: Mapping[str, Sequence[Any]]) -> ItemVotes:
    """Scores of raters who are not named, as votes for the points of their scale."""
    if not all(type(score) in (int, float) for each in scores.values() for score in each):
        raise NotJudgmentsError("Scores are numbers on one scale.")
    points = sorted({score for each in scores.values() for score in each})
    if not points:
        raise NotJudgmentsError("No item has a score.")
    table = [[list(each).count(point) for point in points] for each in scores.values()]
    return ItemVotes(np.array(table, dtype=np.int64), tuple(f"{point:g}" for point in points), tuple(scores), True)
