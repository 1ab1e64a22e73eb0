"""How much a file may ask for while somebody waits: its size alone does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from backend.methods.foreign.tables import is_by_column
from backend.methods.foreign.told import NotJudgmentsError

MOST_NAMES = 200
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

    def check_number(self, n: int, what: str = "judgments") -> None:
        """Raises TooManyError where these are more."""
        if self.most is not None and n > self.most:
            raise TooManyError(f"These are {n:,} {what}, more than the {self.most:,} taken at once")

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows as they are read, each a judgment or more; raises TooManyError at the first of too many: ten
        megabytes hold so many that all of them take four hundred."""
        for n, row in enumerate(rows, start=1):
            if self.most is not None and n > self.most:
                raise TooManyError(f"These are more than the {self.most:,} judgments taken at once")
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
            raise NotJudgmentsError(f"These rows have {len(names):,} columns: leave all but {MOST_NAMES} out.")


def _n_rows(values: list[Any] | Mapping[str, Any]) -> int:
    if isinstance(values, list):
        return len(values)
    columns = [range(len(each)) if isinstance(each, list) else each for each in values.values()]
    return len(set[object]().union(*(each for each in columns if isinstance(each, (Mapping, range)))))
