"""WordNet's own database files, as wndb(5WN) describes them: what words mean, and what is above each meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

DEBIANS = Path("/usr/share/wordnet")  # where its package wordnet-base lies
PARTS = ("noun", "verb", "adj", "adv")
NOTHING = "There is no {name} in it: give the folder of WordNet's database files, as Debian's wordnet-base has them."


class NotWordNetError(ValueError):
    """A folder without WordNet's database files."""


@dataclass(frozen=True)
class Synset:
    """One meaning: its names as written, its hypernyms, the number of its lexicographer's file (lexnames(5WN)).

    What an instance (a person, a city) is one of stands apart: it is no kind of that.
    """

    names: tuple[str, ...]
    hypernyms: tuple[int, ...]
    instance_of: tuple[int, ...]
    file: int

    @property
    def above(self) -> tuple[int, ...]:
        """One level up, as a kind or as an instance."""
        return self.hypernyms + self.instance_of


@dataclass(frozen=True)
class Part:
    """A part of speech: every synset by its offset, and the senses of each name, lower case, the most frequent first.
    `irregular` has the base forms of what no rule makes, as of `geese`."""

    synsets: dict[int, Synset] = field(default_factory=dict)
    senses: dict[str, tuple[int, ...]] = field(default_factory=dict)
    irregular: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def above(self, offset: int) -> set[int]:
        """`offset` and everything it is a kind or an instance of."""
        found, waiting = set[int](), [offset]
        while waiting:
            if (at := waiting.pop()) not in found:
                found.add(at)
                waiting += self.synsets[at].above
        return found

    def offset_of(self, name: str, member: str) -> int:
        """The sense of `name` that also bears the name `member`. Raises KeyError where there is none."""
        for offset in self.senses[name]:
            if member in self.synsets[offset].names:
                return offset
        raise KeyError(f"{name} in the sense of {member}")

    def depth(self, offset: int) -> int:
        """How many meanings the shortest way up to one without hypernyms has, both ends counted: 1 of such a one."""
        level, passed, n = {offset}, set[int](), 1
        while level and all(self.synsets[at].hypernyms for at in level):
            passed |= level
            level = {up for at in level for up in self.synsets[at].hypernyms} - passed
            n += 1
        return n


def read_part(folder: Path, part: str) -> Part:
    """One of PARTS of the database in `folder`. Raises NotWordNetError where it is not there."""
    data, index, irregular = (folder / name for name in (f"data.{part}", f"index.{part}", f"{part}.exc"))
    for path in (data, index, irregular):
        if not path.is_file():
            raise NotWordNetError(NOTHING.format(name=path.name))
    return Part(dict(_synsets(data)), dict(_senses(index)), dict(_irregular(irregular)))


def _lines(path: Path) -> Iterator[list[str]]:
    """Fields of every line but the licence's, which begin with spaces."""
    with path.open(encoding="ascii") as lines:
        yield from (line.split("|")[0].split(" ") for line in lines if not line.startswith(" "))


def _synsets(path: Path) -> Iterator[tuple[int, Synset]]:
    """offset lex_filenum ss_type w_cnt word lex_id ... p_cnt symbol offset pos source/target ..."""
    for fields in _lines(path):
        n_names = int(fields[3], 16)
        names = tuple(name.replace("_", " ") for name in fields[4 : 4 + 2 * n_names : 2])
        pointers = fields[5 + 2 * n_names :]
        up = [(symbol, int(at)) for symbol, at in zip(pointers[::4], pointers[1::4], strict=False) if symbol[:1] == "@"]
        kinds, instances = (tuple(at for symbol, at in up if symbol == wanted) for wanted in ("@", "@i"))
        yield int(fields[0]), Synset(names, kinds, instances, int(fields[1]))


def _senses(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """lemma pos synset_cnt p_cnt symbols... sense_cnt tagsense_cnt offset ..."""
    for fields in _lines(path):
        n_senses, n_symbols = int(fields[2]), int(fields[3])
        first = 6 + n_symbols
        yield fields[0].replace("_", " "), tuple(map(int, fields[first : first + n_senses]))


def _irregular(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """inflected base ..."""
    with path.open(encoding="ascii") as lines:
        for line in lines:
            inflected, *bases = (word.replace("_", " ") for word in line.split())
            yield inflected, tuple(bases)
