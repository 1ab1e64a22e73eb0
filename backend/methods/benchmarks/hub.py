"""Results as the Hub of Hugging Face keeps them in a model's repository: `.eval_results/*.yaml`.

Format: https://huggingface.co/docs/hub/eval-results. Each figure is an entry with the id of the data set, the id of a
task in the eval.yaml of that data set, a value and notes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

FOLDER = ".eval_results"
NO_ID = "# Write the id of the data set on the Hub, for example my-lab/postcards, in place of {id}.\n"


def hub_file(body: Mapping[str, Any]) -> str:
    """The name of the file in the folder of the result."""
    return f"{FOLDER}/{body['task']}.yaml"


def hub_yaml(body: Mapping[str, Any], headline: Sequence[tuple[str, str]], dataset: str = "") -> str:
    """The figures of the headline that have a value. Without the id of a data set, the file says where to write it."""
    name = dataset or f"OWNER/{re.sub(r'[^A-Za-z0-9._-]+', '-', body['data']['name']).strip('-.') or 'data'}"
    entries = [
        {
            "dataset": {"id": name, "task_id": task_id(body["task"], way, each)},
            "value": body["metrics"][way][each]["value"],
            "notes": _notes(body, way, each),
        }
        for way, each in headline
        if body["metrics"][way][each]["value"] is not None
    ]
    text = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=1000)
    return text if dataset else NO_ID.format(id=name) + text


def task_id(task: str, way: str, name: str) -> str:
    """The id of a task for eval.yaml: letters, digits and underscores."""
    return re.sub(r"[^A-Za-z0-9]+", "_", f"{task}_{way}_{name.replace('@', '_at_')}")


def _notes(body: Mapping[str, Any], way: str, name: str) -> str:
    figure = body["metrics"][way][name]
    parts = [f"{name}, {way.replace('_', ' ')}", f"n = {figure['n']}"]
    if figure["low"] is not None:
        parts.append(f"95% interval {figure['low']:.6g} to {figure['high']:.6g}")
    parts += [f"equal scores: {body['ties']['policy']}", f"data SHA-256 {body['data']['digest']}"]
    return "; ".join([*parts, f"Connote {body['versions']['connote']}"])
