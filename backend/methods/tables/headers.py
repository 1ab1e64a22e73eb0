"""Where the header of a table is: people write a title above it, and a note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from backend.methods.tables.rows import fold

MOST_ABOVE = 20  # rows with anything
SURE = 2  # names of columns that a row above the rows of data has


def header_at(rows: Iterable[Sequence[str]], known: frozenset[str]) -> int:
    """The place of the header among the first rows: the first one, unless it has no known name and a later one has
    several. `known` are folded names. Rows are asked for only as far as they are needed."""
    for at, cells in enumerate(islice(rows, MOST_ABOVE + 1)):
        n_known = len(known & {*map(fold, cells)})
        if n_known >= SURE or (n_known and at == 0):
            return at
    return 0
