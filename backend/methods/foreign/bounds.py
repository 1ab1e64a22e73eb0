"""How much a file may ask for: its size alone does not tell. Most bounds hold while somebody waits, that of different
labels always."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, TypeVar

from backend.methods.foreign.tables import is_by_column
from backend.methods.foreign.told import NotJudgmentsError

MOST_NAMES = 200
# Tables of k labels by k labels, of each item and of each two judgments of one: more numbers than this take gigabytes
# and minutes. So few labels as this are no wrong column, however many judgments there are. Beside its table so many are
# held of each two judgments of one item, and of each two people who share any; 250 million come to two gigabytes.
MOST_CELLS, FEW_LABELS, BESIDE = 250_000_000, 20, 16
# A report is a program of its own, and may take what a large set of judgments does (CIFAR-10H's 51 of each of 10,000
# items); a project's figures are read beside others.
MOST_IN_REPORT = 4 * MOST_CELLS
Row = TypeVar("Row")


class TooManyError(NotJudgmentsError):
    """These are more judgments than are taken at once."""


@dataclass(frozen=True)
class Bounds:
    """At most so many judgments, and nothing that may take far longer than its size tells; without `most` nobody waits,
    and anything goes."""

    most: int | None = None

    def refuse(self, sentence: str) -> None:
        """Raises NotJudgmentsError on what nobody should wait for."""
        if self.most is not None:
            raise NotJudgmentsError(sentence)

    def check_number(self, n: int, what: str = "answers") -> None:
        """Raises TooManyError where these are more."""
        if self.most is not None and n > self.most:
            raise TooManyError(f"This file has {n:,} {what}. At most {self.most:,} are allowed at once.")

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows as they are read, each a judgment or more; raises TooManyError at the first of too many: ten
        megabytes hold so many that all of them take four hundred."""
        for n, row in enumerate(rows, start=1):
            if self.most is not None and n > self.most:
                raise TooManyError(f"This file has more than {self.most:,} answers. No more are allowed at once.")
            yield row

    def check_width(self, values: Any) -> None:
        """Rows have a cell for every name that any of them has: a file of records, no two of whose names are alike,
        comes to billions. Raises TooManyError for too many rows, NotJudgmentsError for very many names."""
        if self.most is None or not (isinstance(values, list) or is_by_column(values)):
            return
        self.check_number(_n_rows(values), "rows")
        records = values if isinstance(values, list) else [values]
        names = {name for each in records if isinstance(each, Mapping) for name in each}
        if len(names) > MOST_NAMES:
            raise NotJudgmentsError(f"These rows have {len(names):,} columns. Remove all except {MOST_NAMES}.")


def check_labels(n_labels: int, n_tables: int) -> None:
    """Raises NotJudgmentsError on so many different labels that their tables cannot be held: ids or free text, most
    often, whose every two differ."""
    most = max(FEW_LABELS, isqrt(MOST_CELLS // max(1, n_tables)))
    if n_labels > most:
        raise NotJudgmentsError(
            f"There are {n_labels:,} different labels. With this number of answers, at most {most:,} are "
            "possible. Check the column. Or round numbers of a fine scale."
        )


def check_twos(items: Iterable[object], *, n_people: int, n_labels: int, most: int | None = None) -> None:
    """Raises NotJudgmentsError on judgments of which so many are of one item, told by the item of each, that not every
    two can be compared: 4,000 people who judge one item are eight million pairs of people."""
    n_by_item = Counter(items)
    n_twos = _n_twos(n_by_item)
    n_pairs = min(n_twos, n_people * (n_people - 1) // 2)
    if BESIDE * n_twos + (n_labels**2 + BESIDE) * n_pairs > (most or MOST_CELLS):
        raise NotJudgmentsError(
            f"Connote compares every two answers for an item. These are {n_twos:,} comparisons of "
            f"{n_people:,} people, which is too many. One item has {max(n_by_item.values()):,} answers. "
            "Check the column of the tasks."
        )


def n_tables_of(items: Iterable[str]) -> int:
    """How many tables of labels judgments make, told by the item of each: one an item, and one each two of an item."""
    n_by_item = Counter(items)
    return len(n_by_item) + _n_twos(n_by_item)


def _n_twos(n_by_item: Counter[Any]) -> int:
    return sum(n * (n - 1) // 2 for n in n_by_item.values())


def _n_rows(values: list[Any] | Mapping[str, Any]) -> int:
    if isinstance(values, list):
        return len(values)
    columns = [range(len(each)) if isinstance(each, list) else each for each in values.values()]
    return len(set[object]().union(*(each for each in columns if isinstance(each, (Mapping, range)))))
