"""What a person should look at: other languages, words for adults, personal data. Nothing is dropped for it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from backend.methods.cleaning.review import flags_of, is_english

FOREIGN = [
    "Ein Hund läuft über die grüne Wiese",
    "Coucher de soleil sur la plage en hiver",
    "Un gato negro duerme en la ventana de la casa",
    "Il tramonto sul lago di montagna in autunno",
    "Pôr do sol na praia com duas crianças",
    "Zonsondergang boven het strand in de winter",
    "En röd stuga vid sjön på sommaren",
    "Kırmızı elbiseli kadın denize bakıyor",
    "Закат над озером",
    "公園で犬が走る",
    "一只狗在草地上跑",
    "해변의 일몰 사진",
    "สุนัขวิ่งในสวน",
    "כלב רץ על הדשא",
    "غروب الشمس على البحر",
    "कुत्ता घास पर",
]
ENGLISH = [
    "Sunset captured on a single branch.",
    "timelapse photography of cars",
    "Ruaha River Lodge",
    "Cape Town Helicopter Tour: Atlantic Coast",
    "IMG_4711.JPG",
    "🐕🐈",
    "12 - 14",
    "",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_another_language_is_flagged(text: str) -> None:
    assert flags_of(text) == ("non_english",)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_names_and_what_is_too_short_to_say_are_not(text: str) -> None:
    assert flags_of(text) == ()


def test_one_foreign_name_does_not_make_a_title_foreign() -> None:
    assert is_english("The sunset over Szczebrzeszyn and Łódź")


def test_words_for_adults_are_flagged_and_birds_are_not() -> None:
    assert flags_of("A nude woman beside the sea") == ("adult",)
    assert flags_of("A cock and a great tit in a pussy willow") == ()


@pytest.mark.parametrize(
    ("text", "is_personal"),
    [
        ("Prints from jane@lights.example for the wall", True),
        ("Call +44 20 7946 0958 for the prints", True),
        ("Call (555) 123-4567 for the prints", True),
        ("Part (155) 123-4567 for the prints", False),
        ("Card 4111 1111 1111 1111 on the table", True),
        ("On 2019-04-14 10:20 the sun rose", False),
        ("Istock photo 1215894273 of the lake", False),
        ("A dog @ the beach in 1999", False),
    ],
)
def test_personal_data_is_flagged(text: str, is_personal: bool) -> None:
    assert ("personal_data" in flags_of(text)) == is_personal


def test_what_people_wrote_in_english_is_hardly_ever_flagged(shared_data: Path) -> None:
    with gzip.open(shared_data / "coco5k" / "coco5k_test_captions.jsonl.gz", "rt", encoding="utf-8") as lines:
        captions = [json.loads(line)["caption"] for line in lines][::5]
    flagged = [caption for caption in captions if "non_english" in flags_of(caption)]
    assert len(captions) == 5000
    assert flagged == []
