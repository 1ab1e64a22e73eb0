"""The eight lands, each with a silhouette and a ground of its own."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from workers.training.postcards.drawing.canvas import WIDTH, Canvas, Colour, mix
from workers.training.postcards.drawing.layout import Layout
from workers.training.postcards.drawing.palette import Palette
from workers.training.postcards.drawing.terrain import (
    paint_layer,
    paint_peaks,
    paint_tree_row,
    ridge,
)
from workers.training.postcards.drawing.towns import paint_city, paint_harbour
from workers.training.postcards.drawing.water import paint_sea
from workers.training.postcards.world import Land, Scene

Painter = Callable[[Canvas, Scene, Layout, Palette, random.Random], None]


def paint_land(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """The ground and all that lies behind it."""
    _LANDS[scene.land](canvas, scene, layout, palette, dice)


def _hills(
    canvas: Canvas,
    layout: Layout,
    palette: Palette,
    dice: random.Random,
    paints: list[tuple[Colour, float]],
    swell: float,
) -> None:
    """Layers from the horizon to the lower edge, each nearer one less lost in haze."""
    deep, n = 1 - layout.horizon, len(paints)
    for i, (paint, haze) in enumerate(paints):
        base = layout.horizon + deep * (0.02 + 0.62 * (i / n) ** 1.2)
        top = palette.ground(mix(paint, (255, 250, 210), 0.16), haze)
        paint_layer(
            canvas, ridge(dice, base + 0.02, swell * (1 - 0.5 * i / n), 3 + i), top, palette.ground(paint, haze * 0.4)
        )


def _beach(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    head = ridge(dice, layout.horizon + 0.012, 0.075, 2.6)
    canvas.gradient(head, (palette.ground((96, 140, 130), 0.6), palette.ground((96, 150, 140), 0.6)))
    paint_sea(canvas, scene, layout, palette, dice)
    sand = palette.ground((240, 208, 142))
    shore = ridge(dice, layout.shore + 0.03, 0.05, 2.2)
    canvas.shape(shore - (0, 0.034), mix(palette.ground((96, 186, 196)), palette.sky[2], 0.2), 150)
    canvas.shape(shore - (0, 0.016), palette.ground((255, 255, 250)), 235)
    canvas.shape(shore - (0, 0.004), mix(sand, palette.ground((150, 110, 70)), 0.5))
    paint_layer(canvas, shore, sand, palette.ground((228, 180, 108)))
    _mound(canvas, layout, sand, palette.ground((214, 184, 122)))
    _specks(canvas, layout.shore + 0.08, palette.ground((196, 148, 92)), 60, dice)


def _mound(canvas: Canvas, layout: Layout, top: Colour, low: Colour) -> None:
    """Dry ground under a building by the sea."""
    place = layout.building
    if place is None:
        return
    around = np.linspace(np.pi, 2 * np.pi, 24)
    high = layout.shore + 0.06 - place.y
    outline = np.stack((place.x + 0.42 * np.cos(around), layout.shore + 0.06 + (high + 0.012) * np.sin(around)), -1)
    canvas.shape(outline - (0, 0.006), mix(low, (255, 255, 250), 0.5))
    canvas.gradient(outline, (mix(top, low, 0.4), top))


def _specks(canvas: Canvas, top: float, colour: Colour, n: int, dice: random.Random) -> None:
    for _ in range(n):
        y = dice.uniform(top, 1)
        canvas.disc(dice.uniform(0, WIDTH), y, dice.uniform(0.002, 0.006), colour, 150, flat=0.5)


def _tufts(canvas: Canvas, top: float, colour: Colour, n: int, dice: random.Random) -> None:
    for _ in range(n):
        x, y, size = dice.uniform(0, WIDTH), dice.uniform(top, 1), dice.uniform(0.008, 0.018)
        blades = ((-1, -0.9), (-0.4, 0), (-0.3, -1.3), (0.2, 0), (0.8, -1.0), (0.6, 0.1), (-0.7, 0.1))
        canvas.shape(np.array(blades) * size + (x, y), colour, 170)


def _mountains(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    high, snow = layout.horizon, palette.ground((250, 250, 255), 0.12)
    paint_peaks(canvas, dice, high + 0.02, high * 0.72, 6, palette.ground((116, 132, 176), 0.45),
                palette.ground((160, 176, 206), 0.7), mix(snow, palette.haze, 0.3))  # fmt: skip
    paint_peaks(canvas, dice, high + 0.04, high * 0.52, 5, palette.ground((92, 98, 138), 0.12),
                palette.ground((132, 150, 170), 0.5), snow)  # fmt: skip
    _hills(canvas, layout, palette, dice, [((72, 120, 96), 0.3), ((92, 146, 84), 0.12), ((122, 168, 84), 0.0)], 0.08)
    _tufts(canvas, layout.horizon + 0.3 * (1 - layout.horizon), palette.ground((70, 122, 62)), 34, dice)


def _desert(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    for _ in range(2):
        _mesa(canvas, dice, layout, palette)
    deep = 1 - layout.horizon
    for i, (paint, haze) in enumerate((((222, 136, 76), 0.35), ((230, 148, 74), 0.12), ((240, 172, 92), 0.0))):
        base = layout.horizon + deep * (0.03 + 0.2 * i)
        dune = ridge(dice, base + 0.03, 0.1 - 0.02 * i, 2.2 + i)
        paint_layer(
            canvas, dune, palette.ground(mix(paint, (255, 226, 160), 0.35), haze), palette.ground(paint, haze * 0.4)
        )
        _slip(canvas, dune, dice, palette.ground(mix(paint, (120, 52, 60), 0.4), haze))
    for _ in range(9):  # ripples
        x, y, half = dice.uniform(0, WIDTH), layout.horizon + deep * dice.uniform(0.5, 1), dice.uniform(0.06, 0.16)
        xs = np.linspace(-half, half, 9)
        curve = np.stack((x + xs, y + 0.012 * np.sin(xs * 26)), -1)
        lower = curve[::-1] + np.array((0, 0.005))
        canvas.shape(np.concatenate((curve, lower)), palette.ground((206, 130, 66)), 130)


def _slip(canvas: Canvas, dune: np.ndarray, dice: random.Random, shade: Colour) -> None:
    """The shaded lee side, which falls from the crest in a long curve."""
    crest = dune[:-2]
    at = int(np.argmin(crest[6:-18, 1])) + 6
    down = np.linspace(0, 1, 12)[:, None]
    foot = crest[at] + np.array((dice.uniform(-0.22, 0.1), 0.16))
    edge = crest[at] * (1 - down) + foot * down + np.concatenate((0.07 * np.sin(down * np.pi), down * 0), 1)
    right = crest[at : at + 17]
    canvas.shape(np.concatenate((right[::-1], edge)), shade, 150)


def _mesa(canvas: Canvas, dice: random.Random, layout: Layout, palette: Palette) -> None:
    x, wide, tall = dice.uniform(0.1, 1.4), dice.uniform(0.08, 0.2), dice.uniform(0.08, 0.17)
    base, rock = layout.horizon + 0.04, palette.ground((186, 96, 66), 0.25)
    left = [
        (-1.3, 0),
        (-1.05, 0.4),
        (-0.95, 0.42),
        (-0.9, 1.0),
        (-0.3, 0.97),
        (0.2, 1.0),
        (0.8, 0.98),
        (0.9, 0.5),
        (1.3, 0),
    ]
    outline = np.array(left) * (wide, -tall) + (x, base)
    canvas.gradient(outline, (rock, palette.ground((216, 140, 98), 0.4)))
    canvas.shape(outline[[5, 6, 7, 8]], mix(rock, (70, 30, 50), 0.35), 170)


def _forest(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    kind, high = scene.plants or "pines", layout.horizon
    leaf = {"pines": (34, 92, 68), "birches": (128, 156, 62)}.get(kind, (58, 112, 54))
    for lift, tall, haze in ((0.0, 0.78, 0.58), (0.03, 0.6, 0.32), (0.06, 0.42, 0.1)):
        paint_tree_row(canvas, dice, high + lift, high * tall, kind, palette.ground(leaf, haze))
        if kind == "birches":
            _trunks(canvas, dice, high + lift, high * tall * 0.6, palette.ground((236, 230, 216), haze))
    floor: list[tuple[Colour, float]] = [
        (mix(leaf, (90, 100, 50), 0.4), 0.05),
        ((104, 116, 58), 0.0),
        ((124, 118, 62), 0.0),
    ]
    _hills(canvas, layout, palette, dice, floor, 0.05)
    _tufts(canvas, high + 0.14, palette.ground((52, 92, 44)), 60, dice)


def _trunks(canvas: Canvas, dice: random.Random, base: float, tall: float, colour: Colour) -> None:
    for i in range(20):
        x = (i + dice.random()) / 20 * WIDTH
        canvas.box(x, base - tall, x + 0.009, base + 0.02, colour)


def _meadow(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    greens: tuple[Colour, ...] = (124, 176, 132), (128, 182, 96), (156, 198, 90), (110, 176, 72), (132, 194, 76)
    hazes = 0.52, 0.28, 0.1, 0.0, 0.0
    _hills(canvas, layout, palette, dice, list(zip(greens, hazes, strict=True)), 0.11)
    _tufts(canvas, layout.horizon + 0.4 * (1 - layout.horizon), palette.ground((78, 148, 56)), 60, dice)


def _snowfield(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    white = palette.ground((252, 252, 255))
    outline = ridge(dice, layout.horizon + 0.02, 0.16, 2.6)
    canvas.gradient(outline, (palette.ground((226, 234, 248), 0.4), palette.ground((196, 212, 238), 0.3)))
    deep = 1 - layout.horizon
    for i in range(4):
        base = layout.horizon + deep * (0.03 + 0.17 * i)
        hill = ridge(dice, base + 0.02, 0.07, 2.5 + i * 0.6)
        paint_layer(
            canvas, hill, mix(white, palette.haze, 0.1), mix(white, palette.ground((172, 196, 234)), 0.8 - 0.1 * i)
        )
    for _ in range(16):
        y = layout.horizon + deep * dice.uniform(0.3, 1)
        canvas.disc(dice.uniform(0, WIDTH), y, dice.uniform(0.03, 0.09), palette.ground((190, 208, 240)), 70, flat=0.09)


_LANDS: dict[Land, Painter] = {
    Land.BEACH: _beach, Land.MOUNTAINS: _mountains, Land.DESERT: _desert, Land.FOREST: _forest, Land.MEADOW: _meadow,
    Land.CITY: paint_city, Land.HARBOUR: paint_harbour, Land.SNOWFIELD: _snowfield,
}  # fmt: skip
