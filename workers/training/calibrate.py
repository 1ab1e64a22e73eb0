"""A model's threshold from held-out pairs: for the ladder's training and `manage.py calibrate`."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from backend.methods.calibration import BATCH, Calibration, calibrate_vectors
from workers.engines.calibrations import Record
from workers.engines.protocols import SeeingModel


def calibrate(
    image_vectors: ArrayLike, texts: Sequence[str], text_vectors: ArrayLike, *, batch_size: int = BATCH, seed: int = 0
) -> Calibration:
    """The threshold of a model from unit vectors (n, d), row i of both for pair i. Raises NotCalibratedError."""
    return calibrate_vectors(image_vectors, texts, text_vectors, batch_size=batch_size, seed=seed)


def record_of(model: SeeingModel, calibration: Calibration, *, pairs: str) -> Record:
    """The record to write beside the model's weights (engines/calibrations.py); `pairs` says what it was made from."""
    return Record(model.name, model.digest, model.preprocessing, pairs, calibration)
