"""The corpus of the demo holds raw titles; what cleaning leaves of them is fit to be shown and released."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from backend.methods.cleaning import Dropped, Raw, clean_all
from workers.demo.world import DEFAULT
from workers.training.postcards.corpus import corpus, targets
from workers.training.postcards.titles import TAGS

pytestmark = pytest.mark.nightly

DIRT = re.compile(
    r"<[a-z/!]|&[a-z#0-9]+;|#\w|\w@\w|https?:|www\.|â€|Â|[\u200b\ufeff\u00ad\u2060]|royalty free|\s{2}", re.I
)


def test_no_markup_hashtag_address_or_list_of_keywords_is_left_in_the_corpus_of_the_demo() -> None:
    drawn = corpus(targets(DEFAULT.targets, DEFAULT.seed), DEFAULT.corpus, DEFAULT.seed)
    texts = [pair.caption.text for pair in drawn]
    cleaned = clean_all(
        [Raw(text, by_people=False) for text in texts],
        min_words=3,
        title_min_words=5,
        tags_of=lambda titles: [None] * len(titles),
    )
    kept = [one.outcome for one in cleaned if isinstance(one.outcome, str)]
    dropped = Counter(one.outcome.rule for one in cleaned if isinstance(one.outcome, Dropped))

    assert sum(bool(DIRT.search(text)) for text in texts) > 80
    assert [text for text in kept if DIRT.search(text) or set(TAGS) & set(text.split()[-4:])] == []
    assert len(kept) > 0.95 * len(texts)
    assert dropped.keys() == {"keyword_list", "too_short"}
