"""What an engine looks like from outside: arrays in, arrays out, no database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class EngineError(Exception):
    """An engine cannot do what it was asked; the message says what would help."""

    code = "engine"


class ModelNotFoundError(EngineError):
    """There is no such model here, and none could be fetched."""

    code = "model_not_found"


class ModelRefusedError(EngineError):
    """The model is there but is not used, because of how it is stored."""

    code = "model_refused"


class NotFiniteError(EngineError):
    """A model gave numbers that are none."""

    code = "model_not_finite"


class SentenceEncoder(Protocol):
    """Sentences to unit vectors."""

    @property
    def name(self) -> str:
        """What runs and releases call it; no path."""

    @property
    def digest(self) -> str:
        """SHA-256 of its weights."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, d), rows of length one, in the order of `texts`. Raises NotFiniteError."""
