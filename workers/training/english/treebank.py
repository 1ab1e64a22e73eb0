"""Universal Dependencies' English Web Treebank, and Universal NER's entities on it, as spaCy Docs.

spaCy's own `conllu_to_docs` is not used: it takes the spaces inside a multiword token ("do n't") for real ones, and a
pipeline that is to work on raw text has to see the text as it was written.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from spacy.tokens import Doc
from spacy.vocab import Vocab

FORM, LEMMA, UPOS, XPOS, HEAD, DEPREL, MISC = 1, 2, 3, 4, 6, 7, 9
NO_SPACE = "SpaceAfter=No"
MOST_SENTENCES = 10
OUT = "O"


@dataclass(frozen=True)
class Sentence:
    """One tree. `heads` count from 0 inside the sentence; the root is its own head; `entities` are IOB2 or missing."""

    id: str
    document: str
    paragraph: int
    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]
    entities: tuple[str, ...] | None = None


@dataclass
class _Place:
    """Where in the file the reader stands."""

    document: str = ""
    paragraph: int = 0
    sentence: str = ""
    rows: list[list[str]] = field(default_factory=list)


def read_treebank(path: Path, entities: Path | None = None) -> list[Sentence]:
    """Every sentence of a gzipped CoNLL-U file, with the entities of an .iob2 file beside it.

    A sentence that the two files cut into different words keeps no entities.
    """
    tags_of = {} if entities is None else _read_entities(entities)
    return [_sentence(place, tags_of.get(place.sentence)) for place in _blocks(path)]


def _blocks(path: Path) -> Iterator[_Place]:
    place = _Place()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in [*lines, "\n"]:
            if line.startswith("#"):
                _note(place, line.rstrip("\n"))
            elif line.strip():
                place.rows.append(line.rstrip("\n").split("\t"))
            elif place.rows:
                yield place
                place.rows = []


def _note(place: _Place, line: str) -> None:
    key, _, value = line.removeprefix("# ").partition(" = ")
    if key == "newdoc id":
        place.document = value
    elif key.startswith("newpar"):
        place.paragraph += 1
    elif key == "sent_id":
        place.sentence = value


def _sentence(place: _Place, entities: tuple[tuple[str, str], ...] | None) -> Sentence:
    rows = [row for row in place.rows if row[0].isdigit()]
    words = tuple(row[FORM] for row in rows)
    heads = tuple(int(row[HEAD]) - 1 if row[HEAD] != "0" else at for at, row in enumerate(rows))
    same = entities is not None and words == tuple(word for word, _ in entities)
    return Sentence(
        id=place.sentence,
        document=place.document,
        paragraph=place.paragraph,
        words=words,
        spaces=_spaces(place.rows),
        lemmas=tuple(row[LEMMA] if row[LEMMA] != "_" else row[FORM] for row in rows),
        pos=tuple(row[UPOS] for row in rows),
        tags=tuple(row[XPOS] for row in rows),
        heads=heads,
        deps=tuple("ROOT" if row[DEPREL] == "root" else row[DEPREL] for row in rows),  # spaCy's spelling
        entities=tuple(tag for _, tag in entities) if entities is not None and same else None,
    )


def _spaces(rows: list[list[str]]) -> tuple[bool, ...]:
    """Whether a space follows each word. Inside a multiword token none does; after it, its own line says."""
    joined: dict[int, bool] = {}
    for row in rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            joined |= dict.fromkeys(range(first, last), False) | {last: NO_SPACE not in row[MISC]}
    numbered = [row for row in rows if row[0].isdigit()]
    return tuple(joined.get(int(row[0]), NO_SPACE not in row[MISC]) for row in numbered)


def _read_entities(path: Path) -> dict[str, tuple[tuple[str, str], ...]]:
    """sent_id -> (word, IOB2 tag) of each of its words."""
    found: dict[str, list[tuple[str, str]]] = {}
    sentence = ""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# sent_id = "):
                sentence = line.rstrip("\n").removeprefix("# sent_id = ")
            elif line.strip() and not line.startswith("#"):
                _, word, tag, *_ = line.split("\t")
                found.setdefault(sentence, []).append((word, tag))
    return {key: tuple(rows) for key, rows in found.items()}


def paragraphs(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Sentences that stand together, at most ten at a time: what a parser learns to cut texts into sentences from."""
    for _, group in groupby(sentences, key=lambda sentence: (sentence.document, sentence.paragraph)):
        together = list(group)
        yield from (together[at : at + MOST_SENTENCES] for at in range(0, len(together), MOST_SENTENCES))


def as_captions(sentence: Sentence) -> Sentence:
    """The sentence without its last full stop, as captions are often written."""
    n = len(sentence.words)
    if n < 2 or sentence.words[-1] != "." or n - 1 in sentence.heads[:-1]:
        return sentence
    cut = {name: getattr(sentence, name)[:-1] for name in ("words", "lemmas", "pos", "tags", "heads", "deps")}
    tags = None if sentence.entities is None else sentence.entities[:-1]
    spaces = (*sentence.spaces[: n - 2], False)
    return replace(sentence, spaces=spaces, entities=tags, **cut)


def doc_of(vocab: Vocab, sentences: list[Sentence], *, with_entities: bool = False) -> Doc:
    """One Doc with gold words, tags, lemmas and trees, and gold entities when asked for."""
    starts = [sum(len(before.words) for before in sentences[:at]) for at in range(len(sentences))]
    tags = [tag for sentence in sentences for tag in sentence.entities or ()] if with_entities else None
    return Doc(
        vocab,
        words=[word for sentence in sentences for word in sentence.words],
        spaces=[space for sentence in sentences for space in sentence.spaces],
        lemmas=[lemma for sentence in sentences for lemma in sentence.lemmas],
        pos=[pos for sentence in sentences for pos in sentence.pos],
        tags=[tag for sentence in sentences for tag in sentence.tags],
        heads=[start + head for start, one in zip(starts, sentences, strict=True) for head in one.heads],
        deps=[dep for sentence in sentences for dep in sentence.deps],
        ents=tags,
    )


def in_half(document: str) -> bool:
    """Whether a document is in the first of two halves: by the SHA-256 of its name, so that nobody chooses."""
    return hashlib.sha256(document.encode()).digest()[0] % 2 == 0
