"""The captions that IMP publishes come through the chain as titles, parsed by the pipeline that comes with Connote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from backend.methods.cleaning import Dropped, clean_text, clean_title
from workers.engines.parser import SpacyParser

CAPTIONS = Path(__file__).resolve().parents[1] / "data" / "imp" / "captions.txt"
# SCIENCE 2.4, rule 8: the paper asks titles for five words and publishes these, so they came from its corpora.
FOUR_WORDS = {"timelapse photography of cars", "landscape photography of lake"}


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    return SpacyParser()


def published() -> list[str]:
    lines = CAPTIONS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.nightly
def test_every_published_caption_of_five_words_is_kept(parser: SpacyParser) -> None:
    def tags_of(texts: Sequence[str]) -> list[frozenset[str]]:
        return [frozenset(token.pos for token in parsed.tokens) for parsed in parser.parse(texts)]

    outcomes = {caption: clean_title(caption, min_words=5, tags_of=tags_of) for caption in published()}

    assert len(outcomes) > 80
    dropped = {caption: outcome for caption, outcome in outcomes.items() if isinstance(outcome, Dropped)}
    assert dropped == dict.fromkeys(FOUR_WORDS, Dropped("too_short", "4 words, 5 needed"))
    assert {caption: text for caption, text in outcomes.items() if text != caption.replace("’", "'")} == dropped


def test_as_captions_of_a_corpus_all_are_kept() -> None:
    assert [text for text in published() if clean_text(text, min_words=3) != text.replace("’", "'")] == []
