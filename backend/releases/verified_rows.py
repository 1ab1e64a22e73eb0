"""What the checks of a release share: faults, the facts that the rows come to, and readers of the files."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from backend.methods.export_rows import unguard
from backend.methods.exports.full_tables import Record

Row = Mapping[str, Any]
Vote = tuple[str, str]  # the annotator, "" without a name, and the label


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: the file, the row ("" for the whole file), and a sentence."""

    file: str
    row: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}{f', {self.row}' if self.row else ''}: {self.message}"


@dataclass
class Facts:
    """What the rows of images.jsonl come to."""

    captions: dict[str, Row] = field(default_factory=dict)  # by key: what the other tables are compared with
    counts: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    splits: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    variants: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    votes: dict[str, Counter[Vote]] = field(default_factory=lambda: defaultdict(Counter))
    labels: dict[str, str] = field(default_factory=dict)  # of all captions, "" without one
    numbers: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # their votes, where they have a label
    records: dict[str, Record] = field(default_factory=lambda: defaultdict(Record))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_table(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a CSV with their numbers, cells without guards."""
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            yield f"row {number}", {name: unguard(cell or "") for name, cell in row.items()}


def as_cell(value: Any) -> str:
    """A value as a cell of a CSV."""
    return "" if value is None else str(value)


def read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, a part at a time."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=5000):
            yield from batch.to_pylist()
