"""A canvas in unit coordinates: x from 0 to 1.5, y from 0 (top) to 1, whatever the number of pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from workers.training.postcards.drawing.outlines import Parts, Points

Colour = tuple[int, int, int]
Colours = dict[str, Colour]

WIDTH = 1.5
SMALLEST = 48
_EDGE = 0.0105  # the width of the line round a figure; half of it is covered again
_OUTLINED = 0.1  # parts lower than this share of a figure have no edge


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """`share` of `second` in `first`."""
    (a, b, c), (d, e, f) = first, second
    return int(a + (d - a) * share), int(b + (e - b) * share), int(c + (f - c) * share)


class Canvas:
    """Paints with hard edges, large; `reduced` gives the picture with soft ones. Raises ValueError below 48 px."""

    def __init__(self, width: int) -> None:
        if width < SMALLEST:
            raise ValueError(f"A postcard is at least {SMALLEST} pixels wide, not {width}.")
        self.over = 3 if width <= 384 else 2
        self.size = width * self.over, round(width * 2 / 3) * self.over
        self.unit = self.size[0] / WIDTH
        self.image = Image.new("RGB", self.size)
        self.pen = ImageDraw.Draw(self.image, "RGBA")

    def shape(self, points: Points, colour: Colour, alpha: int = 255) -> None:
        """A filled polygon; `points` (n, 2) in units."""
        self.pen.polygon((points * self.unit - 0.5).ravel().tolist(), fill=(*colour, alpha))

    def disc(self, x: float, y: float, radius: float, colour: Colour, alpha: int = 255, flat: float = 1.0) -> None:
        """A filled disc, `flat` times as high as wide."""
        u, high = self.unit, radius * flat
        self.pen.ellipse(((x - radius) * u, (y - high) * u, (x + radius) * u, (y + high) * u), fill=(*colour, alpha))

    def box(self, x: float, y: float, right: float, bottom: float, colour: Colour, alpha: int = 255) -> None:
        """A filled rectangle, at least one pixel of the large canvas."""
        u = self.unit
        left, top = round(x * u), round(y * u)
        edges = (left, top, max(left, round(right * u) - 1), max(top, round(bottom * u) - 1))
        self.pen.rectangle(edges, fill=(*colour, alpha))

    def stroke(self, points: list[tuple[float, float]], width: float, colour: Colour, alpha: int = 255) -> None:
        """An open line of the given width in units."""
        u = self.unit
        scaled = [(x * u, y * u) for x, y in points]
        self.pen.line(scaled, fill=(*colour, alpha), width=max(1, round(width * u)))

    def cover(self, colour: Colour) -> None:
        """One colour over everything."""
        self.image.paste(colour, (0, 0, *self.size))

    def gradient(self, points: Points, colours: tuple[Colour, ...]) -> None:
        """A polygon filled with `colours` evenly from its top to its bottom."""
        width, height = self.size
        top = max(0, int(points[:, 1].min() * self.unit))
        bottom = min(height, int(points[:, 1].max() * self.unit) + 1)
        if bottom <= top:
            return
        fill = _column(colours, bottom - top).resize((width, bottom - top), Image.Resampling.NEAREST)
        mask = Image.new("L", fill.size)
        flat = points * self.unit - (0.5, 0.5 + top)
        ImageDraw.Draw(mask).polygon(flat.ravel().tolist(), fill=255)
        self.image.paste(fill, (0, top), mask)

    def band(self, top: float, low: float, colours: tuple[Colour, ...]) -> None:
        """A gradient over the whole width."""
        self.gradient(np.array(((0, top), (WIDTH, top), (WIDTH, low), (0, low))), colours)

    def veil(self, colour: Colour, strength: NDArray[np.float64]) -> None:
        """`colour` over everything, as strong as `strength` (rows, columns), 0 to 1, stretched over the canvas."""
        mask = Image.fromarray((strength.clip(0, 1) * 255).astype(np.uint8))
        self.image.paste(colour, (0, 0, *self.size), mask.resize(self.size, Image.Resampling.BILINEAR))

    def figure(
        self, parts: Parts, at: tuple[float, float], size: float, colours: Colours, *, flip: bool = False
    ) -> None:
        """A figure of named parts standing at `at` (its feet), `size` units high; `flip` makes it look left."""
        grow = np.array((-size if flip else size, -size)) * self.unit
        feet = np.array(at) * self.unit - 0.5
        flat = [(colours[name], (points * grow + feet).ravel().tolist()) for name, points in parts]
        if "edge" in colours:
            wide = max(1, round(_EDGE * self.unit))
            for (name, points), (_, corners) in zip(parts, flat, strict=True):
                if name != "rope" and np.ptp(points[:, 1]) > _OUTLINED:
                    self.pen.line([*corners, *corners[:2]], fill=colours["edge"], width=wide)
        for colour, corners in flat:
            self.pen.polygon(corners, fill=colour)

    def reduced(self) -> Image.Image:
        """The picture at the width that was asked for."""
        return self.image.reduce(self.over)


def _column(colours: tuple[Colour, ...], height: int) -> Image.Image:
    stops = np.linspace(0, 1, len(colours))
    where = np.linspace(0, 1, height)
    table = np.array(colours, dtype=np.float64)
    column = np.stack([np.interp(where, stops, table[:, channel]) for channel in range(3)], axis=-1)
    return Image.fromarray((column[:, None] + 0.5).astype(np.uint8))
