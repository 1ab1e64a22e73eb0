"""A CLIP of the protractor's space, and what the stage `polysemy` measured in it, read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from backend.catalogue.models import CorpusCurves
from protractor import Protractor
from workers.engines.protocols import Vectors


@dataclass
class Readings:
    """A text encoder in the space of the protractor: `60` is the vector of 60 degrees, other texts that of 90."""

    name: str = "readings"
    dimensions: int = 4
    seen: list[str] = field(default_factory=list)
    spoilt: str = ""  # a text that gets NaN

    @property
    def digest(self) -> str:
        return Protractor(self.name).digest

    def encode(self, texts: Sequence[str], **_: Any) -> Vectors:
        self.seen += texts
        return np.stack([self.vector_of(text) for text in texts])

    def vector_of(self, text: str) -> Vectors:
        if text == self.spoilt:
            return np.full(4, np.nan, dtype=np.float32)
        turn = np.radians(float(text) if text.isdigit() else 90.0)
        return np.array([np.cos(turn), np.sin(turn), 0, 0], dtype=np.float32)


def points(name: str = "near") -> list[dict[str, Any]]:
    row = CorpusCurves.objects.filter(corpus__name=name).order_by("-run__created_at")[0]
    found: list[dict[str, Any]] = row.curves["points"]
    return found


def cosines(*degrees: float) -> float:
    return float(np.mean(np.cos(np.radians(degrees))))
