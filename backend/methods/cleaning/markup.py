"""Rule 1: HTML. Entities become their characters, tags go, and no tag joins the words on its two sides.

Only elements that HTML has, or had, are tags: <person> is how captions write a person whose name is left out (IMP,
appendix C.4), and "I <3 this" is no markup either.
"""

from __future__ import annotations

import html
import re

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
_TAG = rf"</?(?:{_NAMES})(?:\s[^<>]*|/)?>|<!--.{{0,2000}}?-->|<!doctype[^<>]*>"
TAGS = re.compile(rf"(?:{_TAG})(?:\s*(?:{_TAG}))*", re.IGNORECASE | re.DOTALL)
NOT_TEXT = re.compile(r"<(script|style)\b[^<>]*>.{0,5000}?</\1\s*>", re.IGNORECASE | re.DOTALL)
CLOSES = frozenset(".,;:!?)]’'")


def strip_markup(text: str) -> str:
    """`text` with entities written out and without tags, each of which leaves a space.

    No space is left before a mark that closes: <b>dog</b>, stays "dog,".

    >>> strip_markup("A <b>dog</b>, a cat<br>&amp; a bird")
    'A dog, a cat & a bird'
    """
    if "&" in text:
        text = html.unescape(text)
    if "<" not in text:
        return text
    return TAGS.sub(_space, NOT_TEXT.sub(" ", text)) if ">" in text else text


def _space(tags: re.Match[str]) -> str:
    """A space where the tags stand between words or marks, none beside a space or before what closes."""
    before, after = tags.string[: tags.start()][-1:], tags.string[tags.end() : tags.end() + 1]
    return "" if before.isspace() or after.isspace() or after in CLOSES or not before else " "
