"""Curves and bars of a result as SVG. They need no library and no fonts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Any

COLOURS = ("#2b5fa8", "#c2541d", "#5d7f2f", "#7a4fa3", "#b58900", "#2b7367")
INK, GREY = "#222222", "#666666"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 56, 12, 40, 44
BAR, GAP, NAMES = 22, 10, 190
PALE = "#9dbbe3"  # a dark interval can be seen on it


def draw_curves(title: str, curves: Mapping[str, Sequence[tuple[float, float]]], axes: tuple[str, str]) -> str:
    """Lines of points whose y is from 0 to 1; x is from 0 to 1, or k, drawn by its logarithm."""
    is_k, top = axes[0] == "k", TOP + 14 * (max(0, len(curves) - 1) // 4)  # four names in a row
    most = max((x for points in curves.values() for x, _ in points), default=1.0)
    ticks = [each for each in (1, 10, 100, 1000) if each <= most] if is_k else [0, 0.25, 0.5, 0.75, 1]

    def across(x: float) -> float:
        share = (log10(x) / (log10(most) or 1)) if is_k else x
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 2)

    def up(y: float) -> float:
        return round(HEIGHT - BOTTOM - y * (HEIGHT - top - BOTTOM), 2)

    drawn = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        drawn.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(tick)}" y2="{up(tick)}" stroke="#dddddd"/>')
        drawn.append(f'<text x="{LEFT - 6}" y="{up(tick) + 4}" text-anchor="end" fill="{GREY}">{tick:g}</text>')
    for tick in ticks:
        place = f'x="{across(tick)}" y="{HEIGHT - BOTTOM + 16}"'
        drawn.append(f'<text {place} text-anchor="middle" fill="{GREY}">{tick:g}</text>')
    for at, (name, points) in enumerate(curves.items()):
        colour, x = COLOURS[at % len(COLOURS)], LEFT + at % 4 * 145
        line = " ".join(f"{across(a)},{up(b)}" for a, b in points)
        drawn.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn.append(f'<text x="{x}" y="{32 + at // 4 * 14}" fill="{colour}">{escape(name.replace("_", " "))}</text>')
    drawn.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle" fill="{INK}">{escape(axes[0])}</text>')
    return _svg(title, WIDTH, HEIGHT, drawn)


def draw_bars(title: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """A bar for each figure from 0 to 1, its interval as a line. A figure without a value has no bar."""
    height = TOP + len(rows) * (BAR + GAP)
    drawn = []
    for at, (name, figure) in enumerate(rows):
        y, value = TOP + at * (BAR + GAP), figure["value"]
        drawn.append(f'<text x="8" y="{y + 15}" fill="{INK}">{escape(name[:26])}</text>')
        if value is None:
            drawn.append(f'<text x="{NAMES}" y="{y + 15}" fill="{GREY}">no value</text>')
            continue
        wide = WIDTH - NAMES - 70
        drawn.append(f'<rect x="{NAMES}" y="{y}" width="{value * wide:.2f}" height="{BAR}" fill="{PALE}"/>')
        if figure["low"] is not None:
            low, high = (NAMES + figure[side] * wide for side in ("low", "high"))
            middle = y + BAR / 2
            drawn.append(f'<line x1="{low:.2f}" x2="{high:.2f}" y1="{middle}" y2="{middle}" stroke="{INK}"/>')
        drawn.append(f'<text x="{WIDTH - 8}" y="{y + 15}" text-anchor="end" fill="{INK}">{value:.4f}</text>')
    return _svg(title, WIDTH, height, drawn)


def _svg(title: str, width: int, height: int, drawn: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f'<text x="8" y="18" font-weight="600" fill="{INK}">{escape(title)}</text>{"".join(drawn)}</svg>\n'
    )
