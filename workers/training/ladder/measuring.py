"""What a rung can do on scenes that it never saw, measured on the weights as they were saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.engines.protocols import ImageEncoder, TextEncoder, Vectors
from workers.training.ladder import examples
from workers.training.ladder.pictures import drawn, whole
from workers.training.postcards.captions import caption, wrong_of
from workers.training.postcards.kinds import Kind, Wrong
from workers.training.postcards.literal import literal
from workers.training.postcards.world import HELD_OUT, TEST, Scene

N_SCENES = 1000
N_CANDIDATES = 100
N_PAIRS = 2560  # ten batches of calibration
WIDTH = 384  # of the pictures that are measured on
CAPTION_SEED = 5
TOLD_BY = (Kind.LITERAL, Kind.PARTLY_LITERAL, Kind.FIGURATIVE, Kind.EMOTIONAL, Kind.ABSTRACT, Kind.GENERIC)
Floats = NDArray[np.floating[Any]]


@dataclass
class Sample:
    """`n` unseen scenes from the seed `first`, and where their drawings are kept."""

    first: int
    n: int
    cache: Path
    say: Callable[[str], None]

    @cached_property
    def scenes(self) -> list[Scene]:
        """The scenes."""
        return examples.scenes(self.first, self.n)

    def vectors(self, encoder: ImageEncoder) -> Vectors:
        """The pictures' unit vectors (n, d)."""
        files = drawn(self.cache / "postcards", self.first, self.n, self.say, width=WIDTH)
        pictures = ((str(i), picture) for i, picture in enumerate(whole(files, self.n)))
        return np.concatenate([block.vectors for block in encoder.encode(pictures)])


def test_scenes(cache: Path, say: Callable[[str], None]) -> Sample:
    """The scenes that figures are measured on."""
    return Sample(TEST, N_SCENES, cache, say)


def held_out(cache: Path, say: Callable[[str], None]) -> Sample:
    """The scenes that thresholds are chosen on."""
    return Sample(HELD_OUT, N_PAIRS, cache, say)


def figures(sample: Sample, images: Vectors, texts: TextEncoder) -> dict[str, Any]:
    """hit@1 among 100, mean similarity by kind of caption, and how often a wrong detail scores below the right one."""
    plain = texts.encode(told_plainly(sample.scenes))
    return {
        "n_scenes": sample.n,
        "n_candidates": N_CANDIDATES,
        "hit_at_1": round(hit_at_1(images, plain), 4),
        "similarity": similarities(sample.scenes, images, texts),
        "wrong_below_right": wrong_below_right(sample.scenes, images, plain, texts),
    }


def told_plainly(scenes: Sequence[Scene]) -> list[str]:
    """One literal caption of each scene."""
    return [literal(scene, CAPTION_SEED).text for scene in scenes]


def hit_at_1(images: Floats, texts: Floats, n_candidates: int = N_CANDIDATES) -> float:
    """The share of pictures whose own text is the nearest of `n_candidates`, rows (n, d) in their order.

    Raises ValueError where no group of candidates is full.
    """
    starts = range(0, len(images) - n_candidates + 1, n_candidates)
    if not starts:
        raise ValueError(f"{len(images)} pictures are fewer than {n_candidates} candidates.")
    groups = [(images[i : i + n_candidates], texts[i : i + n_candidates]) for i in starts]
    hits = [(pictures @ held.T).argmax(axis=1) == np.arange(n_candidates) for pictures, held in groups]
    return float(np.mean(hits))


def similarities(
    scenes: Sequence[Scene], images: Floats, texts: TextEncoder, kinds: Sequence[Kind] = TOLD_BY
) -> dict[str, float]:
    """Mean cosine of pictures and captions of each kind, over the scenes that carry the kind."""
    found = {}
    for kind in kinds:
        told = [(i, one.text) for i, scene in enumerate(scenes) if (one := caption(scene, kind, CAPTION_SEED))]
        rows = [i for i, _ in told]
        cosines = np.einsum("nd,nd->n", images[rows], texts.encode([text for _, text in told]))
        found[str(kind)] = round(float(cosines.mean()), 4)
    return found


def wrong_below_right(
    scenes: Sequence[Scene], images: Floats, plain: Floats, texts: TextEncoder
) -> dict[str, float | int]:
    """The share of literal captions that beat themselves with one detail wrong: of any type, and of each type."""
    found: dict[str, float | int] = {}
    for which in (None, *Wrong):
        told = [(i, one.text) for i, scene in enumerate(scenes) if (one := _wrong(scene, which))]
        rows = [i for i, _ in told]
        wrong = np.einsum("nd,nd->n", images[rows], texts.encode([text for _, text in told]))
        right = np.einsum("nd,nd->n", images[rows], plain[rows])
        name = str(which) if which else "any"
        found |= {name: round(float((wrong < right).mean()), 4), f"n_{name}": len(rows)}
    return found


def _wrong(scene: Scene, which: Wrong | None) -> Any:
    return wrong_of(literal(scene, CAPTION_SEED), scene, CAPTION_SEED, which)
