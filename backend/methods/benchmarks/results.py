"""What an evaluation leaves in a folder: result.json, per_query.parquet, card.md, table.tex and drawings.

The same inputs give the same bytes. What may differ, times, is in times.json alone.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pyarrow as pa
import pyarrow.parquet as pq

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.drawings import draw_bars, draw_curves
from backend.methods.benchmarks.hub import hub_file, hub_yaml
from backend.methods.benchmarks.per_query import NAME as PER_QUERY
from backend.methods.benchmarks.scores import ModelScores
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks.task import Outcome

FORMAT = "connote-benchmark-1"
RESULT, CARD, TABLE, TIMES = "result.json", "card.md", "table.tex", "times.json"
DRAWN = ("curves.svg", "categories.svg")
MOST_ITEMS = 20  # of those that a model failed on
UNITS = {"image": "images", "query": "queries"}
NUMBER = {"type": ["number", "null"]}
FIGURE = {
    "type": "object",
    "required": ["value", "low", "high", "n"],
    "additionalProperties": False,
    "properties": {
        "value": NUMBER, "low": NUMBER, "high": NUMBER, "n": {"type": "integer", "minimum": 0},
        "contribution": {"type": "number"}, "reason": {"type": "string"},
    },
}  # fmt: skip
FIGURES = {
    "type": "object",
    "additionalProperties": {"type": "object", "additionalProperties": FIGURE},
}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["format", "task", "metrics", "categories", "ties", "dropped", "data", "model", "settings", "versions"],
    "properties": {
        "format": {"const": FORMAT},
        "task": {"type": "string"},
        "metrics": FIGURES,
        "categories": {"type": "object", "additionalProperties": FIGURES},
        "ties": {"type": "object", "required": ["policy"], "properties": {"policy": {"type": "string"}}},
        "dropped": {
            "type": "object",
            "additionalProperties": {"type": "object", "required": ["n", "reason"]},
        },
        "data": {
            "type": "object",
            "required": ["kind", "name", "digest", "images", "texts", "pairs"],
            "properties": {
                "kind": {"type": "string"},
                "name": {"type": "string"},
                "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                **{name: {"type": "integer", "minimum": 0} for name in ("images", "texts", "pairs")},
            },
        },
        "model": {
            "type": "object",
            "required": ["name", "kind", "digest"],
            "properties": {name: {"type": "string", "minLength": 1} for name in ("name", "kind", "digest")},
        },
        "settings": {"type": "object"},
        "versions": {"type": "object"},
        "not_run": {
            "type": "object",
            "required": ["reason", "items", "n"],
            "properties": {"reason": {"type": "string"}, "items": {"type": "array"}, "n": {"type": "integer"}},
        },
    },
    "anyOf": [{"properties": {"metrics": {"minProperties": 1}}}, {"required": ["not_run"]}],
}


def make_result(
    task: str, data: BenchmarkData, model: ModelScores, settings: Settings, outcome: Outcome, *, code: str
) -> dict[str, Any]:
    """The result as JSON keeps it."""
    return {
        **_frame(task, data, {"name": model.name, **model.record}, settings, code),
        "metrics": dict(outcome.metrics),
        "categories": dict(outcome.categories),
        "ties": {"policy": settings.ties, **outcome.ties},
        "dropped": dict(outcome.dropped),
        **outcome.extra,
    }


def make_not_run(
    task: str,
    data: BenchmarkData,
    record: Mapping[str, Any],
    settings: Settings,
    reason: str,
    items: Sequence[str],
    *,
    code: str,
) -> dict[str, Any]:
    """The result of a model that could not be run, by the items that it failed on. It has no figures."""
    return {
        **_frame(task, data, record, settings, code),
        "not_run": {"reason": reason, "items": list(items[:MOST_ITEMS]), "n": len(items)},
        "metrics": {},
        "categories": {},
        "ties": {"policy": settings.ties},
        "dropped": {},
    }


def _frame(task: str, data: BenchmarkData, record: Mapping[str, Any], settings: Settings, code: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "task": task,
        "data": {
            "kind": data.kind,
            "name": data.name,
            "digest": data.digest,
            "images": len(data.images),
            "texts": len(data.texts),
            "pairs": len(data.pairs),
            "notes": list(data.notes),
        },
        "model": dict(record),
        "settings": settings.as_json(),
        "versions": {
            "connote": code,
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in ("numpy", "scipy")},
        },
    }


def check_result(body: Any) -> None:
    """Raises DataError where a result does not have the form of one."""
    try:
        jsonschema.validate(body, SCHEMA)
    except jsonschema.ValidationError as problem:
        raise DataError(f"The result is not one of Connote: {problem.json_path}: {problem.message}") from problem


def write_result(
    folder: Path, body: Mapping[str, Any], outcome: Outcome | None, *, seconds: float, hub: str = ""
) -> list[Path]:
    """All files of a result. Each is complete or not there. A model that was not run has result.json and card.md, and
    no file of an older result stays. `hub` is the id of the data set on the Hub. Raises DataError, OSError."""
    check_result(body)
    folder.mkdir(parents=True, exist_ok=True)
    whole = json.dumps(body, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if outcome is None:
        for name in (PER_QUERY, TABLE, TIMES, *DRAWN, hub_file(body)):
            (folder / name).unlink(missing_ok=True)
        _replace(folder / RESULT, whole.encode())
        _replace(folder / CARD, card_of_not_run(body).encode())
        return [folder / RESULT, folder / CARD]
    files = {
        RESULT: whole,
        CARD: card(body, outcome),
        TABLE: latex([body], outcome.headline),
        "curves.svg": draw_curves(f"{body['model']['name']}: {outcome.axes[1]}", outcome.curves, outcome.axes),
        TIMES: json.dumps({"seconds": round(seconds, 3)}) + "\n",
        hub_file(body): hub_yaml(body, outcome.headline, hub),
    }
    (folder / hub_file(body)).parent.mkdir(exist_ok=True)
    if bars := _bars(body, outcome):
        files["categories.svg"] = draw_bars(*bars)
    for name, text in files.items():
        _replace(folder / name, text.encode())
    sink = pa.BufferOutputStream()
    pq.write_table(outcome.table, sink, compression="zstd")
    _replace(folder / PER_QUERY, sink.getvalue().to_pybytes())
    return [folder / name for name in (*files, PER_QUERY)]


def _replace(path: Path, content: bytes) -> None:
    """A kill half-way leaves the old file or the new one. Processes that share a folder do not share the part."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


