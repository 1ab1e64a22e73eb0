"""Outlines of figures, compiled once from short tables: y upwards from the feet, about one unit high, looking right.

A part is (kind, colour name, numbers): `s` a smooth closed curve through points x y x y ..., `p` a polygon, `o` an
ellipse (x, y, half width, half height), `r` a rectangle (left, bottom, right, top), `l` a limb (x, y, x, y, width at
the first end, width at the second).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Parts = tuple[tuple[str, Points], ...]
Row = tuple[str, str, tuple[float, ...]]

_AROUND = np.linspace(0, 2 * np.pi, 18, endpoint=False)
_STEPS = np.linspace(0, 1, 4, endpoint=False)[:, None]


def compiled(rows: tuple[Row, ...]) -> Parts:
    """The polygons of a table. Raises KeyError for a kind of part that does not exist."""
    makers = {"s": _smooth, "p": _polygon, "o": _ellipse, "r": _rectangle, "l": _limb}
    return tuple((name, makers[kind](numbers)) for kind, name, numbers in rows)


def only(parts: Parts, name: str) -> Parts:
    """`parts` all in the one colour `name`: a silhouette."""
    return tuple((name, points) for _, points in parts)


def moved(parts: Parts, x: float, y: float = 0.0, grow: float = 1.0, *, flip: bool = False) -> Parts:
    """`parts` shifted and resized, to be put together with others."""
    factor = np.array((-grow if flip else grow, grow))
    return tuple((name, points * factor + (x, y)) for name, points in parts)


def centred(parts: Parts) -> Parts:
    """`parts` with their middle above x = 0, so that a slot of their width holds them whichever way they look."""
    left = min(points[:, 0].min() for _, points in parts)
    right = max(points[:, 0].max() for _, points in parts)
    return moved(parts, -(left + right) / 2)


def smooth(points: Points) -> Points:
    """A closed Catmull-Rom curve through `points` (n, 2), four steps between two of them."""
    before, after, later = np.roll(points, 1, 0), np.roll(points, -1, 0), np.roll(points, -2, 0)
    curve = [_between(*four) for four in zip(before, points, after, later, strict=True)]
    return np.concatenate(curve)


def _between(a: Points, b: Points, c: Points, d: Points) -> Points:
    t = _STEPS
    found: Points = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    return found


def _polygon(numbers: tuple[float, ...]) -> Points:
    return np.array(numbers, dtype=np.float64).reshape(-1, 2)


def _smooth(numbers: tuple[float, ...]) -> Points:
    return smooth(_polygon(numbers))


def _ellipse(numbers: tuple[float, ...]) -> Points:
    x, y, wide, high = numbers
    return np.stack((x + wide * np.cos(_AROUND), y + high * np.sin(_AROUND)), axis=-1)


def _rectangle(numbers: tuple[float, ...]) -> Points:
    left, bottom, right, top = numbers
    return np.array(((left, bottom), (right, bottom), (right, top), (left, top)))


def _limb(numbers: tuple[float, ...]) -> Points:
    start, end = np.array(numbers[0:2]), np.array(numbers[2:4])
    along = (end - start) / np.hypot(*(end - start))
    across = np.array((-along[1], along[0])) / 2
    first, last = across * numbers[4], across * numbers[5]
    return np.stack((start + first, end + last, end - last, start - first))
