"""A panel of models that need no weights: each is a pair of towers whose scores a test settles, with its record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from backend.catalogue.models import Image
from backend.methods.calibration import Calibration
from backend.projects.models import Project
from workers.engines import registry
from workers.engines.calibrations import Record, write_record
from workers.engines.protocols import EncodedBlock, PictureSource, Skipped, Vectors

DIMENSIONS = 8
PREPROCESSING = "whole bytes, nothing cut"
Cosine = Callable[[str], float]


@dataclass
class StandIn:
    """Sees one direction in every picture; a text leans towards it as far as `cosine(text)` says."""

    name: str
    cosine: Cosine
    preprocessing: str = PREPROCESSING
    dimensions: int = DIMENSIONS
    seen: list[list[str]] = field(default_factory=list)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.name.encode()).hexdigest()

    def encode_images(self, pictures: Iterable[tuple[str, PictureSource]]) -> Iterator[EncodedBlock]:
        given = list(pictures)
        keys = tuple(key for key, data in given if data != b"broken")
        skipped = tuple(Skipped(key, "It is broken.") for key, data in given if data == b"broken")
        self.seen.append([key for key, _ in given])
        yield EncodedBlock(keys, np.tile(np.eye(1, DIMENSIONS, dtype=np.float32), (len(keys), 1)), skipped)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        leans = np.array([self.cosine(text) for text in texts])
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        vectors[:, 0], vectors[:, 1] = leans, np.sqrt(1 - leans**2)
        return vectors


class Tower:
    """One tower of a stand-in, as the registry gives it."""

    def __init__(self, of: StandIn, encode: Callable[..., object]) -> None:
        self.name, self.digest, self.preprocessing = of.name, of.digest, of.preprocessing
        self.dimensions, self.encode = of.dimensions, encode


def calibration(threshold: float) -> Calibration:
    return Calibration(threshold, 0.8, 0.8, 0.8, 256, 1024, 1024, 261_120, 0, 0.4, 0)


def seat(model: StandIn, *, folder: Path, threshold: float | None = 0.25, pairs: str = "made up") -> StandIn:
    """Let the registry know the model in this process, and put its record into `folder`; no threshold, no record."""
    registry.use_image_encoder(model.name, Tower(model, model.encode_images))
    registry.use_text_encoder(model.name, Tower(model, model.encode_texts))
    if threshold is not None:
        record = Record(model.name, model.digest, model.preprocessing, pairs, calibration(threshold))
        write_record(folder / f"{model.name}.json", record)
    return model


def store_pictures(project: Project) -> None:
    """A file behind the original and the large thumbnail of every image."""
    for image in Image.objects.filter(project=project):
        for name in (image.original, image.large):
            default_storage.save(name, ContentFile(image.digest.encode()))
