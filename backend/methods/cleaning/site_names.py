"""Rule 4: the name of the site, before or after what a page's title says.

A title is cut at its separators, and its first or last piece goes where it is the site's name: the name of the page's
registered domain or of its blog, what the page calls its site (og:site_name), a name of the list in `lexicon.sites`, or
a piece that begins or ends three titles of that domain. Separators that separate nothing go too. What stands within
words stays, and of a title some piece always stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from backend.methods.lexicon.sites import BLOG_HOSTS, NAMES, NO_BLOGS

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

SIGNS = ("|", "¦", "‖", "-", "–", "—", "―", "·", "•", "∙", "»", "«", "›", "‹", "::", "//")
SEPARATOR = re.compile(rf"(?: (?:{'|'.join(map(re.escape, SIGNS))}))+ ")
QUOTES = {"«": "»", "»": "«", "‹": "›", "›": "‹"}  # « A lake » is a quotation
ARTICLE = re.compile(r"(?:the|an?|les?|la|los|las|el|der|die|das|il|lo|gli|os?|het|de)\s+|l['’]\s*", re.IGNORECASE)
THE = "the"
RECURS = 3
HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?([^/?#:]+)", re.IGNORECASE)
BARE_HOST = re.compile(
    r"(?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|info|io|co|edu|gov|de|fr|it|es|nl|uk|ru|jp|ca|au)", re.I
)
ADDRESS = re.compile(r"[\d.]+|\[.*")
OTHER_SPELLINGS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
NO_ACCENTS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})


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
        title = without_dangling(title)
        cuts = list(SEPARATOR.finditer(title))
        first, last = 0, len(cuts)  # the pieces that stay, of len(cuts) + 1
        while first < last and _is_name(_piece(title, cuts, last), names):
            last -= 1
        while first < last and _is_name(_piece(title, cuts, first), names):
            first += 1
        if last - first == len(cuts):
            return title
        start = cuts[first - 1].end() if first else 0
        return title[start : cuts[last].start() if last < len(cuts) else len(title)]

    return rule


def _is_name(piece: str, names: frozenset[str]) -> bool:
    """Whether a piece is one of `names`, or the address of a site such as flickr.com."""
    return not names.isdisjoint(_forms(piece)) or bool(BARE_HOST.fullmatch(piece))


def without_dangling(title: str) -> str:
    """`title` without separators at its ends; a title of nothing else stays.

    >>> without_dangling("| A lake in the mist -")
    'A lake in the mist'
    """
    words = title.split(" ")
    first, last = 0, len(words)
    while last - first > 1 and _separates_nothing(words[last - 1], title):
        last -= 1
    while last - first > 1 and _separates_nothing(words[first], title):
        first += 1
    return title if last - first == len(words) else " ".join(words[first:last])


def _separates_nothing(word: str, title: str) -> bool:
    return word in SIGNS and QUOTES.get(word, "\0") not in title


def _piece(title: str, cuts: list[re.Match[str]], number: int) -> str:
    """The piece of `title` before cut `number`, or after the last one."""
    start = cuts[number - 1].end() if number else 0
    return title[start : cuts[number].start() if number < len(cuts) else len(title)]


def _names_of(page: Page) -> frozenset[str]:
    """Every name of the site, folded."""
    domain = page.domain
    label = _readable_label(domain)
    host = domain.partition(".")[2]
    of_host = (host, host.partition(".")[0]) if _holds_blogs(host) else ()
    names = (domain, f"www.{domain}", label, page.site_name, *of_host)
    own = {form for name in names if name for form in _forms(name)}
    own |= {name.removeprefix(THE) for name in own if name.startswith(THE) and len(name) > 2 * len(THE)}
    return (CURATED | page.recurring | (own if domain or page.site_name else set())) - {""}


def _readable_label(domain: str) -> str:
    """The first label of a domain, in its own letters where they are none of ASCII."""
    label = domain.partition(".")[0]
    try:
        return label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
    except UnicodeError:
        return label


def _forms(name: str) -> Iterator[str]:
    """`name` folded, also without the article before it, and with ä as ae."""
    yield fold_name(name)
    if bare := ARTICLE.match(name):
        yield fold_name(name[bare.end() :])
    if (
        not name.isascii()
        and (spelled := unicodedata.normalize("NFC", name.lower()).translate(OTHER_SPELLINGS)) != name
    ):
        yield fold_name(spelled)


def fold_name(name: str) -> str:
    """`name` without case, accents, spaces and marks, "&" as "and": the form in which a site's name is its domain's.

    >>> fold_name("Stock & Sky"), fold_name("The-Daily View!"), fold_name("Café Zürich")
    ('stockandsky', 'thedailyview', 'cafezurich')
    """
    folded = name.casefold().replace("&", "and")
    if not folded.isascii():
        folded = unicodedata.normalize("NFKD", folded.translate(NO_ACCENTS))
    return "".join(filter(str.isalnum, folded))


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
    pieces = SEPARATOR.split(without_dangling(title))
    return {fold_name(pieces[0]), fold_name(pieces[-1])} - {""} if len(pieces) > 1 else set()


@lru_cache(maxsize=65536)
def registered_domain(address: str) -> str:
    """The domain somebody registered, from a host or a URL; empty where there is none. A blog keeps its own name.

    By the Public Suffix List as the package carries it: nothing is fetched.

    >>> registered_domain("https://photos.stockandsky.co.uk/p/1"), registered_domain("localhost")
    ('stockandsky.co.uk', '')
    >>> registered_domain("https://www.mistylakes.tumblr.com/1")
    'mistylakes.tumblr.com'
    """
    found = HOST.match(address.strip())
    host = found[1].rstrip(".").lower() if found else ""
    if not host or "." not in host or ADDRESS.fullmatch(host):
        return ""
    return _with_blog(host, _suffixes().privatesuffix(host) or "")


def _with_blog(host: str, domain: str) -> str:
    """`domain` with the name of the blog before it, where `host` names a blog of a host of many."""
    blog = host.removesuffix(f".{domain}").rpartition(".")[2] if _holds_blogs(domain) and host != domain else ""
    return f"{blog}.{domain}" if blog and blog not in NO_BLOGS else domain


def _holds_blogs(domain: str) -> bool:
    return domain in BLOG_HOSTS or domain.startswith("blogspot.")


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # reads 330 kB: only where titles are cleaned

    return PublicSuffixList()
