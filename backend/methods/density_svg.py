"""A diversity report as one drawing (SVG): a panel for each measure, a curve for each dataset, its mean as a line.

It needs no library and no fonts. Where a dataset has no curve, its counts are drawn as steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

TITLES = {
    "sbert": "SBERT: two captions of an image",
    "clip_text": "CLIP: two captions of an image",
    "clip_image": "CLIP: an image and its captions",
    "bertscore": "BERTScore F1: two captions of an image",
}
COLOURS = ("#2b5fa8", "#c2541d", "#5d7f2f")
DASHES = ("", "6 3", "2 3")
WIDTH, PLOT, GAP, HEAD = 360, 200, 28, 46
LEFT, RIGHT, TOP, LINE = 8, 8, 30, 16
INK, GREY = "#222222", "#666666"
TICKS = 5


def draw_report(body: Mapping[str, Any]) -> str:
    """The densities of a report's measures, two in a row. Raises ValueError on more than three datasets."""
    measures, names = body["measures"], [dataset["name"] for dataset in body["datasets"]]
    if len(names) > len(COLOURS):
        raise ValueError(f"At most {len(COLOURS)} datasets can be drawn, not {len(names)}.")
    n_rows, panel_height = (len(measures) + 1) // 2, PLOT + 20 + LINE * len(names) + GAP
    width, height = 2 * WIDTH + GAP, HEAD + n_rows * panel_height
    panels = [
        f'<g transform="translate({(at % 2) * (WIDTH + GAP)} {HEAD + (at // 2) * panel_height})">{_panel(measure)}</g>'
        for at, measure in enumerate(measures)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}"><title>Diversity of captions</title>'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>{_legend(names)}{"".join(panels)}</svg>\n'
    )


def _legend(names: Sequence[str]) -> str:
    places = [LEFT + at * (2 * WIDTH // len(names)) for at in range(len(names))]
    return "".join(
        f'<line x1="{x}" x2="{x + 24}" y1="20" y2="20" {_stroke(at)}/>'
        f'<text x="{x + 32}" y="24">{escape(name[: 96 // len(names)])}</text>'
        for at, (x, name) in enumerate(zip(places, names, strict=True))
    )


def _panel(measure: Mapping[str, Any]) -> str:
    title = f'<text x="{LEFT}" y="14" font-weight="600">{escape(TITLES[measure["measure"]])}</text>'
    density = measure["density"]
    if density is None:
        return f'{title}<text x="{LEFT}" y="40" fill="{GREY}">No image has a value.</text>'
    lines = [_line(density, at) for at in range(len(measure["datasets"]))]
    x_low: float = min(density["x"][0], density["low"])
    x_high: float = max(density["x"][-1], density["high"])
    most: float = max(y for line in lines for _, y in line) or 1.0
    floor = PLOT

    def across(x: float) -> float:
        return round(LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT), 2)

    def up(y: float) -> float:
        return round(floor - y / most * (floor - TOP), 2)

    drawn = [title, f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor}" y2="{floor}" stroke="{GREY}"/>']
    for at, line in enumerate(lines):
        points = " ".join(f"{across(x)},{up(y)}" for x, y in line)
        base = f"{across(line[0][0])},{floor} {points} {across(line[-1][0])},{floor}"
        drawn.append(f'<polygon points="{base}" fill="{COLOURS[at]}" fill-opacity="0.14"/>')
        drawn.append(f'<polyline points="{points}" fill="none" {_stroke(at)}/>')
        drawn.append(_mean(measure["datasets"][at], at, across, floor))
    for tick in range(TICKS):
        x = x_low + (x_high - x_low) * tick / (TICKS - 1)
        anchor = ("start", "middle", "end")[(tick > 0) + (tick == TICKS - 1)]
        drawn.append(f'<text x="{across(x)}" y="{floor + 14}" fill="{GREY}" text-anchor="{anchor}">{x:.2f}</text>')
    return "".join(drawn)


def _line(density: Mapping[str, Any], at: int) -> list[tuple[float, float]]:
    """The curve of a dataset, or its counts as a density in steps."""
    curve, counts = density["curves"][at], density["counts"][at]
    if curve is not None:
        return list(zip(density["x"], curve, strict=True))
    width = (density["high"] - density["low"]) / len(counts)
    total = sum(counts) or 1
    return [
        (density["low"] + (place + side) * width, count / (total * width))
        for place, count in enumerate(counts)
        for side in (0, 1)
    ]


def _mean(found: Mapping[str, Any], at: int, across: Any, floor: float) -> str:
    """The mean as a line, and in words with its interval."""
    if found["mean"] is None:
        return ""
    interval = f" [{found['low']:.3f}, {found['high']:.3f}]" if found["low"] is not None else ""
    x, said = across(found["mean"]), f"mean {found['mean']:.3f}{interval}, n {found['n']}"
    return (
        f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{floor}" {_stroke(at)} stroke-opacity="0.6"/>'
        f'<text x="{LEFT}" y="{floor + 32 + at * LINE}" font-size="11" fill="{COLOURS[at]}">{said}</text>'
    )


def _stroke(at: int) -> str:
    dash = f' stroke-dasharray="{DASHES[at]}"' if DASHES[at] else ""
    return f'stroke="{COLOURS[at]}" stroke-width="2"{dash}'
