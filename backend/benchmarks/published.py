"""Tables of figures that others published, as CSV: of open_clip, of CLIP_benchmark, or with the names used here."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from backend.methods.benchmarks.data import DataError
from backend.methods.export_rows import unguard

MOST_ROWS, MOST_CELLS, LONGEST = 2000, 40, 200
OPEN_CLIP = re.compile(r"(?P<dataset>[\w -]+?) (?P<way>image|text) retr\. R@(?P<k>\d{1,4})")
CLIP_BENCHMARK = re.compile(r"(?P<way>image|text)_retrieval_recall@(?P<k>\d{1,4})")
OWN = re.compile(
    r"(image_to_text|text_to_image)\.(hit|recall|recall_all|ndcg)@[1-9]\d{0,3}"
    r"|(image_to_text|text_to_image)\.(map|map@R|r_precision|mrr|ndcg|rsum|rank_(all|best)_(mean|median))"
    r"|both\.rsum|pairs\.(auprc|above_chance|prevalence)"
)
WAYS = {"image": "text_to_image", "text": "image_to_text"}  # "image retrieval" finds the image of a text
NO_MODEL = "The table needs a column 'model', 'model_fullname' or 'name' with the names of the models."
NO_FIGURE = (
    "The table has no known figure. Name columns such as image_to_text.hit@1, or send a table of open_clip or "
    "CLIP_benchmark as it is."
)


def read_published(raw: bytes) -> list[dict[str, Any]]:
    """The rows of a table, one for each model and dataset. Raises DataError with the line."""
    try:
        text = raw.decode("utf-8-sig")
        table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"This is not CSV in UTF-8: {error}.") from error
    if "\0" in text:
        raise DataError("The table has a character that cannot be stored.")
    heads = [each.strip() for each in table[0]] if table else []
    name = next((heads.index(each) for each in ("model_fullname", "model", "name") if each in heads), None)
    if name is None:
        raise DataError(NO_MODEL)
    columns = _columns(heads)
    percent = {at for at in columns if _is_percent(heads[at], [line[at] for line in table[1:] if len(line) > at])}
    rows: list[dict[str, Any]] = []
    for at, line in enumerate(table[1:], 2):
        if any(line):
            rows += _rows_of(line, at, heads, name, columns, percent)
        if len(rows) > MOST_ROWS:
            raise DataError(f"The table has more than {MOST_ROWS:,} rows.")
    if not rows:
        raise DataError("The table has no row with a figure.")
    return rows


def _columns(heads: Sequence[str]) -> dict[int, tuple[str, str]]:
    """For each known column the dataset, empty where a column of its own says it, and the figure."""
    found = {}
    for at, head in enumerate(heads):
        if OWN.fullmatch(head):
            found[at] = ("", head)
        elif match := OPEN_CLIP.fullmatch(head) or CLIP_BENCHMARK.fullmatch(head):
            told = match.groupdict()
            found[at] = (told.get("dataset", ""), f"{WAYS[told['way']]}.hit@{told['k']}")
    if not found:
        raise DataError(NO_FIGURE)
    return dict(list(found.items())[:MOST_CELLS])


def _rows_of(
    line: Sequence[str],
    at: int,
    heads: Sequence[str],
    name: int,
    columns: Mapping[int, tuple[str, str]],
    percent: set[int],
) -> list[dict[str, Any]]:
    if len(line) != len(heads):
        raise DataError(f"Line {at} has {len(line)} cells, and the first line has {len(heads)}.")
    values = dict(zip(heads, line, strict=True))
    model = unguard(line[name]).strip()
    if heads[name] == "name" and values.get("pretrained"):
        model = f"{model} {values['pretrained'].strip()}"
    if not 0 < len(model) <= LONGEST:
        raise DataError(f"Line {at}: the name of the model is empty or longer than {LONGEST} characters.")
    own = unguard(values.get("dataset", "")).strip()[:LONGEST]
    by_dataset: dict[str, dict[str, float]] = {}
    for column, (dataset, figure) in columns.items():
        if (text := line[column].strip()) not in ("", "-", "--"):
            value = _number(text, at, heads[column])
            by_dataset.setdefault(dataset or own, {})[figure] = value / 100 if column in percent else value
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
