"""Rule 1: HTML. Entities become their characters, tags go, and no tag joins the words on its two sides. The tags and
links of forums go too.

Only elements that HTML has, or had, are tags: <person> is how captions write a person whose name is left out (IMP,
appendix C.4), and "I <3 this" and "a < b" are no markup either. Time grows with the length of the text.
"""

from __future__ import annotations

import html
import re

from ftfy.fixes import unescape_html

_ELEMENTS = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button
canvas caption center cite code col colgroup command data datalist dd del details dfn dialog dir div dl dt em embed
fieldset figcaption figure font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img
input ins kbd keygen label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object
ol optgroup option output p param path picture pre progress q rp rt ruby s samp script section select slot small
source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr
track tt u ul use var video wbr xmp
"""
_NAMES = "|".join(sorted(_ELEMENTS.split(), key=len, reverse=True))
_SWITCHES = (
    "async|autofocus|autoplay|checked|controls|default|defer|disabled|download|hidden|ismap|loop|multiple|muted|nohref"
    "|noshade|nowrap|open|readonly|required|reversed|selected"
)
# What follows a name is a switch, or something with "=". "5 <b and c> 2" compares numbers.
_ATTRIBUTES = rf"(?:(?:\s+(?:{_SWITCHES})\b)*\s*/?|\s[^<>=]*=[^<>]*)"
_TAG = rf"</?(?:{_NAMES}|[a-z][a-z0-9]{{0,9}}:[a-z]{{1,30}}){_ATTRIBUTES}>|<(?:!doctype|\?xml)\b[^<>]*>"
TAGS = re.compile(rf"(?:{_TAG})(?:\s*(?:{_TAG}))*", re.IGNORECASE)
# Parts that are no text, up to where each is closed.
OPENS = re.compile(r"<!--|<(script|style)\b[^<>]*>", re.IGNORECASE)
CLOSES = {
    "<!--": re.compile("-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
}
CLOSING_MARKS = frozenset(".,;:!?)]’'")
# An entity that was encoded again and again is one entity: "&amp;amp;lt;" is "&lt;".
ENCODED_AGAIN = re.compile(r"&(?:(?:amp|AMP|#0{0,5}38|#[xX]0{0,5}26);)+")
# Browsers read these without their semicolon as well.
WITHOUT_SEMICOLON = re.compile(r"&(?:amp|lt|gt|quot|nbsp|copy|reg)(?![\w;=])|&#[0-9]{2,7}(?![0-9;])")
# Forums write [b]dog[/b], [url=http://site.org]dog[/url] and [dog](http://site.org).
FORUM = re.compile(
    r"!?\[([^\[\]]*)\]\((?:https?://|www\.)[^\s()\[\]]*\)"
    r"|\[/?(?:b|i|u|s|url|img|center|quote|color|size)(?:=[^\[\]]*)?\]",
    re.IGNORECASE,
)


def strip_markup(text: str) -> str:
    """`text` with entities written out and without tags, each of which leaves a space.

    No space is left before a mark that closes: <b>dog</b>, stays "dog,".

    >>> strip_markup("A <b>dog</b>, a cat<br>&amp; a bird")
    'A dog, a cat & a bird'
    """
    if "&" in text:
        text = _without_entities(text)
    if "](" in text or "[/" in text:
        text = FORUM.sub(lambda found: found[1] or "", text)
    if "<" not in text or ">" not in text:
        return text
    return TAGS.sub(_space, _without_hidden_parts(text))


def _without_entities(text: str) -> str:
    text = unescape_html(ENCODED_AGAIN.sub("&", text))
    return WITHOUT_SEMICOLON.sub(lambda entity: html.unescape(f"{entity.group()};"), text)


def _without_hidden_parts(text: str) -> str:
    """`text` with one tag in the place of each comment, script and style sheet. One that is never closed is text."""
    pieces, at = [], 0
    never_closed: set[str] = set()
    for opens in OPENS.finditer(text):
        kind = (opens[1] or opens[0]).lower()
        if opens.start() < at or kind in never_closed:
            continue
        closes = CLOSES[kind].search(text, opens.end())
        if closes is None:
            never_closed.add(kind)
            continue
        pieces += [text[at : opens.start()], "<wbr>"]
        at = closes.end()
    return "".join([*pieces, text[at:]])


def _space(tags: re.Match[str]) -> str:
    """A space where the tags stand between words or marks, none beside a space or before what closes."""
    start, end = tags.span()
    before, after = tags.string[max(start - 1, 0) : start], tags.string[end : end + 1]
    return "" if before.isspace() or after.isspace() or after in CLOSING_MARKS or not before else " "
