"""Words, lemmas, trees and entities of texts, by any spaCy pipeline that lies in a folder or is installed.

spaCy imports torch where torch is installed, so it is imported by whoever loads a pipeline and by nobody else.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from workers.engines.carried import ENGLISH, folder_of
from workers.engines.parsed import Entity, Parsed, Token
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError
from workers.engines.weights import short_name

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MOST_TEXTS, MOST_CHARACTERS = 256, 100_000  # that are held at a time
LONGEST = 100_000
TOO_LONG = "A text has {n:,} characters. The limit is {limit:,}. Split it into captions first."
NOT_FOUND = (
    "The spaCy pipeline {name!r} is not a folder with a config.cfg, and is not installed here. "
    "Connote does not download it. Use a local path or {carried!r}, or install it with pip."
)
BROKEN = "Connote cannot load the spaCy pipeline {name!r} ({error}). Use another path, or copy the original again."
PICKLED = (
    "The spaCy pipeline {name!r} has a pickle, {file}, which can run code. Use another one, or "
    "save it without the pickle."
)
# Nothing that spaCy or Thinc writes by itself: pickle protocols 2 to 5, and the zip files of torch.save.
PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04")
PICKLE_NAMES = (".pkl", ".pickle", ".joblib", ".pt", ".pth")
ABOUT = ("README.md", "figures.json", "LICENSE")  # words about a pipeline are no part of what it computes
# What words, lemmas, trees and names are for, and no part of speech; and what a rule about tags may ask of them.
BESIDE_TAGS = frozenset(
    {"lemmatizer", "trainable_lemmatizer", "parser", "senter", "sentencizer", "ner", "entity_ruler"}
)
TAGGING = frozenset({"tok2vec", "transformer", "tagger", "morphologizer", "attribute_ruler"})
ASKS_BESIDE = re.compile("DEP|LEMMA|ENT_.*|.*SENT_START|HEAD")
SURROGATES = re.compile("[\ud800-\udfff]")
Taken = TypeVar("Taken")


class SpacyParser:
    """One loaded spaCy pipeline. Raises ModelNotFoundError or ModelRefusedError when it is made, at once."""

    def __init__(self, name: str = ENGLISH) -> None:
        folder = find_pipeline(name)
        self.name = short_name(name)
        self.digest = digest_of_pipeline(folder)
        self._pipeline = _load(folder, name)
        self._beside_tags = beside_tags(self._pipeline)
        self._turn = threading.Lock()  # a vocabulary has one memory zone at a time

    def parse(self, texts: Iterable[str]) -> Iterator[Parsed]:
        """One Parsed for each text, in their order, while no more than a batch of them is held.

        Every string is taken: an empty one has no tokens, a lone surrogate is read as U+FFFD, one longer than LONGEST
        has no tokens and says so in `problem`.
        """
        for batch in _batches(texts):
            yield from self._read(batch, _parsed)

    def tags(self, texts: Iterable[str]) -> Iterator[frozenset[str] | None]:
        """The universal parts of speech in each text, as `parse` finds them, by what of the pipeline they need alone.

        None for a text longer than LONGEST.
        """
        for batch in _batches(texts):
            yield from self._read(batch, _tags, self._beside_tags)

    def _read(self, texts: list[str], take: Callable[[Doc, str], Taken], disabled: Sequence[str] = ()) -> list[Taken]:
        taken = [text if len(text) <= LONGEST else "" for text in texts]
        with self._turn, self._pipeline.memory_zone():  # words seen once are forgotten again
            docs = self._pipeline.pipe(map(_encodable, taken), batch_size=MOST_TEXTS, disable=disabled)
            return [take(doc, text) for doc, text in zip(docs, texts, strict=True)]


def beside_tags(pipeline: Language) -> tuple[str, ...]:
    """The components that no tag of `pipeline` depends on: none where it holds one that we do not know."""
    factories = {name: pipeline.get_pipe_meta(name).factory for name in pipeline.pipe_names}
    if not BESIDE_TAGS.union(TAGGING).issuperset(factories.values()):
        return ()
    rulers: list[Any] = [pipeline.get_pipe(name) for name, made_by in factories.items() if made_by == "attribute_ruler"]
    asked = {
        key for ruler in rulers for rule in ruler.patterns for row in rule["patterns"] for word in row for key in word
    }
    if any(ASKS_BESIDE.fullmatch(str(key).upper()) for key in asked):
        return ()
    return tuple(name for name, made_by in factories.items() if made_by in BESIDE_TAGS)


def _encodable(text: str) -> str:
    """spaCy hashes words as UTF-8, which has no lone surrogates; the length stays, and so do offsets."""
    return SURROGATES.sub("\ufffd", text)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        batch.append(text)
        characters += len(text)
        if len(batch) == MOST_TEXTS or characters >= MOST_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _parsed(doc: Doc, text: str) -> Parsed:
    if len(text) > LONGEST:
        return Parsed(text, (), (), TOO_LONG.format(n=len(text), limit=LONGEST))
    tokens = tuple(
        Token(word.text, word.lemma_, word.pos_, word.tag_, word.dep_, word.head.i, word.idx, word.idx + len(word))
        for word in doc
    )
    found = tuple(Entity(span.label_, span.start_char, span.end_char, span.text) for span in doc.ents)
    return Parsed(text, tokens, found)


def _tags(doc: Doc, text: str) -> frozenset[str] | None:
    return None if len(text) > LONGEST else frozenset(word.pos_ for word in doc)


def find_pipeline(name: str) -> Path:
    """The folder of a pipeline, never from a network. Raises ModelNotFoundError or ModelRefusedError."""
    folder = _folder(Path(name).expanduser()) or _carried(name) or _installed(name)
    if folder is None:
        raise ModelNotFoundError(NOT_FOUND.format(name=name, carried=ENGLISH))
    for path in _files(folder):
        if _is_pickle(path):
            raise ModelRefusedError(PICKLED.format(name=name, file=path.name))
    return folder


def _folder(path: Path) -> Path | None:
    return path.resolve() if (path / "config.cfg").is_file() else None


def _carried(name: str) -> Path | None:
    """A carried pipeline by its name alone, so that no `../` leads out of where they lie."""
    folder = folder_of(name)
    return _folder(folder) if folder else None


def _installed(name: str) -> Path | None:
    """The folder inside a pipeline's package, found without importing it: NAME/NAME-VERSION/config.cfg."""
    spec = find_spec(name) if name.isidentifier() else None
    if spec is None or spec.origin is None or not (meta := Path(spec.origin).parent / "meta.json").is_file():
        return None
    version = json.loads(meta.read_text(encoding="utf-8")).get("version", "")
    return _folder(meta.parent / f"{name}-{version}")


def _files(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(files, key=lambda path: path.relative_to(folder).as_posix())


def _is_pickle(path: Path) -> bool:
    with path.open("rb") as file:
        return path.suffix.lower() in PICKLE_NAMES or file.read(4).startswith(PICKLES)


@lru_cache(maxsize=8)
def digest_of_pipeline(folder: Path) -> str:
    """SHA-256 over the `digest  name` lines of its files, ordered by name, without those that only tell of it."""
    about = {folder / name for name in ABOUT}
    lines = [
        f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in _files(folder)
        if path not in about
    ]
    return sha256("".join(lines).encode()).hexdigest()


def _load(folder: Path, name: str) -> Language:
    import spacy

    try:
        return spacy.load(folder)
    except Exception as error:  # whatever a damaged file does to its reader
        raise ModelRefusedError(
            BROKEN.format(name=name, error=f"{type(error).__name__}: {str(error)[:120]}")
        ) from error
