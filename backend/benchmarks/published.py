"""Tables of figures that others published: of open_clip, of CLIP_benchmark, or with the names used here."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from backend.methods.benchmarks.data import DataError
from backend.methods.export_rows import unguard
from backend.methods.tables import Fault, TableFault, Wanted, as_text, open_table

MOST_ROWS, MOST_CELLS, LONGEST = 2000, 40, 200
OPEN_CLIP = re.compile(r"(?P<dataset>[\w -]+?) (?P<way>image|text) retr\. R@(?P<k>\d{1,4})")
CLIP_BENCHMARK = re.compile(r"(?P<way>image|text)_retrieval_recall@(?P<k>\d{1,4})")
OWN = re.compile(
    r"(image_to_text|text_to_image)\.(hit|recall|recall_all|ndcg)@[1-9]\d{0,3}"
    r"|(image_to_text|text_to_image)\.(map|map@R|r_precision|mrr|ndcg|rsum|rank_(all|best)_(mean|median))"
    r"|both\.rsum|pairs\.(auprc|above_chance|prevalence)"
)
MODELS = ("model_fullname", "model", "name")
# These show which line is the header: titles may stand above it.
KNOWN = (*MODELS, "dataset", "pretrained", *(
    f"{way}.{figure}" for way in ("image_to_text", "text_to_image") for figure in ("hit@1", "hit@5", "hit@10", "rsum")
))  # fmt: skip
WAYS = {"image": "text_to_image", "text": "image_to_text"}  # "image retrieval" finds the image of a text
NO_MODEL = (
    "The table needs a column 'model', 'model_fullname' or 'name' with the names of the models. Delete the lines above "
    "the header."
)
NO_FIGURE = (
    "The table has no known figure. Name columns such as image_to_text.hit@1, or send a table of open_clip or "
    "CLIP_benchmark as it is."
)


def read_published(raw: bytes) -> list[dict[str, Any]]:
    """The rows of a table of any kind, one for each model and dataset. Raises DataError with the line."""
    heads, table = _table_of(raw)
    name = next((each for each in MODELS if each in heads), None)
    if name is None:
        raise DataError(NO_MODEL)
    columns = _columns(heads)
    percent = {head for head in columns if _is_percent(head, [line.get(head, "") for _, line in table])}
    rows: list[dict[str, Any]] = []
    for at, line in table:
        rows += _rows_of(line, at, heads, name, columns, percent)
        if len(rows) > MOST_ROWS:
            raise DataError(f"The table has more than {MOST_ROWS:,} rows.")
    if not rows:
        raise DataError("The table has no row with a figure.")
    return rows


def _table_of(raw: bytes) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The names of the columns, and each row with its line. Raises DataError."""
    found: list[tuple[int, dict[str, str]]] = []
    try:
        table = open_table(io.BytesIO(raw), "table", Wanted(known=KNOWN, as_written=True))
        for row in table:
            if not isinstance(row, Fault):
                found.append((row.line, {name: as_text(value) for name, value in row.values.items()}))
            elif not row.is_ignored:
                raise TableFault(row.code, row.line, **row.params)
    except TableFault as fault:
        place = "" if fault.line is None else f"Line {fault.line}: "
        raise DataError(f"{place}{fault}") from fault
    heads = table.columns or [name for _, line in found for name in line]
    return [head for head in dict.fromkeys(heads) if head], found


def _columns(heads: Sequence[str]) -> dict[str, tuple[str, str]]:
    """For each known column the dataset, empty where a column of its own says it, and the figure."""
    found = {}
    for head in heads:
        if OWN.fullmatch(head):
            found[head] = ("", head)
        elif match := OPEN_CLIP.fullmatch(head) or CLIP_BENCHMARK.fullmatch(head):
            told = match.groupdict()
            found[head] = (told.get("dataset", ""), f"{WAYS[told['way']]}.hit@{told['k']}")
    if not found:
        raise DataError(NO_FIGURE)
    return dict(list(found.items())[:MOST_CELLS])


def _rows_of(
    line: Mapping[str, str],
    at: int,
    heads: Sequence[str],
    name: str,
    columns: Mapping[str, tuple[str, str]],
    percent: set[str],
) -> list[dict[str, Any]]:
    if len(line) != len(heads):
        raise DataError(f"Line {at} has {len(line)} cells, and the first line has {len(heads)}.")
    model = unguard(line[name]).strip()
    if name == "name" and line.get("pretrained"):
        model = f"{model} {line['pretrained']}"
    if not 0 < len(model) <= LONGEST:
        raise DataError(f"Line {at}: the name of the model is empty or longer than {LONGEST} characters.")
    own = unguard(line.get("dataset", "")).strip()[:LONGEST]
    by_dataset: dict[str, dict[str, float]] = {}
    for head, (dataset, figure) in columns.items():
        if (text := line[head]) not in ("", "-", "--"):
            value = _number(text, at, head)
            by_dataset.setdefault(dataset or own, {})[figure] = value / 100 if head in percent else value
    return [{"model": model, "dataset": dataset, "cells": cells} for dataset, cells in by_dataset.items()]


def _number(text: str, at: int, head: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise DataError(f"Line {at}, {head}: {text[:40]!r} is not a number.") from error
    if not math.isfinite(value) or not 0 <= value <= 1e9:
        raise DataError(f"Line {at}, {head}: {text[:40]!r} is not a figure.")
    return value


def _is_percent(head: str, values: Sequence[str]) -> bool:
    """Whether a column of shares is in per cent, as many papers print them: one of them is more than 1."""
    return not re.search(r"rsum|rank_", head) and any(_size(text) > 1 for text in values)


def _size(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
