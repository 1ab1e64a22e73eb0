"""How much a file may ask for while somebody waits: its size alone does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from backend.methods.foreign.tables import is_by_column
from backend.methods.foreign.told import NotJudgmentsError

MOST_NAMES = 200
Row = TypeVar("Row")


class TooManyError(NotJudgmentsError):
    """These are more judgments than are taken at once."""


def at_most(rows: Iterable[Row], most: int | None) -> Iterator[Row]:
    """The rows as they are read, each a judgment or more; raises TooManyError at the first beyond `most`: a megabyte
    holds so many that reading them all takes forty."""
    for n, row in enumerate(rows, start=1):
        if most is not None and n > most:
            raise TooManyError(f"These are more than the {most:,} judgments taken at once")
        yield row


def check_width(values: Any, most: int | None) -> None:
    """Rows have a cell for every name that any of them has: a file of records, no two of whose names are alike, comes
    to billions. Raises TooManyError for more rows than `most`, NotJudgmentsError for very many names; without `most`
    nobody waits."""
    if most is None or not (isinstance(values, list) or is_by_column(values)):
        return
    records = values if isinstance(values, list) else [values]
    if (n_rows := _n_rows(values)) > most:
        raise TooManyError(f"These are {n_rows:,} rows, more than the {most:,} taken at once")
    names = {name for each in records if isinstance(each, Mapping) for name in each}
    if len(names) > MOST_NAMES:
        raise NotJudgmentsError(f"These rows have {len(names):,} columns: leave all but {MOST_NAMES} out.")


def _n_rows(values: list[Any] | Mapping[str, Any]) -> int:
    if isinstance(values, list):
        return len(values)
    columns = [range(len(each)) if isinstance(each, list) else each for each in values.values()]
    return len(set[object]().union(*(each for each in columns if isinstance(each, (Mapping, range)))))
