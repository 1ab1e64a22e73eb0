"""An image encoder so small that what it says of a picture is known: the mean colour."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PIL import Image

from workers.engines.image_encoder import TowerImages
from workers.engines.preprocessing import Preprocessing
from workers.engines.protocols import EncodedBlock


def colours(forward: Callable[[Any], Any] | None = None) -> TowerImages:
    """An encoder of four pixels a side, whose vector is the picture's mean colour and a one."""
    import torch

    def mean_colour(batch: Any) -> Any:
        return torch.cat([batch.mean(dim=(2, 3)), torch.ones(len(batch), 1)], dim=1)

    how = Preprocessing(lambda image: image.resize((4, 4)), (4, 4), (0.0,) * 3, (1.0,) * 3, "4 x 4")
    return TowerImages("colours", "0" * 64, 4, forward or mean_colour, how, torch.device("cpu"))


def plain(shade: int, size: tuple[int, int] = (8, 8)) -> Image.Image:
    return Image.new("RGB", size, (shade, 0, 0))


def as_file(image: Image.Image, format: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **options)
    return out.getvalue()


def gathered(blocks: Iterator[EncodedBlock]) -> tuple[list[str], np.ndarray, list[str]]:
    found = list(blocks)
    keys = [key for block in found for key in block.keys]
    vectors = np.concatenate([block.vectors for block in found])
    return keys, vectors, [skipped.key for block in found for skipped in block.skipped]


def shade_of(vector: np.ndarray) -> int:
    return round(float(vector[0] / vector[3]) * 255)


def workers_left() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("in-order")]
