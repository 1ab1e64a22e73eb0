"""Two views of one postcard that a vision encoder should take for the same: cropped, mirrored, blurred, partly hidden.

The palette is kept but for a little light and contrast: the hour of a postcard is in its colours.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

AREA = (0.45, 1.0)  # of the picture that a view shows
LIGHT, CONTRAST = 0.08, 0.15
HIDDEN = 0.35  # of each side, the most that is covered
BLURRED = 0.3  # of the views


def view(pictures: Tensor) -> Tensor:
    """One random view of each picture, (n, 3, h, w) in and out, values centred at zero."""
    seen = _hidden(_relit(_cropped(pictures)))
    blurred = functional.avg_pool2d(seen, 3, stride=1, padding=1, count_include_pad=False)
    return torch.where(_coin(len(seen), BLURRED), blurred, seen).contiguous(memory_format=torch.channels_last)


def _coin(n: int, chance: float) -> Tensor:
    return (torch.rand(n) < chance)[:, None, None, None]


def _uniform(n: int, low: float, high: float) -> Tensor:
    return low + (high - low) * torch.rand(n)


def _cropped(pictures: Tensor) -> Tensor:
    """A part of each picture, resized to the whole, mirrored half of the time."""
    n = len(pictures)
    side, squeeze = _uniform(n, *AREA).sqrt(), _uniform(n, -0.1, 0.1).exp()
    across, down = (side * squeeze).clamp(max=1), (side / squeeze).clamp(max=1)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = torch.where(torch.rand(n) < 0.5, across, -across)
    theta[:, 1, 1] = down
    theta[:, 0, 2] = _uniform(n, -1, 1) * (1 - across)
    theta[:, 1, 2] = _uniform(n, -1, 1) * (1 - down)
    grid = functional.affine_grid(theta, list(pictures.shape), align_corners=False)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def _relit(pictures: Tensor) -> Tensor:
    n = len(pictures)
    contrast = 1 + _uniform(n, -CONTRAST, CONTRAST)[:, None, None, None]
    light = 4 * _uniform(n, -LIGHT, LIGHT)[:, None, None, None]  # the values are in units of a quarter of the range
    return pictures * contrast + light


def _hidden(pictures: Tensor) -> Tensor:
    """A grey rectangle over a part of each picture, so that no one figure decides."""
    n, _, height, width = pictures.shape
    masks = [_span(n, side) for side in (height, width)]
    covered = masks[0][:, None, :, None] & masks[1][:, None, None, :]
    return pictures.masked_fill(covered, 0.0)


def _span(n: int, side: int) -> Tensor:
    """(n, side): a run of at most HIDDEN of the side, in each row somewhere."""
    length = _uniform(n, 0, HIDDEN) * side
    start = torch.rand(n) * (side - length)
    places = torch.arange(side)
    return (places >= start[:, None]) & (places < (start + length)[:, None])
