"""`manage.py agreement_report` on exports of other tools as they come."""

from __future__ import annotations

import zipfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.shared_data
MTURK = "23-mturk-batch-results/Batch_1_batch_results.csv"
REJECTED = "The answer was rejected. See line 4, line 7, line 10, line 13"


@pytest.fixture
def cases(shared_data: Path) -> Path:
    return shared_data.parent / "cases"


def report(*arguments: object) -> str:
    out = StringIO()
    call_command("agreement_report", *map(str, arguments), "--replicates", "50", stdout=out)
    return out.getvalue()


def figures(told: str) -> dict[str, str]:
    """The first of a name."""
    found: dict[str, str] = {}
    for line in told.splitlines():
        if line.startswith("  ") and line[2:3] != " ":
            found.setdefault(line[2:60].strip(), line[60:].strip())
    return found


def sizes(told: str) -> tuple[str, ...]:
    found = figures(told)
    return tuple(found[name] for name in ("judgments", "items", "annotators"))


@pytest.mark.nightly
@pytest.mark.parametrize("columns", [("--task", "id", "--label", "label"), ()])
def test_doccanos_files_are_one_persons_each_and_read_together(
    cases: Path, tmp_path: Path, columns: tuple[str, ...]
) -> None:
    folder = cases / "21-doccano-a-file-per-user"
    told = report(folder / "admin.jsonl", folder / "mia.jsonl", *columns)
    assert sizes(told) == ("12", "6", "2")
    assert figures(told)["labels"] == "7 good, 5 bad, 0 unsure"
    with zipfile.ZipFile(tmp_path / "project.zip", "w") as archive:
        for name in ("admin.jsonl", "mia.jsonl"):
            archive.write(folder / name, name)
    assert figures(report(tmp_path / "project.zip", *columns)) == figures(told)
    with pytest.raises(CommandError, match=r"no column worker.*the name of each file is the annotator"):
        report(folder / "admin.jsonl", *columns)


@pytest.mark.parametrize("name", ["old.json", "old.jsonl"])
def test_old_doccanos_annotations_have_users_and_labels(cases: Path, name: str) -> None:
    told = report(cases / "21-doccano-a-file-per-user" / name)
    assert sizes(told) == ("12", "6", "2")
    assert figures(told)["labels"] == '6 "1", 6 "2"'


@pytest.mark.parametrize(
    "columns",
    [
        ("--task", "Input.image_url,Input.caption", "--worker", "WorkerId", "--label", "Answer.fits"),
        ("--task", "HITId", "--worker", "WorkerId", "--label", "Answer.taskAnswers"),
        (),
    ],
)
def test_rejected_assignments_of_mechanical_turk_are_no_votes(cases: Path, columns: tuple[str, ...]) -> None:
    told = report(cases / MTURK, *columns)
    assert sizes(told) == ("8", "4", "2")
    found = figures(told)
    assert (found["labels"], found["left out"]) == ("7 good, 1 bad, 0 unsure", "4")
    assert REJECTED in told
    assert found["alpha_nominal, unsure as value"].startswith("0.0000 ")
    assert found["alpha_nominal, unsure as value"].endswith(" by image")
    assert found["items by majority, unsure as value"] == "3 good, 0 bad, 0 unsure, 1 open"


@pytest.mark.parametrize(
    ("name", "size", "labels", "says"),
    [
        ("export", ("7", "4", "2"), "4 good, 3 bad, 0 unsure", ("later. See task 3", "cancelled. See task 4")),
        ("pairwise", ("4", "2", "2"), "2 left, 2 right", ()),
        ("number", ("4", "2", "2"), '2 "4", 2 "5"', ()),
        ("min", ("5", "3", "2"), "4 good, 1 bad, 0 unsure", ("no field fits. See record 6",)),
        ("twice", ("4", "2", "2"), "2 good, 2 bad, 0 unsure", ()),
    ],
)
def test_label_studios_exports_with_everything_odd(
    cases: Path, name: str, size: tuple[str, ...], labels: str, says: tuple[str, ...]
) -> None:
    told = report(cases / "25-label-studio-odd" / f"{name}.json")
    assert (sizes(told), figures(told)["labels"]) == (size, labels)
    assert told.count("\n  left out ") == len(says) and all(each in told for each in says)


def test_of_two_questions_of_label_studio_one_is_asked_for(cases: Path) -> None:
    file = cases / "25-label-studio-odd" / "two-questions.json"
    with pytest.raises(CommandError, match="as the label: fits, tone"):
        report(file)
    assert sizes(report(file, "--label", "fits")) == ("7", "4", "2")


def test_ids_that_became_decimals_are_the_ids(cases: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("1\tgood\n2\tgood\n")
    told = report(cases / "18-ids-that-became-decimals" / "judgments.csv", "--gold", tmp_path / "gold.tsv")
    assert sizes(told) == ("4", "2", "2")
    assert figures(told)["single votes equal to the true label, unsure as value"] == "0.7500 n=4"


def test_excels_own_first_line_is_taken_as_what_it_is(cases: Path) -> None:
    told = report(cases / "17-excel-sep-line" / "judgments.csv")
    assert (sizes(told), figures(told)["labels"]) == (("4", "2", "2"), "3 good, 1 bad, 0 unsure")


def test_several_files_are_read_one_by_one_and_together(tmp_path: Path) -> None:
    head = "task,worker,label\n"
    (tmp_path / "one.csv").write_text(f"{head}t1,ann,good\nt1,bob,bad\nt2,ann,bad\nt2,bob,bad\n")
    (tmp_path / "two.csv").write_text(f"{head}t1,eve,good\nt2,Ann,good\nt3,ann,good\nt3,eve,good\n")
    told = report(tmp_path / "one.csv", tmp_path / "two.csv")
    one, two, together = told.strip().split("\n\n")
    assert (sizes(one), sizes(two)) == (("4", "2", "2"), ("4", "3", "2"))
    assert together.startswith("2 files together: one.csv, two.csv")
    assert sizes(together) == ("7", "3", "3")
    assert "already answered the task. The first answer counts. See two.csv, line 3" in together


def test_a_file_of_correct_answers_is_nobodys_file(tmp_path: Path) -> None:
    for name in ("mia.csv", "gold_labels.csv"):
        (tmp_path / name).write_text("task,label\nt1,good\n")
    with pytest.raises(CommandError, match=r"gold_labels\.csv has correct answers, as its name says\. .*--gold"):
        report(tmp_path / "mia.csv", tmp_path / "gold_labels.csv")
