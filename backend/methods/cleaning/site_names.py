"""Rule 4: the name of the site, before or after what a page's title says.

A title is cut at its separators, and its first or last piece goes where it is the site's name: the name of the page's
registered domain, what the page calls its site (og:site_name), a name of the list in `lexicon.sites`, or a piece that
begins or ends three titles of that domain. What stands within words stays, and of a title some piece always stays.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from backend.methods.lexicon.sites import NAMES

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

SEPARATOR = re.compile(r" (?:\||-|–|—|·|»|::) ")
RECURS = 3
HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?([^/?#:]+)", re.IGNORECASE)
ADDRESS = re.compile(r"[\d.]+|\[.*")


@dataclass(frozen=True, slots=True)
class Page:
    """Where a title was found. `domain` is the registered domain, `recurring` holds folded pieces of its titles."""

    domain: str = ""
    site_name: str = ""
    recurring: frozenset[str] = frozenset()


def without_site_name(page: Page) -> Callable[[str], str]:
    """The rule for titles of `page`.

    >>> without_site_name(Page("stockandsky.example"))("A lake in the mist | Stock & Sky")
    'A lake in the mist'
    """
    names = _names_of(page)

    def rule(title: str) -> str:
        cuts = list(SEPARATOR.finditer(title))
        first, last = 0, len(cuts)  # the pieces that stay, of len(cuts) + 1
        while first < last:
            if fold_name(_piece(title, cuts, last)) in names:
                last -= 1
            elif fold_name(_piece(title, cuts, first)) in names:
                first += 1
            else:
                break
        if last - first == len(cuts):
            return title
        return title[cuts[first - 1].end() if first else 0 : cuts[last].start() if last < len(cuts) else len(title)]

    return rule


def _piece(title: str, cuts: list[re.Match[str]], number: int) -> str:
    """The piece of `title` before cut `number`, or after the last one."""
    start = cuts[number - 1].end() if number else 0
    return title[start : cuts[number].start() if number < len(cuts) else len(title)]


def _names_of(page: Page) -> frozenset[str]:
    """Every name of the site, folded."""
    domain = page.domain
    own = {fold_name(name) for name in (domain, f"www.{domain}", domain.partition(".")[0], page.site_name) if name}
    return (CURATED | page.recurring | (own if domain or page.site_name else set())) - {""}


def fold_name(name: str) -> str:
    """`name` without case, spaces and marks, "&" as "and": the form in which a site's name is its domain's.

    >>> fold_name("Stock & Sky"), fold_name("The-Daily View!")
    ('stockandsky', 'thedailyview')
    """
    return "".join(filter(str.isalnum, name.casefold().replace("&", "and")))


CURATED = frozenset(map(fold_name, NAMES))


def recurring_pieces(titles: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """{domain: folded pieces that begin or end three different titles of it}, from (domain, title) pairs.

    A title with nothing to cut has no pieces; one that stands there twice counts once. Memory grows with the number
    of different pieces.
    """
    seen: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for domain, title in titles:
        for piece in _ends(title) if domain else ():
            if len(found := seen[domain, piece]) < RECURS:
                found.add(hash(title))
    recurring: defaultdict[str, set[str]] = defaultdict(set)
    for (domain, piece), different in seen.items():
        if len(different) >= RECURS:
            recurring[domain].add(piece)
    return {domain: frozenset(pieces) for domain, pieces in recurring.items()}


def _ends(title: str) -> set[str]:
    pieces = SEPARATOR.split(title)
    return {fold_name(pieces[0]), fold_name(pieces[-1])} - {""} if len(pieces) > 1 else set()


@lru_cache(maxsize=65536)
def registered_domain(address: str) -> str:
    """The domain somebody registered, from a host or a URL; empty where there is none.

    By the Public Suffix List as the package carries it: nothing is fetched.

    >>> registered_domain("https://photos.stockandsky.co.uk/p/1"), registered_domain("localhost")
    ('stockandsky.co.uk', '')
    """
    found = HOST.match(address.strip())
    host = found[1].rstrip(".").lower() if found else ""
    if not host or "." not in host or ADDRESS.fullmatch(host):
        return ""
    return _suffixes().privatesuffix(host) or ""


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # reads 330 kB: only where titles are cleaned

    return PublicSuffixList()
