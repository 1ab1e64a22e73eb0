"""No rule of cleaning takes time that grows with the square of a text, whatever the text is made of."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from backend.methods.cleaning import Page, Raw, clean_all, comparison_form, flags_of
from backend.methods.cleaning.addresses import without_addresses
from backend.methods.cleaning.characters import one_form, one_spelling, repair_encoding, without_invisible
from backend.methods.cleaning.hashtags import without_hashtags
from backend.methods.cleaning.keywords import not_a_list
from backend.methods.cleaning.markup import strip_markup
from backend.methods.cleaning.pool import count_dirt, fold_text
from backend.methods.cleaning.repetition import without_repetition
from backend.methods.cleaning.site_names import without_site_name
from backend.methods.cleaning.words import count_words
from backend.methods.contrast import differ, marks_of
from backend.methods.near_duplicates import jaccard
from nightly import nightly

pytestmark = pytest.mark.nightly

Rule = Callable[[str], object]
PAGE = Page("stockandsky.example", "Sky Prints", frozenset({"dailypicture"}))
RULES: dict[str, Rule] = {
    "markup": strip_markup,
    "encoding": repair_encoding,
    "form": one_form,
    "invisible": without_invisible,
    "characters": one_spelling,
    "addresses": without_addresses,
    "site_name": without_site_name(PAGE),
    "hashtags": without_hashtags,
    "keywords": not_a_list,
    "repetition": without_repetition,
    "review": flags_of,
    "words": count_words,
    "fold": fold_text,
    "dirt": count_dirt,
    "marks": marks_of,
}
# What is repeated: nested, never closed, closed too late, or only nearly what a rule looks for.
SEEDS = [
    "a.com/a dog ", "n't www. ",
    "&", ";", "&amp;", "amp;", "&#38;", "#38;", "&#x26;", "&lt;", "&#", "&a", "&amp", "&#9", "&amp;lt;b&amp;gt;", "<",
    ">", "<b>", "<b ", "<b a=", "<b a", "<b\t", "</", "<<", "<!--", "-->", "<!-- ", "<script>", "</script", "<style>",
    "<script", "<o:p>", "<a:", "<!doctype ", "<person>", "< b", "<b><i>", "<b hidden ", "<b hidden", "=", "#", "#a",
    "#a ", " #a", "#1", "#a#", "# ", "#a.", "#a,b", "##", "@", "a@", "@a", "a@b", "a@b.", "a@b.c ", "mailto:",
    "http://", "http://a", "http://. ", "www.", "www.a", "a.com/", "a.", "a.b.", "com/", "a-", "-.", ".com", "/",
    "//", " // ", " | ", " - ", " – ", " :: ", " » ", " « ", "« ", " | Flickr", "Flickr | ", " - Sky Prints", " |",
    "| ", "|", " ", "\t", "\n", "\r\n", "\xa0", "\u3000", "\u2003a", "  a", "\x00", "\x1b[", "\x1b[1;", "\x1b[1m",
    "\x85", "1", "1,", "1.", "1,000", "1,000,", "1 ", "1-", "12:", "555-", "555 123 4567 ", "1234 ", "+1 ", "(555",
    "1/2", "½", "³", "two ", "no ", "red ", "red blue ", "twenty one ", "n't ", "a, ", "a,", ",", ", ", "; ",
    "a and b, ", "dog ", "dogs ", "a", "ab ", "a'", "'", "’", "\"", "“", "(", ")", "( )", "()", "[", ".", "..", "!",
    "?!", "…", "_", "-", "--", "é", "cafÃ©", "Ã", "Ã©", "â\u20acœ", "â\u20ac", "â", "Â", "\u0301", "e\u0301", "´",
    "ſ", "\ufb01", "\uff21", "\ufdfa", "\ufffd", "\ud800", "\u200b", "\u200c", "\u200d", "\u0627\u200d",
    "\u200d \u0627", "\u200f", "\u202e", "\xad", "\ufeff", "\ufe0f", "\u0915\u094d\u200d", "\U0001f3f4", "\U000e0067",
    "\U0001f3f4\U000e0067", "\U0001f3f4\U000e0067\U000e007f", "\u845b\U000e0100", "\U0001f469\u200d",
    "\U0001f469\u200d\U0001f469", "\U0001f415", "1\ufe0f\u20e3", "\U0001f1f3\U0001f1f4", "\u4e00", "\u4e00,",
    "\u0e01", "\u042f ", "the ", "der die das ", "l'eau ", "\\n", "\\", "%", "$", "+", "*", "`",
]  # fmt: skip
AROUND = [
    ("", ""),
    ("a kite @ the sea/shore #sky ", " x"),
    ("&", ""),
    ("<b ", ">"),
    ('"', '"'),
    ("ا", "ا"),
    ("", " #a #b"),
]
FEWEST_SECONDS = 0.02  # below that a machine's own jitter is larger than what is measured


def seconds(rule: Rule, text: str) -> float:
    """The least of two tries, of this process's own time."""
    took = []
    for _ in range(2):
        gc.disable()
        begun = time.process_time()
        rule(text)
        took.append(time.process_time() - begun)
        gc.enable()
        if took[0] < FEWEST_SECONDS:
            break
    return min(took)


