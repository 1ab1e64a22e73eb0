"""Depths of words in WordNet: of a database of a few lines, and of the real one against ConQA's table 2."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

from backend.methods.foreign.conqa import DEPTHS, depth_lines, read_seed_queries
from backend.methods.foreign.published import PUBLISHED
from backend.methods.foreign.reading import read_judgments
from backend.methods.foreign.shapes import PairVotes
from backend.methods.wordnet import DEBIANS, Depths, NotWordNetError, read_part
from toy_wordnet import Row, write_part

NOUNS: list[Row] = [
    (1, 3, ["entity"], []),
    (2, 3, ["thing"], ["@ 1"]),
    (3, 5, ["animal"], ["@ 2"]),
    (4, 5, ["goose"], ["@ 3", "@ 1"]),  # two ways up, of which the shorter counts
    (5, 5, ["Alice"], ["@i 3"]),  # an instance is no kind of what it is one of
    (6, 5, ["fly"], ["@ 3"]),
]
VERBS: list[Row] = [
    (1, 38, ["move"], []),
    (2, 38, ["fly"], ["@ 1"]),
    (3, 38, ["hem"], ["@ 4"]),
    (4, 38, ["haw"], ["@ 3"]),  # each above the other, as two verbs of a dictionary may be
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    senses = {"entity": [1], "thing": [2], "animal": [3], "goose": [4], "alice": [5], "fly": [6]}
    write_part(tmp_path, "noun", NOUNS, senses, "geese goose\nhobby_geese goose\n")
    write_part(tmp_path, "verb", VERBS, {"move": [1], "fly": [2], "hem": [3], "haw": [4]})
    write_part(tmp_path, "adj", [(1, 0, ["large"], [])], {"large": [1]})
    write_part(tmp_path, "adv")
    return tmp_path


@pytest.mark.parametrize(
    ("word", "depths"),
    [
        ("entity", [1]),
        ("animal", [3]),
        ("goose", [2]),
        ("geese", [2]),
        ("alice", [1]),
        ("FLIES", [4, 2]),  # the insect, and what it does
        ("flying", [2]),
        ("larger", [1]),
        ("largest", [1]),
        ("moved", [1]),
        ("s", []),
        ("", []),
        ("nonesuch", []),
    ],
)
def test_every_meaning_of_every_form_counts(folder: Path, word: str, depths: list[int]) -> None:
    assert Depths(folder).of_word(word) == depths


def test_two_that_are_above_each_other_end(folder: Path) -> None:
    assert Depths(folder).of_word("hem") == [3]


def test_what_is_above_counts_instances_too(folder: Path) -> None:
    nouns = read_part(folder, "noun")
    assert nouns.above(5) == {5, 3, 2, 1}
    assert nouns.offset_of("goose", "goose") == 4
    with pytest.raises(KeyError, match="goose in the sense of verb"):
        nouns.offset_of("goose", "verb")


@pytest.mark.parametrize("missing", ["data.verb", "index.adj", "adv.exc"])
def test_a_folder_that_lacks_a_file_is_refused_by_its_name(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(NotWordNetError, match=missing):
        Depths(folder)


def test_the_worked_words() -> None:
    """SCIENCE 4.4."""
    depths = Depths(DEBIANS)
    means = [mean(depths.of_word(word)) for word in ("people", "chopping", "vegetables")]
    assert means == pytest.approx([4.6667, 3.1667, 8.5], abs=5e-5)


@pytest.mark.nightly
def test_conqas_table_2(shared_data: Path) -> None:
    votes = read_judgments((shared_data / "conqa" / "mturk.json").read_text())
    queries = read_seed_queries((shared_data / "conqa" / "seed.json").read_bytes())
    assert isinstance(votes, PairVotes)
    ours = {line.figure: line.ours for line in depth_lines(votes, queries, Depths(DEBIANS))}
    published = {each.figure: each.value for each in PUBLISHED["mturk"]}
    assert list(ours) == [DEPTHS.format("conceptual"), DEPTHS.format("descriptive")]
    assert all(ours[figure] == published[figure] for figure in ours)
