"""What the votes of a file come to, item by item: the majority with its ties open, Dawid-Skene, MACE, and ConQA's
categories under both readings of "most workers"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation import categorise, fit_dawid_skene, fit_mace
from backend.methods.aggregation.pair_summary import Most
from backend.methods.consensus import Votes
from backend.methods.foreign.told import Line
from backend.methods.judgments import Judgments

READINGS: tuple[Most, ...] = ("plurality", "majority")


def verdict_lines(judged: Judgments, labels: Sequence[str]) -> Iterator[Line]:
    """How many items each method gives each label; equal best ones are open, as is an item without a vote."""
    yield Line("items by majority", _verdicts(judged.counts(), labels))
    yield Line("items by Dawid-Skene", _verdicts(fit_dawid_skene(judged).posterior, labels))
    yield Line("items by MACE", _verdicts(fit_mace(judged).posterior, labels))


def _verdicts(support: NDArray[Any], labels: Sequence[str]) -> str:
    best = np.isclose(support, support.max(axis=1, keepdims=True))
    is_open = best.sum(axis=1) > 1
    counts = np.bincount(best.argmax(axis=1)[~is_open], minlength=len(labels)).tolist()
    said = [f"{n:,} {label}" for n, label in zip(counts, labels, strict=True)]
    return ", ".join([*said, f"{int(is_open.sum()):,} open"])


def category_lines(counts: NDArray[np.int64]) -> Iterator[Line]:
    """ConQA's categories of pairs by their votes (n, 3), good, bad, unsure; pairs without a vote have none."""
    rows, times = np.unique(counts, axis=0, return_counts=True)
    for most in READINGS:
        found = Counter[str]()
        for row, n in zip(rows.tolist(), times.tolist(), strict=True):
            found[categorise(Votes(*row), most=most) or "without votes"] += n
        said = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in sorted(found.items()))
        yield Line(f"pairs by category, most as {most}", said)
