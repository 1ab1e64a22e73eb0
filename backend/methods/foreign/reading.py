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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from backend.methods.foreign.answers import tell_table
from backend.methods.foreign.bounds import Bounds
from backend.methods.foreign.columns import USUAL, Columns
from backend.methods.foreign.label_studio import is_label_studio, is_label_studio_table, read_label_studio
from backend.methods.foreign.labels import composed, spellings
from backend.methods.foreign.nested import OF_ITEMS, tell_nested, tell_raters
from backend.methods.foreign.parsing import LongNumberError, parse_json, parse_yaml
from backend.methods.foreign.shapes import Foreign, ItemVotes, Ledger, PairVotes, Rows
from backend.methods.foreign.tables import Table, by_column, is_table, lines_of, read_delimited, read_records
from backend.methods.foreign.told import NotJudgmentsError, Told, Why, note_truth
from backend.methods.foreign.unnamed import deal_votes

JUDGED_BEFORE = Why("row_judged_before", "This person already answered the task. The first answer counts.")
GROUND_TRUTH = "It is marked as the true label, so it does not count as an answer."
NOTHING = "This file has no answers."


def read_judgments(text: str, columns: Columns = USUAL) -> Foreign:
    """What a file holds, by its content. Raises NotJudgmentsError, with a sentence on what is wrong."""
    told = tell_file(text, columns)
    return told if isinstance(told, (PairVotes, ItemVotes)) else rows_of(*told, is_ordered=columns.is_ordered)


def tell_file(text: str, columns: Columns = USUAL) -> Ledger | PairVotes | ItemVotes:
    """What a file holds, its judgments one by one with those that are left out. Raises NotJudgmentsError."""
    return _File(text, columns, Bounds()).told()


def pooled(ledgers: Mapping[str, Ledger]) -> Ledger:
    """The judgments of several files as of one, with the file where each stands."""
    told: list[Told] = []
    gold: dict[str, str] = {}
    for name, (judgments, truths) in ledgers.items():
        told += [each._replace(where=f"{name}, {each.where}") for each in judgments]
        for task, label in truths.items():
            note_truth(gold, task, label)
    return told, gold


def tell_judgments(
    text: str, columns: Columns = USUAL, queries: Mapping[str, str] | None = None, *, most: int | None = None
) -> list[Told]:
    """Judgments one by one, with where each stands; votes of pairs are dealt to voters who stand for nobody, `queries`
    being the words of each query where the file tells them by other names. Raises NotJudgmentsError, for votes of items
    too: their labels are their own. `most` is given where somebody waits: TooManyError, before any is dealt, where they
    are more, and nothing is read that may take far longer than its size tells: YAML, wide tables, votes of items."""
    bounds = Bounds(most)
    told = _File(text, columns, bounds).told()
    bounds.check_number(_n_judgments(told))
    if isinstance(told, ItemVotes):
        raise NotJudgmentsError(OF_ITEMS)
    if isinstance(told, PairVotes):
        votes = zip(told.query, told.image, told.counts.tolist(), strict=True)
        return [*deal_votes(votes, queries or {}), *told.left_out]
    if not told[0]:
        raise NotJudgmentsError(NOTHING)
    return _same_people(told[0])


def _n_judgments(told: Ledger | PairVotes | ItemVotes) -> int:
    """Votes of a pair may be a billion in one line."""
    return len(told[0]) if isinstance(told, tuple) else int(told.counts.sum())


def rows_of(told: Sequence[Told], gold: dict[str, str], *, is_ordered: bool = False) -> Rows:
    """The judgments among them, of each person the first of a task. Raises NotJudgmentsError where there is none."""
    told = _same_people(told)
    first: dict[tuple[str, str], Told] = {}
    left_out = []
    for each in told:
        key = (composed(each.task), each.worker)
        if each.why_not:
            left_out.append(each)
        elif each.is_gold:
            left_out.append(each._replace(why_not=GROUND_TRUTH))
        elif first.setdefault(key, each) is not each:
            left_out.append(each._replace(why_not=JUDGED_BEFORE))
    if not first:
        why = f" {left_out[0].where}: {left_out[0].why_not}" if left_out else ""
        raise NotJudgmentsError(f"{NOTHING}{why}")
    rows = tuple((task, worker, each.label) for (task, worker), each in first.items())
    images = {task: composed(each.image) for (task, _), each in reversed(first.items()) if each.image}
    queries = {task: composed(each.text) for (task, _), each in reversed(first.items()) if each.is_of_query}
    truths: dict[str, str] = {}
    for task, label in gold.items():
        note_truth(truths, composed(task), label)
    return Rows(rows, truths, is_ordered, tuple(left_out), images, queries)


