"""From an open picture to what a model is given, by the library's own transform, in two halves.

The half that turns and cuts runs picture by picture, on decoding threads, and ends in bytes: a quarter of the floats'
memory. The half that scales numbers runs on the whole batch. Both do what the library does, in its order, so a vector
is the one that calling the library gives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

if TYPE_CHECKING:
    from torch import Tensor

Pixels = NDArray[np.uint8]
IMAGENET_MEAN, IMAGENET_STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


@dataclass(frozen=True)
class Preprocessing:
    """`geometry` cuts an RGB picture to `size` (height, width); mean and std are of values in 0..1, per channel."""

    geometry: Callable[[Image.Image], Image.Image]
    size: tuple[int, int]
    mean: tuple[float, ...]
    std: tuple[float, ...]
    description: str

    def pixels(self, image: Image.Image) -> Pixels:
        """uint8 (height, width, 3) of an RGB picture."""
        return np.asarray(self.geometry(image))

    def scaled(self, batch: Tensor) -> Tensor:
        """float32 (n, 3, height, width) of uint8 (n, height, width, 3), on the device of `batch`.

        In memory the channels stay last: no picture is turned around twice on its way into a convolution.
        """
        import torch

        # Without waiting: a GPU would first finish all that it was told to do before.
        mean, std = (
            torch.tensor(values).to(batch.device, non_blocking=True).view(-1, 1, 1) for values in (self.mean, self.std)
        )
        return batch.permute(0, 3, 1, 2).to(torch.float32).div_(255).sub_(mean).div_(std)

    @property
    def input_bytes(self) -> int:
        """Bytes of one picture as float32."""
        return 4 * 3 * self.size[0] * self.size[1]


def of_transform(transform: Any, size: tuple[int, int], words: dict[str, Any]) -> Preprocessing:
    """A torchvision `Compose` of a library, cut in two before it makes tensors; `words` describe its geometry."""
    steps = list(transform.transforms)
    first = next(i for i, step in enumerate(steps) if type(step).__name__ in ("ToTensor", "MaybeToTensor"))
    normalise = next(step for step in steps if type(step).__name__ == "Normalize")
    mean, std = (tuple(float(value) for value in values) for values in (normalise.mean, normalise.std))
    return Preprocessing(type(transform)(steps[:first]), size, mean, std, _line(words, size, mean, std))


def shorter_side_and_crop(
    size: int | tuple[int, int],
    crop: tuple[int, int],
    *,
    interpolation: str,
    mean: Sequence[float],
    std: Sequence[float],
) -> Preprocessing:
    """Resize the shorter side to `size` (or both sides to a pair), cut `crop` (height, width) from the middle."""
    from torchvision import transforms
    from torchvision.transforms.functional import InterpolationMode

    side = size if isinstance(size, int) else list(size)
    geometry = transforms.Compose(
        [transforms.Resize(side, InterpolationMode(interpolation)), transforms.CenterCrop(crop)]
    )
    words = {"interpolation": interpolation, "resize": side}
    return Preprocessing(geometry, crop, tuple(mean), tuple(std), _line(words, crop, tuple(mean), tuple(std)))


def _line(words: dict[str, Any], crop: tuple[int, int], mean: tuple[float, ...], std: tuple[float, ...]) -> str:
    """One canonical line of JSON: sorted keys, numbers to six digits."""
    numbers = {"mean": [round(value, 6) for value in mean], "std": [round(value, 6) for value in std]}
    return json.dumps(words | {"crop": list(crop)} | numbers, sort_keys=True, separators=(",", ":"))
