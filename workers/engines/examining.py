"""A model is examined before it is believed: an item has one vector, whatever items are encoded beside it.

A model that pads its texts, normalises over a batch or mixes up its rows gives wrong figures and no error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from workers.engines import registry
from workers.engines.clip_encoder import ClipTexts
from workers.engines.image_encoder import TowerImages
from workers.engines.model_facts import digest_with
from workers.engines.protocols import EngineError, ImageEncoder, TextEncoder, Vectors
from workers.engines.unit_vectors import unit_rows

N_ITEMS = 14  # two batches of 7, seven of 2
TOLERANCES = {"float32": 1e-4, "bfloat16": 2e-2}  # of a number of a unit vector, by what the model computes in
SENTENCE = "a red boat lies on the quiet water of an old harbour while two children wait for the rain to stop"
NOT_STEADY = (
    "{name} gives the {what} another vector {how}: a number differs by {found:.1e}, and {tolerance:.0e} is allowed. "
    "Its figures would depend on the order of the items."
)
WAYS = {"pairs": "in batches of 2", "sevens": "in batches of 7", "reversed": "in the reversed order"}


class NotSteadyError(EngineError):
    """The vector of an item depends on the items beside it."""

    code = "model_not_steady"


@dataclass(frozen=True)
class Examination:
    """What a model is, the largest differences of a number by kind of item and way, and seconds for one item."""

    record: Mapping[str, Any]
    tolerance: float
    differences: Mapping[str, Mapping[str, float]]
    seconds: Mapping[str, float]

    @property
    def is_steady(self) -> bool:
        """Whether each item has one vector."""
        return all(value <= self.tolerance for found in self.differences.values() for value in found.values())

    def check(self) -> None:
        """Raises NotSteadyError for the first way in which a vector differs."""
        for what, found in self.differences.items():
            for way, value in found.items():
                if not value <= self.tolerance:
                    name = self.record["name"]
                    raise NotSteadyError(
                        NOT_STEADY.format(name=name, what=what, how=WAYS[way], found=value, tolerance=self.tolerance)
                    )


def examine(images: ImageEncoder, texts: TextEncoder | None, *, tolerance: float | None = None) -> Examination:
    """Encode small pictures and texts alone, in batches of 2 and 7, and reversed.

    Raises NotFiniteError by item for NaN and vectors of zeros, OutOfMemoryError.
    """
    record = describe(images, texts)
    differences: dict[str, Mapping[str, float]] = {}
    seconds: dict[str, float] = {}
    pictures, sentences = example_pictures(), example_texts()
    differences["images"], seconds["images"] = _differences(
        lambda places: encode_pictures(images, [(f"example {at}", pictures[at]) for at in places])
    )
    if texts is not None:
        differences["texts"], seconds["texts"] = _differences(
            lambda places: encode_texts(texts, [sentences[at] for at in places])
        )
    allowed = TOLERANCES.get(record.get("dtype", ""), TOLERANCES["float32"]) if tolerance is None else tolerance
    return Examination(record, allowed, differences, seconds)


def load(name: str) -> tuple[ImageEncoder, TextEncoder | None]:
    """The towers of a model, or the one of a model that takes only images. Raises EngineError."""
    if name not in registry.text_encoder:
        from workers.engines import clip_names

        if not clip_names.is_clip(name):
            return registry.image_encoder(name), None
    return registry.towers(name)


def describe(images: ImageEncoder, texts: TextEncoder | None) -> dict[str, Any]:
    """What stands of a model in results and on cards. Its digest covers its weights and everything that is done to its
    items."""
    facts: dict[str, Any] = dict(images.facts) if isinstance(images, TowerImages) else {}
    facts |= dict(texts.facts) if isinstance(texts, ClipTexts) else {}
    whole = {**facts, "preprocessing": images.preprocessing}
    return {
        "name": images.name,
        "kind": "model",
        "digest": digest_with(images.digest, whole),
        "weights": images.digest,
        **whole,
    }


def encode_pictures(encoder: ImageEncoder, pictures: Sequence[tuple[str, Any]]) -> Vectors:
    """The vectors of pictures that can all be read. Raises NotFiniteError by item."""
    rows = [row for block in encoder.encode(pictures) for row in block.vectors]
    return unit_rows(np.stack(rows), name=encoder.name, what=lambda at: f"image {pictures[at][0]!r}")


def encode_texts(encoder: TextEncoder, texts: Sequence[str]) -> Vectors:
    """The vectors of texts. Raises NotFiniteError by item."""
    return unit_rows(encoder.encode(texts), name=encoder.name, what=lambda at: f"text {texts[at][:80]!r}")


def _differences(encode: Callable[[Sequence[int]], Vectors]) -> tuple[dict[str, float], float]:
    everything = list(range(N_ITEMS))
    alone = np.concatenate([encode([at]) for at in everything])
    found = {"pairs": np.concatenate([encode(each) for each in _cut(everything, 2)])}
    begun = time.perf_counter()
    found["sevens"] = np.concatenate([encode(each) for each in _cut(everything, 7)])
    seconds = (time.perf_counter() - begun) / N_ITEMS
    found["reversed"] = encode(everything[::-1])[::-1]
    return {way: float(np.abs(vectors - alone).max()) for way, vectors in found.items()}, seconds


def _cut(items: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def example_pictures() -> list[Image.Image]:
    """Pictures of different sizes and contents, always the same."""
    rng = np.random.default_rng(0)
    found = []
    for number in range(N_ITEMS):
        coarse = rng.integers(0, 256, (4 + number % 3, 4 + number % 5, 3), dtype=np.uint8)
        found.append(Image.fromarray(coarse).resize((40 + 24 * number, 200 - 8 * number), Image.Resampling.BICUBIC))
    return found


def example_texts() -> list[str]:
    """Texts of different lengths, always the same."""
    words = SENTENCE.split()
    return [" ".join(words[: 1 + (number * 5) % len(words)]) for number in range(N_ITEMS)]