def _same_people(told: Sequence[Told]) -> list[Told]:
    """Each person by the name that the file first calls them."""
    names = spellings(each.worker for each in told)
    return [each if names[each.worker] == each.worker else each._replace(worker=names[each.worker]) for each in told]


@dataclass(frozen=True)
class _File:
    """A text, what its columns are called, and how much of it is read. What it holds is told, or NotJudgmentsError
    raised."""

    text: str
    columns: Columns
    bounds: Bounds

    def told(self) -> Ledger | PairVotes | ItemVotes:
        start = self.text.lstrip()[:1]
        if not start:
            raise NotJudgmentsError("The file is empty.")
        if start not in "[{":
            return self._table() if is_table(self.text, self.columns) else self._yaml()
        try:
            values = parse_json(self.text)
        except LongNumberError:
            raise
        except NotJudgmentsError as problem:
            return self._lines(problem)
        return self._json(values)

    def _table(self) -> Ledger:
        table = read_delimited(self.text, self.columns)
        self.bounds.check_width([dict(enumerate(table.header))])
        return self._told_of(table._replace(rows=self.bounds.rows(table.rows)))

    def _told_of(self, table: Table) -> Ledger:
        if is_label_studio_table(table.header) and not self.columns.task and not self.columns.worker:
            records = [record for _, record in table.rows if not isinstance(record, Why)]
            return _with_truths(read_label_studio(records, label=self.columns.label))
        return tell_table(table.header, table.rows, self.columns)

    def _yaml(self) -> Ledger | PairVotes | ItemVotes:
        self.bounds.refuse("This is not JSON or CSV.")
        return tell_nested(parse_yaml(self.text), self.bounds)

    def _json(self, values: Any) -> Ledger | PairVotes | ItemVotes:
        self.bounds.check_width(values)
        if is_label_studio(values):
            return _with_truths(read_label_studio(values, label=self.columns.label))
        if (records := _records(values)) is not None:
            places = [f"record {n}" for n in range(1, len(records) + 1)]
            return self._told_of(read_records(records, places))
        return tell_nested(values, self.bounds)

    def _lines(self, problem: NotJudgmentsError) -> Ledger | PairVotes | ItemVotes:
        """A record a line, or YAML that begins like JSON. `problem` is why the whole is no JSON."""
        lines = ((n, line) for n, line in enumerate(lines_of(self.text), start=1) if line.strip())
        first, second = next(lines), next(lines, None)
        if not first[1].rstrip().endswith("}") or second is None:
            if self.text.lstrip()[1:].lstrip()[:1] in ('"', "{"):
                raise problem
            return self._yaml()
        records = {n: _record(n, line) for n, line in self.bounds.rows(chain([first, second], lines))}
        self.bounds.check_width(list(records.values()))
        if "evals" in records[first[0]]:
            return tell_raters(records)
        return self._told_of(read_records(list(records.values()), [f"line {n}" for n in records]))


def _with_truths(told: list[Told]) -> Ledger:
    truths: dict[str, str] = {}
    for each in told:
        if each.is_gold and not each.why_not:
            note_truth(truths, each.task, each.label)
    return told, truths


def _records(values: Any) -> Sequence[Any] | None:
    if isinstance(values, list) and values and isinstance(values[0], Mapping):
        return values
    return by_column(values)


def _record(n: int, line: str) -> Any:
    try:
        return parse_json(line)
    except LongNumberError as problem:
        raise NotJudgmentsError(f"Line {n}: {problem}") from problem
    except NotJudgmentsError as problem:
        raise NotJudgmentsError(f"Line {n} is not a JSON record.") from problem
