"""A model without torch that sees a picture as its colour and a text as the number it begins with; and a process that
measures it slowly, to be killed: `python red_tower.py DATA OUT WORK LOG`."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.results import write_result
from backend.methods.benchmarks.settings import Settings
from workers.engines import evaluating, registry, stored_vectors
from workers.engines.protocols import EncodedBlock, Skipped
from workers.engines.rank_blocks import SharedCounting

NAME = "tower"


class RedTower:
    """Both towers. It cannot read files of less than 10 bytes, writes what it reads to `log`, and waits each time."""

    name, digest, preprocessing, dimensions = NAME, "0" * 64, "none", 3

    def __init__(self, log: Path | None = None, seconds: float = 0) -> None:
        self._log, self._seconds = log, seconds

    def encode(self, items: Any, *, on_progress: Any = None) -> Any:
        if isinstance(items, (tuple, list)) and items and isinstance(items[0], str):
            return np.array([self.of(int(text.split()[0]) if text[0].isdigit() else len(text)) for text in items])
        return self.blocks(items)

    def blocks(self, items: Any) -> Iterator[EncodedBlock]:
        for key, source in items:
            self.note(key)
            if isinstance(source, Path) and source.stat().st_size < 10:
                yield EncodedBlock((), np.zeros((0, 3), np.float32), (Skipped(key, "It is no image."),))
            else:
                source = io.BytesIO(source) if isinstance(source, bytes) else source
                with Image.open(source) if isinstance(source, (Path, io.BytesIO)) else source as image:
                    red, green, _ = np.asarray(image.convert("RGB"))[0, 0].tolist()
                yield EncodedBlock((key,), np.array([self.of(256 * green + red)], np.float32))

    def note(self, key: str) -> None:
        if self._log is not None and not key.startswith("example"):
            time.sleep(self._seconds)
            with self._log.open("a") as file:
                file.write(f"{key}\n")

    def of(self, n: int) -> list[float]:
        return [np.cos(n), np.sin(n), 0.5]


def use(tower: RedTower) -> None:
    """Let the registry of this process know the model."""
    registry.use_image_encoder(NAME, tower)
    registry.use_text_encoder(NAME, tower)


def main(data: str, out: str, work: str, log: str) -> None:
    stored_vectors.SHARD_SIZE = 32
    setattr(evaluating, "SharedCounting", partial(SharedCounting, least=1))  # noqa: B010
    use(RedTower(Path(log), 0.005))
    found = evaluating.measure_model(
        "retrieval", read_data(Path(data)), NAME, Settings(draws=20), work=Path(work), code="test"
    )
    write_result(Path(out), found.body, found.outcome, seconds=0)


if __name__ == "__main__":
    main(*sys.argv[1:])
