"""A 64-bit name for what a picture looks like: pictures that differ in few bits look alike.

pHash (Zauner 2010, section 3.2.1) in the layout of the `imagehash` package, which would bring scipy and PyWavelets
along for these ten lines: grey, 32 x 32, DCT-II, the 8 x 8 lowest coefficients, each above or below their median.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE, SAMPLES = 8, 32


def _lowest_waves() -> NDArray[np.float64]:
    """The lowest rows of the unscaled DCT-II, shape (8, 32)."""
    k, n = np.arange(SIDE)[:, None], np.arange(SAMPLES)[None, :]
    return np.asarray(2 * np.cos(np.pi * k * (2 * n + 1) / (2 * SAMPLES)))


WAVES = _lowest_waves()


def perceptual_hash(image: Image.Image) -> str:
    """The picture's pHash, 16 hex digits."""
    grey = image.convert("L").resize((SAMPLES, SAMPLES), Image.Resampling.LANCZOS)
    lowest = WAVES @ np.asarray(grey, dtype=np.float64) @ WAVES.T
    bits = (lowest > np.median(lowest)).ravel()
    return np.packbits(bits).tobytes().hex()
