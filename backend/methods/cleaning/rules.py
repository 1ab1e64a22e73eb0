"""The rules in their order (IMP, appendix C.3), and which of them a source gets.

                                                                                       titles  corpora  people
    1 markup          HTML entities and tags                       repairs                x       x       x
    2 encoding        wrong decodings, by ftfy                     repairs                x       x       x
    3 characters      one form of each, nothing invisible          repairs                x       x       x
      addresses       URLs and e-mail addresses                    repairs                x       x       x
    4 site_name       the site's name at either end                repairs                x
    5 hashtags        last ones go, inner ones are words           repairs                x       x
      keyword_list    more than three hashtags                     drops                  x       x
    - empty           nothing is left to read                      drops                  x       x       x
    6 repetition      more than a fifth of content words repeated  drops                  x
    7 keyword_list    four or more keywords between commas         drops                  x       x
    8 part_of_speech  neither noun nor verb nor adjective          drops                  x
    9 too_short       fewer words than the source needs            drops                  x       x       x
   10 review          not English, for adults, personal data       flags                  x       x       x

Titles are what web pages say about a picture; the paper has its rules for them. What is broken is broken in any source,
so 1 to 3 repair all of them. People may use a hashtag, a list or a repetition on purpose when they write about one
image; a corpus got its hashtags and keywords from pages.

Cleaning twice is cleaning once: the repairing rules are repeated until nothing changes. Each takes time that grows with
the length of the text, never with its square.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from backend.methods.cleaning.addresses import without_addresses
from backend.methods.cleaning.characters import one_spelling, repair_encoding, single_spaces
from backend.methods.cleaning.hashtags import without_hashtags
from backend.methods.cleaning.markup import strip_markup
from backend.methods.cleaning.outcome import EMPTY, TOO_SHORT, UNSTABLE, Dropped, Outcome
from backend.methods.cleaning.site_names import Page, without_site_name
from backend.methods.cleaning.words import count_words

VERSION = "4"  # raise it when a rule changes what it does: runs keep it
ROUNDS = 10


@dataclass(frozen=True, slots=True)
class Rule:
    """One repairing rule by the name it is counted under."""

    name: str
    apply: Callable[[str], Outcome]


def within_quotes(rule: Callable[[str], Outcome]) -> Callable[[str], Outcome]:
    """`rule` for what stands at the ends of a title, also where the whole title stands in quotes, which stay."""

    def inner(text: str) -> Outcome:
        if len(text) < 2 or text[0] != '"' or text[-1] != '"' or text.count('"') != 2:
            return rule(text)
        outcome = rule(text[1:-1])
        return outcome if isinstance(outcome, Dropped) or not outcome else f'"{outcome}"'

    return inner


REPAIR = (
    Rule("markup", strip_markup),
    Rule("encoding", repair_encoding),
    Rule("characters", one_spelling),
    Rule("addresses", within_quotes(without_addresses)),
)
HASHTAGS = Rule("hashtags", within_quotes(without_hashtags))
CORPUS_RULES = (*REPAIR, HASHTAGS)


@lru_cache(maxsize=4096)
def title_rules(page: Page) -> tuple[Rule, ...]:
    """What repairs titles of `page`, rules 1 to 5."""
    return (*REPAIR, Rule("site_name", within_quotes(without_site_name(page))), HASHTAGS)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text after its repairing rules, or why it was dropped; `by` names the rules that changed it, in their order."""

    outcome: Outcome
    by: tuple[str, ...] = ()


def repair(text: str, rules: Sequence[Rule]) -> Repaired:
    """`text` through the rules round after round until nothing changes; `unstable` when ten rounds are not enough."""
    found: set[str] = set()
    if text.isascii() and (squeezed := single_spaces(text)) != text:
        # Elsewhere a no-break space may be the second byte of a letter, until the encoding is repaired.
        found.add("characters")
        text = squeezed
    for _ in range(ROUNDS):
        outcome = _round(text, rules, found)
        if outcome == text or isinstance(outcome, Dropped):
            return Repaired(outcome, _in_order(found, rules))
        text = outcome
    return Repaired(Dropped(UNSTABLE, "Repairing this text does not come to an end."), _in_order(found, rules))


def _round(text: str, rules: Sequence[Rule], found: set[str]) -> Outcome:
    for rule in rules:
        outcome = rule.apply(text)
        if isinstance(outcome, Dropped):
            return outcome
        if outcome != text:
            found.add(rule.name)
            text = outcome
    return text


@dataclass(frozen=True, slots=True)
class Change:
    """What one rule made of a text, in the order in which it happened."""

    rule: str
    before: str
    after: Outcome


def trace(text: str, rules: Sequence[Rule]) -> tuple[Change, ...]:
    """Every change that `repair` makes on its way, for people to look at; what it ends with is what `repair` gives."""
    changes: list[Change] = []
    if text.isascii() and (squeezed := single_spaces(text)) != text:
        changes.append(Change("characters", text, squeezed))
        text = squeezed
    for rule in (rule for _ in range(ROUNDS) for rule in rules):
        outcome = rule.apply(text)
        if outcome != text:
            changes.append(Change(rule.name, text, outcome))
        if isinstance(outcome, Dropped):
            break
        text = outcome
    return tuple(changes)


def _in_order(found: set[str], rules: Sequence[Rule]) -> tuple[str, ...]:
    return tuple(rule.name for rule in rules if rule.name in found) if found else ()


def repair_text(text: str) -> Outcome:
    """`text` as every source has it repaired, by rules 1 to 3; `unstable` where that finds no end."""
    return repair(text, REPAIR).outcome


def not_empty(text: str) -> Outcome:
    return text or Dropped(EMPTY, "Nothing is left to read.")


def at_least(text: str, min_words: int) -> Outcome:
    """`text`, or `too_short` where it has fewer words, as `count_words` counts them."""
    n_words = count_words(text, up_to=min_words)
    if n_words >= min_words:
        return text
    return Dropped(TOO_SHORT, f"{n_words} {'word' if n_words == 1 else 'words'}, {min_words} needed")