def _bars(body: Mapping[str, Any], outcome: Outcome) -> tuple[str, list[tuple[str, Mapping[str, Any]]]] | None:
    """The first figure of each direction by category, with intervals."""
    if not body["categories"]:
        return None
    way, name = outcome.headline[0]
    rows = [("all", body["metrics"][way][name])]
    rows += [(category, ways[way][name]) for category, ways in sorted(body["categories"].items()) if way in ways]
    return f"{words_of(way)}: {name}", rows


def words_of(direction: str) -> str:
    """A direction as people read it."""
    return direction.replace("_", " ")


def shown(figure: Mapping[str, Any], name: str) -> str:
    """A figure with its interval, as text."""
    if figure["value"] is None:
        return "-"
    digits = 1 if name.startswith(("rank_", "rsum", "n_")) else 4
    text = f"{figure['value']:.{digits}f}"
    return text if figure["low"] is None else f"{text} [{figure['low']:.{digits}f}, {figure['high']:.{digits}f}]"


def card(body: Mapping[str, Any], outcome: Outcome) -> str:
    """The result as a page for people."""
    data, model = body["data"], body["model"]
    lines = [
        f"# {_cell(model['name'])} on {_cell(data['name'])}",
        "",
        f"Task: {body['task']}. {data['images']:,} images, {data['texts']:,} texts, {data['pairs']:,} right pairs.",
        *data["notes"],
        f"The bootstrap draws {UNITS[body.get('bootstrap_unit', 'image')]}, {body['settings']['draws']:,} times, "
        f"with the seed {body['settings']['seed']}. Intervals are 95%.",
        "",
        "| direction | figure | value and interval | n |",
        "|---|---|---|---|",
    ]
    for way, name in outcome.headline:
        figure = body["metrics"][way][name]
        lines.append(f"| {words_of(way)} | {name} | {shown(figure, name)} | {figure['n']:,} |")
    lines += ["", "## Equal scores", "", f"Order of equal scores: {body['ties']['policy']}.", "", *_ties_lines(body)]
    lines += ["", "## What is left out", ""]
    lines += [f"* {words_of(way)}: {each['n']:,} ({each['reason']})" for way, each in body["dropped"].items()]
    lines += [*_category_lines(body, outcome), *_contrast_lines(body.get("contrast", []))]
    if "truncated_captions" in model:
        lines += ["", "## Captions that are cut", "", cut_captions(model, data["texts"])]
    lines += _record_lines(body)
    return "\n".join(lines) + "\n"


