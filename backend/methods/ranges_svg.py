"""Values between -1 and 1 with their range (SVG): a line from the lowest to the highest, a dot at the value."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

RANGE, INK, GREY = "#2b5fa8", "#222222", "#777777"
WIDTH, LEFT, RIGHT, ROW, HEAD, FOOT = 748, 300, 172, 30, 36, 28
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)  # as shares of the axis
Range = tuple[float | None, float | None, float | None]  # lowest, value, highest


def draw_ranges(title: str, rows: Sequence[tuple[str, Range]]) -> str:
    """`rows` are (name, range). The axis begins at 0, or at -1 where a value is below 0. None has no mark."""
    low = -1.0 if any(value is not None and value < 0 for _, found in rows for value in found) else 0.0
    floor = HEAD + len(rows) * ROW
    height = floor + FOOT
    drawn = [f'<text x="8" y="20" font-weight="600">{escape(title)}</text>']
    for tick in TICKS:
        x, value = _across(low + tick * (1 - low), low), low + tick * (1 - low)
        drawn.append(f'<line x1="{x}" x2="{x}" y1="{HEAD}" y2="{floor}" stroke="{GREY}" stroke-opacity="0.3"/>')
        drawn.append(f'<text x="{x}" y="{floor + 16}" fill="{GREY}" text-anchor="middle">{value:.2f}</text>')
    for at, (name, found) in enumerate(rows):
        drawn.append(_row(name, found, HEAD + at * ROW + ROW // 2, low))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>{"".join(drawn)}</svg>\n'
    )


def _row(name: str, found: Range, y: int, low: float) -> str:
    drawn = [f'<text x="8" y="{y + 4}">{escape(name)}</text>']
    least, value, most = found
    said = "not defined" if value is None else f"{value:.3f}"
    if least is not None and most is not None:
        drawn.append(
            f'<line x1="{_across(least, low)}" x2="{_across(most, low)}" y1="{y}" y2="{y}" stroke="{RANGE}" '
            f'stroke-width="3" stroke-opacity="0.5"/>'
        )
        said += f" [{least:.3f}, {most:.3f}]"
    if value is not None:
        drawn.append(f'<circle cx="{_across(value, low)}" cy="{y}" r="5" fill="{RANGE}"/>')
    drawn.append(f'<text x="{WIDTH - RIGHT + 16}" y="{y + 4}">{said}</text>')
    return "".join(drawn)


def _across(value: float, low: float) -> float:
    return round(LEFT + (value - low) / (1 - low) * (WIDTH - LEFT - RIGHT), 2)
