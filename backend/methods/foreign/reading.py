"""Files of judgments made elsewhere, by layout: rows per annotator, or votes per pair or item.

| layout | who | looks like |
|---|---|---|
| rows | crowd-kit, Toloka | a table with `task, worker, label`, see tables.py; a column `gold` is read too |
| by worker | Welinder's birds | YAML or JSON `{worker: {item: label}}` |
| raters | NLVR | JSON lines with `identifier` and `evals` = `{rater: label}` |
| tasks | Label Studio | JSON or JSON_MIN, see label_studio.py |
| data rows | Labelbox | JSON lines with `data_row` and `projects`, see labelbox.py |
| classifications | Zooniverse | a table with `annotations` and `subject_data`, see zooniverse.py |
| votes | ConQA | JSON `{query: {image: [relevant, non-relevant, unsure]}}` |
| counts | VALSE | JSON `{item: {"mturk": {label: votes}}}` |
| scores | TIFA | JSON `{item: {"human_scores": [4, 5]}}`, on a scale |

The layout is told by what a file holds; its name plays no part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.methods.foreign.answers import tell_table
from backend.methods.foreign.bounds import Bounds
from backend.methods.foreign.columns import USUAL, Columns
from backend.methods.foreign.label_studio import is_label_studio, is_label_studio_table, read_label_studio
from backend.methods.foreign.labelbox import check_not_old, is_labelbox, read_labelbox
from backend.methods.foreign.labels import composed, spellings
from backend.methods.foreign.nested import OF_ITEMS, tell_nested, tell_raters
from backend.methods.foreign.parsing import LongNumberError, parse_json, parse_yaml, text_of, unread
from backend.methods.foreign.shapes import Foreign, ItemVotes, Ledger, PairVotes, Rows
from backend.methods.foreign.tables import (
    Table,
    by_column,
    has_header,
    open_file,
    place_of,
    raw_of,
    read_file,
    read_records,
    record_of,
)
from backend.methods.foreign.told import NotJudgmentsError, Told, Why, note_truth
from backend.methods.foreign.unnamed import deal_votes
from backend.methods.foreign.zooniverse import is_zooniverse, read_zooniverse
from backend.methods.tables import Fault
from backend.methods.tables import Table as FileTable

JUDGED_BEFORE = Why("row_judged_before", "This person already answered the task. The first answer counts.")
GROUND_TRUTH = "It is marked as the true label, so it does not count as an answer."
MOST_TEXT = 64 * 1024 * 1024  # characters of a text that is held whole while somebody waits
NOTHING = "This file has no answers."


def read_judgments(content: str | bytes, columns: Columns = USUAL) -> Foreign:
    """What a file holds, by its content. Raises NotJudgmentsError, with a sentence on what is wrong."""
    told = tell_file(content, columns)
    return told if isinstance(told, (PairVotes, ItemVotes)) else rows_of(*told, is_ordered=columns.is_ordered)


def tell_file(content: str | bytes, columns: Columns = USUAL) -> Ledger | PairVotes | ItemVotes:
    """What a file holds, its judgments one by one with those that are left out. Raises NotJudgmentsError."""
    return _File(raw_of(content), columns, Bounds()).told()


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
    content: str | bytes, columns: Columns = USUAL, queries: Mapping[str, str] | None = None, *, most: int | None = None
) -> list[Told]:
    """Judgments one by one, with where each stands; votes of pairs are dealt to voters who stand for nobody, `queries`
    being the words of each query where the file tells them by other names. Raises NotJudgmentsError, for votes of items
    too: their labels are their own. `most` is given where somebody waits: TooManyError, before any is dealt, where they
    are more, and nothing is read that may take far longer than its size tells: YAML, wide tables, votes of items."""
    bounds = Bounds(most)
    told = _File(raw_of(content), columns, bounds).told()
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
    """A file, what its columns are called, and how much of it is read. What it holds is told, or NotJudgmentsError
    raised."""

    raw: bytes
    columns: Columns
    bounds: Bounds

    def told(self) -> Ledger | PairVotes | ItemVotes:
        table = open_file(self.raw, self.columns)
        if table.kind == "lines":
            return self._lines(table)
        if table.kind in ("array", "object", "values"):
            return self._json()
        if table.kind == "delimited" and not has_header(table, self.columns):
            return self._yaml(self._text())
        self.bounds.check_width([dict(enumerate(table.columns))])
        found = read_file(table)
        return self._told_of(found._replace(rows=self.bounds.rows(found.rows)))

    def _told_of(self, table: Table) -> Ledger:
        is_named = bool(self.columns.task or self.columns.worker)
        if not is_named and is_labelbox(table.header):
            return _with_truths(read_labelbox(list(table.rows), label=self.columns.label))
        if not is_named and is_zooniverse(table.header):
            return _with_truths(read_zooniverse(list(table.rows), label=self.columns.label))
        check_not_old(table.header)
        if is_label_studio_table(table.header) and not is_named:
            rows = list(table.rows)
            told = read_label_studio(
                [record for _, record in rows if not isinstance(record, Why)], label=self.columns.label
            )
            unread_rows = [Told(where, "", "", "", why_not=why) for where, why in rows if isinstance(why, Why)]
            return _with_truths([*told, *unread_rows])
        return tell_table(table.header, table.rows, self.columns)

    def _text(self) -> str:
        return text_of(self.raw, most=None if self.bounds.most is None else MOST_TEXT)

    def _yaml(self, text: str) -> Ledger | PairVotes | ItemVotes:
        self.bounds.refuse("This is not JSON or CSV.")
        return tell_nested(parse_yaml(text), self.bounds)

    def _json(self) -> Ledger | PairVotes | ItemVotes:
        text = self._text()
        try:
            values = parse_json(text)
        except LongNumberError:
            raise
        except NotJudgmentsError:
            if text.lstrip()[1:].lstrip()[:1] in ('"', "{"):
                raise
            return self._yaml(text)  # which may begin as JSON does
        self.bounds.check_width(values)
        if is_label_studio(values):
            return _with_truths(read_label_studio(values, label=self.columns.label))
        if (records := _records(values)) is not None:
            places = [f"record {n}" for n in range(1, len(records) + 1)]
            return self._told_of(read_records(records, places))
        try:
            return tell_nested(values, self.bounds)
        except NotJudgmentsError as fault:
            return self._rows_within(fault)

    def _rows_within(self, fault: NotJudgmentsError) -> Ledger:
        """The rows that lie deeper in the JSON. Raises `fault` where there are none."""
        table = open_file(self.raw, self.columns, is_deep=True)
        rows = list(self.bounds.rows(table))
        try:
            return self._told_of(read_records([*map(record_of, rows)], [place_of(row, table.unit) for row in rows]))
        except NotJudgmentsError:
            raise fault from None

    def _lines(self, table: FileTable) -> Ledger | PairVotes | ItemVotes:
        """A record a line."""
        rows = list(self.bounds.rows(table))
        records = [record_of(row) for row in rows]
        self.bounds.check_width(records)
        first = next((record for record in records if isinstance(record, Mapping)), None)
        if first is None:
            raise unread(next(row for row in rows if isinstance(row, Fault)))
        if "evals" in first:
            return tell_raters([(row.line or 0, record) for row, record in zip(rows, records, strict=True)])
        return self._told_of(read_records(records, [place_of(row, table.unit) for row in rows]))


def _with_truths(told: list[Told]) -> Ledger:
    truths: dict[str, str] = {}
    for each in told:
        if each.is_gold and not each.why_not:
            note_truth(truths, each.task, each.label)
    return told, truths


def _records(values: Any) -> Sequence[Any] | None:
    if isinstance(values, list) and values and isinstance(values[0], Mapping):
        return values
    if isinstance(values, Mapping) and is_labelbox(values):  # the only line of a file
        return [values]
    return by_column(values)
