"""The two lands that people built: a city behind its street, a harbour behind its quay."""

from __future__ import annotations

import random

import numpy as np

from workers.training.postcards.drawing.canvas import WIDTH, Canvas, Colour, mix
from workers.training.postcards.drawing.layout import Layout
from workers.training.postcards.drawing.palette import Palette
from workers.training.postcards.drawing.terrain import paint_layer, ridge
from workers.training.postcards.drawing.water import paint_sea
from workers.training.postcards.world import Scene, Time

_LIT = {Time.NIGHT: 0.6, Time.DUSK: 0.5, Time.DAWN: 0.15}
_FACADES = ((214, 130, 104), (236, 206, 150), (150, 176, 180), (228, 220, 206), (190, 104, 92))


def paint_city(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """Two rows of houses, a road, and the pavement everybody stands on."""
    high, deep, lit = layout.horizon, 1 - layout.horizon, _LIT.get(scene.time, 0.0)
    far, near = palette.ground((150, 160, 186), 0.5), palette.ground((172, 140, 130), 0.12)
    paint_blocks(canvas, dice, high + 0.06, high * 0.8, far, palette.window, lit * 0.6)
    paint_blocks(canvas, dice, high + 0.11 * deep, high * 0.52, near, palette.window, lit)
    pave = palette.ground((178, 172, 168))
    canvas.box(0, high + 0.1 * deep, WIDTH, 1, pave)
    _road(canvas, high + 0.26 * deep, high + 0.46 * deep, palette)
    _paving(canvas, high + 0.46 * deep, mix(pave, (60, 56, 70), 0.22), dice)


def _road(canvas: Canvas, top: float, kerb: float, palette: Palette) -> None:
    middle, paint = (top + kerb) / 2, palette.ground((240, 236, 214))
    canvas.band(top, kerb, (palette.ground((96, 98, 112)), palette.ground((80, 82, 96))))
    for i in range(9):
        canvas.box(i * 0.18 + 0.02, middle - 0.004, i * 0.18 + 0.11, middle + 0.004, paint)
    canvas.box(0, kerb, WIDTH, kerb + 0.012, palette.ground((214, 208, 200)))


def _paving(canvas: Canvas, kerb: float, joint: Colour, dice: random.Random) -> None:
    for row in range(1, 6):
        y = kerb + 0.012 + (1 - kerb) * (row / 6) ** 1.4
        canvas.box(0, y, WIDTH, y + 0.0035, joint)
        for i in range(11):
            x = (i + (row % 2) * 0.5 + dice.uniform(-0.03, 0.03)) * 0.15
            canvas.box(x, y - (1 - kerb) * 0.15, x + 0.0035, y, joint)


def paint_harbour(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """Houses on the far shore, the basin, a pier under the building, the quay."""
    high, stone = layout.horizon, palette.ground((164, 154, 146))
    hill = ridge(dice, high + 0.01, 0.16, 2.4)
    paint_layer(canvas, hill, palette.ground((110, 150, 130), 0.5), palette.ground((120, 160, 140), 0.5))
    facades = [palette.ground(paint, 0.16) for paint in _FACADES]
    paint_gables(canvas, dice, high + 0.008, 0.125, facades, palette.window)
    paint_sea(canvas, scene, layout, palette, dice)
    if layout.building:
        x, y = layout.building.x, layout.building.y
        canvas.box(x - 0.36, y - 0.006, x + 0.36, layout.shore + 0.01, palette.ground((186, 176, 164)))
        canvas.box(x - 0.36, y + 0.02, x + 0.36, layout.shore + 0.01, mix(stone, (40, 44, 60), 0.25))
    _quay(canvas, layout.shore, stone, dice)
    _bollards(canvas, layout.shore, dice)


def _quay(canvas: Canvas, shore: float, stone: Colour, dice: random.Random) -> None:
    canvas.box(0, shore - 0.012, WIDTH, shore, mix(stone, (20, 24, 44), 0.45))
    canvas.band(shore, 1.01, (mix(stone, (255, 250, 236), 0.24), stone))
    for row in range(5):
        y, tall = shore + (1 - shore) * (row / 5) ** 1.3, (1 - shore) / 5
        canvas.box(0, y, WIDTH, y + 0.005, mix(stone, (50, 48, 60), 0.3))
        for i in range(7):
            x = (i + (row % 2) * 0.5 + dice.uniform(-0.08, 0.08)) * 0.24
            canvas.box(x, y, x + 0.005, y + tall, mix(stone, (50, 48, 60), 0.22))


def _bollards(canvas: Canvas, shore: float, dice: random.Random) -> None:
    for i in range(4):
        x = (i + 0.5 + dice.uniform(-0.2, 0.2)) * WIDTH / 4
        canvas.box(x - 0.012, shore - 0.03, x + 0.012, shore + 0.014, (52, 50, 58))
        canvas.disc(x, shore - 0.03, 0.019, (52, 50, 58), flat=0.5)


def paint_blocks(
    canvas: Canvas, dice: random.Random, base: float, height: float, colour: Colour, window: Colour, lit: float
) -> None:
    """Houses of a town side by side; `lit` of their windows are bright."""
    x = -0.03
    while x < WIDTH:
        wide, tall = dice.uniform(0.08, 0.17), height * dice.uniform(0.45, 1.0)
        paint = mix(colour, (dice.randint(60, 230), dice.randint(70, 190), dice.randint(80, 190)), 0.16)
        canvas.box(x, base - tall, x + wide, base, paint)
        canvas.box(x + wide * 0.82, base - tall, x + wide, base, mix(paint, (16, 16, 40), 0.22))
        if dice.random() < 0.4:
            canvas.box(x + wide * 0.3, base - tall - 0.03, x + wide * 0.6, base - tall, paint)
        _windows(canvas, dice, (x, base - tall, wide, tall), mix(paint, (20, 24, 50), 0.3), window, lit)
        x += wide + dice.choice((0.0, 0.0, 0.012))


def _windows(
    canvas: Canvas,
    dice: random.Random,
    wall: tuple[float, float, float, float],
    dark: Colour,
    window: Colour,
    lit: float,
) -> None:
    x, y, wide, tall = wall
    for row in range(int((tall - 0.02) / 0.042)):
        for column in range(int(wide * 0.8 / 0.032)):
            left, top = x + 0.012 + column * 0.032, y + 0.018 + row * 0.042
            canvas.box(left, top, left + 0.017, top + 0.024, window if dice.random() < lit else dark)


def paint_gables(
    canvas: Canvas, dice: random.Random, base: float, height: float, paints: list[Colour], window: Colour
) -> None:
    """A row of narrow harbour houses with pointed roofs."""
    x = -0.02
    while x < WIDTH:
        wide, tall = dice.uniform(0.07, 0.11), height * dice.uniform(0.7, 1.0)
        paint = dice.choice(paints)
        canvas.box(x, base - tall, x + wide, base, paint)
        roof = np.array(((x - 0.004, base - tall), (x + wide / 2, base - tall - 0.05), (x + wide + 0.004, base - tall)))
        canvas.shape(roof, mix(paint, (60, 30, 40), 0.5))
        for row in range(int(tall / 0.04)):
            for column in (0.22, 0.6):
                top = base - tall + 0.012 + row * 0.04
                canvas.box(x + wide * column, top, x + wide * (column + 0.2), top + 0.02, window)
        x += wide
