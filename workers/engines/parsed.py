"""What a parser finds in a text: plain frozen values, places in code points of the text as it was given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """One word, mark or run of white space. `pos` is universal, `tag` the pipeline's own; `head` counts tokens.

    `text` is what was read; it is text[start:end] except that a lone surrogate is read as U+FFFD.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A name, colour, number or place: `label` is the pipeline's own."""

    label: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """One text. `problem` is empty, or says why it has no tokens."""

    text: str
    tokens: tuple[Token, ...]
    entities: tuple[Entity, ...]
    problem: str = ""
