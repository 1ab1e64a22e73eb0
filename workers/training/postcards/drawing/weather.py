"""Rain, snow, fog, and the grain of the paper."""

from __future__ import annotations

import random

import numpy as np
from PIL import Image

from workers.training.postcards.drawing.canvas import WIDTH, Canvas, mix
from workers.training.postcards.drawing.layout import Layout
from workers.training.postcards.drawing.palette import Palette
from workers.training.postcards.world import Scene, Weather

_GRAIN = 2
_ROWS = (np.arange(48)[:, None] + 0.5) / 48
_ACROSS = (np.arange(72)[None, :] + 0.5) / 48


def paint_fog(
    canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random, share: float
) -> None:
    """Banks of fog, thickest at the horizon; `share` of their strength."""
    if scene.weather is not Weather.FOG:
        return
    drift = 0.07 * np.sin(_ACROSS * dice.uniform(2, 5) + dice.uniform(0, 6))
    veil = 0.92 * np.exp(-(((_ROWS - layout.horizon + 0.04 + drift) / 0.3) ** 2))
    stripes = 0.12 * np.sin(_ROWS * 46 + 6 * drift + dice.uniform(0, 6)) * veil
    canvas.veil(mix(palette.haze, (255, 255, 255), 0.22 if sum(palette.haze) > 360 else 0.1), (veil + stripes) * share)


def paint_fall(canvas: Canvas, scene: Scene, palette: Palette, dice: random.Random) -> None:
    """Streaks of rain or flakes of snow over everything."""
    if scene.weather is Weather.RAIN:
        _rain(canvas, palette, dice)
    elif scene.weather is Weather.SNOW:
        for _ in range(150):
            x, y = dice.uniform(0, WIDTH), dice.random()
            canvas.disc(x, y, dice.choice((0.005, 0.007, 0.0105)), (252, 252, 255), dice.randint(170, 245))


def _rain(canvas: Canvas, palette: Palette, dice: random.Random) -> None:
    colour, lean = mix(palette.sky[2], (255, 255, 255), 0.45), dice.uniform(0.12, 0.3)
    for _ in range(110):
        x, y, long = dice.uniform(-0.05, WIDTH), dice.uniform(-0.05, 1), dice.uniform(0.05, 0.1)
        w = 0.0028
        canvas.shape(
            np.array(((x - w, y), (x + w, y), (x + w - lean * long, y + long), (x - w - lean * long, y + long))),
            colour,
            150,
        )


def grained(picture: Image.Image, seed: int) -> Image.Image:
    """The paper's tooth: so fine that it is gone when the picture is made small."""
    noise = np.random.default_rng((seed, 7))
    width, height = picture.size
    # The wash comes first: it must not depend on how many points the tooth needs.
    mottle = Image.fromarray(noise.integers(0, 11, (12, 18), dtype=np.uint8))
    tooth = noise.integers(-_GRAIN, _GRAIN + 1, (height, width, 1), dtype=np.int8)
    wash = np.asarray(mottle.resize((width, height), Image.Resampling.BICUBIC), dtype=np.int16)[:, :, None] - 5
    paper = np.asarray(picture, dtype=np.int16) + tooth + wash
    return Image.fromarray(paper.clip(0, 255).astype(np.uint8))
