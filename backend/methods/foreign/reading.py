"""Files of judgments made elsewhere, by layout: rows per annotator, or votes per pair or item.

| layout | who | looks like |
|---|---|---|
| rows | crowd-kit, Toloka | a table with `task, worker, label`, see tables.py; a column `gold` is read too |
| by worker | Welinder's birds | YAML or JSON `{worker: {item: label}}` |
| raters | NLVR | JSON lines with `identifier` and `evals` = `{rater: label}` |
| tasks | Label Studio | JSON or JSON_MIN, see label_studio.py |
| votes | ConQA | JSON `{query: {image: [relevant, non-relevant, unsure]}}` |
| counts | VALSE | JSON `{item: {"mturk": {label: votes}}}` |
| scores | TIFA | JSON `{item: {"human_scores": [4, 5]}}`, on a scale |

The layout is told by what a file holds; its name plays no part.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from backend.methods.consensus import LABELS
from backend.methods.foreign.bounds import TooManyError, at_most, check_width
from backend.methods.foreign.label_studio import is_label_studio, read_label_studio
from backend.methods.foreign.tables import (
    USUAL,
    Columns,
    by_column,
    is_table,
    lines_of,
    read_delimited,
    read_records,
    tell_table,
)
from backend.methods.foreign.told import NOBODY, NotJudgmentsError, Told
from backend.methods.foreign.unnamed import deal_votes

COUNTS, SCORES = "mturk", "human_scores"
NOTHING = "Nobody has said anything in this file."
OF_ITEMS = "These are votes of items that are no pairs, and their voters are not named."
TOO_MANY = "These are {n:,} judgments, more than the {most:,} taken at once"
MOST_VOTES = 10**9  # of one kind for one pair: what pairs of voters come to still fits 64 bits


@dataclass(frozen=True)
class Rows:
    """Judgments one by one, `task, worker, label`, the true labels of tasks and their images where the file tells them,
    and what is no judgment, with why."""

    rows: tuple[tuple[str, str, str], ...]
    gold: dict[str, str] = field(default_factory=dict)
    is_ordered: bool = False
    left_out: tuple[Told, ...] = ()
    images: Mapping[str, str] = field(default_factory=dict)

    def clusters_of(self, tasks: Sequence[str]) -> NDArray[np.int64]:
        """The cluster of each task, (n,): its image, or itself where the file tells none, numbered as the file goes."""
        known = {self._cluster(task): None for task, _, _ in self.rows}
        number = {cluster: n for n, cluster in enumerate(known)}
        return np.array([number[self._cluster(task)] for task in tasks], dtype=np.int64)

    def _cluster(self, task: str) -> tuple[str, str]:
        image = self.images.get(task, "")
        return (image, "" if image else task)


@dataclass(frozen=True)
class PairVotes:
    """Votes per pair: `counts` (n, 3) relevant, non-relevant, unsure, the columns of consensus.LABELS; `query` and
    `image` (n,) name the pair; `left_out` are queries under which no image stands."""

    counts: NDArray[np.int64]
    query: tuple[str, ...]
    image: tuple[str, ...]
    left_out: tuple[Told, ...] = ()


@dataclass(frozen=True)
class ItemVotes:
    """Votes per item over labels of their own: `counts` (n, k), the columns of `labels`; `item` (n,) names them;
    `left_out` are items for which nobody voted."""

    counts: NDArray[np.int64]
    labels: tuple[str, ...]
    item: tuple[str, ...]
    is_ordered: bool = False
    left_out: tuple[Told, ...] = ()


Foreign = Rows | PairVotes | ItemVotes
Ledger = tuple[list[Told], dict[str, str]]  # every judgment or why it is none, and the true labels of tasks


def read_judgments(text: str, columns: Columns = USUAL) -> Foreign:
    """What a file holds, by its content. Raises NotJudgmentsError, with a sentence on what is wrong."""
    told = _told_of(text, columns)
    return told if isinstance(told, (PairVotes, ItemVotes)) else _rows_of(*told, is_ordered=columns.is_ordered)


def tell_judgments(
    text: str, columns: Columns = USUAL, queries: Mapping[str, str] | None = None, *, most: int | None = None
) -> list[Told]:
    """Judgments one by one, with where each stands; votes of pairs are dealt to voters who stand for nobody, `queries`
    being the words of each query where the file tells them by other names. Raises NotJudgmentsError, for votes of items
    too: their labels are their own. `most` is given where somebody waits: TooManyError, before any is dealt, where they
    are more, and nothing is read that may take far longer than its size tells: YAML, wide tables, votes of items."""
    told = _told_of(text, columns, most)
    if most is not None and (n := _n_judgments(told)) > most:
        raise TooManyError(TOO_MANY.format(n=n, most=most))
    if isinstance(told, ItemVotes):
        raise NotJudgmentsError(OF_ITEMS)
    if isinstance(told, PairVotes):
        votes = zip(told.query, told.image, told.counts.tolist(), strict=True)
        return [*deal_votes(votes, queries or {}), *told.left_out]
    if not told[0]:
        raise NotJudgmentsError(NOTHING)
    return told[0]


def _n_judgments(told: Ledger | PairVotes | ItemVotes) -> int:
    """Votes of a pair may be a billion in one line."""
    return len(told[0]) if isinstance(told, tuple) else int(told.counts.sum())


def _told_of(text: str, columns: Columns, most: int | None = None) -> Ledger | PairVotes | ItemVotes:
    start = text.lstrip()[:1]
    if not start:
        raise NotJudgmentsError("The file is empty.")
    if start not in "[{":
        return _rows_or_yaml(text, columns, most)
    try:
        values = parse_json(text)
    except NotJudgmentsError as problem:
        return _lines_of(text, columns, problem, most)
    check_width(values, most)
    if is_label_studio(values):
        return _with_gold(read_label_studio(values, label=columns.label))
    if (records := _records(values)) is not None:
        places = [f"record {n}" for n in range(1, len(records) + 1)]
        return tell_table(read_records(records, places), columns)
    return _nested(values, most)


def _rows_or_yaml(text: str, columns: Columns, most: int | None) -> Ledger | PairVotes | ItemVotes:
    if not is_table(text, columns):
        return _nested(_yaml(text, most), most)
    table = read_delimited(text, columns)
    check_width([dict(enumerate(table.header))], most)
    return tell_table(table._replace(rows=at_most(table.rows, most)), columns)


def _records(values: Any) -> Sequence[Any] | None:
    if isinstance(values, list) and values and isinstance(values[0], Mapping):
        return values
    return by_column(values)


def _lines_of(
    text: str, columns: Columns, problem: NotJudgmentsError, most: int | None
) -> Ledger | PairVotes | ItemVotes:
    """A record a line, or YAML that begins like JSON. `problem` is why the whole is no JSON."""
    lines = ((n, line) for n, line in enumerate(lines_of(text), start=1) if line.strip())
    first, second = next(lines), next(lines, None)
    if not first[1].rstrip().endswith("}") or second is None:
        if text.lstrip()[1:].lstrip()[:1] in ('"', "{"):
            raise problem
        return _nested(_yaml(text, most), most)
    records = {n: _record(n, line) for n, line in at_most(chain([first, second], lines), most)}
    check_width(list(records.values()), most)
    if "evals" in records[first[0]]:
        return _raters(records)
    return tell_table(read_records(list(records.values()), [f"line {n}" for n in records]), columns)


def _record(n: int, line: str) -> Any:
    try:
        return parse_json(line)
    except NotJudgmentsError as problem:
        raise NotJudgmentsError(f"Line {n} is no JSON record.") from problem


def _rows_of(told: Sequence[Told], gold: dict[str, str], *, is_ordered: bool = False) -> Rows:
    """The judgments among them, of each person the first of a task. Raises NotJudgmentsError where there is none."""
    first: dict[tuple[str, str], Told] = {}
    left_out = []
    for each in told:
        if each.why_not:
            left_out.append(each)
        elif not each.is_gold and first.setdefault((each.task, each.worker), each) is not each:
            left_out.append(each._replace(why_not="This person judged the task before; the first is taken."))
    if not first:
        why = f" {left_out[0].where}: {left_out[0].why_not}" if left_out else ""
        raise NotJudgmentsError(f"{NOTHING}{why}")
    rows = tuple((each.task, each.worker, each.label) for each in first.values())
    images = {each.task: each.image for each in reversed(first.values()) if each.image}
    return Rows(rows, gold, is_ordered, tuple(left_out), images)


def _with_gold(told: list[Told]) -> Ledger:
    return told, {each.task: each.label for each in told if each.is_gold and not each.why_not}


def parse_json(text: str) -> Any:
    """The values of a JSON text. Raises NotJudgmentsError, also where a name stands twice: one would be lost."""
    try:
        return json.loads(text.lstrip("\ufeff"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise NotJudgmentsError(f"This is no JSON from line {error.lineno}, column {error.colno} on.") from error
    except RecursionError as error:
        raise NotJudgmentsError("This JSON is nested too deep to be judgments.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _check_once([name for name, _ in pairs])
    return dict(pairs)


def _check_once(names: Sequence[Any]) -> None:
    if len(set(names)) < len(names):
        (name, _), *_ = Counter(names).most_common(1)
        raise NotJudgmentsError(f"The name {name!r} stands twice in one place of this file, so one would be lost.")


class _OnceLoader(yaml.SafeLoader):
    """YAML's safe loader, which would take the last of two entries of one name and say nothing, and would make
    billions of values of a page of references."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise NotJudgmentsError("This YAML refers back to itself: write every judgment out.")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        _check_once([key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)])
        return super().construct_mapping(node, deep=deep)


