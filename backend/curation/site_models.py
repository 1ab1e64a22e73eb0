"""What is known of the models of this site beside their calibration: their use, their size and their licence."""

from __future__ import annotations

import json
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.methods.calibration_records import is_path, last_part
from backend.methods.difficulty import is_carried
from backend.runs.stages.parameters import PARSER

AS_CONNOTE = "Apache-2.0"  # models that were made for Connote have its licence
LICENCES = {"connote-en": "CC BY-SA 4.0", "all-MiniLM-L6-v2": "Apache-2.0"}
WEIGHTS = ("open_clip_model.safetensors", "model.safetensors")
MOST_HEADER_BYTES = 1_000_000


def facts_of(name: str) -> dict[str, Any]:
    """The licence and the number of parameters of a model that comes with Connote; empty for others."""
    if is_path(name) or ":" in name:
        return {"licence": "", "n_parameters": None}
    licence = LICENCES.get(name) or (AS_CONNOTE if is_carried(name) else "")
    files = (settings.CARRIED_MODELS / name / weights for weights in WEIGHTS)
    found = next((file for file in files if file.is_file()), None)
    return {"licence": licence, "n_parameters": count_parameters(found) if found else None}


@lru_cache(maxsize=32)
def count_parameters(file: Path) -> int | None:
    """The numbers in a safetensors file: its header has the shape of each tensor. None where it is no such file."""
    with file.open("rb") as opened:
        size = int.from_bytes(opened.read(8), "little")
        header = opened.read(min(size, MOST_HEADER_BYTES))
    try:
        tensors = json.loads(header)
        return sum(int(prod(tensor["shape"])) for name, tensor in tensors.items() if name != "__metadata__")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def list_helpers() -> list[dict[str, Any]]:
    """The models of this site that do not vote, each with the work that it does unless a run names another."""
    uses = {"images": settings.VISION_MODEL, "sentences": settings.SENTENCE_MODEL, "words": str(PARSER.default)}
    return [{"use": use, "model": last_part(name)} | facts_of(name) for use, name in uses.items() if name]
