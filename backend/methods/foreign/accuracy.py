"""How often each method finds the true label, over the items whose true label is known; or why that cannot be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from backend.methods.foreign.coding import Coding
from backend.methods.foreign.lines import places, under
from backend.methods.foreign.told import Line
from backend.methods.foreign.verdicts import MAJORITY, Verdicts, best_of

TIES_SPLIT = "the majority, ties split"


@dataclass(frozen=True)
class Truths:
    """True labels by item, as labels are called here; the items of which two are told; and those that nobody judged."""

    known: dict[str, str]
    doubled: tuple[str, ...]
    not_judged: tuple[str, ...]


def truths_of(coding: Coding, told: Mapping[str, str], given: Mapping[str, str] | None) -> Truths:
    """The true labels of a file, and those `given` beside it, which hold where both say something."""
    everything = {**told, **(given or {})}
    judged = set(coding.coded.items)
    return Truths(
        {item: coding.name(label) for item, label in everything.items() if label and item in judged},
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
