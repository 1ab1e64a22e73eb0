"""A model of the registry on the data of a benchmark: all images and captions as vectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from backend.methods.benchmarks.data import BenchmarkData, DataError, some
from backend.methods.benchmarks.scores import ModelScores, of_embeddings


def encode_data(name: str, data: BenchmarkData, *, on_progress: Callable[[int], None] | None = None) -> ModelScores:
    """The scores of the model called `name`. A model that fails on one item is not run at all: that would count as 0.

    Raises DataError for images or captions that are not there or cannot be read, and EngineError.
    """
    from workers.engines import registry

    if data.captions is None:
        raise DataError(f"{data.name} has ids of texts without their words, so a model cannot read them.")
    pictures = _pictures(data)
    with registry.borrowed(name):
        images, texts = registry.towers(name)
        vectors: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]] = {}
        for block in images.encode(pictures, on_progress=on_progress):
            if block.skipped:
                first = block.skipped[0]
                raise DataError(f"{name} was not run: the image {first.key!r} cannot be read. {first.reason}")
            vectors |= dict(zip(block.keys, block.vectors, strict=True))
        of_texts = texts.encode(data.captions)
        record = {"kind": "model", "digest": images.digest, "preprocessing": images.preprocessing}
        stacked = np.stack([vectors[image] for image in data.images])
        return of_embeddings(images.name, data, (stacked, None), (of_texts, None), record)


def _pictures(data: BenchmarkData) -> list[tuple[str, Path]]:
    missing = [image for image in data.images if image not in data.pictures or not data.pictures[image].is_file()]
    if missing:
        raise DataError(
            f"{data.name} lacks the files of {len(missing):,} images: {some(missing)}. Put them next to the data, or "
            "give --embeddings, --scores or --run."
        )
    return [(image, data.pictures[image]) for image in data.images]
