"""Judgments in the layouts of other tools: rows of crowd-kit, tasks of Label Studio, and ConQA's two files of votes.

They are made from a release's own candidates.parquet and judgments.parquet, which have one order, so that both are read
once and nothing is held. Judgments that do not count, and earlier answers, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from backend.methods.export_rows import CsvTable
from backend.methods.exports.json_parts import JsonLists, write_json

ROWS = 1000
COLUMNS = ("task", "worker", "label", "image", "split")
CONFIG = """\
<View>
  <Image name="image" value="$image"/>
  <Text name="caption" value="$caption"/>
  <Choices name="label" toName="caption" choice="single" required="true">
    <Choice value="good"/>
    <Choice value="bad"/>
    <Choice value="unsure"/>
  </Choices>
</View>
"""


class Judged(NamedTuple):
    """A row of candidates.parquet, and its rows of judgments.parquet that count."""

    caption: dict[str, Any]
    judgments: list[dict[str, Any]]


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, a few at a time."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=ROWS):
            yield from batch.to_pylist()


def read_judged(candidates: Path, judgments: Path) -> Iterator[Judged]:
    """Every caption with its judgments that count."""
    groups = groupby(read_rows(judgments), key=lambda row: (row["image"], row["caption"]))
    waiting = next(groups, None)
    for caption in read_rows(candidates):
        counted: list[dict[str, Any]] = []
        if waiting is not None and waiting[0] == (caption["image"], caption["key"]):
            counted = [row for row in waiting[1] if row["is_counted"]]
            waiting = next(groups, None)
        yield Judged(caption, counted)


def write_crowd_kit(folder: Path, judged: Iterator[Judged]) -> Path:
    """judgments.csv with `task, worker, label`, as crowd-kit takes it. Votes without a name have no worker."""
    path = folder / "judgments.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = CsvTable(file, COLUMNS)
        for caption, judgments in judged:
            place = {"task": caption["key"], "image": caption["image"], "split": caption["split"] or ""}
            for row in judgments:
                if row["annotator"]:
                    table.write({**place, "worker": row["annotator"], "label": row["label"]})
    return path


def write_label_studio(folder: Path, judged: Iterator[Judged]) -> Path:
    """tasks.json with annotations, and the labelling configuration that they belong to."""
    (folder / "label_config.xml").write_text(CONFIG, encoding="utf-8", newline="")
    path, n_tasks, n_annotations = folder / "tasks.json", 0, 0
    with JsonLists(path, ("",), {}) as lists:
        for caption, judgments in judged:
            if not judgments:
                continue
            n_tasks += 1
            annotations = []
            for row in judgments:
                n_annotations += 1
                annotations.append(_annotation(n_annotations, row))
            lists.add("", {"id": n_tasks, "data": _task(caption), "annotations": annotations, "predictions": []})
    return path


def _task(caption: dict[str, Any]) -> dict[str, Any]:
    names = ("key", "split", "source", "decided_by", "category")
    return {
        "image": f"images/{caption['image']}",
        "image_digest": caption["image"],
        "caption": caption["text"] or caption["raw_text"],
        "final_label": caption["label"],
        **{name: caption[name] for name in names},
    }


def _annotation(number: int, row: dict[str, Any]) -> dict[str, Any]:
    chosen = {
        "id": f"label-{number}",
        "from_name": "label",
        "to_name": "caption",
        "type": "choices",
        "value": {"choices": [row["label"]]},
        "meta": {"lens": row["lens"], "edits": row["edits"], "comment": row["comment"]},
    }
    return {
        "id": number,
        "completed_by": {"email": row["annotator"]} if row["annotator"] else None,
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": row["seconds"],
        "result": [chosen],
    }


def write_conqa(folder: Path, judged: Iterator[Judged]) -> tuple[Path, Path]:
    """votes.json, `{query: {image: [relevant, non-relevant, unsure]}}`, and seed.json with the words of each query.

    Each caption is a query that was judged for its own image.
    """
    votes, seeds = folder / "votes.json", folder / "seed.json"
    with (
        votes.open("w", encoding="utf-8", newline="") as counts,
        seeds.open("w", encoding="utf-8", newline="") as words,
    ):
        mark = "{"
        for caption, judgments in judged:
            if not judgments:
                continue
            name, labels = write_json(caption["key"]), [row["label"] for row in judgments]
            told = [labels.count(label) for label in ("good", "bad", "unsure")]
            query = {"Text": caption["text"] or caption["raw_text"], "Conceptual": False, "Seeds": [caption["image"]]}
            counts.write(f"{mark}\n{name}:{write_json({caption['image']: told})}")
            words.write(f"{mark}\n{name}:{write_json(query)}")
            mark = ","
        for file in (counts, words):
            file.write("}\n" if mark == "," else "{}\n")
    return votes, seeds
