"""WordNet's database files, a few lines long, as wndb(5WN) has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

LICENCE = "  1 This is where the licence stands.\n"
LETTERS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
Row = tuple[int, int, list[str], list[str]]  # offset, lexicographer's file, names, pointers as "@ 5"


def write_part(
    folder: Path,
    part: str,
    synsets: Sequence[Row] = (),
    senses: Mapping[str, Sequence[int]] | None = None,
    irregular: str = "",
) -> None:
    """One part of speech: its meanings, the meanings of each name, and its list of irregular forms."""
    letter = LETTERS[part]
    data = [LICENCE, *(_synset(letter, *row) for row in synsets)]
    index = [LICENCE, *(_sense(letter, name, offsets) for name, offsets in (senses or {}).items())]
    (folder / f"data.{part}").write_text("".join(data), encoding="ascii")
    (folder / f"index.{part}").write_text("".join(index), encoding="ascii")
    (folder / f"{part}.exc").write_text(irregular, encoding="ascii")


def _synset(letter: str, offset: int, file: int, names: list[str], pointers: list[str]) -> str:
    words = " ".join(f"{name} 0" for name in names)
    links = " ".join(f"{symbol} {int(at):08} {letter} 0000" for symbol, at in map(str.split, pointers))
    return f"{offset:08} {file:02} {letter} {len(names):02x} {words} {len(pointers):03} {links} | a gloss | more\n"


def _sense(letter: str, name: str, offsets: Sequence[int]) -> str:
    listed = " ".join(f"{offset:08}" for offset in offsets)
    return f"{name} {letter} {len(offsets)} 2 @ ~ {len(offsets)} 0 {listed}  \n"
