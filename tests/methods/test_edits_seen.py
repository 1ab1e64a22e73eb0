"""What can be seen of a text and of its edits, in every script and of emoji."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest

from backend.methods.edits.seen import IGNORED, is_seen, look_alike


def tags(letters: str) -> str:
    """As flags of regions are spelled: gbeng is England's, gbsct Scotland's."""
    return "".join(chr(0xE0000 + ord(letter)) for letter in letters) + "\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\u2003", "\n", "\u200b", "\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\ufe0f", "\u034f", "\u0301",
        "\u180e", "\U000e0067\U000e007f", "\ue000", "\u202e \u200d",
    ],
    ids=ascii,
)  # fmt: skip
def test_nothing_is_seen_of_what_only_joins_steers_or_leaves_room(text: str) -> None:
    assert not is_seen(text)


@pytest.mark.parametrize(
    "text",
    [".", "❤\ufe0f", "が", "हिन्दी", "1\ufe0f\u20e3", "👨\u200d👩\u200d👧", "\u200fكلب", "🩷", "\U0001fae9"],
    ids=ascii,
)
def test_marks_and_joiners_hide_nothing_that_stands_beside_them(text: str) -> None:
    assert is_seen(text)


@pytest.mark.parametrize(
    "other",
    [
        "A r\u200bed car", "A r\u00aded car", "\ufeffA red car", "A red\ufe0f car", "A\u00a0red car",
        "A red car ", "A\nred car", "A  red car", "A \u200b red\u2003car", "A red\u2060 car", "A r\u3164ed car",
        "A red\U000e0067 car", "A red\x07 car", "A red car", "A red\U000e0100 car",
        "A r\u200ced car", "A red car\u200d",
        "\u202aA red car\u202c", "\u2066A red car\u2069", "A red car\u202c", "A red\u200f car", "A red\u200e car",
        "A red\ufff9 car", "A red\U0001d159 car", "A red\U00016fe4 car",
    ],
    ids=ascii,
)  # fmt: skip
def test_what_nobody_can_see_makes_no_difference(other: str) -> None:
    assert look_alike("A red car", other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("a red car", "A red car"),
        ("car park", "carpark"),
        ("Cafe by the sea", "Cafe\u0301 by the sea"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧\u200d👦"),
        ("👨\u200d👩", "👨👩"),
        ("میخواهم", "می\u200cخواهم"),
        ("כלב על הדשא", "חתול על הדשא"),
        ("قطة", "\u200fهذه قطة"),
        ("ป่า", "ป้า"),
        ("दिन", "दीन"),
        ("👋🏽", "👋🏿"),
        ("🇩🇪", "🇫🇷"),
        (f"🏴{tags('gbeng')} flies", f"🏴{tags('gbsct')} flies"),
        ("a sign", "a \ue000 sign"),
        ("A red car", "\u202eA red car"),  # which is drawn from right to left
        ("⠕⠺", "⠕\u2800⠺"),
        ("כלב C++!", "כלב C++\u200f!"),
        ("שלום (a)", "שלום (a)\u200e"),
        ("שלום a", "שלום \u2067a\u2069"),
        ("A red car", "\u2067A red car!\u2069"),
        ("I \u2764 dogs", "I \u2764\ufe0f dogs"),
        ("葛", "葛\U000e0100"),
        ("\u1828", "\u1828\u180b"),
        ("قط", "قط\u200d"),
        ("a face", "a \U0001fae9 face"),  # newer than the tables of this Python may be
    ],
    ids=ascii,
)  # fmt: skip
def test_what_is_drawn_differently_differs(text: str, other: str) -> None:
    assert not look_alike(text, other)


def test_an_accent_written_as_one_sign_or_as_two_looks_the_same() -> None:
    assert look_alike("Caf\u00e9 by the sea", "Cafe\u0301 by the sea")


def test_the_ranges_hold_every_sign_of_format_but_those_that_are_drawn_or_join() -> None:
    """The tables of this Python know no Default_Ignorable; what they call a sign of format comes near."""
    hidden = re.compile(f"[{IGNORED}]")
    signs = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"}
    drawn = {unicodedata.name(each) for each in signs if not hidden.match(each)}
    assert {name.split()[0] for name in drawn} <= {
        "ARABIC", "SYRIAC", "KAITHI", "MONGOLIAN", "EGYPTIAN", "SHORTHAND", "ZERO",
        "LEFT-TO-RIGHT", "RIGHT-TO-LEFT", "FIRST", "POP",
    }  # fmt: skip
    assert {name for name in drawn if name.startswith("ZERO")} == {"ZERO WIDTH JOINER", "ZERO WIDTH NON-JOINER"}
