"""`manage.py agreement_report` on small files and on sets with named annotators."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROWS = "task,worker,label\nt1,ann,good\nt1,bob,good\nt2,ann,bad\nt2,bob,bad\nt3,ann,good\nt3,bob,bad\n"


def report(*arguments: object) -> str:
    out = StringIO()
    call_command("agreement_report", *map(str, arguments), "--replicates", "50", stdout=out)
    return out.getvalue()


@pytest.mark.nightly
def test_rows_give_every_measure_packed_or_not(tmp_path: Path) -> None:
    plain, packed = tmp_path / "rows.csv", tmp_path / "rows.csv.gz"
    plain.write_text(ROWS)
    packed.write_bytes(gzip.compress(ROWS.encode()))
    told = report(plain)
    for measure in ("cohen", "fleiss", "alpha_nominal"):
        assert all(f"  {measure}, unsure as {reading} " in told for reading in ("value", "missing"))
    assert "  alpha_ordinal, unsure as middle " in told
    assert [line.split() for line in told.splitlines()[2:5]] == [
        ["judgments", "6"],
        ["items", "3"],
        ["annotators", "2"],
    ]
    assert report(packed).splitlines()[2:] == told.splitlines()[2:]


def test_a_column_of_free_text_is_refused_before_its_tables_are_made(tmp_path: Path) -> None:
    """900 sentences by 900 sentences of each of 300 tasks: it ended in a MemoryError after half a minute."""
    rows = [f"t{task},w{worker},About {task} says {worker}" for task in range(300) for worker in range(3)]
    (tmp_path / "text.csv").write_text("\n".join(["task,worker,label", *rows]))
    says = "Connote cannot read text.csv: There are 900 different labels. .*Check the column"
    with pytest.raises(CommandError, match=says):
        report(tmp_path / "text.csv")
    with pytest.raises(CommandError, match="Check the column"):
        report(tmp_path / "text.csv", "--pairs", "5")


@pytest.mark.parametrize(("option", "number", "least"), [("seed", -5, 0), ("replicates", 0, 1), ("replicates", -3, 1)])
def test_numbers_that_nothing_can_be_drawn_with_are_refused_as_such_and_not_as_a_file(
    tmp_path: Path, option: str, number: int, least: int
) -> None:
    says = f"^Set --{option} to a whole number of at least {least}, not {number}"
    with pytest.raises(CommandError, match=says):
        call_command("agreement_report", str(tmp_path / "nowhere.csv"), f"--{option}={number}")


@pytest.mark.parametrize("gold", ["", "[t1]", "t1: [true]", "t1: true\nt1: false"])
def test_gold_of_another_shape_is_refused_in_a_sentence(tmp_path: Path, gold: str) -> None:
    (tmp_path / "said.yaml").write_text("{ann: {t1: true, t2: false}, bob: {t1: true, t2: true}}")
    (tmp_path / "gold.yaml").write_text(gold)
    with pytest.raises(CommandError, match=r"gold.yaml: .*(true labels do not have|is twice in|is empty)"):
        report(tmp_path / "said.yaml", "--gold", tmp_path / "gold.yaml")


def test_gold_beside_the_judgments_gives_accuracies(tmp_path: Path) -> None:
    (tmp_path / "said.yaml").write_text("{ann: {t1: true, t2: false}, bob: {t1: true, t2: false}}")
    (tmp_path / "gold.yaml").write_text("{t1: true, t2: false}")
    told = report(tmp_path / "said.yaml", "--gold", tmp_path / "gold.yaml")
    assert "accuracy of the majority, ties split" in told


@pytest.mark.nightly
def test_every_two_annotators_stand_by_name_with_their_kappa_or_why_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS + "t1,eve,good\n")
    told = report(tmp_path / "rows.csv", "--pairs", "9")
    assert "cohen, unsure as value, ann with bob" in told and "cohen, unsure as missing, ann with bob" in told
    alone = told.partition("cohen, unsure as value, ann with eve")[2].splitlines()
    assert (alone[0].strip(), "Only one pair has two answers" in alone[1]) == ("-", True)
    assert "ann with bob" not in report(tmp_path / "rows.csv")


def test_half_characters_are_spelt_out_as_no_terminal_takes_them(tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text('{"ann": {"t1": "go\\ud83d", "t2": "no"}, "bob": {"t1": "no", "t2": "no"}}')
    assert b"go\\ud83d" in report(tmp_path / "said.json").encode()


def test_votes_give_the_three_readings_of_unsure(tmp_path: Path) -> None:
    (tmp_path / "votes.json").write_text('{"0": {"7": [2, 1, 0], "8": [0, 2, 1]}, "1": {"7": [3, 0, 0]}}')
    told = report(tmp_path / "votes.json")
    for name in (
        "alpha_nominal, unsure as value",
        "alpha_nominal, unsure as missing",
        "alpha_ordinal, unsure as middle",
    ):
        assert name in told


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [("a.csv", "x,y\n1,2\n", "no column task"), ("b.json", "[1]", "no answers"), ("c.json", "{", "cannot read")],
)
def test_a_file_without_judgments_is_refused_by_name(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CommandError, match=says) as refused:
        report(tmp_path / name)
    assert str(refused.value).startswith(f"Connote cannot read {name}")
    assert str(tmp_path) not in str(refused.value)


def test_a_file_that_is_not_there_is_told_with_where_it_was_looked_for(tmp_path: Path) -> None:
    looked_for = tmp_path / "nowhere" / "none.csv"
    with pytest.raises(CommandError) as refused:
        report(looked_for)
    assert str(refused.value) == f"Connote cannot read none.csv: No such file or directory: {looked_for}"


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.csv", b"", "The file is empty"),
        ("rows.csv", b"\x00\x01", "not a table"),
        ("latin.csv", b"task,worker,label\nt1,Zo\xeb,good\n", "line 2: The line is not UTF-8"),
        ("cut.gz", gzip.compress(ROWS.encode(), mtime=0)[:16], "is damaged"),
    ],
)
def test_a_file_that_is_broken_is_told_in_words(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CommandError, match=says):
        report(tmp_path / name)


def test_of_a_folder_the_files_are_read_that_are_known_with_what_lies_beside_them(tmp_path: Path) -> None:
    folder = tmp_path / "birds"
    folder.mkdir()
    (folder / "bluebirds_labels.yaml").write_text("{ann: {t1: true, t2: false}, bob: {t1: true, t2: true}}")
    assert "accuracy" not in report(folder)
    (folder / "bluebirds_gt.yaml").write_text("{t1: true, t2: true}")
    (folder / "rte_labels.csv").write_text(ROWS)
    (folder / "readme.md").write_text("Birds.")
    told = report(folder)
    assert [line for line in told.splitlines() if line and line[0] != " "] == [
        "bluebirds_labels.yaml",
        "rte_labels.csv",
    ]
    assert "accuracy of the majority, ties split                       0.7500 n=2" in told
    (tmp_path / "other.yaml").write_text("{t1: true, t2: false}")
    asked = report(folder, "--gold", tmp_path / "other.yaml")
    assert "accuracy of the majority, ties split                       0.7500 n=2" in asked
    assert asked != told


def test_a_folder_of_nothing_known_is_refused_with_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS)
    with pytest.raises(CommandError, match=r"no file with a known name \(actant-swap, .*, mturk, "):
        report(tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("conqa", ("cost in USD                                                1155  ", "43,413  ", "50 and 30  ")),
        ("context_descriptions", ("1,102.\n", "labels: 58.\n", "labels: 20.\n", "labels: 986.\n", "labels: 18.\n")),
        ("bluebirds_ducks", ("0.7593 n=108  ", "0.8981 n=108  ")),
        ("valse", ("existence.json.gz\n", "coreference-hard.json.gz\n")),
        ("winogavil", ("No agreement: ", "0.5339  ", "0.7428  ", "published 0.53 ", "published 0.74 ")),
        ("tifa", ("Spearman 0.5922, Kendall 0.4717, Pearson 0.5967", "published Spearman 0.5967, Kendall 0.4717")),
        ("nlvr", ("the same labels: 0.7994.\n", "1.0000 n=989")),
    ],
)
def test_sets_as_they_were_released_are_read_by_their_folder(
    shared_data: Path, folder: str, says: tuple[str, ...]
) -> None:
    told = report(shared_data / folder)
    assert all(each in told for each in says)
    assert "Give " not in told


def test_a_part_of_a_released_set_stands_beside_no_figure_of_the_whole(shared_data: Path, tmp_path: Path) -> None:
    votes = json.loads((shared_data / "conqa" / "mturk.json").read_text())
    part = tmp_path / "mturk.json"
    part.write_text(json.dumps({query: votes[query] for query in list(votes)[:12]}))
    told = report(part)
    assert "published" not in told and "24.2" not in told and "6,941" not in told
    assert report(shared_data / "conqa" / "mturk.json").count("published ") > 10


@pytest.mark.nightly
def test_true_labels_of_all_birds_but_one_still_give_an_accuracy(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "bluebirds_ducks"
    truths = (folder / "bluebirds_gt.yaml").read_text().strip()
    (tmp_path / "gold.yaml").write_text(
        truths.rpartition(",")[0] + "}" if truths[0] == "{" else truths.rpartition("\n")[0]
    )
    told = report(folder / "bluebirds_labels.yaml", "--gold", tmp_path / "gold.yaml")
    assert " n=107 " in told and "Over the 107 of 108 items" in told
    assert "Give the true labels" not in told


def test_a_folder_of_true_labels_alone_says_that_it_holds_no_judgments(shared_data: Path) -> None:
    with pytest.raises(CommandError, match=r"gold_good_bad_dev\.jsonl as released has true labels of captions"):
        report(shared_data / "coco_cc_photos")
    with pytest.raises(CommandError, match=r"has mean ratings of two captions, and no single answers"):
        report(shared_data / "coco5k")


def test_what_was_asked_for_and_says_nothing_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "votes.json").write_text('{"0": {"7": [2, 1, 0], "8": [0, 2, 1]}, "1": {"7": [3, 0, 0]}}')
    (tmp_path / "gold.json").write_text('{"t1": "good"}')
    (tmp_path / "rows.csv").write_text(ROWS)
    told = report(tmp_path / "votes.json", "--gold", tmp_path / "gold.json", "--pairs", 3, "--ordered")
    assert "--gold, --pairs, --ordered" in told
    assert "--queries" in report(tmp_path / "rows.csv", "--queries", tmp_path / "gold.json")
    assert "not used" not in report(tmp_path / "rows.csv", "--gold", tmp_path / "gold.json", "--pairs", 3)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("crowd_rte_temp/rte_labels.csv", ("0.2415 [", "the same labels: 0.9275")),
        ("nlvr/nlvr_dev.jsonl.gz", ("0.7994 [", "0.7995 [")),
        ("bluebirds_ducks/bluebirds_labels.yaml", ("0.1255 [", "the same labels: 0.8981")),
    ],
)
def test_agreement_on_sets_with_named_annotators_is_what_other_code_found(
    shared_data: Path, file: str, says: tuple[str, str]
) -> None:
    """The alphas and kappas that ORACLES.json has."""
    gold = ("--gold", shared_data / "bluebirds_ducks" / "bluebirds_gt.yaml") if "birds" in file else ()
    told = report(shared_data / file, *gold)
    assert all(each in told for each in says)
