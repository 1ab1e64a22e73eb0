"""What a file tells of each item besides people's scores, such as what models say: how far it goes with the people's.

Spearman's and Kendall's coefficients know ranks alone; Pearson's stands beside them, for some call that Spearman's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from backend.methods.foreign.lines import decimal
from backend.methods.foreign.shapes import ItemVotes
from backend.methods.foreign.told import Line, NotJudgmentsError

FEWEST = 3  # items: of two any numbers go together
SAME = 1e-6
NAME_WIDTH = 80  # characters
Floats = NDArray[np.float64]


def measures_of(items: Mapping[str, Mapping[Any, Any]]) -> dict[str, dict[str, float]]:
    """The numbers that every item has under one name, by name and then by item. Raises NotJudgmentsError."""
    names = next(iter(items.values()), {})
    return {
        str(name): {item: _number(each[name], str(name), item) for item, each in items.items()}
        for name in names
        if all(type(each.get(name)) in (int, float) for each in items.values())
    }


def _number(value: float, name: str, item: str) -> float:
    """Raises NotJudgmentsError on a whole number of hundreds of digits."""
    try:
        return float(value)
    except OverflowError as problem:
        where = f"under {name[:NAME_WIDTH]} of {item[:NAME_WIDTH]}"
        raise NotJudgmentsError(f"The number {where} is too large to compare.") from problem


def measure_lines(data: ItemVotes) -> Iterator[Line]:
    """Each measure against the mean of the people's scores, where those are numbers on a scale."""
    if not data.is_ordered or len(data.item) < FEWEST:
        return
    points = np.array([float(label) for label in data.labels])
    people = data.counts @ points / data.counts.sum(axis=1)
    for name, by_item in data.measures.items():
        numbers = np.array([by_item[item] for item in data.item])
        if not np.allclose(numbers, people, atol=SAME, rtol=0):  # it is their mean
            yield _line(f"{name} against people", numbers, people)


def _line(figure: str, numbers: Floats, people: Floats) -> Line:
    if not np.isfinite(numbers).all() or np.ptp(numbers) == 0 or np.ptp(people) == 0:
        return Line(figure, "-", why="No figure: one of the two is the same for all items, or is not a number.")
    found = {
        "Spearman": stats.spearmanr(numbers, people),
        "Kendall": stats.kendalltau(numbers, people),
        "Pearson": stats.pearsonr(numbers, people),
    }
    return Line(figure, ", ".join(f"{who} {decimal(float(each.statistic))}" for who, each in found.items()))
