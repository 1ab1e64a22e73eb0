"""The sky: gradient, sun, moon, stars, clouds, and what is seen in it."""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

from workers.training.postcards.drawing.canvas import WIDTH, Canvas, Colour, mix
from workers.training.postcards.drawing.layout import Layout
from workers.training.postcards.drawing.palette import Palette
from workers.training.postcards.world import Scene, Time, Weather

_ROWS, _COLUMNS = np.mgrid[0:48, 0:72]
_Y, _X = (_ROWS + 0.5) / 48, (_COLUMNS + 0.5) / 48
_CLOUDS = {
    Time.DAWN: (255, 240, 232), Time.DAY: (255, 255, 255), Time.DUSK: (250, 190, 160), Time.NIGHT: (84, 100, 150),
}  # fmt: skip
_HOW_MANY = {Weather.CLEAR: 2, Weather.CLOUDY: 8, Weather.RAIN: 11, Weather.SNOW: 6, Weather.FOG: 0}
_RAINBOW = ((222, 66, 66), (244, 150, 54), (250, 218, 80), (92, 184, 96), (66, 130, 214), (130, 84, 190))


def paint_sky(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    """Everything above the horizon that no land hides."""
    canvas.cover(palette.sky[2])
    canvas.band(0.0, layout.horizon + 0.02, palette.sky)
    if scene.time is Time.NIGHT:
        _stars(canvas, layout, 90 if scene.weather is Weather.CLEAR else 14, dice)
    elif scene.weather is Weather.CLEAR:
        _sun(canvas, scene.time, layout, palette, dice)
    if scene.sky in ("full moon", "crescent moon"):
        _moon(canvas, scene.sky, layout, palette)
    if scene.sky == "northern lights":
        _northern_lights(canvas, layout, dice)
    _clouds(canvas, scene, layout, palette, dice)
    if scene.sky == "rainbow":
        _rainbow(canvas, layout, dice)
    if scene.sky == "birds":
        _birds(canvas, layout, scene.time, dice)


def _glow(x: float, y: float, radius: float, strength: float) -> NDArray[np.float64]:
    far = ((_X - x) ** 2 + (_Y - y) ** 2) / radius**2
    found: NDArray[np.float64] = strength * np.exp(-far)
    return found


def sun_place(time: Time, layout: Layout) -> tuple[float, float]:
    """Where the sun stands: high by day, low else."""
    return layout.quiet, layout.horizon * 0.36 if time is Time.DAY else layout.horizon - 0.085


def _sun(canvas: Canvas, time: Time, layout: Layout, palette: Palette, dice: random.Random) -> None:
    x, y = sun_place(time, layout)
    radius = dice.uniform(0.055, 0.07)
    canvas.veil(palette.sun, _glow(x, y, 0.34, 0.75))
    canvas.disc(x, y, radius * 1.45, mix(palette.sun, palette.sky[1], 0.3), 90)
    canvas.disc(x, y, radius, palette.sun)


def _moon(canvas: Canvas, kind: str, layout: Layout, palette: Palette) -> None:
    x, y, radius = layout.quiet, layout.horizon * 0.32, 0.07
    canvas.veil((120, 146, 206), _glow(x, y, 0.26, 0.6))
    if kind == "full moon":
        canvas.disc(x, y, radius, palette.sun)
        for dx, dy, r in ((-0.02, -0.015, 0.016), (0.024, 0.02, 0.02), (-0.022, 0.03, 0.01)):
            canvas.disc(x + dx, y + dy, r, mix(palette.sun, (150, 150, 150), 0.32))
        return
    around = np.linspace(-2.2, 2.2, 24)
    outer = np.stack((x + radius * np.cos(around), y + radius * np.sin(around)), -1)
    inner = np.stack(
        (x - 0.004 + radius * 0.62 * np.cos(around[::-1]) - 0.012, y + radius * 0.8 * np.sin(around[::-1])), -1
    )
    canvas.shape(np.concatenate((outer, inner)), palette.sun)


def _stars(canvas: Canvas, layout: Layout, n: int, dice: random.Random) -> None:
    for _ in range(n):
        x, y = dice.uniform(0, WIDTH), layout.horizon * dice.random()
        canvas.disc(x, y, dice.choice((0.0025, 0.0035, 0.0055)), (255, 250, 226), dice.randint(150, 255))


def _northern_lights(canvas: Canvas, layout: Layout, dice: random.Random) -> None:
    for colour, lift in (((126, 84, 206), 0.1), ((72, 232, 160), 0.0)):
        total = np.zeros((48, 72))
        for band in range(3):
            foot = layout.horizon * (0.86 - 0.2 * band) - lift
            swing = 0.05 * np.sin(_X * dice.uniform(3, 6) + dice.uniform(0, 6))
            above = foot + swing + 0.03 * np.sin(_X * dice.uniform(8, 13)) - _Y
            rays = 0.75 + 0.25 * np.sin(_X * dice.uniform(24, 40) + dice.uniform(0, 6))
            total += np.where(above > 0, np.exp(-above / 0.13), np.exp(above / 0.02)) * rays * 0.62
        canvas.veil(colour, total)


def _rainbow(canvas: Canvas, layout: Layout, dice: random.Random) -> None:
    x, y = WIDTH / 2 + dice.uniform(-0.2, 0.2), layout.horizon + 0.06
    radius, around = layout.horizon * 0.98, np.linspace(math.pi, 2 * math.pi, 40)
    ring = np.stack((np.cos(around) * 1.3, np.sin(around)), -1)
    for i, colour in enumerate(_RAINBOW):
        outer, inner = radius - i * 0.017, radius - (i + 1) * 0.017
        band = np.concatenate((ring * outer, ring[::-1] * inner))
        canvas.shape(band + np.array((x, y)), colour, 185)


def _clouds(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, dice: random.Random) -> None:
    raining, clear = scene.weather is Weather.RAIN, scene.weather is Weather.CLEAR
    if clear and scene.time is Time.NIGHT:
        return  # the stars are to be seen
    colour = mix(palette.sky[1], _CLOUDS[scene.time], 0.8)
    if raining:
        colour = mix(palette.sky[0], (34, 38, 54), 0.42)
    n = _HOW_MANY[scene.weather]
    for i in range(n):
        spread = (i + dice.random()) / n * (WIDTH + 0.1) - 0.05
        x = WIDTH - layout.quiet + dice.uniform(-0.35, 0.35) if clear else spread
        y = layout.horizon * (dice.uniform(0.02, 0.26) if raining else dice.uniform(0.1, 0.7))
        size = dice.uniform(0.1, 0.15) if clear else dice.uniform(0.15, 0.24)
        _cloud(canvas, x, y, size, colour, palette.sky[1], dice)


def _cloud(
    canvas: Canvas, x: float, y: float, size: float, colour: Colour, behind: Colour, dice: random.Random
) -> None:
    """Round heaps on a flat base, a shaded layer below."""
    puffs = [(dice.uniform(-0.75, 0.75), dice.uniform(0.24, 0.42)) for _ in range(4)]
    shade = mix(colour, mix(behind, (70, 80, 120), 0.35), 0.4)
    for offset, paint in ((0.1, shade), (0.0, colour)):
        for dx, r in puffs:
            canvas.disc(x + dx * size, y + (offset - r * 0.5) * size, r * size, paint, flat=0.8)
        canvas.disc(x, y + (offset - 0.05) * size, size * 1.15, paint, flat=0.2)


def _birds(canvas: Canvas, layout: Layout, time: Time, dice: random.Random) -> None:
    x, y = WIDTH - layout.quiet + dice.uniform(-0.3, 0.1), layout.horizon * dice.uniform(0.2, 0.36)
    colour = (64, 40, 62) if time is Time.DUSK else (52, 60, 84)
    for i in range(dice.randint(5, 8)):
        side = -1 if i % 2 else 1
        bx, by = x + side * 0.055 * ((i + 1) // 2) * 1.15, y + 0.034 * ((i + 1) // 2) + dice.uniform(-0.01, 0.01)
        size = dice.uniform(0.026, 0.036)
        wing = [
            (-1.0, -0.4),
            (-0.5, -0.62),
            (0.0, 0.0),
            (0.5, -0.62),
            (1.0, -0.4),
            (0.5, -0.36),
            (0.0, 0.34),
            (-0.5, -0.36),
        ]
        canvas.shape(np.array(wing) * size + (bx, by), colour)
