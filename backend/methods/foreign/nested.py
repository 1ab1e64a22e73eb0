"""Judgments that lie in each other by name: a worker's by item, raters' by task, and votes by query and image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from backend.methods.foreign.bounds import Bounds
from backend.methods.foreign.labels import LABELS, plain
from backend.methods.foreign.measures import measures_of
from backend.methods.foreign.shapes import ItemVotes, Ledger, PairVotes
from backend.methods.foreign.told import NOBODY, NotJudgmentsError, Told, Why, note_truth
from backend.methods.foreign.votes import item_votes, pair_votes, scores_as_votes

COUNTS, SCORES = "mturk", "human_scores"
SHOWN = 80  # characters of a name, or of what stands under it
NO_LABEL = Why("row_no_label", "It has no label.")
EMPTY_WORKER = Why("row_empty_worker", "This worker has no answers.")
OF_MODELS = "These are scores of models, and not answers. Write answers as a table with task, worker and label."
OF_ITEMS = "These are votes on items that are not pairs, without names of voters."


def tell_nested(values: Any, bounds: Bounds) -> Ledger | PairVotes | ItemVotes:
    """`{query: {image: [r, n, u]}}`, `{worker: {item: label}}`, VALSE's counts or TIFA's scores. Raises
    NotJudgmentsError. Votes of items are refused before their table is made, with a cell for each item and any label.
    """
    _check_nested(values)
    if (votes := _of_items(values, COUNTS, Mapping, bounds)) is not None:
        return item_votes(votes)
    if (scores := _of_items(values, SCORES, list, bounds)) is not None:
        return replace(scores_as_votes(scores), measures=measures_of({str(item): values[item] for item in values}))
    for name, kind in ((COUNTS, Mapping), (SCORES, list)):
        _check_all_or_none(values, name, kind)
    bounds.check_number(sum(map(len, values.values())))
    return _by_name(values)


def _check_nested(values: Any) -> None:
    """Raises NotJudgmentsError, naming what has nothing by name within it where the others do."""
    within = values if isinstance(values, Mapping) else {"": values}
    flat = [outer for outer, inner in within.items() if not isinstance(inner, Mapping)]
    if not flat:
        return
    if len(flat) == len(within):
        raise NotJudgmentsError(str(NotJudgmentsError.__doc__))
    name, said = (str(each)[:SHOWN] for each in (flat[0], within[flat[0]]))
    raise NotJudgmentsError(f"{name} has no answers by name, but others do. It has: {said}.")


def _of_items(values: Mapping[Any, Any], name: str, kind: type[Any], bounds: Bounds) -> dict[str, Any] | None:
    """What a file of items tells of each under a name; None where it does not tell that of each."""
    told = {str(item): inner.get(name) for item, inner in values.items()}
    if not told or not all(isinstance(each, kind) for each in told.values()):
        return None
    bounds.refuse(OF_ITEMS)
    return told


def _check_all_or_none(values: Mapping[Any, Any], name: str, kind: type[Any]) -> None:
    """Raises NotJudgmentsError where a file of items tells something of some and not of others."""
    wrong = [str(item) for item, inner in values.items() if not isinstance(inner.get(name), kind)]
    if 0 < len(wrong) < len(values):
        raise NotJudgmentsError(f"The answers for an item are in `{name}`, but {wrong[0]} has none there.")


def _by_name(values: Mapping[Any, Mapping[Any, Any]]) -> Ledger | PairVotes:
    told = [(str(outer), str(inner), value) for outer, each in values.items() for inner, value in each.items()]
    words = LABELS.keys() - {"1", "0"}
    if all(plain(label) in words and isinstance(ids, list) for _, label, ids in told):  # ids by label
        told = [(worker, str(item), label) for worker, label, ids in told for item in ids]
    empty = [str(outer) for outer, each in values.items() if not each]
    if any(isinstance(value, list) for _, _, value in told):
        return pair_votes(told, empty=empty)
    values_told = [value for _, _, value in told if value is not None]
    if values_told and all(isinstance(each, float) and not each.is_integer() for each in values_told):
        raise NotJudgmentsError(OF_MODELS)
    nothing = [Told(worker, "", worker, "", why_not=EMPTY_WORKER) for worker in empty]
    return [_said(item, worker, said) for worker, item, said in told] + nothing, {}


def tell_raters(records: Iterable[tuple[int, Any]]) -> Ledger:
    """Records with `identifier` and `evals`, or why one cannot be read, by line. Raises NotJudgmentsError."""
    told: list[Told] = []
    gold: dict[str, str] = {}
    for n, record in records:
        if isinstance(record, Why):
            told.append(Told(f"line {n}", "", "", "", why_not=record))
            continue
        if (
            not isinstance(record, Mapping)
            or not isinstance(record.get("evals"), Mapping)
            or "identifier" not in record
        ):
            raise NotJudgmentsError(f"Line {n} has no `identifier`, or no `evals` with the label of each rater.")
        task = str(record["identifier"])
        told += [_said(task, rater, said) for rater, said in record["evals"].items()]
        if not record["evals"]:
            told.append(Told(f"line {n}", task, "", "", why_not=NOBODY))
        if "label" in record:
            note_truth(gold, task, str(record["label"]))
    return told, gold


def _said(task: str, worker: object, said: Any) -> Told:
    """What a person said of a task, as a file says it that is no table."""
    if isinstance(said, (Mapping, list)):
        raise NotJudgmentsError(f"The answer of {worker} on {task} is not a label: {str(said)[:SHOWN]}.")
    label = "" if said is None else str(said).strip()
    return Told(f"{worker} of {task}", task, str(worker), label, why_not="" if label else NO_LABEL)
