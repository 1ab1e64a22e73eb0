"""The rows of a release: exact text, safe cells, names that give nobody away."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.methods.export_rows import (
    CAPTION_COLUMNS,
    DIFFICULTY_COLUMNS,
    CsvTable,
    ModelVote,
    Pseudonyms,
    ReleasedCaption,
    ReleasedDifficulty,
    ReleasedImage,
    attribution_row,
    caption_cells,
    caption_rows,
    difficulty_rows,
    guard,
    image_row,
    json_line,
    judgment_rows,
    unguard,
)

TEXT = st.text(alphabet=st.one_of(st.sampled_from("'=+-@\t\r\n\",; a"), st.characters(exclude_categories=["Cs"])))
DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")


@given(TEXT)
@example("'=1")
@example("''+")
@example("'")
def test_a_guarded_text_comes_back_exactly_and_never_begins_like_a_formula(text: str) -> None:
    assert unguard(guard(text)) == text
    assert not guard(text).startswith(DANGEROUS)


@pytest.mark.parametrize("text", ["a dog", "'tis a dog", "2 dogs", "", "“=”", "1-1"])
def test_harmless_text_is_left_alone(text: str) -> None:
    assert guard(text) == text == unguard(text)


@given(st.lists(TEXT, max_size=8))
def test_a_csv_is_read_back_as_it_was_written(texts: list[str]) -> None:
    file = io.StringIO(newline="")
    table = CsvTable(file, ("n", "text"))
    for n, text in enumerate(texts):
        table.write({"n": n, "text": text})
    file.seek(0)
    rows = list(csv.reader(file))
    assert rows[0] == ["n", "text"]
    assert [unguard(row[1]) for row in rows[1:]] == texts


@given(st.dictionaries(TEXT, st.one_of(TEXT, st.integers(), st.floats(allow_nan=False, allow_infinity=False))))
def test_a_json_line_is_one_line_with_keys_in_order(row: dict) -> None:
    line = json_line(row)
    assert json.loads(line) == row
    assert line.count("\n") == 1
    assert line == json_line(dict(reversed(row.items())))


def test_json_keeps_letters_as_they_are_and_refuses_nan() -> None:
    assert json_line({"b": 1, "a": "Müller 猫"}) == '{"a":"Müller 猫","b":1}\n'
    with pytest.raises(ValueError, match="JSON"):
        json_line({"a": float("nan")})


def image() -> ReleasedImage:
    caption = ReleasedCaption("k1", 1, "A dog.", " A dog. ", "human", "42", 2, 1, 0, (("7", "good"), ("9", "bad")))
    facts = {"width": 4, "height": 3, "format": "JPEG", "n_bytes": 9, "perceptual_hash": "00", "licence": "CC-BY-2.0"}
    names = {
        "licence_url": "https://example.org",
        "author": "A",
        "title": "T",
        "source_url": "",
        "attribution": "A, CC",
    }
    return ReleasedImage("d1", "one.jpg", **facts, **names, method="exact", mean_similarity=0.5, captions=(caption,))


def test_rows_hold_votes_but_never_who_voted() -> None:
    text = json_line(image_row(image())) + "".join(map(json_line, caption_rows(image())))
    assert "judgments" not in text
    assert caption_rows(image())[0]["n_good"] == 2
    assert set(caption_cells(caption_rows(image())[0])) == set(CAPTION_COLUMNS)
    assert attribution_row(image())["image"] == "d1"


def test_the_category_of_a_caption_is_told_under_all_three_readings_of_unsure() -> None:
    [caption] = image().captions
    [row] = caption_rows(replace(image(), captions=(replace(caption, n_good=2, n_bad=1, n_unsure=2),)))
    told = {each["reading"]: (each["label"], each["category"]) for each in row["consensus"]["readings"]}
    assert told == {"value": (None, "unsure"), "missing": ("good", "majority_relevant"), "middle": ("unsure", "unsure")}
    cells = caption_cells(row)
    assert (cells["category_missing"], cells["category_middle"]) == ("majority_relevant", "unsure")


def rated() -> ReleasedImage:
    """The same image, its caption seen by three models, one of which could not read the picture."""
    panel = (
        ModelVote("one", "d" * 64, 0.25, "1" * 64, 0.2612, True),
        ModelVote("two", "e" * 64, 0.25, "2" * 64, 0.2499, False),
        ModelVote("=three", "f" * 64, 0.3, "3" * 64, None, None),
    )
    [caption] = image().captions
    rated = replace(caption, difficulty=ReleasedDifficulty("unrated", None, "unanimous", panel))
    return replace(image(), captions=(rated,))


def test_a_caption_that_no_panel_was_asked_about_says_null() -> None:
    [row] = caption_rows(image())
    assert row["difficulty"] is None
    assert (caption_cells(row)["difficulty"], caption_cells(row)["difficulty_votes"]) == ("", None)
    assert difficulty_rows("d1", image().captions[0]) == []


def test_every_vote_of_the_panel_is_in_the_rows_and_an_unknown_one_is_no_no() -> None:
    [row] = caption_rows(rated())
    assert (row["difficulty"]["category"], row["difficulty"]["n_votes"]) == ("unrated", None)
    assert [one["vote"] for one in row["difficulty"]["panel"]] == [True, False, None]
    assert image_row(rated())["captions"][0]["difficulty"] == row["difficulty"]
    lines = difficulty_rows("d1", rated().captions[0])
    assert [(line["model"], line["score"], line["vote"]) for line in lines] == [
        ("one", 0.2612, "yes"), ("two", 0.2499, "no"), ("=three", None, ""),
    ]  # fmt: skip
    assert all(set(DIFFICULTY_COLUMNS) <= set(line) for line in lines)


JUDGED = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")),
    st.dictionaries(st.integers(1, 5), st.sampled_from(["good", "bad", "unsure"]), max_size=5),
    max_size=6,
)


def released_judgments(judged: dict, called: dict[int, str]) -> list[dict[str, str]]:
    """The rows of judgments.csv where person n of `judged` is known as called[n] here."""
    names = Pseudonyms()
    pairs = [
        (image, caption, [(called[n], label) for n, label in votes.items()])
        for (image, caption), votes in sorted(judged.items())
    ]
    for pair in pairs:
        names.see(*pair)
    return [row for pair in pairs for row in judgment_rows(*pair, names.names())]


@given(JUDGED, st.randoms(use_true_random=False))
def test_pseudonyms_follow_from_the_judgments_and_not_from_who_made_them(judged: dict, dice: random.Random) -> None:
    tokens = [str(n) for n in range(100, 105)]
    dice.shuffle(tokens)
    here = released_judgments(judged, {n: str(n) for n in range(1, 6)})
    elsewhere = released_judgments(judged, dict(zip(range(1, 6), tokens, strict=True)))
    assert here == elsewhere


@given(JUDGED)
def test_a_pseudonym_is_one_person(judged: dict) -> None:
    rows = released_judgments(judged, {n: str(n) for n in range(1, 6)})
    assert len({row["annotator"] for row in rows}) == len({n for votes in judged.values() for n in votes})
    assert len({(row["image"], row["caption"], row["annotator"]) for row in rows}) == len(rows)
