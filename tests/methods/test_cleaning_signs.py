"""Signs that mean something survive cleaning, as a person's caption, as a corpus's and as a title."""

from __future__ import annotations

import unicodedata

import pytest

from backend.methods.cleaning import Page, Raw, clean_all
from backend.methods.cleaning.characters import one_form, usual_forms
from backend.methods.cleaning.pool import fold_text

SIGNS = [
    "a cube of 10³ metres, 20² wide and 10⁻³ thick",
    "H₂O and CO₂ in a glass, x⁻¹ on the wall",
    "25º C, the 1ª edition, Nº 5, the 3ʳᵈ of May",
    "½ a melon, ¾ of a pie, 1½ cups, ⅓ full, 1⁄2 empty",
    "Lego™ bricks, a © sign, ® and ℠ and ℗",
    "№ 5 at 20 ℃ or 68 ℉, 5 µm, 2 kΩ, 40 m², 3 ㎡, 5 ㎞",
    "① first, ⑩ tenth, Ⅻ o'clock, ⒈ and ⑴ and Ⓜ",
    "a 6′2″ tall man, 5″ off the wall",
    "−5 °C, ±2, 3 × 4 ÷ 2 ≠ 5, ∞, √2, π, ∑",
    "$5, €5, £5, ¥5, ₹5, 5 ¢, 5‰, 50%",
    "1,5 or 1.5 or 1 000 or 1,000.50",
    "3:10 to Yuma at 4/5 of 16:9",
    "O'Brien drives for AT&T and M&Ms",
    "C++ and C# and F# on a shelf",
    "a < b, b > c and 3 <5> 4",
    "5 <b and c> 2 are numbers",
    "I <3 kites; ♥ and ❤️ and ♀♂",
    "an arrow → a house ⇒ a door ↔ a wall",
    "press 1️⃣ or #️⃣ or *️⃣ to go on",
    "England 🏴󠁧󠁢󠁥󠁮󠁧󠁿, Scotland 🏴󠁧󠁢󠁳󠁣󠁴󠁿, Wales 🏴󠁧󠁢󠁷󠁬󠁳󠁿, Texas 🏴󠁵󠁳󠁴󠁸󠁿",
    "a pirate 🏴‍☠️, a rainbow 🏳️‍🌈, Norway 🇳🇴",
    "a family 👨‍👩‍👧‍👦, an astronaut 👩🏽‍🚀, ❤️‍🔥, 🐻‍❄️, 👁️‍🗨️",
    "‼️ and ⁉️ and ℹ️ and ™️ and Ⓜ️ and 🈁 and ㊙️",
    "☀︎ as a text, ☀️ as an emoji",
    "نمی‌خواهم بروم به خانه PDF‌های من",
    "אני כותב ב־C++‎ בבית של O'Brien‏!",
    "عنوان ‏C++‏ على الحائط ﷺ ﷼ 5؜%",
    "क्‍ष और वर्क्‌शॉप की दीवार",
    "ന്‍ എന്ന അക്ഷരം ഇവിടെ",
    "葛󠄀飾区の葛󠄁の写真です",
    "ㅋㅋㅋ 웃는 사람 둘",
    "naïve Ångström, œuvre, Straße, Łódź, ﬂ",
    "« Le lac » en hiver – l'été",
    "a café́ with two accents",
    "The head of <person>'s kite",
]


@pytest.mark.parametrize("text", [text for text in SIGNS if "ﬂ" not in text])
def test_what_means_something_stays_in_every_source(text: str) -> None:
    raws = [Raw(text), Raw(text, by_people=False), Raw(text, Page("stockandsky.example"))]
    cleaned = clean_all(raws, min_words=0, title_min_words=0, tags_of=lambda texts: [{"NOUN"} for _ in texts])
    assert [one.repaired for one in cleaned] == [()] * 3
    assert {one.outcome for one in cleaned if isinstance(one.outcome, str)} == {text}


@pytest.mark.parametrize(
    ("raw", "usual"),
    [
        ("ＦＵＬＬ　ｗｉｄｔｈ　１２", "FULL width 12"),
        ("ﾊﾝｶｸ ｶﾞ", "ハンカク ガ"),
        ("ﬁne oﬃce, ĳs", "fine office, ijs"),
        ("𝓑𝓮𝓪𝓾𝓽𝓲𝓯𝓾𝓵 𝟙𝟚 lake", "Beautiful 12 lake"),
        ("a\u00a0red\u202fkite…", "a red kite..."),
        ("ﻣﺮﺣﺒﺎ", "مرحبا"),
        ("cafe\u0301, don´t", "café, don't"),
    ],
)
def test_another_shape_of_the_same_letters_becomes_the_usual_one(raw: str, usual: str) -> None:
    [cleaned] = clean_all([Raw(raw)], min_words=0, title_min_words=0, tags_of=list)
    assert cleaned.outcome == usual


def test_no_character_becomes_another_number_than_it_is() -> None:
    """Over all of Unicode: a digit only becomes a digit of the same value, and a sign for a number stays."""
    for code, form in usual_forms().items():
        if chr(code).isnumeric():
            assert unicodedata.numeric(chr(code)) == unicodedata.numeric(form), hex(code)


def test_the_usual_form_of_a_text_is_its_own_usual_form() -> None:
    every = [chr(code) for code in range(0x20000) if not (0xD800 <= code < 0xE000 or chr(code).isspace())]
    assert [character for character in every if one_form(one_form(character)) != one_form(character)] == []


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("a\u202ered\u202c kite", "ared kite"),
        ("a \u200fred\u200e kite", "a red kite"),
        ("a \U000e0067\U000e0062red kite", "a red kite"),
        ("🏴\U000e0067\U000e0062 kite", "🏴 kite"),
        ("a \U000e0100kite", "a kite"),
        ("a\u200dred \u200ckite\u200d", "ared kite"),
        ("🐕\u200d and 🐈", "🐕 and 🐈"),
    ],
)
def test_invisible_litter_goes(raw: str, cleaned: str) -> None:
    [outcome] = clean_all([Raw(raw)], min_words=0, title_min_words=0, tags_of=list)
    assert outcome.outcome == cleaned


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10³ stars", "103 stars"), ("1.5 m", "15 m"), ("1,5 m", "15 m"), ("3:10 to Yuma", "310 to Yuma"),
        ("10–20 birds", "1020 birds"), ("-5 degrees", "5 degrees"), ("50% off", "50 off"), ("C# book", "C book"),
        ("C++ book", "C book"), ("½ cup", "12 cup"), ("25º", "25o"), ("H₂O", "HO"),
    ],
)  # fmt: skip
def test_texts_with_other_numbers_are_not_the_same_text(one: str, other: str) -> None:
    assert fold_text(one) != fold_text(other)


def test_spellings_of_one_number_and_one_sign_are_the_same_text() -> None:
    assert fold_text("1,500 birds") == fold_text("1500 birds!")
    assert fold_text("a ❤️ on a wall") == fold_text("A ❤ on a wall.")
