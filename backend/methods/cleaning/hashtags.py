"""Rule 5: hashtags. Those that follow a sentence go, those within it become words; more than three are a list."""

from __future__ import annotations

import re

from backend.methods.cleaning.outcome import KEYWORD_LIST, Dropped, Outcome

MOST = 3
# One or several set without a space; with a letter, since "the #1 beach" is no tag. Nothing is ever tried twice.
_RUN = r"(?<![\w&])(?:#(?=\d*+[^\W\d])\w++)++"
RUN = re.compile(_RUN)
TRAILING = re.compile(rf"(?:(?:^|\s+){_RUN}[.,;!]*)+\s*$")


def without_hashtags(text: str) -> Outcome:
    """`text` without its last hashtags and with the others as words; `keyword_list` where there are more than three.

    >>> without_hashtags("A #red barn at dusk #barn #dusk")
    'A red barn at dusk'
    """
    if "#" not in text:
        return text
    n_tags = sum(run.group().count("#") for run in RUN.finditer(text))
    if n_tags > MOST:
        return Dropped(KEYWORD_LIST, f"{n_tags} hashtags, at most {MOST} may be")
    return RUN.sub(_as_words, TRAILING.sub("", text))


def _as_words(run: re.Match[str]) -> str:
    return run.group().lstrip("#").replace("#", " ")
