"""verify_release finds what was changed in the files of a release, and where."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from backend.releases.bundle import SUMS, write_sums
from backend.releases.models import Release
from backend.releases.verified_rows import Fault
from backend.releases.verifying import verify_folder, verify_release
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

Contents = Callable[[Release], dict[str, bytes]]


@pytest.fixture
def folder(release: Release, contents: Contents, tmp_path: Path) -> Path:
    place = tmp_path / "copy"
    place.mkdir()
    for name, content in contents(release).items():
        (place / name).write_bytes(content)
    return place


def sum_anew(folder: Path) -> None:
    """Somebody who changes a file can write checksums over it."""
    (folder / SUMS).unlink()
    write_sums(folder)


def files_at(faults: list[Fault]) -> set[str]:
    return {fault.file for fault in faults}


def edit_json(path: Path, change: Callable[[Any], object]) -> None:
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told, sort_keys=True, ensure_ascii=False, indent=2) + "\n")


def edit_line(path: Path, change: Callable[[Any], object]) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines[1])
    path.write_text("".join(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines))


def test_a_release_as_it_was_made_has_no_fault(
    release: Release, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify_release(release) == []
    call_command("verify_release", folder=folder)
    assert "all checksums and numbers are right" in capsys.readouterr().out


def test_one_byte_is_found_in_the_folder_and_in_the_storage(
    release: Release, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "datasheet.html"
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    assert str(verify_folder(folder)[0]) == "datasheet.html: The checksum is not the one in SHA256SUMS."
    stored = release.files.get(name="datasheet.html").stored_as
    default_storage.delete(stored)
    default_storage.save(stored, ContentFile(bytes(content)))
    with pytest.raises(CommandError, match="faults"):
        call_command("verify_release", "skies", "1.0.0")
    assert "datasheet.html: The checksum is not the one of the release." in capsys.readouterr().err


def test_one_judgment_is_found_though_the_checksums_were_written_again(folder: Path) -> None:
    path = folder / "judgments.csv"
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    rows[3][3] = "bad"
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    sum_anew(folder)
    faults = verify_folder(folder)
    assert any(fault.file == "judgments.csv" and rows[3][1] in fault.message for fault in faults)
    assert "croissant.json" in files_at(faults)


def test_a_judgment_under_another_name_is_found(folder: Path) -> None:
    path = folder / "judgments.csv"
    text = path.read_text()
    path.write_text(text.replace("annotator-001", "annotator-002", 1))
    sum_anew(folder)
    assert any(
        fault.file == "judgments.parquet" and "other votes in judgments.csv" in fault.message
        for fault in verify_folder(folder)
    )


def test_rows_of_the_database_that_were_altered_are_found(release: Release) -> None:
    manifest = json.loads(json.dumps(release.manifest))
    manifest["stages"]["select"]["models"]["words"] = "0" * 64
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE releases_release SET n_judgments = n_judgments + 1, manifest = %s", [json.dumps(manifest)]
        )
        cursor.execute("UPDATE releases_releasecaption SET difficulty = 'hard' WHERE position = 2")
    release.refresh_from_db()
    faults = {(fault.file, fault.row.partition(",")[0]) for fault in verify_release(release)}
    assert faults == {("manifest.json", "stages"), ("manifest.json", "counts.judgments"), ("images.jsonl", "line 2")}


def test_one_judgment_in_the_table_of_all_is_found(folder: Path) -> None:
    path = folder / "judgments.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["label"] = "unsure"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    sum_anew(folder)
    faults = verify_folder(folder)
    assert any(fault.file == "judgments.parquet" and rows[0]["caption"] in fault.message for fault in faults)
    assert "annotators.csv" in files_at(faults)


@pytest.mark.parametrize(
    ("file", "change", "named"),
    [
        ("manifest.json", lambda told: told["stages"]["select"]["models"].update(words="0"), "croissant.json, select"),
        ("manifest.json", lambda told: told["counts"].update(captions=14), "manifest.json, counts.captions"),
        ("manifest.json", lambda told: told.update(version="9.0.0"), "croissant.json, version"),
        ("images.jsonl", lambda line: line.update(split="test"), "images.jsonl, line 2"),
        ("images.jsonl", lambda line: line["captions"][0].update(n_good=9), "judgments.csv: The caption"),
        ("images.jsonl", lambda line: line["captions"][0]["consensus"].update(entropy=0.7), "images.jsonl, line 2"),
        ("captions.jsonl", lambda line: line.update(text="other"), "captions.jsonl, line 2"),
    ],
)  # fmt: skip
def test_a_number_a_model_and_a_split_are_found_where_they_are(
    folder: Path, file: str, change: Callable[[Any], object], named: str
) -> None:
    (edit_line if file.endswith("jsonl") else edit_json)(folder / file, change)
    sum_anew(folder)
    assert any(str(fault).startswith(named) for fault in verify_folder(folder))


def test_a_number_of_the_datasheet_is_found_under_its_title(folder: Path) -> None:
    path = folder / "datasheet.md"
    text = path.read_text(encoding="utf-8")
    before, title, after = text.partition("## Votes of the annotators")
    path.write_text(before + title + after.replace("| good | ", "| good | 1", 1), encoding="utf-8")
    sum_anew(folder)
    faults = [fault for fault in verify_folder(folder) if fault.file == "datasheet.md"]
    assert [fault.row for fault in faults] == ["Votes of the annotators"]


def test_a_file_that_is_missing_or_broken_is_a_fault_and_no_crash(folder: Path) -> None:
    (folder / "images.jsonl").write_text("{")
    (folder / "judgments.parquet").write_bytes(b"nothing")
    (folder / "README.md").unlink()
    faults = {(fault.file, fault.message.split(" (")[0]) for fault in verify_folder(folder)}
    assert {("images.jsonl", "The file cannot be read"), ("judgments.parquet", "The file cannot be read")} <= faults
    assert ("README.md", "The file is missing.") in faults
    (folder / "images.jsonl").unlink()
    assert ("images.jsonl", "The file is missing.") in {(each.file, each.message) for each in verify_folder(folder)}
