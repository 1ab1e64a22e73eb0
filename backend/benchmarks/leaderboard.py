"""The results on a release side by side, and the same table as a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count

from backend.benchmarks.differences import NO_LIMIT, SECONDS, differences_to
from backend.benchmarks.metrics import HEADLINE, cells_of, describe_category, list_metrics
from backend.benchmarks.models import Evaluation
from backend.benchmarks.selectors import list_evaluations
from backend.common.errors import InvalidInput
from backend.methods.benchmarks.drawings import draw_bars
from backend.methods.benchmarks.results import escape_latex, words_of
from backend.methods.benchmarks.tasks import TASKS
from backend.methods.export_rows import csv_lines
from backend.releases.models import Release

TASK_NAMES = tuple(sorted(TASKS, key=lambda name: list(HEADLINE).index(name) if name in HEADLINE else len(HEADLINE)))
FORMATS = {
    "csv": ("csv", "text/csv; charset=utf-8"),
    "latex": ("tex", "application/x-tex; charset=utf-8"),
    "markdown": ("md", "text/markdown; charset=utf-8"),
    "json": ("json", "application/json"),
    "svg": ("svg", "image/svg+xml"),
}
ABOUT = ("model", "kind", "source", "of_release", "images", "texts")
PARTS = ("value", "low", "high", "n")
REAL = "*"


def read_leaderboard(
    *,
    release: Release,
    task: str = "",
    category: str = "",
    reference: UUID | None = None,
    seconds: float = SECONDS,
) -> dict[str, Any]:
    """The values of LeaderboardOut. Without a task: the first one that has results. Raises InvalidInput."""
    counted = Evaluation.objects.filter(release=release).order_by().values_list("task").annotate(n=Count("pk"))
    n_of = dict(counted)
    task = task or next((name for name in TASK_NAMES if n_of.get(name)), TASK_NAMES[0])
    found = list(list_evaluations(release=release, task=task))
    rows = [present_row(each, category=category) for each in found]
    metrics = list_metrics({name for row in rows for name in row["cells"]}, task)
    is_complete = True
    if reference is not None:
        chosen = next((each for each in found if each.pk == reference), None)
        if chosen is None:
            raise InvalidInput("This table has no result with this ID.", code="no_such_reference", field="reference")
        known, is_complete = differences_to(chosen, found, category=category, seconds=seconds)
        for row in rows:
            for name, difference in known.get(row["id"], {}).items():
                if name in row["cells"]:
                    row["cells"][name]["difference"] = difference
    categories = sorted({name for each in found for name in each.result["categories"]})
    return {
        "release": {"id": release.pk, "label": release.label},
        "task": task,
        "tasks": [{"name": name, "n": n_of.get(name, 0)} for name in TASK_NAMES],
        "category": category,
        "categories": [describe_category(name) for name in categories],
        "metrics": metrics,
        "reference": reference,
        "is_complete": is_complete,
        "rows": _best_first(rows, metrics),
    }


def present_row(evaluation: Evaluation, *, category: str = "") -> dict[str, Any]:
    """The values of EvaluationRowOut, of all right items or of one category."""
    body = evaluation.result
    figures = body["categories"].get(category, {}) if category else body["metrics"]
    by = evaluation.created_by
    return {
        "id": evaluation.pk, "task": evaluation.task, "model": evaluation.model_name, "kind": evaluation.model_kind,
        "digest": evaluation.model_digest, "source": evaluation.source, "run": evaluation.run_id,
        "created_at": evaluation.created_at, "created_by": by.shown_name if by else None, "note": evaluation.note,
        "is_published": False, "is_of_release": evaluation.is_of_release, "has_queries": bool(evaluation.stored_as),
        "n_images": body["data"]["images"], "n_texts": body["data"]["texts"], "cells": cells_of(figures),
        "not_run": body["not_run"]["reason"] if "not_run" in body else None,
    }  # fmt: skip


def _best_first(rows: Sequence[dict[str, Any]], metrics: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """By the first figure. Rows without it come last; equal rows stay in the order of their making."""
    if not metrics:
        return list(rows)
    first = metrics[0]
    sign = 1 if first["is_low_better"] else -1

    def place(row: Mapping[str, Any]) -> tuple[bool, float]:
        value = row["cells"].get(first["name"], {}).get("value")
        return value is None, sign * (value or 0)

    return sorted(rows, key=place)


def write_leaderboard(
    *, release: Release, format: str, task: str = "", category: str = "", reference: UUID | None = None
) -> tuple[str, str, str]:
    """Name, media type and text of the table as a file. CSV and JSON have all figures, the others those of papers."""
    board = read_leaderboard(
        release=release, task=task, category=category, reference=reference, seconds=NO_LIMIT
    )  # fmt: skip
    ending, kind = FORMATS[format]
    write = {"csv": _csv, "latex": _latex, "markdown": _markdown, "json": _json, "svg": _svg}[format]
    part = f"-{category}" if category else ""
    safe = "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in part)
    return f"benchmarks-{release.label}-{board['task']}{safe}.{ending}", kind, write(board)


def _csv(board: Mapping[str, Any]) -> str:
    more = ("difference", "p", "is_real") if board["reference"] else ()
    names = [metric["name"] for metric in board["metrics"]]
    columns = [*ABOUT, *(f"{name}.{part}" for name in names for part in (*PARTS, *more))]
    rows = ({column: line.get(column, "") for column in columns} for line in _csv_rows(board, names))
    return "".join(csv_lines(rows, columns))


def _csv_rows(board: Mapping[str, Any], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for row in board["rows"]:
        line = {
            "model": row["model"], "kind": row["kind"], "source": row["source"], "of_release": row["is_of_release"],
            "images": row["n_images"], "texts": row["n_texts"],
        }  # fmt: skip
        for name in names:
            cell = row["cells"].get(name, {})
            line |= {f"{name}.{part}": cell.get(part) for part in PARTS}
            told = cell.get("difference") or {}
            line |= {f"{name}.difference": told.get("value")}
            line |= {f"{name}.{part}": told.get(part) for part in ("p", "is_real")}
        yield {key: "" if value is None else value for key, value in line.items()}


def _headline(board: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [metric for metric in board["metrics"] if metric["is_headline"]]


def _head(metric: Mapping[str, Any]) -> str:
    short = {"image_to_text": "I2T ", "text_to_image": "T2I ", "pairs": ""}
    return f"{short.get(metric['direction'], metric['direction'] + ' ')}{metric['measure']}"


def _value(row: Mapping[str, Any], metric: Mapping[str, Any], missing: str) -> str:
    cell = row["cells"].get(metric["name"], {})
    if cell.get("value") is None:
        return missing
    text = f"{100 * cell['value']:.1f}" if metric["is_percent"] else f"{cell['value']:.1f}"
    return text + (REAL if (cell.get("difference") or {}).get("is_real") else "")


def _latex(board: Mapping[str, Any]) -> str:
    metrics = _headline(board)
    lines = [
        f"% {_caption(board)}", f"\\begin{{tabular}}{{l{'r' * len(metrics)}}}", "\\toprule",
        " & ".join(["model", *(escape_latex(_head(metric)) for metric in metrics)]) + " \\\\", "\\midrule",
    ]  # fmt: skip
    for row in board["rows"]:
        cells = [_value(row, metric, "--").replace(REAL, "$^{*}$") for metric in metrics]
        lines.append(" & ".join([escape_latex(" ".join(row["model"].split())), *cells]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def _markdown(board: Mapping[str, Any]) -> str:
    metrics = _headline(board)
    lines = [
        f"| model | {' | '.join(_head(metric) for metric in metrics)} |",
        f"|---|{'---:|' * len(metrics)}",
    ]
    for row in board["rows"]:
        name = " ".join(row["model"].split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
        cells = [_value(row, metric, "-").replace(REAL, "\\*") for metric in metrics]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", _caption(board), ""])


def _caption(board: Mapping[str, Any]) -> str:
    """What the table is of, in one line."""
    told = f"{board['release']['label']}, {board['task']}"
    if board["category"]:
        told += f", {' '.join(board['category'].split())}"
    if board["reference"]:
        name = next(row["model"] for row in board["rows"] if row["id"] == board["reference"])
        told += f". {REAL}: really different from {' '.join(name.split())}"
    return f"{told}."


def _json(board: Mapping[str, Any]) -> str:
    return json.dumps(board, default=str, indent=2, ensure_ascii=False) + "\n"


def _svg(board: Mapping[str, Any]) -> str:
    """Bars of the first figure that is a share of 1."""
    metric = next((each for each in board["metrics"] if each["is_percent"]), None)
    if metric is None:
        return draw_bars(board["task"], [])
    rows = [(row["model"], row["cells"][metric["name"]]) for row in board["rows"] if metric["name"] in row["cells"]]
    return draw_bars(f"{words_of(metric['direction'])}: {metric['measure']}", rows)
