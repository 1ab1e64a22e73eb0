"""Rows of a table as answers: one a row, or several where a cell holds a list, or where each person has a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from backend.methods.foreign.columns import (
    LOOKED_AT,
    NAMES,
    USUAL,
    Columns,
    Layout,
    Record,
    children_of,
    layout_of,
)
from backend.methods.foreign.labels import LABELS, alike, plain
from backend.methods.foreign.statuses import SKIPPED, UNFINISHED, is_status, squashed, why_no_vote
from backend.methods.foreign.told import NotJudgmentsError, Told, Why, note_truth
from backend.methods.foreign.values import answers_of, list_of, listed_of, parted, value_of

ONE_OF_MANY = Why("row_several_people", "It has several people and only one answer.")
LENGTHS = Why("row_list_lengths", "Its lists of people and answers have different lengths.")
COUNTS = Why("row_counts", "It has numbers of votes, and no names of voters.")
NO_ANSWER = Why("row_lacks_names", "It has no label.")
SPANS = Why("row_spans", "It marks a part of the text, and has no answer for the whole.")


def tell_table(
    names: Sequence[str], rows: Iterable[tuple[str, Record | Why]], columns: Columns = USUAL
) -> tuple[list[Told], dict[str, str]]:
    """Every answer or why it is none, and the true label of tasks where a column says it. Each row has where it stands,
    and may be why it cannot be read. Raises NotJudgmentsError."""
    rows = iter(rows)
    first = list(islice(rows, LOOKED_AT))
    layout = layout_of(names, [record for _, record in first if not isinstance(record, Why)], columns)
    table = _Table(layout, columns.annotator)
    told: list[Told] = []
    gold: dict[str, str] = {}
    for where, record in chain(first, rows):
        if isinstance(record, Why):
            told.append(Told(where, "", "", "", why_not=record))
            continue
        for each, truth in table.tell(where, record):
            told.append(each)
            if truth:
                note_truth(gold, each.task, truth)
    if not told:
        raise NotJudgmentsError("The table has a header and no rows.")
    return _without_several(told), gold


class _Table:
    """Reads rows by a layout."""

    def __init__(self, layout: Layout, annotator: str) -> None:
        self.layout, self.annotator = layout, annotator

    def tell(self, where: str, record: Record) -> Iterator[tuple[Told, str]]:
        why = self._no_vote(record)
        for place, each in self._answers(where, record):
            truth = _first(record, self.layout.gold)
            yield each._replace(where=place, why_not=why or each.why_not), truth

    def _no_vote(self, record: Record) -> str:
        """Why the row is no vote, by the columns that say so. Lists of them are said one by one."""
        for name in self.layout.status:
            if list_of(value := record.get(name)) is not None or not (why := why_no_vote(name, value)):
                continue
            if why is not UNFINISHED or not self.layout.nested:  # a task that waits for more people has some answers
                return why
        return ""

    def _answers(self, where: str, record: Record) -> Iterator[tuple[str, Told]]:
        layout = self.layout
        if layout.people:
            for name in layout.people:
                yield f"{where}, {name}", self._told(record, name, record.get(name))
        elif layout.items:
            for name in layout.items:
                told = self._told(record, _worker(record.get(layout.worker)), record.get(name))
                yield f"{where}, {name}", self._judged(told._replace(task=name), record)
        elif layout.nested:
            yield from self._nested(where, record)
        else:
            worker = record.get(layout.worker) if layout.worker else self.annotator
            yield from self._listed(where, record, worker, record.get(layout.label))

    def _nested(self, where: str, record: Record) -> Iterator[tuple[str, Told]]:
        cell = record.get(self.layout.nested)
        try:
            children = list(children_of(cell, self.layout.path))
        except ValueError as problem:
            raise NotJudgmentsError(
                f"The column {self.layout.nested} has several questions: {problem}. "
                f"Choose one of them as the label: {self.layout.nested}.NAME."
            ) from problem
        if not children:
            yield where, self._told(record, "", "")
        is_counts = all(
            plain(str(child.get("worker", ""))) in LABELS and isinstance(child.get("label"), int)
            for _, child in children
        )
        for place, child in children:
            who = _first(child, _usual(child, "worker"))
            said = next((child[name] for name in _usual(child, "label")), None)
            told = self._told(record, who, said)
            whys = (why_no_vote(name, value) for name, value in child.items() if is_status(name))
            if why := COUNTS if is_counts and children else next(filter(None, whys), None):
                told = told._replace(why_not=why)
            yield f"{where}, answer {place}", told

    def _listed(self, where: str, record: Record, worker: Any, label: Any) -> Iterator[tuple[str, Told]]:
        """One answer, or as many as its cells list: people and labels, or tasks and labels."""
        layout = self.layout
        tasks = list_of(record.get(layout.task[0])) if len(layout.task) == 1 else None
        people, labels = list_of(worker), list_of(label)
        if people is None and labels is None and isinstance(worker, str) and isinstance(label, str):
            people, labels = parted(worker, label) or (None, None)
        n_people, n_labels, n_tasks = (len(each) if each is not None else 1 for each in (people, labels, tasks))
        if max(n_people, n_tasks) < 2:
            yield where, self._told(record, _worker(worker), label, _value(tasks[0]) if tasks else None)
            return
        n = max(n_people, n_tasks)
        is_of_each = n_labels == n or (n_people == 1 and (labels is None or n_labels == 1))
        if not is_of_each or n_people not in (1, n) or n_tasks not in (1, n):
            told = self._told(record, "", "")
            yield where, told._replace(why_not=LENGTHS if n_labels > 1 else ONE_OF_MANY)
            return
        for at in range(n):
            told = self._told(
                record,
                _worker(people[at] if people and n_people > 1 else worker),
                labels[at] if labels and n_labels > 1 else label,
                _value(tasks[at]) if tasks and n_tasks > 1 else None,
            )
            yield f"{where}, answer {at + 1}", self._of_list(told, record, at, n)

    def _of_list(self, told: Told, record: Record, at: int, n: int) -> Told:
        """With why it is no vote, where a column says that in a list as long."""
        for name in self.layout.status:
            states = list_of(record.get(name))
            if states is not None and len(states) == n and (why := why_no_vote(name, states[at])):
                return told._replace(why_not=why)
        return told

    def _told(self, record: Record, worker: str, said: Any, task: str | None = None) -> Told:
        layout = self.layout
        parts = [value_of(record.get(name)) for name in layout.task] if task is None else [task]
        label, why = self._label(record, said)
        told = Told("", " | ".join(parts), worker, label, why_not=why)
        if not layout.items:
            told = self._judged(told, record, is_named=all(parts))
        return told

    def _judged(self, told: Told, record: Record, *, is_named: bool = True) -> Told:
        """With the image and the text, and why it is no answer, if it is none."""
        layout = self.layout
        why = told.why_not or _lacks(task=is_named, worker=bool(told.worker), label=bool(told.label))
        text = next((name for name in layout.text if value_of(record.get(name))), "")
        return told._replace(
            image=_name_of_image(_first(record, layout.image)), text=str(record.get(text, "")) if text else "",
            why_not=why, is_of_query=text in layout.query,
        )  # fmt: skip

    def _label(self, record: Record, said: Any) -> tuple[str, str]:
        layout = self.layout
        if layout.is_prodigy and layout.label == "answer" and value_of(said).casefold() == "ignore":
            return "", SKIPPED
        try:
            answers = answers_of(said, layout.path)
        except ValueError as problem:
            raise NotJudgmentsError(
                f"The answers are JSON with several questions: {problem}. "
                f"Choose one of them as the label: {layout.label or layout.nested}.NAME."
            ) from problem
        if _is_spans(said):
            return "", SPANS
        if len(answers) > 1:
            several = f"It has several choices: {', '.join(answers)[:80]}. An answer is only one."
            return "", Why("row_several_choices", several)
        return (answers[0], "") if answers else ("", "")


def _is_spans(said: Any) -> bool:
    """Whether these are doccano's `[[0, 5, "PER"]]`."""
    held = list_of(said)
    return bool(held) and all(
        isinstance(each, list) and len(each) == 3 and isinstance(each[0], int) and isinstance(each[1], int)
        for each in held or ()
    )