def grown(rule: Rule, made: Callable[[int], str], n: int, *, most: float) -> str:
    """What is wrong where a text of 4 n characters takes more than `most` times as long as one of n."""
    large = seconds(rule, made(4 * n))
    if large < FEWEST_SECONDS:
        return ""
    small = max(seconds(rule, made(n)), FEWEST_SECONDS / 4)
    if large <= most * small:
        return ""
    again = min(seconds(rule, made(4 * n)), large), max(seconds(rule, made(n)), small)
    return (
        f"{again[1]:.3f} s for {n:,} characters, {again[0]:.3f} s for 4 times as many"
        if again[0] > most * again[1]
        else ""
    )


def repeated(seed: str, before: str, after: str) -> Callable[[int], str]:
    return lambda n: f"{before}{seed * (n // len(seed))}{after}"


def clean_everywhere(text: str) -> None:
    raws = [Raw(text), Raw(text, by_people=False), Raw(text, PAGE)]
    clean_all(raws, min_words=0, title_min_words=0, tags_of=lambda texts: [{"NOUN"} for _ in texts])
    comparison_form(text)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Tables and models are read once; no seed pays for them."""
    for rule in RULES.values():
        rule("Ein Hund läuft über die grüne Wiese und noch eine #Wiese &amp; Ã©")


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULES)
def test_no_rule_takes_a_time_that_grows_with_the_square(name: str) -> None:
    """A square would be 16 times as long; what is linear is 4 times as long."""
    found = {
        (before, seed, after): wrong
        for seed in SEEDS
        for before, after in AROUND[:2]
        if (wrong := grown(RULES[name], repeated(seed, before, after), 3_000, most=9))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("before", "seed"),
    [("", "&amp;"), ("", "<!--"), ("", "a@b.c "), ("", "dog, "),
     *(nightly(*each) for each in [
         ("&", "amp;"), ("&", "#38;"), ("", "&lt;b&gt;"), ("", " | Flickr"), ("", "#a "), ("ا", "\u200d"), ("", "Ã©"),
         ("", "1,"), ("", "\u3000"), ("", "1️⃣"), ("", "a.com/a dog "), ("", "www.a. "),
     ])],
)  # fmt: skip
def test_the_longest_caption_that_an_import_takes_is_cleaned_in_seconds(before: str, seed: str) -> None:
    text = before + seed * (96_000 // len(seed))
    assert seconds(clean_everywhere, text) < 4


@pytest.mark.nightly
@pytest.mark.parametrize("seed", ["two red dogs and ", "no cat ", "open door ", "1,000 ", "not ", "a ", "½ "])
def test_comparing_two_long_captions_takes_no_time_that_grows_with_the_square(seed: str) -> None:
    def compare(text: str) -> None:
        jaccard(text, f"{text} closed")
        differ(text, f"closed {text}")

    assert grown(compare, repeated(seed, "", ""), 20_000, most=9) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*RULES, "everything"])
def test_no_rule_takes_a_time_that_grows_with_the_square_for_any_seed(name: str) -> None:
    """The whole chain takes as long as all rules, so it meets fewer texts."""
    rule = RULES.get(name, clean_everywhere)
    found = {
        (before, seed, after): wrong
        for seed in SEEDS
        for before, after in (AROUND if name in RULES else AROUND[:2])
        if (wrong := grown(rule, repeated(seed, before, after), 8_000, most=9))
    }
    assert found == {}


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*RULES, "everything"])
def test_no_pair_of_seeds_makes_a_rule_slow(name: str) -> None:
    rule, step = RULES.get(name, clean_everywhere), 4 if name in RULES else 8
    texts = {f"{one}{other}": repeated(f"{one}{other}", "", "") for one in SEEDS[::step] for other in SEEDS[1::step]}
    found = {seed: wrong for seed, made in texts.items() if (wrong := grown(rule, made, 4_000, most=9))}
    assert found == {}
