"""What makes two captions with nearly the same letters two captions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.cleaning import Caption
from backend.methods.contrast import differ, marks_of
from backend.methods.near_duplicates import find_near_duplicates, jaccard

LONG = "{} in front of the old stone church beside the market of a little town on an evening in the rain"
FEW = "a two red blue no dog cats man woman on off twenty one 3 ½ 1.5 and"
WORDS = st.lists(st.sampled_from(FEW.split()), max_size=8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two dogs run", "three dogs run"),
        ("2 dogs run", "3 dogs run"),
        ("twenty-one dogs run", "twenty-two dogs run"),
        ("a pair of dogs run", "a group of dogs run"),
        ("the first dog runs", "the second dog runs"),
        ("a dog runs 1.5 km", "a dog runs 15 km"),
        ("a dog runs 10³ m", "a dog runs 103 m"),
        ("a dog runs ½ km", "a dog runs ¼ km"),
        ("a dog runs 10 km/h", "a dog runs 10 mph"),
        ("a dog of 10 kg runs", "a dog of 10 pounds runs"),
        ("it is -5 degrees", "it is 5 degrees"),
        ("10–20 dogs run", "1020 dogs run"),
        ("a red dog runs", "a blue dog runs"),
        ("a red car and a blue van stand", "a blue car and a red van stand"),
        ("two dogs and three cats run", "three dogs and two cats run"),
        ("two dogs and three cats run", "two cats and three dogs run"),
        ("a dog is running", "a dog is not running"),
        ("a dog isn't running", "a dog is running"),
        ("a dog with a collar runs", "a dog without a collar runs"),
        ("ein Hund läuft", "kein Hund läuft"),
        ("zwei Hunde laufen", "drei Hunde laufen"),
        ("une voiture rouge roule", "une voiture verte roule"),
        ("un perro blanco corre", "un perro negro corre"),
        ("the door is open", "the door is closed"),
        ("he opens the door", "he closes the door"),
        ("a dog left of a cat", "a dog right of a cat"),
        ("a dog on a table", "a dog under a table"),
        ("a man runs", "a woman runs"),
        ("the men run", "the women run"),
        ("a happy child runs", "an unhappy child runs"),
        ("a tall man runs", "a short man runs"),
        ("the day begins", "the night begins"),
        ("the dog bites the man", "the man bites the dog"),
        ("5 < 7 on a board", "5 > 7 on a board"),
    ],
)
def test_hard_negatives_are_two_captions(one: str, other: str) -> None:
    assert differ(one, other) and differ(other, one)
    texts = [LONG.format(one), LONG.format(other)]
    assert jaccard(*texts) >= 0.7
    assert find_near_duplicates([Caption(text, "human", text) for text in texts]) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two dogs run", "2 dogs run!"),
        ("1,500 dogs run", "1500 dogs run"),
        ("the 2nd dog runs", "the second dog runs"),
        ("a grey dog runs", "a gray dog runs"),
        ("one dog runs", "a dog runs"),
        ("a dog runs 10 metres", "a dog runs 10 m"),
        ("a dog runs for twenty-one days", "a dog runs for 21 days"),
        ("a dog doesn't run", "a dog does not run"),
        ("in the park two red dogs run", "two red dogs run in the park"),
        ("a dog, in the park, runs after a ball", "a dog runs after a ball in the park"),
        ("a dog runs slowly", "a dog runs"),
        ("a dog is running", "a dog ran"),
    ],
)
def test_other_ways_to_say_the_same_are_no_contrast(one: str, other: str) -> None:
    assert not differ(one, other) and not differ(other, one)


@given(WORDS, WORDS)
def test_a_contrast_has_no_direction_and_no_text_contrasts_with_itself(one: list[str], other: list[str]) -> None:
    assert differ(" ".join(one), " ".join(other)) == differ(" ".join(other), " ".join(one))
    assert not differ(" ".join(one), " ".join(one).upper())


def test_marks_are_read_in_their_order() -> None:
    assert marks_of("Twenty-one red kites, not 3 gray ones") == (
        ("number", "21"), ("colour", "red"), ("negation", "not"), ("number", "3"), ("colour", "grey"),
    )  # fmt: skip
