"""Rows of a foreign file as arrays, its labels read as ours or as numbers where they are, or else as they stand.

Every line of a report is made from the same coding, so that no two of them know different labels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement import UNSURE_READINGS, Reading, reading_of
from backend.methods.consensus import LABELS
from backend.methods.foreign.bounds import MOST_IN_REPORT, check_labels, check_twos, n_tables_of
from backend.methods.foreign.labels import (
    alike,
    are_numbers,
    are_ours,
    by_value,
    composed,
    one_spelling,
    ours_of,
)
from backend.methods.foreign.lines import BY_IMAGE, BY_QUERY
from backend.methods.foreign.shapes import Rows
from backend.methods.judgments import CodedJudgments, Judgments, code_judgments


@dataclass(frozen=True)
class Coding:
    """`coded` judgments and the `clusters` (n_items,) that their items are drawn in, told in words by `by`. Where the
    labels `are_ours`, unsure is read in three ways. `name` is how a label of the file is called here."""

    coded: CodedJudgments
    clusters: NDArray[np.int64]
    by: str
    readings: tuple[Reading, ...]
    are_ours: bool
    name: Callable[[str], str]

    @property
    def judged(self) -> Judgments:
        return self.coded.judgments


def code_rows(data: Rows) -> Coding:
    """The coding of a file. Raises ValueError where somebody judged an item twice, NotJudgmentsError on too many
    different labels, or on more judgments of one item than can be compared."""
    said = dict.fromkeys(composed(label) for _, _, label in data.rows)
    is_ours, name = are_ours(said.keys()), _naming(said)
    named = set(map(name, said))
    tasks, n_people = [task for task, _, _ in data.rows], len({worker for _, worker, _ in data.rows})
    check_labels(len(named), n_tables_of(tasks))
    n_compared = max(len(named), len(LABELS) if is_ours else 0)
    check_twos(tasks, n_people=n_people, n_labels=n_compared, most=MOST_IN_REPORT)
    labels = tuple(map(str, LABELS)) if is_ours else by_value(named) if are_numbers(said.keys()) else None
    coded = code_judgments([(task, worker, name(label)) for task, worker, label in data.rows], labels=labels)
    readings = UNSURE_READINGS if is_ours else (reading_of(coded.labels, is_ordered=data.is_ordered),)
    by = BY_QUERY if data.queries else BY_IMAGE if data.images else ""
    return Coding(coded, data.clusters_of(coded.items), by, tuple(readings), is_ours, name)


def _naming(labels: Collection[str]) -> Callable[[str], str]:
    """How a label of a file is called here: by our word, as a number, or as the file first spells it."""
    if are_ours(set(labels)):
        return ours_of
    if are_numbers(set(labels)):
        return lambda label: one_spelling(composed(label))
    first = {alike(label): label for label in reversed(list(labels))}
    return lambda label: first.get(alike(label), composed(label))
