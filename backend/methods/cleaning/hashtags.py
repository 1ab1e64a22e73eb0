"""Rule 5: hashtags. Those after a sentence go, those within it become words; more than three are a list."""

from __future__ import annotations

import re

from backend.methods.cleaning.outcome import KEYWORD_LIST, Dropped, Outcome
from backend.methods.cleaning.site_names import SEPARATOR

MOST = 3
# One or several set without a space; with a letter, since "the #1 beach" is no tag. Nothing is ever tried twice.
RUN = re.compile(r"(?<![\w&])(?:#(?=\d*+[^\W\d])\w++)++")
AFTER_TAGS = " \t\n.,;!"


def without_hashtags(text: str) -> Outcome:
    """`text` without its last hashtags and with the others as words; `keyword_list` where there are more than three.

    >>> without_hashtags("A #red barn at dusk #barn #dusk")
    'A red barn at dusk'
    """
    if "#" not in text:
        return text
    runs = list(RUN.finditer(text))
    n_tags = sum(map(_count, runs))
    if n_tags > MOST:
        return Dropped(KEYWORD_LIST, f"{n_tags} hashtags, at most {MOST} may be")
    return RUN.sub(_as_words, _without_blocks(text, runs))


def _without_blocks(text: str, runs: list[re.Match[str]]) -> str:
    """`text` without the hashtags that follow a sentence: at the end, or several of them before a separator."""
    blocks: list[list[re.Match[str]]] = []
    for run in runs:
        is_next = blocks and not text[blocks[-1][-1].end() : run.start()].strip(AFTER_TAGS)
        blocks[-1].append(run) if is_next else blocks.append([run])
    for block in reversed(blocks):
        start, end = block[0].start(), block[-1].end()
        if start and not text[start - 1].isspace():
            continue
        if not text[end:].strip(AFTER_TAGS):
            text = text[:start].rstrip()
        elif sum(map(_count, block)) > 1 and SEPARATOR.match(text, end):
            text = text[:start].rstrip() + text[end:]
    return text


def _count(run: re.Match[str]) -> int:
    return run.group().count("#")


def _as_words(run: re.Match[str]) -> str:
    return run.group().lstrip("#").replace("#", " ")
