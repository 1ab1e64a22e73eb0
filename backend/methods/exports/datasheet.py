"""The datasheet of a release in Markdown and in HTML, with figures that are drawn from its own rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

WIDTH, BAR, GAP, LABEL = 640, 22, 8, 190
BLOCKS = 20  # signs of the longest bar of text


@dataclass
class Figures:
    """What the figures count, image by image."""

    captions_per_image: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    difficulty: Counter[str] = field(default_factory=Counter)
    votes: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)

    def see(self, line: Mapping[str, Any]) -> None:
        """One line of images.jsonl."""
        self.captions_per_image[str(len(line["captions"]))] += 1
        self.splits[line["split"] or "train"] += 1
        self.licences[line["licence"]] += 1
        for caption in line["captions"]:
            self.sources[caption["source"]] += 1
            self.categories[caption["consensus"]["category"] or "no votes"] += 1
            self.difficulty[(caption["difficulty"] or {"category": "not asked"})["category"]] += 1
            self.votes.update({label: caption[f"n_{label}"] for label in ("good", "bad", "unsure")})

    def tables(self) -> list[tuple[str, str, list[tuple[str, int]]]]:
        """Title, what is counted, and the rows of each figure."""
        told = [
            ("Images in each split", "images", self.splits),
            ("Captions of an image", "images", self.captions_per_image),
            ("Sources of the captions", "captions", self.sources),
            ("Votes of the annotators", "votes", self.votes),
            ("Agreement of the votes", "captions", self.categories),
            ("Difficulty for the models", "captions", self.difficulty),
            ("Licences of the images", "images", self.licences),
        ]
        return [(title, what, in_order(counted)) for title, what, counted in told]


def in_order(counted: Counter[str]) -> list[tuple[str, int]]:
    """Numbers in their order, names by how often they are there."""
    if all(name.isdigit() for name in counted):
        return sorted(counted.items(), key=lambda row: int(row[0]))
    return sorted(counted.items(), key=lambda row: (-row[1], row[0]))


def bars(title: str, rows: list[tuple[str, int]]) -> str:
    """A bar chart as SVG. The text of each bar is its name and its number, so that it can be read aloud.

    >>> "2 of 3" in bars("Splits", [("train", 2), ("test", 1)])
    True
    """
    most, total = max((n for _, n in rows), default=1), sum(n for _, n in rows)
    height = len(rows) * (BAR + GAP) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">'
    ]
    for place, (name, n) in enumerate(rows):
        top = GAP + place * (BAR + GAP)
        width = round((WIDTH - LABEL - 90) * n / max(most, 1), 1)
        shown = name if len(name) <= 26 else f"{name[:25]}…"
        parts += [
            f"<g><title>{escape(name)}: {n} of {total}</title>",
            f'<text class="name" x="{LABEL - 10}" y="{top + 16}" text-anchor="end">{escape(shown)}</text>',
            f'<rect x="{LABEL}" y="{top}" width="{width}" height="{BAR}" rx="3"/>',
            f'<text class="number" x="{LABEL + width + 8:.1f}" y="{top + 16}">{n:,}</text></g>',
        ]
    return "\n".join([*parts, "</svg>"])


def _answers(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The questions of a datasheet, answered by what the release knows of itself."""
    counts, project, choices = manifest["counts"], manifest["project"], manifest.get("choices") or {}
    stages = ", ".join(manifest["stages"]) or "none"
    left_out = ", ".join(choices.get("left_out", [])) or "nothing"
    models = sorted({model for made in manifest["stages"].values() for model in made["models"]})
    return [
        ("What is in the dataset?", f"{counts['images']:,} images with {counts['captions']:,} captions."),
        (
            "Who judged the captions?",
            f"{counts['annotators']:,} people made {counts['judgments']:,} judgments of these captions. "
            "Demographic data was not recorded.",
        ),
        ("What did the people see?", f"The direction was `{project['direction']}`. Guidelines: "
         f"SHA-256 `{project['guidelines_sha256']}`."),
        ("How did judgments become labels?", f"By the policy `{manifest['policy']}`."),
        ("How was the data made?", f"Stages: {stages}. `manifest.json` has their settings, seeds and code versions."),
        ("Which models were used?", ", ".join(models) or "None."),
        ("How was the data split?", "Near-duplicate images are in one split. "
         f"Seed: {choices.get('seed', 'none')}."),
        ("What was left out?", f"Of the judgments: {left_out}. Test questions and their answers are never included."),
        ("What may I do with it?", "Each image has its own licence. `ATTRIBUTION.csv` has its credits."),
        ("Does it have personal data?", "Annotators have pseudonyms. Images may show people."),
        ("Will it change?", "No. A correction is a new version."),
    ]  # fmt: skip


def write_markdown(manifest: Mapping[str, Any], figures: Figures) -> str:
    """The datasheet in Markdown, its figures as tables with bars."""
    name = one_line(manifest["project"]["name"])
    parts = [f"# Datasheet of {name}\n"]
    parts += [f"## {question}\n\n{answer}\n" for question, answer in _answers(manifest)]
    for title, what, rows in figures.tables():
        most = max((n for _, n in rows), default=1)
        lines = "\n".join(f"| {one_line(row)} | {n:,} | {_bar(n, most)} |" for row, n in rows)
        parts.append(f"## {title}\n\n| | {what} | |\n|---|---:|---|\n{lines}\n")
    return "\n".join(parts)


def _bar(n: int, most: int) -> str:
    """A bar of text, in eighths of a block.

    >>> _bar(20, 20), _bar(1, 160), _bar(0, 20)
    ('████████████████████', '▏', '')
    """
    eighths = round(8 * BLOCKS * n / max(most, 1))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def write_html(manifest: Mapping[str, Any], figures: Figures) -> str:
    """The datasheet as one page without scripts, readable in light and dark."""
    name = escape(one_line(manifest["project"]["name"]))
    answers = "\n".join(f"<dt>{escape(asked)}</dt><dd>{_code(answer)}</dd>" for asked, answer in _answers(manifest))
    charts = "\n".join(
        f"<figure><figcaption>{escape(title)} ({what})</figcaption>{bars(title, rows)}</figure>"
        for title, what, rows in figures.tables()
    )
    return PAGE.format(name=name, answers=answers, charts=charts)


def _code(text: str) -> str:
    """Escaped, with `names` as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def one_line(text: str) -> str:
    """Text of people as one cell of a table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("`", "'")


PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Datasheet of {name}</title>
<style>
:root {{ color-scheme: light dark; --ink: #1c2330; --paper: #fff; --bar: #3b6fd6; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e6e9ef; --paper: #14181f; --bar: #7aa2ff; }} }}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem;
  margin: 2rem auto; padding: 0 1rem; }}
dt {{ font-weight: 600; margin-top: 1rem; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
figure {{ margin: 2rem 0; }}
figcaption {{ font-weight: 600; }}
svg {{ width: 100%; height: auto; }}
svg text {{ fill: var(--ink); font-size: 14px; }}
svg rect {{ fill: var(--bar); }}
</style>
</head>
<body>
<h1>Datasheet of {name}</h1>
<dl>
{answers}
</dl>
{charts}
</body>
</html>
"""
