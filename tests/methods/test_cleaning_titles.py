"""Titles of web pages through every rule: what each repairs, what each drops, and that twice is once."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.methods.cleaning import (
    Dropped,
    Page,
    Raw,
    clean_all,
    clean_text,
    clean_title,
    find_recurring,
    flags_of,
    registered_domain,
    trace_repairs,
)
from backend.methods.cleaning.addresses import without_addresses
from backend.methods.cleaning.hashtags import without_hashtags
from backend.methods.cleaning.keywords import not_a_list
from backend.methods.cleaning.markup import strip_markup
from backend.methods.cleaning.repetition import content_words, without_repetition
from backend.methods.cleaning.rules import REPAIR, repair, title_rules
from backend.methods.cleaning.speech import with_content
from nightly import nightly

PAGE = Page("stockandsky.example", recurring=frozenset({"dailypicture"}))
PIECES = st.sampled_from(
    [
        "a red kite", "Stock & Sky", "Daily Picture", "café", "cafÃ©", "&amp;", "&lt;b&gt;", "&#35;", "<b>", "</b>",
        "<br/>", "<person>", " | ", " - ", " — ", " :: ", "#", "#kite", " #kite #sky", "http://a.example/b", "de/x",
        "www.a.example", "a@b.org", "(", ")", '"', "“", "â€œ", "\u200b", "\u00a0", "｜", "＃", "＜", "＠",
        "dog dog dog", ".", ",", " ", "\n", "1", "/",
    ]
)  # fmt: skip
MESSY = st.one_of(st.lists(PIECES, max_size=9).map("".join), st.text(max_size=40))


def nouns(texts: Sequence[str]) -> list[Collection[str]]:
    return [{"NOUN"} for _ in texts]


def clean(text: str, *, min_words: int = 5) -> str | Dropped:
    return clean_title(text, page=PAGE, min_words=min_words, tags_of=nouns)


@pytest.mark.parametrize(
    ("raw", "stripped"),
    [
        ("The cafÃ© at night &amp; rain", "The cafÃ© at night & rain"),
        ("a <b>red</b> kite", "a red kite"),
        ("a [b]red[/b] [url=http://x.org/a]kite[/url] and [a dog](https://x.org/b)", "a red kite and a dog"),
        ("the sign says [b] and [sic] (1)", "the sign says [b] and [sic] (1)"),
        ("a red<br>kite", "a red kite"),
        ("Red kites.<br/>White gulls", "Red kites. White gulls"),
        ("a <a href='x.html' title=\"y\">kite</a>, a gull", "a kite, a gull"),
        ("the <i>kite</i>'s tail", "the kite's tail"),
        ("&lt;em&gt;Kites&lt;/em&gt; over the sea", "Kites over the sea"),
        ("kites<!-- more --> and gulls", "kites and gulls"),
        ("kites <script>var a = '<b>';</script>and gulls", "kites and gulls"),
        ("The head of <person>'s kite", "The head of <person>'s kite"),
        ("I <3 kites, 3 < 4 > 2", "I <3 kites, 3 < 4 > 2"),
        ("Jack & Jill; a hill", "Jack & Jill; a hill"),
        ("a < b and c > d, 5 <b and c> 2", "a < b and c > d, 5 <b and c> 2"),
        ("black&centre, rock&roll, AT&T", "black&centre, rock&roll, AT&T"),
        ("&copy 2019 it&#39s &frac12; &amp;amp;lt;b&amp;gt;kites", "© 2019 it's ½ kites"),
        ("kites <input disabled/>and <o:p></o:p>gulls", "kites and gulls"),
        ("kites <!-- never closed and gulls", "kites <!-- never closed and gulls"),
    ],
)
def test_tags_go_and_never_join_words(raw: str, stripped: str) -> None:
    assert strip_markup(raw) == stripped


@pytest.mark.parametrize(
    ("raw", "bare"),
    [
        ("A lighthouse https://lights.example/p/1?a=b#c", "A lighthouse"),
        ("See www.lights.example: a lighthouse", "See: a lighthouse"),
        ("A lighthouse (flickr.com/photos/1).", "A lighthouse."),
        ("A lighthouse - prints@lights.example", "A lighthouse"),
        ("mailto:a.b+c@lights.co.uk A lighthouse", "A lighthouse"),
        ("https://lights.example/", ""),
        ("cats and/or dogs, 1/2 of them at 5 p.m./6 p.m.", "cats and/or dogs, 1/2 of them at 5 p.m./6 p.m."),
        ("a dog @ the beach", "a dog @ the beach"),
        ("Amazon.com has lighthouses", "Amazon.com has lighthouses"),
    ],
)
def test_addresses_go_with_the_brackets_and_separators_around_them(raw: str, bare: str) -> None:
    assert without_addresses(raw) == bare


@pytest.mark.parametrize(
    ("raw", "outcome"),
    [
        ("A red barn at dusk #barn #dusk", "A red barn at dusk"),
        ("A #red barn at dusk. #barn#dusk", "A red barn at dusk."),
        ("A barn #nofilter!", "A barn"),
        ("The #1 beach, item #070/155", "The #1 beach, item #070/155"),
        ("#barn #dusk", ""),
        ("one #a two #b three #c four", "one a two b three c four"),
        ("one #a two #b three #c four #d", Dropped("keyword_list", "4 hashtags, at most 3 may be")),
        ("a note in C# and F#m", "a note in C# and F#m"),
        ("A red barn #barn #dusk - Barns", "A red barn - Barns"),
        ("A red #barn - at dusk", "A red barn - at dusk"),
    ],
)
def test_trailing_hashtags_go_inner_ones_are_words_and_four_are_a_list(raw: str, outcome: str | Dropped) -> None:
    assert without_hashtags(raw) == outcome


@pytest.mark.parametrize(
    ("title", "outcome"),
    [
        ("dog dogs puppy dog breed dog training dog", "3 of 8 content words are repeated (0.38)"),
        ("dog cat dog bird", "1 of 4 content words are repeated (0.25)"),
        ("Dog DOG cat bird fish", None),
        ("the lake, the sky, the stillness of the hour", None),
        ("Le chat de la maison et la souris de la cave dans la nuit", None),
        ("die Katze auf der Mauer, die Sonne auf der Wiese und die Vögel in der Luft", None),
        ("el perro de la casa de la playa y el gato de la casa de la montaña", None),
        ("Der Hund und der Ball und der Garten", None),
        ("das Meer, das Licht, das Boot", None),
        ("Собака и кошка и мышь в доме и в саду", None),
        ("Con mèo và con chó và con chuột trong vườn", None),
        ("Katze Katzen süße Katze Haus Katze Garten Katze", "3 of 8 content words are repeated (0.38)"),
        ("hat winter hat wool hat red hat", "3 of 7 content words are repeated (0.43)"),
        ("1.5 and 1.6 and 1.7 and 1.8", None),
        ("dog dog dog", None),
        ("A dog's dogs", None),
    ],
)
def test_more_than_a_fifth_of_the_content_words_repeated_is_a_keyword_list(title: str, outcome: str | None) -> None:
    assert without_repetition(title) == (Dropped("repetition", outcome) if outcome else title)


@pytest.mark.parametrize(
    ("text", "n_keywords"),
    [
        ("dog, puppy, cute pet, animal", 4),
        ("sunset;beach;ocean;summer holiday;sand", 5),
        ("woman background, sight royalty free, woman stock photo, within, sight", 5),
        ("Hund, Katze, Maus, süßes Tier", 4),
        ("wallpaper, HD, 4K, sky, sea, free download", 5),
        ("red, green, blue and yellow boats", None),
        ("a man, a woman, a boy, a dog", None),
        ("mist, mountains, silence", None),
        ("fruit including apples, pears, plums, figs", None),
        ("Cloud Gate, steel plates, March 29, 2004", None),
        ("Old, quiet, lonely, a house that nobody has entered in years", None),
        ("The lake. Mist, mountains, silence, morning", None),
        ("Le chat, la souris, le chien, la vache", None),
        ("1,000, 2,000, 3,000, 4,000", None),
        ("公園で、犬が、走って、いる", None),
    ],
)
def test_four_keywords_between_commas_are_a_list_and_an_enumeration_is_none(text: str, n_keywords: int | None) -> None:
    expected = Dropped("keyword_list", f"{n_keywords} keywords between commas") if n_keywords else text
    assert not_a_list(text) == expected


def test_function_words_are_no_content() -> None:
    assert content_words("The lake, and the SKY's over us") == ["lake", "sky's"]


@pytest.mark.parametrize("tag", ["NOUN", "PROPN", "VERB", "ADJ"])
def test_one_noun_verb_or_adjective_is_enough(tag: str) -> None:
    assert with_content("so it goes", {"ADV", tag}) == "so it goes"


def test_a_title_with_none_of_them_is_dropped_and_one_that_no_parser_read_is_kept() -> None:
    assert with_content("so it is", {"PRON", "ADV", "AUX"}) == Dropped(
        "part_of_speech", "No noun, verb or adjective, only ADV AUX PRON"
    )
    assert with_content("so it is", None) == "so it is"


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        ("", "empty"),
        ("https://lights.example/ #light", "empty"),
        ("<br/>&nbsp;", "empty"),
        ("#a #b #c #d", "keyword_list"),
        ("kite kite kite kite kite", "repetition"),
        ("IMG_0042.JPG | Stock & Sky", "too_short"),
        ("A red kite flies", "too_short"),
    ],
)
def test_each_drop_names_its_rule(raw: str, rule: str) -> None:
    outcome = clean(raw)
    assert isinstance(outcome, Dropped) and outcome.rule == rule


@pytest.mark.parametrize(
    ("raw", "outcome"),
    [
        ("Tab\tand \x01bell\x07 and \x1b[31mred\x1b[0m kite", "Tab and bell and red kite"),
        ("a\u202ered\u200b kite\ufeff over the\r\nsea", "ared kite over the sea"),
        ("\x00\x07\u200b\ufeff", Dropped("empty", "Nothing is left to read.")),
        ("🌆🌆 🪁", Dropped("too_short", "0 words, 5 needed")),
        ("🌆🌆 | Stock & Sky", Dropped("too_short", "0 words, 5 needed")),
        ("A red kite over the sea 🪁", "A red kite over the sea 🪁"),
        ("公園で犬が走っている朝｜Stock & Sky", "公園で犬が走っている朝|Stock & Sky"),
        ("Закат над озером поздней осенью | Stock & Sky", "Закат над озером поздней осенью"),
        ("غروب الشمس على البحر في الشتاء", "غروب الشمس على البحر في الشتاء"),
    ],
)
def test_titles_in_other_languages_with_control_characters_or_only_emoji(raw: str, outcome: str | Dropped) -> None:
    assert clean(raw) == outcome


def test_the_rules_come_in_their_order() -> None:
    """Four hashtags and a repetition: rule 5. A repetition without a noun: 6. Three words without a noun: 8."""
    repairing = [rule.name for rule in title_rules(PAGE)]
    assert repairing == ["markup", "encoding", "characters", "addresses", "site_name", "hashtags"]
    rules = [dropped_by(text) for text in ("now now now now #a #b #c #d", "kite kite kite kite", "so it is", "#a <b>")]
    assert rules == ["keyword_list", "repetition", "part_of_speech", "empty"]
    assert dropped_by("A red kite flies", tag="NOUN") == "too_short"


def dropped_by(text: str, *, tag: str = "ADV") -> str:
    """The rule that drops a title all of whose words are tagged alike."""
    outcome = clean_title(text, page=PAGE, tags_of=lambda texts: [{tag} for _ in texts])
    assert isinstance(outcome, Dropped), outcome
    return outcome.rule


def test_five_words_are_enough() -> None:
    assert clean("Energy-saving mode has been activated.") == "Energy-saving mode has been activated."


def test_what_is_no_title_keeps_what_only_titles_lose() -> None:
    for text in (
        "Two men | Stock & Sky",
        "side by side by side by side",
        "look at #this #that #here #there",
        "sun, sea, sand, summer",
    ):
        assert clean_text(text, min_words=3) == text


def test_each_caption_gets_the_rules_of_its_source_and_tells_which_repaired_it() -> None:
    title, caption = clean_all(
        [Raw("A &quot;red kite&quot; over  the sea | Stock & Sky", PAGE), Raw("The cafÃ©  | Stock & Sky")],
        min_words=3,
        title_min_words=5,
        tags_of=nouns,
    )
    assert (title.outcome, title.repaired) == ('A "red kite" over the sea', ("markup", "characters", "site_name"))
    assert (caption.outcome, caption.repaired) == ("The café | Stock & Sky", ("encoding", "characters"))


def test_every_change_on_the_way_can_be_looked_at() -> None:
    changes = trace_repairs(Raw("A &lt;b&gt;red kite&lt;/b&gt;  | Stock & Sky", PAGE))
    assert [(one.rule, one.after) for one in changes] == [
        ("characters", "A &lt;b&gt;red kite&lt;/b&gt; | Stock & Sky"),
        ("markup", "A red kite | Stock & Sky"),
        ("site_name", "A red kite"),
    ]
    assert trace_repairs(Raw("A red kite")) == ()


@given(MESSY)
def test_the_way_ends_where_repairing_ends(raw: str) -> None:
    for page, rules in ((PAGE, title_rules(PAGE)), (None, REPAIR)):
        changes, repaired = trace_repairs(Raw(raw, page)), repair(raw, rules)
        assert {change.rule for change in changes} - {"hashtags"} == set(repaired.by) - {"hashtags"}
        if isinstance(repaired.outcome, str) or repaired.outcome.rule != "unstable":
            assert (changes[-1].after if changes else raw) == repaired.outcome


def test_the_parser_is_asked_once_about_each_different_title_that_is_left() -> None:
    asked: list[list[str]] = []

    def tags_of(texts: Sequence[str]) -> list[Collection[str]]:
        asked.append(list(texts))
        return nouns(texts)

    texts = ["a kite over the sea", "kite kite kite kite", "a  kite over the sea", "a gull over the sea"]
    raws = [Raw(text, PAGE) for text in texts] + [Raw("a caption is not asked")]
    clean_all(raws, min_words=3, title_min_words=5, tags_of=tags_of)
    clean_all([Raw("nor is one alone")], min_words=3, title_min_words=5, tags_of=tags_of)
    assert asked == [["a kite over the sea", "a gull over the sea"]]


def test_a_title_in_another_language_is_flagged_and_no_english_parser_is_asked_about_it() -> None:
    def never(texts: Sequence[str]) -> list[Collection[str]]:
        raise AssertionError(texts)

    [cleaned] = clean_all([Raw("公園で犬が走る｜写真の森", Page())], min_words=3, title_min_words=3, tags_of=never)
    assert (cleaned.outcome, cleaned.flags) == ("公園で犬が走る|写真の森", ("non_english",))


def test_what_is_dropped_has_no_flags() -> None:
    [cleaned] = clean_all([Raw("porn", PAGE)], min_words=3, title_min_words=5, tags_of=nouns)
    assert cleaned.flags == ()


@pytest.mark.parametrize(
    "piece",
    ["a ", "#a", "<b ", " | ",
     *(nightly(each) for each in [
         "a", "a.", "a-", "a@", "@", "#", "#1", "# a", "www.", "http://", "com/", "<", "<!--", "<script>", "&amp;",
         "&", " | Flickr", " - a", '"', "(", "( )", " .", "ä", "â€", "1-", "555-", "1234 ", "'", "．＠",
     ])],
)  # fmt: skip
def test_a_title_of_100_kb_takes_no_longer_for_being_odd(piece: str) -> None:
    """A pattern that tries everything twice would need hours for one of these."""
    title = f"a kite @ the sea/shore #sky {piece * (100_000 // len(piece))} x"
    clean(title)
    flags_of(title)


@given(MESSY, st.integers(0, 5))
@example('"http://a.example/b"', 0)
@example("&amp;lt;b&amp;gt;Stock &amp;amp; Sky | a", 1)
@example('"Stock & Sky - a kite #b"', 0)
def test_cleaning_a_title_twice_is_cleaning_it_once(raw: str, min_words: int) -> None:
    once = clean(raw, min_words=min_words)
    if isinstance(once, str):
        assert clean(once, min_words=min_words) == once
        assert once == once.strip() != ""


@given(MESSY)
def test_no_title_is_longer_than_its_raw_text_with_every_character_written_out(raw: str) -> None:
    once = clean(raw, min_words=0)
    assert isinstance(once, Dropped) or len(once) <= 18 * len(raw)


def test_alt_texts_of_the_web_are_cleaned_or_dropped_for_a_reason_and_then_stay(shared_data: Path) -> None:
    with gzip.open(shared_data / "noisy_text" / "laion_alt_text_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = [(registered_domain(row["host"]), row["text"]) for row in rows]
    recurring = find_recurring(found)
    raws = [Raw(text, Page(domain, recurring=recurring.get(domain, frozenset()))) for domain, text in found]
    cleaned = clean_all(raws, min_words=3, title_min_words=5, tags_of=nouns)
    kept = [Raw(one.outcome, raw.page) for raw, one in zip(raws, cleaned, strict=True) if isinstance(one.outcome, str)]
    dropped = Counter(one.outcome.rule for one in cleaned if isinstance(one.outcome, Dropped))
    repaired = Counter(rule for one in cleaned for rule in one.repaired)
    assert len(rows) == 6000 and len(kept) > 4000
    assert set(dropped) == {"empty", "keyword_list", "repetition", "too_short"}
    assert set(repaired) == {"markup", "encoding", "characters", "addresses", "site_name", "hashtags"}
    again = clean_all(kept, min_words=3, title_min_words=5, tags_of=nouns)
    assert [one.outcome for one in again] == [raw.text for raw in kept]
