"""A panel that knows beforehand what it will say: each model has a cosine for every text on every picture.

A picture is known by its digest, which is what `store_pictures` writes behind its thumbnail. Picture number n points
along axis n; a text leans towards each picture as its cosines say, and with the rest into a direction of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from backend.catalogue.models import Image
from backend.projects.models import Project
from panels import StandIn, seat
from workers.engines import registry
from workers.engines.protocols import EncodedBlock, PictureSource, Skipped, Vectors

MOST = 6  # pictures
YES, NO = 0.4, 0.1  # with a threshold of 0.25 between them
SEVEN = tuple(f"model-{n}" for n in range(1, 8))


@dataclass
class Knowing(StandIn):
    """`cosines` has for each text those on the pictures in the order of `digests`."""

    cosine: Callable[[str], float] = lambda text: 0.0
    digests: Sequence[str] = ()
    cosines: Mapping[str, Sequence[float]] = field(default_factory=dict)
    dimensions: int = MOST + 1
    read: list[str] = field(default_factory=list)

    def encode_images(self, pictures: Iterable[tuple[str, PictureSource]]) -> Iterator[EncodedBlock]:
        given = list(pictures)
        self.seen.append([key for key, _ in given])
        keys = tuple(key for key, data in given if data != b"broken")
        skipped = tuple(Skipped(key, "It is broken.") for key, data in given if data == b"broken")
        yield EncodedBlock(keys, np.eye(MOST + 1, dtype=np.float32)[[self.digests.index(key) for key in keys]], skipped)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        self.read += texts
        vectors = np.zeros((len(texts), MOST + 1), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[: len(self.cosines[text])] = self.cosines[text]
            vector[MOST] = np.sqrt(1 - (vector**2).sum())
        return vectors


@dataclass
class Plane(StandIn):
    """Says which pictures are alike: each lies at an angle, in degrees, 0 unless it is told."""

    cosine: Callable[[str], float] = lambda text: 0.0
    degrees: Mapping[str, float] = field(default_factory=dict)

    def encode_images(self, pictures: Iterable[tuple[str, PictureSource]]) -> Iterator[EncodedBlock]:
        for block in super().encode_images(pictures):
            turns = np.radians([self.degrees.get(key, 0) for key in block.keys])
            vectors = np.zeros_like(block.vectors)
            vectors[:, 0], vectors[:, 1] = np.cos(turns), np.sin(turns)
            yield replace(block, vectors=vectors)


def seat_panel(
    project: Project, votes: Mapping[str, Sequence[int]], *, folder: Path, names: Sequence[str] = SEVEN
) -> list[Knowing]:
    """A model for each name: the n-th says yes to a text on a picture that has more than n of `votes`.

    Pictures are in the order of their keys.
    """
    digests = list(Image.objects.filter(project=project).order_by("key").values_list("digest", flat=True))
    models = []
    for n, name in enumerate(names):
        cosines = {text: [YES if n < count else NO for count in counts] for text, counts in votes.items()}
        models.append(Knowing(name, digests=digests, cosines=cosines))
        seat(models[-1], folder=folder)
    return models


def seat_likeness(project: Project, degrees: Sequence[float], *, name: str = "plane") -> Plane:
    """The model that says which pictures are alike, by the angles of those in the order of their keys."""
    digests = Image.objects.filter(project=project).order_by("key").values_list("digest", flat=True)
    plane = Plane(name, degrees=dict(zip(digests, degrees, strict=False)))
    seat(plane, folder=Path(), threshold=None)
    return plane


def is_loaded(name: str) -> bool:
    return name in registry.image_encoder or name in registry.text_encoder
