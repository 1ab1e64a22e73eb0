"""Colours, numbers and named buildings: what the rules of connote-en find, and what they must leave alone."""

from __future__ import annotations

import pytest

from backend.methods.lexicon.colours import ALSO_THINGS, BASIC, CSS, colours
from workers.engines import registry
from workers.engines.carried import ENGLISH

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

RULES = ("COLOR", "NUMBER", "FAC")
FOUND = [
    ("A red bus next to two green cars.", ["COLOR red", "NUMBER two", "COLOR green"]),
    ("White plates on a table.", ["COLOR White"]),
    ("a dark blue umbrella and a light-green coat", ["COLOR dark blue", "COLOR light-green"]),
    ("a sky blue dress", ["COLOR sky blue"]),
    ("a salmon-colored wall", ["COLOR salmon-colored"]),
    ("an orange chair", ["COLOR orange"]),
    ("The bus is orange.", ["COLOR orange"]),
    ("a grey cat and a gray dog", ["COLOR grey", "COLOR gray"]),
    ("A group of people and a large herd of cows.", ["NUMBER A group of", "NUMBER a large herd of"]),
    (
        "A couple of birds, a pair of shoes, a flock of sheep",
        ["NUMBER A couple of", "NUMBER a pair of", "NUMBER a flock of"],
    ),
    ("Two hundred people and 2,000 pigeons", ["NUMBER Two hundred", "NUMBER 2,000"]),
    ("12 birds and one dog", ["NUMBER 12", "NUMBER one"]),
    ("A man stands in front of the Eiffel Tower.", ["FAC Eiffel Tower"]),
    ("The Golden Gate Bridge in fog", ["FAC Golden Gate Bridge"]),
    ("Golden Gate Bridge at dusk", ["FAC Golden Gate Bridge"]),
    ("Tower of London at night", ["FAC Tower of London"]),
    ("People walk to the Taj Mahal.", ["FAC Taj Mahal"]),
    ("The president leaves the White House.", ["FAC White House"]),
    ("A plane lands at Heathrow Airport.", ["FAC Heathrow Airport"]),
]
NOTHING = [
    "Gordon Brown speaks to Mary White.",  # people
    "They look at one another.",
    "No one sits on the bench.",
    "The new one is larger.",
    "a one-way sign",
    "A boy eats an orange.",
    "A plate of salmon and chocolate",
    "Snow covers the tan",  # things
    "A bridge over a river, a tower and a castle",  # no names
    "A Bridge over the river",
    "The first man in a group",
    "Some people browning the meat",
]


def rules_in(text: str) -> list[str]:
    (parsed,) = registry.parser(ENGLISH).parse([text])
    return [f"{found.label} {found.text}" for found in parsed.entities if found.label in RULES]


@pytest.mark.nightly
@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_rules_find(text: str, expected: list[str]) -> None:
    assert rules_in(text) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_rules_leave_alone(text: str) -> None:
    assert rules_in(text) == []


def test_a_building_is_no_place_and_a_person_no_colour() -> None:
    (parsed,) = registry.parser(ENGLISH).parse(["Gordon Brown speaks at Tower Bridge in London."])
    assert [(found.label, found.text) for found in parsed.entities] == [
        ("PER", "Gordon Brown"),
        ("FAC", "Tower Bridge"),
        ("LOC", "London"),
    ]


def test_the_lexicon_holds_every_named_colour_of_css_once() -> None:
    assert len(CSS) == len(set(CSS)) == 141  # 148 names, seven of which are the other spelling of gray
    assert len(colours()) == 148
    assert set(BASIC) | ALSO_THINGS <= set(colours())
    assert {"light sky blue", "dark slate grey", "rebecca purple"} <= set(colours())
