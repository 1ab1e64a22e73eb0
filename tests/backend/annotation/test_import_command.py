"""The command that imports judgments made elsewhere: what it reads, and what it says."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.annotation.models import Hit, Judgment
from backend.projects.models import Project
from foreign_judgments import keys

pytestmark = pytest.mark.django_db


def command(*arguments: Any) -> str:
    out = StringIO()
    call_command("import_judgments", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_the_command_reads_rows_and_says_what_it_refused(project: Project, hit: Hit, tmp_path: Path) -> None:
    rows = "\n".join(f"{key},W1,fits" for key in (*keys(hit), "nothing"))
    (tmp_path / "rows.csv").write_text(f"task,worker,label\n{rows}\n")
    told = command(project.slug, tmp_path / "rows.csv", "--labels", "fits=good,misses=bad")
    assert "3 answers of 1 people are new, 0 existed, 1 are refused." in told
    assert told.splitlines()[1] == ("  1: No pair in a task has this key, or this image and text. See line 5")


def test_a_wrong_file_is_told_by_reason_and_every_row_of_it_where_that_is_asked(
    project: Project, hit: Hit, tmp_path: Path
) -> None:
    """Each refused row had a line of its own: half a million of them for a file with another label column."""
    rows = [f"{keys(hit)[0]},W{n},fits {n}" for n in range(300)] + [f"none,=W{n},good" for n in range(7)]
    (tmp_path / "rows.csv").write_text("\n".join(["task,worker,label", *rows]))
    told = command(project.slug, tmp_path / "rows.csv", "--refused", tmp_path / "refused.csv").splitlines()
    assert (len(told), told[0][-16:]) == (3, "307 are refused.")
    assert told[1].startswith("  300: The label is not one of: 0, 1, bad, ")
    assert told[1].endswith("See line 2 ('fits 0'), line 3 ('fits 1'), line 4 ('fits 2'), line 5 ('fits 3'), "
                            "line 6 ('fits 4'), ...")  # fmt: skip
    with (tmp_path / "refused.csv").open(newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == 307
    assert written[0]["file"] == "rows.csv"
    assert (written[299]["where"], written[299]["why"][-13:]) == ("line 301", ": 'fits 299'.")


def test_where_refused_rows_cannot_be_written_nothing_is_imported(project: Project, hit: Hit, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(f"task,worker,label\n{keys(hit)[0]},W1,good\n")
    with pytest.raises(CommandError, match="is an input file"):
        command(project.slug, rows, "--refused", tmp_path / "." / "rows.csv")
    with pytest.raises(CommandError, match=r"cannot write refused\.csv: No such file or directory"):
        command(project.slug, rows, "--refused", tmp_path / "nowhere" / "refused.csv")
    assert not Judgment.objects.exists()
    assert rows.read_text().endswith("W1,good\n")


def test_what_no_terminal_takes_is_spelt_out_and_a_novel_is_cut(project: Project, hit: Hit, tmp_path: Path) -> None:
    """A half character in a worker's name ended the command after it had stored everything, without a word of it."""
    key = keys(hit)[0]
    (tmp_path / "said.json").write_text(json.dumps({"W\ud83d": {key: "good"}, "W1": {key: "x" * 1_000_000}}))
    told = command(project.slug, tmp_path / "said.json").encode()
    assert b"W\\ud83d of " in told
    assert len(told) < 1000


def test_the_command_reads_label_studio(project: Project, hit: Hit, tmp_path: Path) -> None:
    tasks = [
        {
            "id": n,
            "data": {"image": "/data/upload/1/1a2b3c4d-pier", "caption": f"pier caption {n}"},
            "annotations": [
                {"id": 10 * n + who, "completed_by": who, "result": [{"from_name": "fit", "type": "choices",
                 "value": {"choices": [label]}}]}
                for who, label in ((1, "Good"), (2, "Bad"))
            ],
        }
        for n in (1, 2, 3)
    ]  # fmt: skip
    (tmp_path / "export.json").write_text(json.dumps(tasks))
    assert "6 answers of 2 people are new, 0 existed, 0 are refused." in command(project.slug, tmp_path / "export.json")


@pytest.mark.parametrize(
    ("name", "text", "options", "says"),
    [
        ("votes.json", '{"0": {"mturk": {"caption": 2}}}', (), "without names of voters"),
        ("votes.json", '{"0": {"7": [2, 1, 0]}}', ("--queries", __file__), "The queries do not have"),
        ("odd.csv", "a,b\n1,2\n", (), "no column task"),
        ("nothing.json", "{}", (), "This file has no answers"),
        ("rows.csv", "task,worker,label\n1,2,3\n", ("--labels", "3=fine"), "Write good, bad or unsure"),
        ("rows.csv", "task,worker,label\n1,2,3\n", ("--labels", "=good"), "Write good, bad or unsure for each label"),
        ("rows.csv", "task,worker,label\n1,2,3\n", ("--labels", "fits=good,Fits=bad"), "Fits has two meanings"),
    ],
)
def test_files_and_labels_that_cannot_be_used_are_told(
    project: Project, tmp_path: Path, name: str, text: str, options: tuple[str, ...], says: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CommandError, match=says):
        command(project.slug, tmp_path / name, *options)


def test_a_project_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="The project nowhere does not exist"):
        command("nowhere", tmp_path / "rows.csv")


def test_files_that_name_nobody_are_one_persons_each(project: Project, hit: Hit, tmp_path: Path) -> None:
    for who, label in (("mia", "good"), ("jo", "bad")):
        rows = [f"{key},{label}" for key in keys(hit)]
        (tmp_path / f"{who}.csv").write_text("\n".join(["task,label", *rows]))
    with pytest.raises(CommandError, match=r"Use --annotator\. Or give the files of all annotators"):
        call_command("import_judgments", project.slug, tmp_path / "mia.csv", stdout=StringIO())
    call_command("import_judgments", project.slug, tmp_path / "mia.csv", tmp_path / "jo.csv", stdout=StringIO())
    said = Judgment.objects.values_list("annotator__display_name", "label").distinct()
    assert set(said) == {("mia", "good"), ("jo", "bad")}