def _usual(child: Mapping[str, Any], role: str) -> list[str]:
    there: dict[str, str] = {}
    for name in child:
        there.setdefault(squashed(name), name)
    return [there[each] for each in NAMES[role] if each in there]


def _worker(cell: Any) -> str:
    """A person, by the id or the address of an object that tells several things of them."""
    held = cell if isinstance(cell, Mapping) else listed_of(cell)
    if isinstance(held, Mapping):
        cell = next((held[name] for name in ("id", "email", "username", "name") if held.get(name)), None)
    return value_of(cell)


def _value(cell: Any) -> str:
    return value_of(cell)


def _first(record: Record, names: Sequence[str]) -> str:
    return next(filter(None, (value_of(record.get(name)) for name in names)), "")


def _name_of_image(image: str) -> str:
    """Prodigy puts the picture itself into its rows."""
    return "" if image.startswith("data:") else image


def _lacks(**there: bool) -> str:
    missing = [name for name, is_there in there.items() if not is_there]
    return Why("row_lacks_names", f"It has no {' and no '.join(missing)}.") if missing else ""


def _without_several(told: list[Told]) -> list[Told]:
    """A text of several labels, as of Label Studio's or Google's forms, is no label: `good;bad` where `good` is one."""
    known = {alike(each.label) for each in told if not each.why_not} | set(LABELS)
    return [
        each._replace(label="", why_not=_several(each.label))
        if not each.why_not and _is_several(each.label, known)
        else each
        for each in told
    ]


def _is_several(label: str, known: set[str]) -> bool:
    for sign in (";", "|", ","):
        parts = [alike(part) for part in label.split(sign)] if sign in label else []
        if len(parts) > 1 and set(parts) <= known:
            return True
    return False


def _several(label: str) -> Why:
    shown = ", ".join(part.strip() for part in label.replace(";", ",").replace("|", ",").split(","))
    return Why("row_several_choices", f"It has several choices: {shown[:80]}. An answer is only one.")
