"""Train connote-en, measure it, write its card.

python -m workers.training.english --data ../shared/data/ud_ewt --out workers/models/connote-en [--measure]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import spacy

from workers.training.english.card import card
from workers.training.english.measures import entity_figures, speed_figures, syntax_figures
from workers.training.english.train import MINUTES, entity_split, read_parts, train
from workers.training.english.treebank import Sentence

CAPTIONS = Path("coco5k/coco5k_test_captions.jsonl.gz")  # beside the treebank's folder
N_CAPTIONS = 2000
SEED = 0


def measure(folder: Path, data: Path, parts: dict[str, list[Sentence]]) -> dict[str, Any]:
    """Every figure of the pipeline in `folder`."""
    pipeline = spacy.load(folder)
    learnt, held = entity_split(parts)
    return {
        "syntax": {way: syntax_figures(pipeline, parts["test"], raw=way == "raw") for way in ("gold", "raw")},
        "entities": {
            "learnt": entity_figures(pipeline, held, with_rules=False),
            "with_rules": entity_figures(pipeline, held, with_rules=True),
        },
        "speed": speed_figures(pipeline, captions(data)),
        "bytes": size_of(folder),
        "n_test": len(parts["test"]),
        "n_learnt": len(learnt),
        "n_held": len(held),
        "n_entities": sum(tag.startswith("B-") for one in held for tag in one.entities or ()),
        "spacy": version("spacy"),
    }


def captions(data: Path) -> list[str]:
    """Captions of COCO that lie beside the treebank."""
    with gzip.open(data.parent / CAPTIONS, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["caption"] for line in lines][:N_CAPTIONS]


def size_of(folder: Path) -> int:
    """Bytes of all its files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def make(parts: dict[str, list[Sentence]], out: Path, work: Path) -> dict[str, Any]:
    """Train and save, in place of what was there only when it is done. What is known of the training, for the card."""
    pipeline = train(parts, work, overrides={"system.seed": SEED})
    minutes = sum(float(half.read_text()) for half in work.glob(f"*/{MINUTES}"))
    shutil.rmtree(out, ignore_errors=True)
    pipeline.to_disk(out)
    return {"seed": SEED, "minutes": round(minutes, 1), "cores": os.cpu_count()}


def main() -> None:
    """Train unless only to measure; then figures.json and README.md beside the weights."""
    arguments = argparse.ArgumentParser(description="Train connote-en on Universal Dependencies EWT and measure it.")
    arguments.add_argument("--data", type=Path, default=Path("../shared/data/ud_ewt"))
    arguments.add_argument("--out", type=Path, default=Path("workers/models/connote-en"))
    arguments.add_argument("--work", type=Path, help="keep both halves here, and take a finished one as it is")
    arguments.add_argument("--measure", action="store_true", help="measure the saved pipeline again, train nothing")
    asked = arguments.parse_args()
    parts, kept = read_parts(asked.data), asked.out / "figures.json"
    if asked.measure:
        made = {key: json.loads(kept.read_text())[key] for key in ("seed", "minutes", "cores")}
    else:
        with tempfile.TemporaryDirectory() as folder:
            made = make(parts, asked.out, asked.work or Path(folder))
    figures = measure(asked.out, asked.data, parts) | made
    kept.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    (asked.out / "README.md").write_text(card(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