def read_gold(text: str) -> dict[str, str]:
    """True labels, JSON or YAML `{item: label}`. Raises NotJudgmentsError."""
    values = _yaml(text)
    if not isinstance(values, Mapping) or any(isinstance(label, (Mapping, list)) for label in values.values()):
        raise NotJudgmentsError("The true labels are no {item: label}.")
    return {str(item): str(label) for item, label in values.items()}


def _yaml(text: str, most: int | None = None) -> Any:
    if most is not None:
        raise NotJudgmentsError("This is neither JSON nor CSV.")
    try:
        return yaml.load(text, Loader=_OnceLoader)  # noqa: S506  # it is the safe one
    except (yaml.YAMLError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        line = f", see its line {where.line + 1}" if where else ""
        raise NotJudgmentsError(f"This is neither JSON nor CSV nor YAML{line}.") from error


def _raters(records: Mapping[int, Any]) -> Ledger:
    """Records with `identifier` and `evals`, by line. Raises NotJudgmentsError."""
    told: list[Told] = []
    gold: dict[str, str] = {}
    for n, record in records.items():
        if (
            not isinstance(record, Mapping)
            or not isinstance(record.get("evals"), Mapping)
            or "identifier" not in record
        ):
            raise NotJudgmentsError(f"Line {n} has no `identifier` or no `evals` with each rater's label.")
        task = str(record["identifier"])
        told += [_said(task, rater, said) for rater, said in record["evals"].items()]
        if not record["evals"]:
            told.append(Told(f"line {n}", task, "", "", why_not=NOBODY))
        gold |= {task: str(record["label"])} if "label" in record else {}
    return told, gold


def _nested(values: Any, most: int | None) -> Ledger | PairVotes | ItemVotes:
    """`{query: {image: [r, n, u]}}`, `{worker: {item: label}}` or VALSE's counts. Raises NotJudgmentsError."""
    if not isinstance(values, Mapping) or not all(isinstance(inner, Mapping) for inner in values.values()):
        raise NotJudgmentsError(str(NotJudgmentsError.__doc__))
    if values and all(isinstance(inner.get(COUNTS), Mapping) for inner in values.values()):
        _refuse_items(most)
        return _item_votes({str(item): inner[COUNTS] for item, inner in values.items()})
    if values and all(isinstance(inner.get(SCORES), list) for inner in values.values()):
        _refuse_items(most)
        return _scores({str(item): inner[SCORES] for item, inner in values.items()})
    n_inner = sum(map(len, values.values()))
    if most is not None and n_inner > most:
        raise TooManyError(TOO_MANY.format(n=n_inner, most=most))
    told = [(str(outer), str(inner), value) for outer, each in values.items() for inner, value in each.items()]
    empty = [str(outer) for outer, each in values.items() if not each]
    if not any(isinstance(value, list) for _, _, value in told):
        nothing = [Told(worker, "", worker, "", why_not="Nothing stands under this worker.") for worker in empty]
        return [_said(item, worker, said) for worker, item, said in told] + nothing, {}
    votes = [_votes(query, image, value) for query, image, value in told]
    if not any(map(any, votes)):
        raise NotJudgmentsError("No pair has a vote.")
    queries, images, _ = zip(*told, strict=True)
    nothing = [Told(f"query {name}", "", "", "", why_not="No image stands under this query.") for name in empty]
    return PairVotes(np.array(votes, dtype=np.int64), queries, images, tuple(nothing))


def _refuse_items(most: int | None) -> None:
    """Before their table is made, which has a cell for each item and each label of any."""
    if most is not None:
        raise NotJudgmentsError(OF_ITEMS)


def _said(task: str, worker: object, said: Any) -> Told:
    """What a person said of a task, as a file says it that is no table."""
    if isinstance(said, (Mapping, list)):
        raise NotJudgmentsError(f"What {worker} says of {task} is no label but {str(said)[:80]}.")
    label = "" if said is None else str(said).strip()
    return Told(f"{worker} of {task}", task, str(worker), label, why_not="" if label else "It names no label.")


def _votes(query: str, image: str, value: Any) -> tuple[int, ...]:
    """Votes of a pair; whole numbers may be written as text or with a point."""
    votes = tuple(map(_count, value)) if isinstance(value, list) else ()
    if len(votes) != len(LABELS) or None in votes:
        raise NotJudgmentsError(
            f"Votes are three whole numbers a pair: relevant, non-relevant, unsure. Those of query {query} and image "
            f"{image} are {str(value)[:80]}."
        )
    return tuple(n for n in votes if n is not None)


def _count(value: Any) -> int | None:
    """A number of votes, None where it is none."""
    if isinstance(value, str):
        value = int(value) if value.strip().isascii() and value.strip().isdigit() and len(value) < 12 else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST_VOTES:
        return None
    return int(value) if value == int(value) else None


def _item_votes(votes: Mapping[str, Mapping[str, Any]]) -> ItemVotes:
    labels = sorted({str(label) for each in votes.values() for label in each})
    if not labels:
        raise NotJudgmentsError("No item has a vote.")
    table = [[_count(each.get(label, 0)) for label in labels] for each in votes.values()]
    if wrong := [item for item, row in zip(votes, table, strict=True) if None in row]:
        raise NotJudgmentsError(f"Votes are whole numbers by label; those of {wrong[0]} are not.")
    return _voted(table, tuple(labels), tuple(votes))


def _scores(scores: Mapping[str, Sequence[Any]]) -> ItemVotes:
    """Scores of raters who are not named, as votes for the points of their scale."""
    if not all(type(score) in (int, float) and abs(score) <= MOST_VOTES for each in scores.values() for score in each):
        raise NotJudgmentsError("Scores are numbers on one scale.")
    points = sorted({score for each in scores.values() for score in each})
    if not points:
        raise NotJudgmentsError("No item has a score.")
    table = [[list(each).count(point) for point in points] for each in scores.values()]
    return _voted(table, tuple(f"{point:g}" for point in points), tuple(scores), is_ordered=True)


def _voted(
    table: Sequence[Sequence[int | None]], labels: tuple[str, ...], items: tuple[str, ...], *, is_ordered: bool = False
) -> ItemVotes:
    """The items that have votes; the others are told. Raises NotJudgmentsError where none has."""
    counts = np.array(table, dtype=np.int64)
    has_votes = np.asarray(counts.sum(axis=1) > 0)
    if not has_votes.any():
        raise NotJudgmentsError("No item has a vote.")
    left_out = [Told(items[n], items[n], "", "", why_not=NOBODY) for n in np.flatnonzero(~has_votes)]
    kept = tuple(items[n] for n in np.flatnonzero(has_votes))
    return ItemVotes(counts[has_votes], labels, kept, is_ordered, tuple(left_out))
