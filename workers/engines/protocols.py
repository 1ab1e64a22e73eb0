"""What an engine looks like from outside: arrays in, arrays out, no database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from workers.engines.parsed import Parsed

if TYPE_CHECKING:
    from PIL.Image import Image

Vectors = NDArray[np.float32]
PictureSource: TypeAlias = "Path | bytes | Image"  # a file, a file's content, or a picture that is open already


class EngineError(Exception):
    """An engine cannot do what it was asked; the message says what would help."""

    code = "engine"


class ModelNotFoundError(EngineError):
    """There is no such model here, and none could be fetched."""

    code = "model_not_found"


class ModelRefusedError(EngineError):
    """The model is there but is not used, because of how it is stored."""

    code = "model_refused"


class DeviceError(EngineError):
    """The device or the precision that was asked for is not here."""

    code = "device"


class NotFiniteError(EngineError):
    """A model gave numbers that are none."""

    code = "model_not_finite"


class OutOfMemoryError(EngineError):
    """Not even one item fits into the memory there is."""

    code = "out_of_memory"


class Skipped(NamedTuple):
    """A picture that could not be read, and why: `reason` for people, `code` for programs."""

    key: str
    reason: str
    code: str = "unreadable"


@dataclass(frozen=True)
class EncodedBlock:
    """Some pictures in the order they came: `vectors` is float32 (len(keys), d); `skipped` have no vector."""

    keys: tuple[str, ...]
    vectors: Vectors
    skipped: tuple[Skipped, ...] = ()


class Model(Protocol):
    """What runs, shards and releases record of every model."""

    @property
    def name(self) -> str:
        """What runs and releases call it; no path."""

    @property
    def digest(self) -> str:
        """SHA-256 of its weights, or over a pipeline's files."""


class SeeingModel(Model, Protocol):
    """A model that pictures are made ready for."""

    @property
    def preprocessing(self) -> str:
        """What is done to a picture before the model sees it, in one line; equal lines mean equal pixels."""


class ImageEncoder(SeeingModel, Protocol):
    """Pictures to unit vectors."""

    @property
    def dimensions(self) -> int:
        """How long a vector is."""

    def encode(
        self, pictures: Iterable[tuple[str, PictureSource]], *, on_progress: Callable[[int], None] | None = None
    ) -> Iterator[EncodedBlock]:
        """Blocks of (key, picture) in the order they came; `on_progress` hears how many are done, skipped ones too.

        Neither the pictures nor the vectors are held: each block is the caller's. Raises NotFiniteError,
        OutOfMemoryError.
        """


class TextEncoder(Model, Protocol):
    """Texts to unit vectors in the space of the image encoder of the same name."""

    @property
    def dimensions(self) -> int:
        """How long a vector is."""

    def encode(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> Vectors:
        """float32 (n, d), rows of length one, in the order of `texts`. Raises NotFiniteError, OutOfMemoryError."""


class SentenceEncoder(Model, Protocol):
    """Sentences to unit vectors."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, d), rows of length one, in the order of `texts`. Raises NotFiniteError, OutOfMemoryError."""

    def are_cut(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text is longer than the model reads: its vector is then that of its beginning."""


class Parser(Model, Protocol):
    """Texts to words, lemmas, trees and entities."""

    def parse(self, texts: Iterable[str]) -> Iterator[Parsed]:
        """One Parsed for each text, in their order; no text makes it raise."""

    def tags(self, texts: Iterable[str]) -> Iterator[frozenset[str] | None]:
        """The universal parts of speech in each text, those that `parse` finds; None for a text with a problem."""
