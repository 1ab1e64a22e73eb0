"""Raw web titles: what is the matter with each is known, so cleaning can be measured on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.cleaning import Dropped, Page, clean_title, registered_domain
from workers.training.postcards.captions import is_true_of
from workers.training.postcards.titles import SEPARATORS, SITES, Mess, Title, as_caption, title_of
from workers.training.postcards.world import scene_of

pytestmark = pytest.mark.nightly

SEEDS = st.integers(0, 10**8)


def clean(text: str, title: Title) -> str | Dropped:
    """As a title of its page, without the parser: rule 8 has its own tests."""
    page = Page(registered_domain(title.domain))
    return clean_title(text, page=page, min_words=5, tags_of=lambda texts: [{"NOUN"} for _ in texts])


def is_right(title: Title) -> bool:
    """Whether cleaning gives the clean text back, or drops the title for the reason expected.

    Two reasons are fair beside the one that was laid on first: hashtags are counted before words are, and of a few
    sentences of Postcards more than a fifth is repeated as they stand.
    """
    outcome = clean(title.text, title)
    if title.clean is not None:
        return outcome in (title.clean, clean(title.clean, title))
    expected = {title.dropped} | ({"keyword_list"} if Mess.MANY_HASHTAGS in title.messes else set())
    return isinstance(outcome, Dropped) and outcome.rule in expected


@pytest.mark.parametrize("mess", Mess)
def test_cleaning_gives_back_the_caption_behind_a_title(mess: Mess) -> None:
    titles = [title_of(scene_of(seed), 1, (mess,)) for seed in range(125)]

    assert [title for title in titles if not is_right(title)] == []


@pytest.mark.parametrize("mess", Mess)
def test_hardly_a_sentence_is_lost_that_a_mess_was_laid_on(mess: Mess) -> None:
    titles = [title_of(scene_of(seed), 1, (mess,)) for seed in range(125)]
    lost = [title for title in titles if title.clean and isinstance(clean(title.text, title), Dropped)]

    assert len(lost) <= 2


def test_of_a_thousand_titles_with_several_messes_nearly_all_are_put_right() -> None:
    """The others: a sentence that is repeated and then cut off, and spaces within the quotes around a whole title."""
    titles = [title_of(scene_of(seed), seed) for seed in range(1000)]
    wrong = [title for title in titles if not is_right(title)]

    print(f"right: {1 - len(wrong) / len(titles):.1%}")
    assert len(wrong) <= 5


@given(SEEDS, SEEDS, st.sampled_from(list(Mess)))
def test_a_title_is_either_clean_in_the_end_or_dropped(scene: int, seed: int, mess: Mess) -> None:
    title = title_of(scene_of(scene), seed, (mess,))

    assert title.messes == (mess,)
    assert (title.clean is None) != (title.dropped is None)
    assert title.text != title.caption.text
    assert title.caption.kind == "literal" and is_true_of(title.caption, scene_of(scene))


@given(SEEDS, SEEDS)
def test_a_title_is_the_same_each_time_and_never_holds_a_whole_mess_beside_another(scene: int, seed: int) -> None:
    title = title_of(scene_of(scene), seed)

    assert title == title_of(scene_of(scene), seed)
    assert 1 <= len(title.messes) <= 3
    assert len(title.messes) == 1 or not {Mess.CAMERA_FILE, Mess.KEYWORDS} & set(title.messes)


def test_site_names_come_with_every_separator_before_and_after() -> None:
    after = [title_of(scene_of(seed), 1, (Mess.SITE_SUFFIX,)) for seed in range(200)]
    before = [title_of(scene_of(seed), 1, (Mess.SITE_PREFIX,)) for seed in range(200)]

    assert {title.text[len(title.caption.text) : -len(title.site)] for title in after} == set(SEPARATORS)
    assert {title.text[len(title.site) : -len(title.caption.text)] for title in before} == set(SEPARATORS)
    assert {title.domain for title in after} == set(SITES.values())


def test_mojibake_looks_as_browsers_show_it() -> None:
    shown = {mark for seed in range(60) for mark in ("â€œ", "Â\xa0") if mark in _misread(seed)}

    assert shown == {"â€œ", "Â\xa0"}


def _misread(seed: int) -> str:
    return title_of(scene_of(seed), 1, (Mess.MOJIBAKE,)).text


def test_a_keyword_list_and_a_repeated_sentence_repeat_more_than_a_fifth_of_their_words() -> None:
    """SCIENCE 2.4, rule 6, drops above 0.2: r is 1 - unique / total over the words."""
    for mess in (Mess.KEYWORDS, Mess.REPEATED):
        for seed in range(100):
            words = title_of(scene_of(seed), 1, (mess,)).text.replace(",", "").casefold().split()
            assert 1 - len(set(words)) / len(words) > 0.2


def test_a_title_that_says_nothing_claims_nothing() -> None:
    said = [as_caption(scene_of(seed), seed) for seed in range(300)]
    messes = [title_of(scene_of(seed), seed).messes for seed in range(300)]

    empty = {not caption.claims for caption, mess in zip(said, messes, strict=True) if mess == (Mess.CAMERA_FILE,)}
    full = {bool(caption.claims) for caption, mess in zip(said, messes, strict=True) if mess == (Mess.CAPITALS,)}
    assert empty == {True} and full == {True}
