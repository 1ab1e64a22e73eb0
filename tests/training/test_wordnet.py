"""The table of animals and plants, from a database of a few lines in WordNet's own format."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.methods.wordnet import read_part
from toy_wordnet import write_part
from workers.training.wordnet import __main__ as command
from workers.training.wordnet.__main__ import write_antonyms, write_kinds
from workers.training.wordnet.organisms import find_kinds

# offset, file, names, pointers
SYNSETS = [
    (1, 3, ["entity"], []),
    (2, 5, ["animal", "fauna"], ["@ 1"]),
    (3, 20, ["plant", "flora"], ["@ 1"]),
    (4, 5, ["ruminant"], ["@ 2"]),
    (5, 5, ["deer", "cervid"], ["@ 4"]),
    (6, 5, ["elk", "moose", "Alces_alces"], ["@ 5", "#m 4"]),
    (7, 5, ["wapiti", "elk", "American_elk"], ["@ 5"]),
    (8, 13, ["salmon"], ["@ 1"]),
    (9, 5, ["salmon"], ["@ 4"]),
    (10, 6, ["duck"], ["@ 1"]),
    (11, 5, ["duck"], ["@ 4"]),
    (12, 18, ["Crow", "Sheryl_Crow"], ["@i 1"]),
    (13, 5, ["crow"], ["@ 5"]),
    (14, 20, ["oak"], ["@ 1"]),
    (15, 20, ["oak", "oak_tree"], ["@ 3"]),
    (16, 5, ["polar_deer"], ["@ 5"]),
    (17, 5, ["pet"], ["@ 2"]),
]  # fmt: skip
SENSES = {
    "animal": [2], "plant": [3], "ruminant": [4], "deer": [5], "elk": [6, 7], "moose": [6], "alces_alces": [6],
    "wapiti": [7], "salmon": [8, 9], "duck": [10, 11], "crow": [12, 13], "oak": [14, 15], "polar_deer": [16],
    "pet": [17],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_part(tmp_path, "noun", SYNSETS, SENSES)
    return tmp_path


def test_names_get_their_hypernyms_up_to_two_levels(folder: Path) -> None:
    kinds = {name: (kind.one_up, kind.two_up) for name, kind in find_kinds(read_part(folder, "noun")).items()}
    assert kinds["moose"] == kinds["elk"] == kinds["wapiti"] == (("deer",), ("ruminant",))
    assert kinds["deer"] == (("ruminant",), ())
    assert kinds["polar deer"] == (("deer",), ("ruminant",))


def test_food_wood_and_people_of_a_name_are_passed_over_and_other_things_are_not(folder: Path) -> None:
    kinds = find_kinds(read_part(folder, "noun"))
    assert kinds["salmon"].one_up == ("ruminant",)
    assert kinds["crow"].one_up == ("deer",)
    assert "duck" not in kinds


def test_what_has_nothing_to_say_above_it_or_names_no_kind_is_left_out(folder: Path) -> None:
    assert not {"animal", "plant", "ruminant", "oak", "pet", "alces alces"} & set(find_kinds(read_part(folder, "noun")))


def test_the_table_is_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    tables = [tmp_path / "one.tsv", tmp_path / "two.tsv"]
    counts = {write_kinds(read_part(folder, "noun"), table) for table in tables}
    assert len(counts) == 1 and tables[0].read_bytes() == tables[1].read_bytes()
    assert "moose\tdeer\truminant\n" in tables[0].read_text()


def test_a_folder_without_the_database_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["wordnet", "--dict", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"--dict: There is no data\.noun in it"):
        command.main()


ADJECTIVES = """\
  1 This is where the licence stands.
00000001 00 a 02 open 0 unfastened(a) 0 001 ! 00000002 a 0101 | a gloss
00000002 00 a 01 closed(p) 1 002 ! 00000001 a 0101 & 00000001 a 0000 | a gloss
00000003 00 a 01 Roman 0 001 ! 00000002 a 0101 | a gloss
"""


def test_opposites_are_the_words_that_point_to_each_other(folder: Path, tmp_path: Path) -> None:
    for part in ("verb", "adv"):
        write_part(folder, part)
    (folder / "data.adj").write_text(ADJECTIVES)
    assert write_antonyms(folder, tmp_path / "antonyms.tsv") == 1
    assert (tmp_path / "antonyms.tsv").read_text().splitlines()[-1] == "closed\topen"
