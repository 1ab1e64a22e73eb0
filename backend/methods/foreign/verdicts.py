"""What the votes of a file come to, item by item: the majority with its ties open, Dawid-Skene, MACE, and ConQA's
categories, under all three readings of unsure where the labels are ours.

Dawid-Skene and MACE know no order of labels, so there is nothing of theirs with unsure between bad and good. They learn
whom to believe from what two people judged, and say nothing where there is no such item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation import DawidSkene, Mace, categorise, fit_dawid_skene, fit_mace
from backend.methods.aggregation.category_readings import READINGS, category_under
from backend.methods.aggregation.pair_summary import Most
from backend.methods.aggregation.vote_sums import vote_shares
from backend.methods.consensus import Votes
from backend.methods.foreign.coding import Coding
from backend.methods.foreign.lines import said, under
from backend.methods.foreign.told import Line
from backend.methods.judgments import Judgments

Floats = NDArray[np.float64]
MAJORITY, DAWID_SKENE, UNSMOOTHED, MACE = "majority", "Dawid-Skene", "Dawid-Skene, no smoothing", "MACE"
MODELS: dict[str, Callable[[Judgments], DawidSkene | Mace]] = {
    UNSMOOTHED: partial(fit_dawid_skene, smoothing=0),
    DAWID_SKENE: fit_dawid_skene,
    MACE: fit_mace,
}
MOSTS: tuple[Most, ...] = ("plurality", "majority")
HEARD: dict[str, tuple[int, ...]] = {"value": (0, 1, 2), "missing": (0, 1), "middle": (0, 1, 2)}  # places in LABELS
LOWEST_FIRST = (1, 2, 0)  # bad, unsure, good, as places in LABELS
NO_ORDER = "No decision: the method has no order of labels. Read it with unsure as value."
NOTHING_SHARED = "No decision: the method needs items that two people answered."


@dataclass(frozen=True)
class Verdicts:
    """How much a method gives each item each of `labels`, (n_items, k), under a reading; None for `why`, which beside
    a support says that the method did not come to its end."""

    method: str
    reading: str
    labels: tuple[str, ...]
    support: Floats | None
    why: str = ""


def verdicts_of(coding: Coding) -> list[Verdicts]:
    """Of every method under every reading."""
    if not coding.are_ours:
        return list(_of_reading(coding.judged, "", coding.coded.labels))
    return [
        each
        for reading, heard in HEARD.items()
        for each in _of_reading(_heard(coding.judged, heard), reading, tuple(coding.coded.labels[at] for at in heard))
    ]


def _of_reading(judged: Judgments, reading: str, labels: tuple[str, ...]) -> Iterator[Verdicts]:
    is_middle = reading == "middle"
    yield Verdicts(MAJORITY, reading, labels, middle_shares(judged.counts()) if is_middle else vote_shares(judged))
    is_shared = judged.counts().sum(axis=1).max(initial=0) >= 2
    why = NO_ORDER if is_middle else "" if is_shared else NOTHING_SHARED
    for method, fit in MODELS.items():
        if why:
            yield Verdicts(method, reading, labels, None, why)
        else:
            fitted = fit(judged)
            yield Verdicts(method, reading, labels, _even_unheard(fitted.posterior, judged), _unfinished(fitted))


def _unfinished(fitted: DawidSkene | Mace) -> str:
    """MACE is defined by its number of rounds."""
    if isinstance(fitted, Mace) or fitted.converged:
        return ""
    return (
        f"Dawid-Skene did not reach its fixed point in {len(fitted.history):,} rounds. "
        f"Its probabilities still change by {fitted.moved:.1g} in a round."
    )


def _even_unheard(posterior: Floats, judged: Judgments) -> Floats:
    """A model gives an item without a vote what is frequent elsewhere; nobody said so of it."""
    has_votes = judged.counts().any(axis=1, keepdims=True)
    return np.asarray(np.where(has_votes, posterior, 1 / judged.n_labels))


def _heard(judged: Judgments, heard: Sequence[int]) -> Judgments:
    """The judgments of labels that count, these being the first of them."""
    kept = judged.labels < len(heard)
    return Judgments(
        judged.items[kept], judged.annotators[kept], judged.labels[kept],
        judged.n_items, judged.n_annotators, len(heard),
    )  # fmt: skip


def middle_shares(counts: NDArray[np.int64]) -> Floats:
    """Of votes (n, 3) for LABELS who is in the middle, (n, 3): one label, or half and half where the two in the middle
    of an even number differ; even where nobody voted."""
    up_to = counts[:, LOWEST_FIRST].cumsum(axis=1)
    total = up_to[:, -1]
    shares = np.zeros(counts.shape)
    for place in ((total - 1) // 2, total // 2):
        label = np.array(LOWEST_FIRST)[(up_to > place[:, None]).argmax(axis=1)]
        shares[np.arange(len(counts)), label] += 0.5
    shares[total == 0] = 1 / counts.shape[1]
    return shares


def verdict_lines(verdicts: Sequence[Verdicts]) -> Iterator[Line]:
    """How many items each method gives each label; equal best ones are open, as is an item without a vote."""
    for each in verdicts:
        if each.method == UNSMOOTHED:  # for the accuracies that papers publish
            continue
        ours = "-" if each.support is None else _counted(each.support, each.labels)
        yield Line(under(f"items by {each.method}", each.reading), ours, why=each.why)


def _counted(support: NDArray[Any], labels: Sequence[str]) -> str:
    best = best_of(support)
    is_open = best.sum(axis=1) > 1
    counts = np.bincount(best.argmax(axis=1)[~is_open], minlength=len(labels)).tolist()
    return f"{said(counts, labels)}, {int(is_open.sum()):,} open"


def best_of(support: NDArray[Any]) -> NDArray[np.bool_]:
    """The likeliest labels of each item, several where they are equal, (n_items, k)."""
    return np.asarray(np.isclose(support, support.max(axis=1, keepdims=True)))


def category_lines(counts: NDArray[np.int64]) -> Iterator[Line]:
    """ConQA's categories of pairs by their votes (n, 3), good, bad, unsure; pairs without a vote have none. "Most" may
    mean more than any other or more than half: with unsure as value both stand, elsewhere they are one."""
    rows, times = np.unique(counts, axis=0, return_counts=True)
    votes = [(Votes(*row), n) for row, n in zip(rows.tolist(), times.tolist(), strict=True)]
    name = "pairs by category"
    for most in MOSTS:
        yield Line(
            f"{under(name, 'value')}, most as {most}", _tally((categorise(each, most=most), n) for each, n in votes)
        )
    for reading in READINGS:
        if reading != "value":
            yield Line(under(name, reading), _tally((category_under(each, reading), n) for each, n in votes))


def _tally(found: Iterator[tuple[str | None, int]]) -> str:
    total = Counter[str]()
    for category, n in found:
        total[category or "without votes"] += n
    return ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in sorted(total.items()))
