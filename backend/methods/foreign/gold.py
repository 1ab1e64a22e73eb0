"""True labels: how often single votes and each method find them, over the items whose true label is known; or why that
cannot be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from backend.methods.foreign.coding import Coding
from backend.methods.foreign.columns import USUAL, Columns, gold_columns
from backend.methods.foreign.labels import composed
from backend.methods.foreign.lines import places, under
from backend.methods.foreign.parsing import parse_yaml, text_of
from backend.methods.foreign.tables import (
    Table,
    has_header,
    is_bare,
    open_file,
    place_of,
    raw_of,
    read_file,
    read_records,
    record_of,
)
from backend.methods.foreign.told import Line, NotJudgmentsError, Why, note_truth
from backend.methods.foreign.values import value_of
from backend.methods.foreign.verdicts import HEARD, MAJORITY, Verdicts, best_of
from backend.methods.tables import Row, without_extra_commas

GOLD_USUAL = Columns(task="task,item,id,image,caption,text,unit", label="gold,label,answer,truth")
NONE, STRANGE = -1, -2  # no true label, and one that nobody gave
TIES_SPLIT = "the majority, ties split"


@dataclass(frozen=True)
class Truths:
    """True labels by item, as labels are called here; the items of which two are told; and those that nobody judged."""

    known: dict[str, str]
    doubled: tuple[str, ...]
    not_judged: tuple[str, ...]


def read_gold(content: str | bytes, columns: Columns = USUAL) -> dict[str, str]:
    """True labels by item: JSON or YAML `{item: label}`, or a table of items and labels, with or without a header. The
    label is empty where the table tells two. Raises NotJudgmentsError."""
    raw = raw_of(content)
    if not raw.strip():
        raise NotJudgmentsError("The file of correct answers is empty.")
    table = open_file(raw, GOLD_USUAL)
    rows = [row for row in table if not is_bare(row)] if table.kind in ("array", "lines", "values") else []
    if any(isinstance(row, Row) for row in rows):
        places = [place_of(row, table.unit) for row in rows]
        return _of_table(read_records([record_of(row) for row in rows], places), columns)
    if table.kind in ("sheet", "parquet") or (table.kind == "delimited" and has_header(table, GOLD_USUAL)):
        return _of_table(read_file(table), columns)
    values = parse_yaml(without_extra_commas(text_of(raw)))
    if not isinstance(values, Mapping) or any(isinstance(label, (Mapping, list)) for label in values.values()):
        raise NotJudgmentsError("The true labels do not have the form {item: label}, and are no table.")
    return {str(item): str(label) for item, label in values.items()}


def _of_table(table: Table, columns: Columns) -> dict[str, str]:
    names, rows = list(table.header), list(table.rows)
    found = gold_columns(names, columns)
    if found is None:  # two columns without a header that is known: the first line is a row
        rows.insert(0, ("line 1", dict(zip(names, names, strict=True))))
        found = ((names[0],), names[1])
    truths: dict[str, str] = {}
    for where, record in rows:
        if isinstance(record, Why):
            raise NotJudgmentsError(f"The file of correct answers cannot be read: {where}: {record}")
        item, label = " | ".join(value_of(record.get(name)) for name in found[0]), value_of(record.get(found[1]))
        if item and label:
            note_truth(truths, composed(item), label)
    return truths


def truths_of(coding: Coding, told: Mapping[str, str], given: Mapping[str, str] | None) -> Truths:
    """The true labels of a file, and those `given` beside it, which hold where both say something."""
    everything = {**told, **{composed(item): label for item, label in (given or {}).items()}}
    judged = set(coding.coded.items)
    return Truths(
        {item: coding.name(composed(label)) for item, label in everything.items() if label and item in judged},
        tuple(item for item, label in everything.items() if not label),
        tuple(item for item, label in everything.items() if label and item not in judged),
    )


def truth_lines(truths: Truths) -> Iterator[Line]:
    """What of the true labels counts in no accuracy."""
    if truths.doubled:
        where = f"They do not count. See {places(truths.doubled)}"
        yield Line("items with two true labels", f"{len(truths.doubled):,}", why=where)
    if truths.not_judged:
        where = f"See {places(truths.not_judged)}"
        yield Line("true labels of items without an answer", f"{len(truths.not_judged):,}", why=where)


def vote_lines(coding: Coding, truths: Truths) -> Iterator[Line]:
    """The share of single votes that are the true label; also without those that are unsure, where labels are ours."""
    labels, judged = coding.coded.labels, coding.judged
    place = {label: at for at, label in enumerate(labels)} | {"": NONE}
    of_items = [place.get(truths.known.get(item, ""), STRANGE) for item in coding.coded.items]
    gold = np.array(of_items, dtype=np.int64)[judged.items]
    for reading, heard in HEARD.items() if coding.are_ours else (("", tuple(range(len(labels)))),):
        if reading == "middle":  # a single vote lies nowhere
            continue
        counts = (gold != NONE) & np.isin(judged.labels, heard) & np.isin(gold, (*heard, STRANGE))
        name = under("single votes equal to the true label", reading)
        if not counts.any():
            yield Line(name, "-", why="No share: no answer is of an item with one true label that counts here.")
        else:
            share = float((judged.labels[counts] == gold[counts]).mean())
            yield Line(name, f"{share:.4f} n={int(counts.sum()):,}")


def accuracy_lines(coding: Coding, truths: Truths, verdicts: Sequence[Verdicts]) -> Iterator[Line]:
    """The share of items whose likeliest label is the true one; one of n equal ones counts 1/n."""
    for each in verdicts:
        method = TIES_SPLIT if each.method == MAJORITY else each.method
        yield _line(under(f"accuracy of {method}", each.reading), each, coding, truths)


def _line(name: str, found: Verdicts, coding: Coding, truths: Truths) -> Line:
    items, heard = coding.coded.items, _heard(found, coding, truths)
    if not heard:
        return Line(name, "-", why="No accuracy: no item with an answer has one true label that counts here.")
    if found.support is None:
        return Line(name, "-", why=found.why)
    at = np.array(sorted(heard))
    gold = np.array([found.labels.index(heard[n]) if heard[n] in found.labels else -1 for n in at.tolist()])
    best = best_of(found.support[at])
    right = np.where(gold >= 0, best[np.arange(len(at)), gold] / best.sum(axis=1), 0)
    return Line(
        name, f"{right.mean():.4f} n={len(at):,}", why=_why(len(at), len(items), int((gold < 0).sum()), found.why)
    )


def _heard(found: Verdicts, coding: Coding, truths: Truths) -> dict[int, str]:
    """The true label of items by their place, without those that the reading leaves out."""
    left_out = set(coding.coded.labels) - set(found.labels)
    known = ((n, truths.known.get(item, "")) for n, item in enumerate(coding.coded.items))
    return {n: label for n, label in known if label and label not in left_out}


def _why(n: int, n_items: int, n_strange: int, unfinished: str) -> str:
    part = f"Over the {n:,} of {n_items:,} items with a true label that counts here." if n < n_items else ""
    strange = (
        f"{n_strange:,} of them have no answer with the true label, so no method is correct there." if n_strange else ""
    )
    return " ".join(filter(None, (part, strange, unfinished)))
