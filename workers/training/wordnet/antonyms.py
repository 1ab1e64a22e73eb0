"""Which words mean the opposite of each other, as WordNet's lexicographers have it."""

from __future__ import annotations

from pathlib import Path

from backend.methods.wordnet import NotWordNetError
from backend.methods.wordnet.database import PARTS

ANTONYM = "!"
Line = list[str]


def find_antonyms(folder: Path) -> set[tuple[str, str]]:
    """Every pair of opposites in the database in `folder`, each in alphabetical order; single words in lower case.

    Raises NotWordNetError where a part of the database is missing.
    """
    return {pair for part in PARTS for pair in _of_part(folder / f"data.{part}")}


def _of_part(path: Path) -> set[tuple[str, str]]:
    if not path.is_file():
        raise NotWordNetError(f"There is no {path.name} in it: give the folder of WordNet's database files.")
    lines = (line.partition("|")[0].split() for line in path.read_text("ascii").splitlines() if line[:1] != " ")
    synsets = {line[0]: line for line in lines}
    pairs = (pair for line in synsets.values() for pair in _opposites(line, synsets))
    return {(min(pair), max(pair)) for pair in pairs if all(word.isalpha() and word.islower() for word in pair)}


def _opposites(line: Line, synsets: dict[str, Line]) -> set[tuple[str, str]]:
    """Pairs of one meaning's words and their opposites. A pointer has four fields (wndb(5WN)); the last names words."""
    n_pointers_at = 4 + 2 * int(line[3], 16)
    starts = (n_pointers_at + 1 + 4 * n for n in range(int(line[n_pointers_at])))
    pointers = (line[start : start + 4] for start in starts)
    return {
        (_word(line, words[:2]), _word(synsets[offset], words[2:]))
        for symbol, offset, _, words in pointers
        if symbol == ANTONYM and offset in synsets
    }


def _word(line: Line, number: str) -> str:
    """The word of a meaning by its number in hexadecimal digits, without the mark of an adjective: galore(ip)."""
    return line[4 + 2 * (int(number, 16) - 1)].partition("(")[0]
