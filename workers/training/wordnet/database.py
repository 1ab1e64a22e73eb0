"""WordNet's own database files, as wndb(5WN) describes them: only nouns, only what is above what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

NOTHING = "There is no {name} in that folder: --dict takes WordNet's database files, as in Debian's wordnet-base."


@dataclass(frozen=True)
class Synset:
    """One meaning: its names as written, its hypernyms, the number of its lexicographer's file (lexnames(5WN)).

    An instance (a person, a city) is above nothing and is told apart by `is_instance`.
    """

    names: tuple[str, ...]
    hypernyms: tuple[int, ...]
    file: int
    is_instance: bool


@dataclass(frozen=True)
class Nouns:
    """Every noun synset by its offset, and the senses of each name, lower case, the most frequent first."""

    synsets: dict[int, Synset] = field(default_factory=dict)
    senses: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def above(self, offset: int) -> set[int]:
        """`offset` and everything it is a kind of."""
        found, waiting = set(), [offset]
        while waiting:
            if (at := waiting.pop()) not in found:
                found.add(at)
                waiting += self.synsets[at].hypernyms
        return found

    def offset_of(self, name: str, member: str) -> int:
        """The sense of `name` that also bears the name `member`. Raises KeyError where there is none."""
        for offset in self.senses[name]:
            if member in self.synsets[offset].names:
                return offset
        raise KeyError(f"{name} in the sense of {member}")


def read_nouns(folder: Path) -> Nouns:
    """The nouns of the database in `folder`. Raises SystemExit where it is not there."""
    for name in ("data.noun", "index.noun"):
        if not (folder / name).is_file():
            raise SystemExit(NOTHING.format(name=name))
    return Nouns(dict(_synsets(folder / "data.noun")), dict(_senses(folder / "index.noun")))


def _lines(path: Path) -> Iterator[list[str]]:
    """Fields of every line but the licence's, which begin with spaces."""
    with path.open(encoding="ascii") as lines:
        yield from (line.split("|")[0].split(" ") for line in lines if not line.startswith(" "))


def _synsets(path: Path) -> Iterator[tuple[int, Synset]]:
    """offset lex_filenum n w_cnt word lex_id ... p_cnt symbol offset pos source/target ..."""
    for fields in _lines(path):
        n_names = int(fields[3], 16)
        names = tuple(name.replace("_", " ") for name in fields[4 : 4 + 2 * n_names : 2])
        pointers = fields[5 + 2 * n_names :]
        up = [(symbol, int(at)) for symbol, at in zip(pointers[::4], pointers[1::4], strict=False) if symbol[:1] == "@"]
        is_instance = any(symbol == "@i" for symbol, _ in up)
        yield int(fields[0]), Synset(names, tuple(at for _, at in up), int(fields[1]), is_instance)


def _senses(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """lemma n synset_cnt p_cnt symbols... sense_cnt tagsense_cnt offset ..."""
    for fields in _lines(path):
        n_senses, n_symbols = int(fields[2]), int(fields[3])
        first = 6 + n_symbols
        yield fields[0].replace("_", " "), tuple(map(int, fields[first : first + n_senses]))