def card_of_not_run(body: Mapping[str, Any]) -> str:
    """The page of a model that could not be run."""
    why = body["not_run"]
    lines = [f"# {_cell(body['model']['name'])} on {_cell(body['data']['name'])}", "", f"Task: {body['task']}.", ""]
    lines += [f"**Not run.** {_cell(why['reason'])}"]
    if why["items"]:
        lines += ["", f"The model failed on {why['n']:,} items. The first are:", ""]
        lines += [f"* {_cell(item)}" for item in why["items"]]
    return "\n".join([*lines, *_record_lines(body)]) + "\n"


def cut_captions(model: Mapping[str, Any], n_texts: int) -> str:
    """How many captions are longer than the model reads."""
    return (
        f"{model['truncated_captions']:,} of {n_texts:,} captions have more than {model['context_length']} tokens. "
        "The model reads only their beginning."
    )


def _record_lines(body: Mapping[str, Any]) -> list[str]:
    data = body["data"]
    lines = ["", "## Model and data", ""]
    lines += [f"* {name}: {_cell(str(value))}" for name, value in sorted(body["model"].items())]
    return [*lines, f"* data: {data['kind']}, SHA-256 {data['digest']}", f"* code: {body['versions']['connote']}"]


def _ties_lines(body: Mapping[str, Any]) -> Iterator[str]:
    for way, ties in body["ties"].items():
        if isinstance(ties, dict) and ties.get("share") is not None:
            low, high = (ties[each].get("hit@1", 0.0) for each in ("pessimistic", "optimistic"))
            yield (
                f"* {words_of(way)}: {ties['tied_queries']:,} queries ({ties['share']:.1%}) have a wrong item that "
                f"scores as much as a right one. hit@1 is between {low:.4f} and {high:.4f}."
            )


def _category_lines(body: Mapping[str, Any], outcome: Outcome) -> Iterator[str]:
    if body["categories"]:
        yield from ("", "## By category", "", "| category | direction | figure | value and interval | n |")
        yield "|---|---|---|---|---|"
    for category, ways in sorted(body["categories"].items()):
        for way, name in outcome.headline:
            if figure := ways.get(way, {}).get(name):
                value = shown(figure, name)
                yield f"| {_cell(category)} | {words_of(way)} | {name} | {value} | {figure['n']:,} |"


def _contrast_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if rows:
        yield from ("", "## Conceptual against descriptive", "", "| figure | conceptual | descriptive | p | p, Holm |")
        yield "|---|---|---|---|---|"
    for row in rows:
        if row["p"] is not None:
            x, y = row["means"]
            yield f"| {row['measure']} | {x:.4f} | {y:.4f} | {row['p']:.4f} | {row['p_holm']:.4f} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


ESCAPES = {each: f"\\{each}" for each in "&%$#_{}"} | {
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
}  # fmt: skip


def escape_latex(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(ESCAPES.get(each, each) for each in text)


def latex(bodies: Sequence[Mapping[str, Any]], headline: Sequence[tuple[str, str]]) -> str:
    """A row for each model; needs the package booktabs."""
    heads = " & ".join(escape_latex(f"{_short(way)} {name}") for way, name in headline)
    rows = []
    for body in bodies:
        if "not_run" in body:
            rows.append(
                f"{escape_latex(body['model']['name'])} & \\multicolumn{{{len(headline)}}}{{l}}{{not run}} \\\\"
            )
            continue
        cells = [_latex_cell(body["metrics"].get(way, {}).get(name), name) for way, name in headline]
        rows.append(f"{escape_latex(body['model']['name'])} & {' & '.join(cells)} \\\\")
    return "\n".join([
        f"\\begin{{tabular}}{{l{'r' * len(headline)}}}", "\\toprule", f"model & {heads} \\\\", "\\midrule", *rows,
        "\\bottomrule", "\\end{tabular}", "",
    ])  # fmt: skip


def _short(way: str) -> str:
    return {"image_to_text": "I2T", "text_to_image": "T2I"}.get(way, way)


def _latex_cell(figure: Mapping[str, Any] | None, name: str) -> str:
    if figure is None or figure["value"] is None:
        return "--"
    return f"{figure['value']:.1f}" if name.startswith(("rank_", "rsum")) else f"{100 * figure['value']:.1f}"
