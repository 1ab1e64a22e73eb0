"""Writes everything that was said of a project's captions: judgments.parquet, candidates.parquet and annotators.csv.

The captions come in the order of their images' digests and their keys. A judgment's row waits in a spool until the
pseudonyms of all annotators are known, because a pseudonym follows from all rows of its annotator.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from backend.methods.export_rows import CsvTable, Pseudonyms, json_line
from backend.methods.exports.full_tables import (
    ANNOTATOR_COLUMNS,
    CANDIDATES,
    JUDGMENTS,
    Record,
    Said,
    annotator_row,
    caption_judgments,
    hide,
    is_rejected,
)
from backend.methods.exports.parquet_file import ParquetFile

SPOOL = "all-judgments.spool"  # with the people's own ids, so it never leaves the folder


@dataclass(frozen=True)
class Standing:
    """What the project knows of one annotator, beside their judgments."""

    is_excluded: bool
    n_passed: int
    n_graded: int


@dataclass(frozen=True)
class FullCaption:
    """One caption of the project: its row in candidates.parquet, its judgments, and the newest judgment that its
    consensus saw (None without one)."""

    row: Mapping[str, Any]
    said: tuple[Said, ...]
    until: int | None


def write_full_tables(
    *,
    folder: Path,
    captions: Iterable[FullCaption],
    people: Pseudonyms,
    standings: Mapping[str, Standing],
    left_out: frozenset[str],
) -> dict[str, int]:
    """Write the three files, and let `people` see every row. Returns how many captions, judgments and annotators.

    Call it after `people` saw the release's own judgments, and take the names from `people` only after it.
    """
    records: dict[str, Record] = defaultdict(Record)
    spool = folder / SPOOL
    counts = {"all_captions": 0, "all_judgments": 0}
    with (
        spool.open("w", encoding="utf-8") as rows,
        ParquetFile(folder / "candidates.parquet", CANDIDATES) as candidates,
    ):
        for caption in captions:
            if "rejected" in left_out and is_rejected(caption.row["status"], caption.row["label"] or ""):
                continue
            candidates.add(caption.row)
            counts["all_captions"] += 1
            place = {"image": caption.row["image"], "caption": caption.row["key"], "split": caption.row["split"]}
            for who, said in caption_judgments(caption.said, until=caption.until):
                row = hide({**place, **said}, left_out)
                rows.write(json.dumps([who, row]) + "\n")
                counts["all_judgments"] += 1
                if who:
                    people.see_row(who, json_line(row))
                    records[who].see(row, caption.row["label"] or "")
    for who, standing in standings.items():
        if who in records:
            people.see_row(who, json_line(vars(standing)))
    names = people.names()
    _write_judgments(folder, names)
    _write_annotators(folder, names, records, standings)
    spool.unlink()
    return counts | {"all_annotators": len(records)}


def _write_judgments(folder: Path, names: Mapping[str, str]) -> None:
    with (
        (folder / SPOOL).open(encoding="utf-8") as lines,
        ParquetFile(folder / "judgments.parquet", JUDGMENTS) as table,
    ):
        for _, of_caption in groupby(map(json.loads, lines), key=lambda line: (line[1]["image"], line[1]["caption"])):
            rows = [{**row, "annotator": names[who] if who else None} for who, row in of_caption]
            for row in sorted(rows, key=lambda row: (row["annotator"] or "", row["revision"], json_line(row))):
                table.add(row)


def _write_annotators(
    folder: Path, names: Mapping[str, str], records: Mapping[str, Record], standings: Mapping[str, Standing]
) -> None:
    nobody = Standing(is_excluded=False, n_passed=0, n_graded=0)
    with (folder / "annotators.csv").open("w", encoding="utf-8", newline="") as file:
        table = CsvTable(file, ANNOTATOR_COLUMNS)
        for who in sorted(records, key=lambda who: names[who]):
            known = standings.get(who, nobody)
            table.write(
                annotator_row(
                    names[who],
                    records[who],
                    is_excluded=known.is_excluded,
                    controls=(known.n_passed, known.n_graded),
                )
            )
