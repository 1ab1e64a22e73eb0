"""Seas, lakes and rivers: the sky again, upside down, with streaks of light."""

from __future__ import annotations

import random

import numpy as np

from workers.training.postcards.drawing.canvas import WIDTH, Canvas, Colour, mix
from workers.training.postcards.drawing.layout import Layout
from workers.training.postcards.drawing.outlines import Points, smooth
from workers.training.postcards.drawing.palette import Palette
from workers.training.postcards.drawing.sky import sun_place
from workers.training.postcards.world import Land, Scene, Time, Weather


def colours(palette: Palette) -> tuple[Colour, Colour]:
    """The water far away and near."""
    near = palette.ground((24, 104, 160))
    return mix(palette.sky[2], palette.ground((58, 150, 196)), 0.5), mix(near, palette.sky[0], 0.22)


def paint_sea(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """From the horizon to below the shore; a shore is painted over it."""
    top, low = layout.horizon, layout.shore + 0.08
    far, near = colours(palette)
    canvas.band(top, low, (far, near))
    _streaks(canvas, (0.0, WIDTH), (top + 0.01, low), mix(near, palette.sky[2], 0.55), 46, dice)
    _glitter(canvas, scene, layout, low, palette, dice)


def _glitter(canvas: Canvas, scene: Scene, layout: Layout, low: float, palette: Palette, dice: random.Random) -> None:
    """The path of light under sun or moon."""
    if scene.weather is not Weather.CLEAR or (scene.time is Time.NIGHT and "moon" not in (scene.sky or "")):
        return
    x, _ = sun_place(scene.time, layout)
    for i in range(16):
        share = (i + dice.random()) / 16
        y = layout.horizon + 0.006 + share * (low - layout.horizon)
        _lens(canvas, x + dice.uniform(-0.03, 0.03), y, 0.03 + 0.06 * share * dice.random(), palette.sun, 190)


def _streaks(
    canvas: Canvas, across: tuple[float, float], down: tuple[float, float], colour: Colour, n: int, dice: random.Random
) -> None:
    """Flat lenses, small and close far away, long and apart nearby."""
    for _ in range(n):
        share = dice.random() ** 1.4
        y = down[0] + share * (down[1] - down[0])
        _lens(canvas, dice.uniform(*across), y, 0.02 + 0.07 * share * dice.random(), colour, 120)


def _lens(canvas: Canvas, x: float, y: float, half: float, colour: Colour, alpha: int) -> None:
    high = 0.0022 + half * 0.045
    canvas.shape(np.array(((x - half, y), (x, y - high), (x + half, y), (x, y + high))), colour, alpha)


def paint_inland(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """A lake or a river on the quiet side, or a city's canal, where the scene has one."""
    if scene.water not in ("lake", "river"):
        return
    deep = 1 - layout.horizon
    if scene.land is Land.CITY:
        _canal(canvas, layout, palette, dice)
    elif scene.water == "lake":
        _lake(canvas, (layout.quiet, layout.horizon + 0.24 * deep), deep, palette, dice)
    else:
        _river(canvas, layout, palette, dice)


def _lake(canvas: Canvas, middle: tuple[float, float], deep: float, palette: Palette, dice: random.Random) -> None:
    x, y = middle
    around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    wave = np.array([dice.uniform(0.86, 1.1) for _ in around])
    outline = smooth(np.stack((x + 0.62 * wave * np.cos(around), y + 0.13 * deep * wave * np.sin(around)), -1))
    _basin(canvas, outline, palette)
    _, near = colours(palette)
    for _ in range(18):
        angle, share = dice.uniform(0, 6.28), dice.random() ** 0.5 * 0.78
        lens = dice.uniform(0.03, 0.09) * (1.1 - share)
        _lens(canvas, x + 0.56 * share * np.cos(angle), y + 0.11 * deep * share * np.sin(angle), lens,
              mix(near, palette.sky[2], 0.65), 130)  # fmt: skip


def _basin(canvas: Canvas, outline: Points, palette: Palette) -> None:
    """Water with a darker bank round it."""
    far, near = colours(palette)
    canvas.shape(outline + np.array((0, 0.008)), mix(palette.ground((222, 208, 160)), near, 0.2))
    canvas.shape(outline - np.array((0, 0.005)), mix(near, (10, 20, 40), 0.35))
    canvas.gradient(outline, (mix(far, palette.sky[1], 0.3), near))


def _river(canvas: Canvas, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """From a point on the horizon in bends to the near corner of the quiet side."""
    down = np.linspace(0, 1, 26)
    outside = -0.1 if layout.quiet < WIDTH / 2 else WIDTH + 0.1
    start = layout.quiet + (0.34 if outside < 0 else -0.34)
    bend = np.sin(down * dice.uniform(8, 9.5) + dice.uniform(-0.4, 0.4)) * 0.16 * (0.25 + down) * (1 - down**3)
    middle = start + (outside - start) * down**1.5 + bend
    half = 0.008 + 0.1 * down**1.2
    y = layout.horizon + 0.02 + down * 0.52 * (1 - layout.horizon)
    left, right = np.stack((middle - half, y), -1), np.stack((middle + half, y), -1)
    _basin(canvas, np.concatenate((left, right[::-1])), palette)
    for i in range(4, 25):
        if dice.random() < 0.7:
            x = float(middle[i] + dice.uniform(-0.5, 0.5) * half[i])
            _lens(canvas, x, float(y[i]), float(half[i]) * 0.4, mix(colours(palette)[1], palette.sky[2], 0.65), 140)


def _canal(canvas: Canvas, layout: Layout, palette: Palette, dice: random.Random) -> None:
    deep = 1 - layout.horizon
    top, low = layout.horizon + 0.1 * deep, layout.horizon + 0.29 * deep
    far, near = colours(palette)
    canvas.box(0, top - 0.012, WIDTH, top, palette.ground((150, 140, 130)))
    canvas.band(top, low, (mix(far, near, 0.4), near))
    for _ in range(14):  # lights and walls, mirrored
        x = dice.uniform(0, WIDTH)
        canvas.box(x, top, x + 0.02, top + dice.uniform(0.02, 0.05), palette.window, 90)
    _streaks(canvas, (0.0, WIDTH), (top + 0.008, low - 0.008), mix(near, palette.sky[2], 0.6), 40, dice)
    canvas.box(0, low, WIDTH, low + 0.014, palette.ground((176, 166, 152)))
