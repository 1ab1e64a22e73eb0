"""The whole chain over many captions at once, so that the parser behind rule 8 gets them in batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.methods.cleaning.keywords import not_a_list
from backend.methods.cleaning.outcome import Dropped, Outcome
from backend.methods.cleaning.repetition import without_repetition
from backend.methods.cleaning.review import NON_ENGLISH, flags_of
from backend.methods.cleaning.rules import (
    CORPUS_RULES,
    REPAIR,
    Change,
    Rule,
    at_least,
    not_empty,
    repair,
    repair_text,
    title_rules,
    trace,
)
from backend.methods.cleaning.site_names import Page, recurring_pieces
from backend.methods.cleaning.speech import with_content

# The universal parts of speech of each text, in the order of the texts; None where a text could not be read.
TagsOf = Callable[[Sequence[str]], Iterable[Collection[str] | None]]
Test = Callable[[str], Outcome]
NOWHERE = Page()
MAY_BE_CUT = re.compile(r"[^\x00-\x7f]|[|&<-]|::|//")  # most titles hold nothing that is, or may become, a separator


@dataclass(frozen=True, slots=True)
class Raw:
    """A text as imported. `page` is where it is a title, and None where it is no title.

    What is no title is `by_people`, who wrote it about this image and may use hashtags and lists, or of a corpus.
    """

    text: str
    page: Page | None = None
    by_people: bool = True

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What repairs it."""
        if self.page:
            return title_rules(self.page)
        return REPAIR if self.by_people else CORPUS_RULES

    @property
    def tests(self) -> tuple[Test, ...]:
        """What may drop it before its parts of speech are known."""
        if self.page:
            return (not_empty, without_repetition, not_a_list)
        return (not_empty,) if self.by_people else (not_empty, not_a_list)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The result for a text: the clean text or why it is dropped, which rules fixed it, what a person should see."""

    outcome: Outcome
    repaired: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def clean_all(raws: Iterable[Raw], *, min_words: int, title_min_words: int, tags_of: TagsOf) -> list[Cleaned]:
    """Each text through the rules of its source (`rules`), in their order.

    Rule 8 asks `tags_of` once, about every different title that the rules before it left. One that is flagged as not
    English is not asked about and stays: a parser of English cannot tell.
    """
    raws = list(raws)
    firsts = [_before_speech(raw) for raw in raws]
    tags = _tags(raws, firsts, tags_of)
    return [
        _after_speech(first, tags, title_min_words if raw.page else min_words)
        for raw, first in zip(raws, firsts, strict=True)
    ]


def clean_text(text: str, *, min_words: int) -> Outcome:
    """A caption that a person wrote repaired, or why it is dropped: `empty`, `too_short`, `unstable`."""
    outcome = not_empty(repaired) if isinstance(repaired := repair_text(text), str) else repaired
    return outcome if isinstance(outcome, Dropped) else at_least(outcome, min_words)


def clean_title(text: str, *, page: Page = NOWHERE, min_words: int = 5, tags_of: TagsOf) -> Outcome:
    """One title through every rule; for many use `clean_all`."""
    return clean_all([Raw(text, page)], min_words=0, title_min_words=min_words, tags_of=tags_of)[0].outcome


def readable_text(raw: Raw) -> str:
    """`raw` after its repairs, whatever would drop it: the text of a caption that a person keeps."""
    repaired = repair(raw.text, raw.rules).outcome
    if isinstance(repaired, Dropped) or not repaired:
        repaired = repair_text(raw.text)
    return raw.text if isinstance(repaired, Dropped) else repaired


def trace_repairs(raw: Raw) -> tuple[Change, ...]:
    """Each repair of `raw`, with the text before and after it: computed when asked, never stored."""
    return trace(raw.text, raw.rules)


def find_recurring(titles: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """{domain: pieces that begin or end three of its titles} of raw titles, given with their domains."""
    cut = ((domain, title) for domain, title in titles if domain and MAY_BE_CUT.search(title))
    repaired = ((domain, repair(title, REPAIR).outcome) for domain, title in cut)
    return recurring_pieces((domain, title) for domain, title in repaired if isinstance(title, str))


def _before_speech(raw: Raw) -> Cleaned:
    """Rules 1 to 7, and the flags of what they leave."""
    repaired = repair(raw.text, raw.rules)
    outcome = _first_drop(repaired.outcome, raw.tests)
    return Cleaned(outcome, repaired.by, () if isinstance(outcome, Dropped) else flags_of(outcome))


def _first_drop(outcome: Outcome, tests: Iterable[Test]) -> Outcome:
    for test in tests:
        if isinstance(outcome, Dropped):
            break
        outcome = test(outcome)
    return outcome


def _tags(raws: Sequence[Raw], firsts: Sequence[Cleaned], tags_of: TagsOf) -> dict[str, Collection[str] | None]:
    """The parts of speech of every title that rule 8 can judge, by its text."""
    asked = {
        first.outcome: None
        for raw, first in zip(raws, firsts, strict=True)
        if raw.page and isinstance(first.outcome, str) and NON_ENGLISH not in first.flags
    }
    return dict(zip(asked, tags_of(list(asked)), strict=True)) if asked else {}


def _after_speech(first: Cleaned, tags: Mapping[str, Collection[str] | None], min_words: int) -> Cleaned:
    """Rules 8 and 9. A text without an entry in `tags` is not asked for its parts of speech."""
    if isinstance(first.outcome, Dropped):
        return first
    outcome = with_content(first.outcome, tags.get(first.outcome))
    if isinstance(outcome, str):
        outcome = at_least(outcome, min_words)
    return first if outcome is first.outcome else Cleaned(outcome, first.repaired)
