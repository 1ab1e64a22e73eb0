"""Shares of easy, medium and hard captions as bars (SVG), a bar for each kind or set of captions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

COLOURS = {"easy": "#2b7367", "medium": "#d9b24c", "hard": "#b5482f"}
INK = "#222222"
WIDTH, LEFT, BAR, GAP, HEAD = 748, 190, 24, 12, 56


def draw_shares(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """`rows` are (name, counts by category). A row without captions has an empty bar."""
    height = HEAD + len(rows) * (BAR + GAP)
    drawn = [
        f'<text x="8" y="20" font-weight="600" fill="{INK}">{escape(title)}</text>',
        *(
            f'<rect x="{LEFT + at * 110}" y="32" width="12" height="12" fill="{colour}"/>'
            f'<text x="{LEFT + at * 110 + 18}" y="42" fill="{INK}">{name}</text>'
            for at, (name, colour) in enumerate(COLOURS.items())
        ),
    ]
    for at, (name, counts) in enumerate(rows):
        y, x = HEAD + at * (BAR + GAP), float(LEFT)
        total = sum(counts.get(category, 0) for category in COLOURS)
        drawn.append(f'<text x="8" y="{y + 16}" fill="{INK}">{escape(name)} (n {total:,})</text>')
        for category, colour in COLOURS.items():
            share = counts.get(category, 0) / total if total else 0.0
            width = share * (WIDTH - LEFT - 8)
            drawn.append(f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{BAR}" fill="{colour}"/>')
            if share >= 0.08:
                ink = INK if category == "medium" else "#ffffff"
                drawn.append(f'<text x="{x + 6:.2f}" y="{y + 16}" fill="{ink}">{share:.0%}</text>')
            x += width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>{"".join(drawn)}</svg>\n'
    )
