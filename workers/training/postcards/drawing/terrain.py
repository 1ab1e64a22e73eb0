"""What lands are cut from: hills, peaks, rows of trees, blocks of houses."""

from __future__ import annotations

import random

import numpy as np

from workers.training.postcards.drawing.canvas import WIDTH, Canvas, Colour, mix
from workers.training.postcards.drawing.outlines import Points

_XS = np.linspace(-0.02, WIDTH + 0.02, 56)


def ridge(dice: random.Random, base: float, height: float, waves: float = 4.0) -> Points:
    """The outline of rolling ground from its crest (between `base` - `height` and `base`) down to the lower edge."""
    ys = np.zeros_like(_XS)
    for k in range(1, 4):
        ys += np.sin(_XS * waves * k * dice.uniform(0.7, 1.2) + dice.uniform(0, 6.3)) / k
    ys = base - height * (0.5 + ys / 3.4)
    crest = np.stack((_XS, ys), -1)
    return np.concatenate((crest, ((WIDTH + 0.02, 1.02), (-0.02, 1.02))))


def paint_layer(canvas: Canvas, outline: Points, top: Colour, low: Colour) -> None:
    """A sheet of cut paper: a soft shadow on what lies behind, then its own gradient."""
    for lift in (0.011, 0.005):
        canvas.shape(outline - (0, lift), mix(low, (20, 20, 44), 0.6), 30)
    canvas.gradient(outline, (top, low))


def paint_peaks(
    canvas: Canvas, dice: random.Random, base: float, height: float, n: int, rock: Colour, haze: Colour, snow: Colour
) -> None:
    """`n` mountains with a sunny and a shaded side and a cap of snow."""
    places = sorted(((i + dice.uniform(0.2, 0.8)) / n * WIDTH, dice.uniform(0.6, 1.0)) for i in range(n))
    for x, share in sorted(places, key=lambda place: -place[1]):
        _peak(
            canvas, dice, (x, base - height * share), base, height * share * dice.uniform(0.75, 1.0), rock, haze, snow
        )


def _peak(
    canvas: Canvas, dice: random.Random, top: tuple[float, float], base: float, half: float, rock: Colour, haze: Colour,
    snow: Colour,
) -> None:  # fmt: skip
    x, y = top
    tall = base + 0.03 - y
    steps = [0.0, 0.16, 0.34, 0.5, 0.68, 0.84, 1.0]
    left = np.array([(x - half * s * dice.uniform(0.88, 1.12), y + tall * s) for s in steps])
    right = np.array([(x + half * s * dice.uniform(0.88, 1.12), y + tall * s) for s in steps])
    spine = np.array([(x + half * s * dice.uniform(-0.22, 0.2), y + tall * s) for s in steps])
    canvas.gradient(np.concatenate((left, right[::-1])), (rock, haze))
    canvas.gradient(
        np.concatenate((spine, right[::-1])), (mix(rock, (24, 28, 66), 0.36), mix(haze, (60, 66, 110), 0.16))
    )
    cut = [(x - half * 0.14, y + tall * 0.38), (x - half * 0.05, y + tall * 0.26), (x + half * 0.04, y + tall * 0.42),
           (x + half * 0.14, y + tall * 0.27)]  # fmt: skip
    cap = np.concatenate((left[:3], np.array(cut), right[2::-1]))
    canvas.shape(cap, snow)
    canvas.shape(np.concatenate((spine[:2], np.array(cut[2:]), right[2::-1])), mix(snow, (92, 112, 172), 0.32))


def paint_tree_row(canvas: Canvas, dice: random.Random, base: float, height: float, kind: str, colour: Colour) -> None:
    """A far edge of a wood in one colour: points for pines, heads for the others."""
    canvas.box(0, base - height * 0.3, WIDTH, base + 0.03, colour)
    x = -0.03
    while x < WIDTH + 0.03:
        tall = height * dice.uniform(0.66, 1.0)
        if kind == "pines":
            half = tall * 0.26
            canvas.shape(np.array(((x - half, base), (x, base - tall), (x + half, base))), colour)
            x += half * dice.uniform(0.9, 1.4)
        else:
            half = tall * (0.2 if kind == "birches" else 0.34)
            canvas.disc(x, base - tall * 0.64, half, colour, flat=tall * 0.36 / half)
            x += half * dice.uniform(0.9, 1.5)
