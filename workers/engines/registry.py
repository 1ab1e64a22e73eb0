"""The engines of this process: each is loaded when first asked for, once, and kept until it is forgotten.

A new kind of engine takes two lines: a function that loads one by name (importing inside, since torch takes seconds),
and `kind = Engines(function)`.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from workers.engines.devices import give_back_memory
from workers.engines.protocols import ImageEncoder, Parser, SentenceEncoder, TextEncoder

T = TypeVar("T")


class Engines(Generic[T]):
    """The engines of one kind, by name. Called with a name, it gives that engine; raises EngineError."""

    def __init__(self, load: Callable[[str], T]) -> None:
        self._load = load
        self._engines: dict[str, T] = {}
        self._locks: defaultdict[str, threading.RLock] = defaultdict(threading.RLock)
        self._lock = threading.Lock()

    def __call__(self, name: str) -> T:
        """The engine called `name`, one instance per process however many threads ask."""
        with self.held(name):  # of this name only: who wants another model does not wait for this one
            if name not in self._engines:
                self._engines[name] = self._load(name)
            return self._engines[name]

    def use(self, name: str, engine: T) -> None:
        """Let `engine` answer to `name` in this process, as a stand-in for what would have to be loaded."""
        with self.held(name):
            self._engines[name] = engine

    def forget(self, name: str) -> None:
        """Let go of the engine called `name`; its memory is free once the last who holds it lets go as well."""
        with self.held(name):
            known = self._engines.pop(name, None) is not None
        if known:
            give_back_memory()  # of a GPU, on which other processes wait for it

    def __contains__(self, name: str) -> bool:
        """Whether the engine called `name` is loaded."""
        return name in self._engines

    def held(self, name: str) -> threading.RLock:
        """The lock on `name`, for who does several things with it."""
        with self._lock:
            return self._locks[name]


def _sentences(name: str) -> SentenceEncoder:
    from workers.engines.sentences import TransformerSentences

    return TransformerSentences(name)


def _images(name: str) -> ImageEncoder:
    from workers.engines.image_encoder import load_image_encoder

    return load_image_encoder(name)


def _texts(name: str) -> TextEncoder:
    from workers.engines.clip_encoder import load_text_encoder

    return load_text_encoder(name)


def _parsers(name: str) -> Parser:
    from workers.engines.parser import SpacyParser

    return SpacyParser(name)


sentence_encoder = Engines(_sentences)
image_encoder = Engines(_images)
text_encoder = Engines(_texts)
parser = Engines(_parsers)

use_sentence_encoder = sentence_encoder.use
use_image_encoder = image_encoder.use
use_text_encoder = text_encoder.use
use_parser = parser.use


def towers(name: str) -> tuple[ImageEncoder, TextEncoder]:
    """Both encoders of a CLIP, whose weights are read once where neither is here yet. Raises EngineError."""
    with image_encoder.held(name), text_encoder.held(name):
        if name not in image_encoder and name not in text_encoder:
            from workers.engines.clip_encoder import load_towers

            images, texts = load_towers(name)
            image_encoder.use(name, images)
            text_encoder.use(name, texts)
        return image_encoder(name), text_encoder(name)


KINDS: tuple[Engines[Any], ...] = (sentence_encoder, image_encoder, text_encoder, parser)


def forget(name: str) -> None:
    """Let go of every engine called `name`, so that seven models can be used one after another in the room of one."""
    for engines in KINDS:
        engines.forget(name)


@contextmanager
def borrowed(name: str) -> Iterator[None]:
    """At the end, or where it fails, let go of the engines called `name` that were not here when it began."""
    new = [engines for engines in KINDS if name not in engines]
    try:
        yield
    finally:
        for engines in new:
            engines.forget(name)
