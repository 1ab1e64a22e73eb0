"""Checks of the documents of a release: the tables of the datasheet have the numbers of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backend.methods.exports.datasheet import Figures, one_line
from backend.releases.bundle import IMAGES
from backend.releases.verified_rows import Fault, read_lines


def check_datasheet(folder: Path) -> Iterator[Fault]:
    """datasheet.md counts what images.jsonl has. A table that an older datasheet does not have is no fault."""
    path = folder / "datasheet.md"
    if not path.exists():
        return
    figures = Figures()
    for line in read_lines(folder / IMAGES):
        figures.see(line)
    told = _read_tables(path.read_text(encoding="utf-8"))
    for title, _, rows in figures.tables():
        if title in told and told[title] != [(one_line(name), f"{n:,}") for name, n in rows]:
            yield Fault("datasheet.md", title, "The numbers are not those of the rows.")


def _read_tables(text: str) -> dict[str, list[tuple[str, str]]]:
    """The first two cells of each row, by the title above the table."""
    tables = dict[str, list[tuple[str, str]]]()
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        lines = [line for line in rest.split("\n") if line.startswith("| ")][1:]
        if lines:
            tables[title] = [(cells[0], cells[1]) for cells in (line[2:].split(" | ") for line in lines)]
    return {title: [(name, n.removesuffix(" |")) for name, n in rows] for title, rows in tables.items()}
