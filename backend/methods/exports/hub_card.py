"""What the Hugging Face Hub reads beside the Parquet files: the head of README.md, and eval.yaml of a benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def head_of_card(
    manifest: Mapping[str, Any],
    splits: Iterable[str],
    *,
    files: str = "data/{split}-*.parquet",
    features: Sequence[Mapping[str, Any]] = (),
) -> str:
    """The YAML before the card. Every value is written as JSON, which is YAML too.

    `files` are those of a split, and `features` their columns where the files do not tell them.
    """
    n = manifest["counts"]["images"]
    told = {
        "pretty_name": " ".join(str(manifest["project"]["name"]).split()),
        "license": "other",
        "license_name": "several",
        "license_link": "ATTRIBUTION.csv",
        "task_categories": ["image-to-text", "text-to-image"],
        "tags": ["connote", "image-captions", "annotator-agreement"],
        "size_categories": [next((name for most, name in SIZES if n < most), "n>1M")],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": name, "path": files.format(split=name)} for name in splits],
            }
        ],
        **({"dataset_info": {"features": list(features)}} if features else {}),
    }
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items())
    return f"---\n{lines}---\n\n"


def write_benchmark(manifest: Mapping[str, Any]) -> str:
    """eval.yaml, by which the Hub knows a benchmark: what is evaluated, and on which split."""
    told = {
        "name": " ".join(str(manifest["project"]["name"]).split()),
        "description": "Find the captions of an image, and the image of a caption.",
        "evaluation_framework": "connote",
        "tasks": [
            {"id": "image_to_captions", "config": "default", "split": "test"},
            {"id": "caption_to_image", "config": "default", "split": "test"},
        ],
    }
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items())
