"""A parsed caption as suggestions need it, and what a suggestion is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

from backend.methods.edits.edit import Edit

if TYPE_CHECKING:
    from inflect import engine


class Word(Protocol):
    """A token: `pos` is universal, `tag` Penn's; start and end count code points of the text."""

    @property
    def text(self) -> str: ...
    @property
    def lemma(self) -> str: ...
    @property
    def pos(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Name(Protocol):
    """An entity with the label of its parser."""

    @property
    def label(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True)
class Parse:
    """One caption with its words and names, by places in code points of `text`."""

    text: str
    words: Sequence[Word]
    names: Sequence[Name]

    @cached_property
    def names_from(self) -> Mapping[int, Sequence[Name]]:
        """The names by where they start: a caption of 100 kB may have thousands, and each word asks."""
        found: defaultdict[int, list[Name]] = defaultdict(list)
        for name in self.names:
            found[name.start].append(name)
        return dict(found)


@dataclass(frozen=True, slots=True, order=True)
class Suggestion:
    """A place that may need an edit. `options` are texts to put there, best first; none where nobody can guess."""

    start: int
    end: int
    kind: str
    before: str
    options: tuple[str, ...] = ()

    def edit(self, option: str) -> Edit:
        """The edit that takes `option`, one of `options` or what a person wrote."""
        return Edit(self.start, self.end, self.before, option, self.kind)


def suggest(parse: Parse, start: int, end: int, kind: str, options: Sequence[str] = ()) -> Suggestion:
    return Suggestion(start, end, kind, parse.text[start:end], tuple(options))


def with_article(parse: Parse, first: int, end: int, kind: str, options: Sequence[str]) -> Suggestion:
    """The suggestion for the words from `first` on; where an option turns "a" into "an" or back, the article is in it.

    "an elk" becomes "a deer", "a blue flower" "an orange flower".
    """
    start = parse.words[first].start
    before = parse.words[first - 1] if first else None
    if before is None or before.text.lower() not in ("a", "an"):
        return suggest(parse, start, end, kind, options)
    articles = [article_of(option) for option in options]
    if set(articles) <= {before.text.lower()}:
        return suggest(parse, start, end, kind, options)
    together = [f"{article} {option}" for article, option in zip(articles, options, strict=True)]
    return suggest(parse, before.start, end, kind, [like(before.text, text) for text in together])


def like(model: str, text: str) -> str:
    """`text` with a capital where `model` begins with one."""
    return text[:1].upper() + text[1:] if model[:1].isupper() else text


def article_of(phrase: str) -> str:
    """The article that `phrase` takes: a or an."""
    return _english().a(phrase).split(" ", 1)[0]


def plural_of(noun: str) -> str:
    return _english().plural_noun(noun)


def singular_of(noun: str) -> str:
    """The singular of a plural noun; the noun itself where it is none."""
    return _english().singular_noun(noun) or noun


@lru_cache(maxsize=1)
def _english() -> engine:
    from inflect import engine  # two seconds: only where an edit is suggested

    return engine()
