"""Which tests run where: on SQLite those of the database, without ../shared those that do not read it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLANTED = """
from backend.people.models import User

def test_reads_the_database(db):
    assert User.objects.count() == 0

def test_needs_postgres(db, postgres_url):
    raise AssertionError("PostgreSQL was not wanted here.")

def test_needs_no_database():
    raise AssertionError("This one has run before.")

def test_reads_photographs(db, shared_data):
    assert shared_data.name == "data"
"""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    file = tmp_path / "test_planted.py"
    file.write_text(PLANTED)
    return file


def run_pytest(file: Path, **environment: str) -> str:
    plugins = ["-p", "service_fixtures", "-p", "shared_data_fixtures", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), *plugins, str(file)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CONNOTE_")}
    return subprocess.run(command, cwd=ROOT, env=kept | environment, capture_output=True, text=True).stdout


def test_on_sqlite_only_the_tests_of_the_database_run_again(planted: Path, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    said = run_pytest(planted, CONNOTE_TEST_ENGINE="sqlite", CONNOTE_TEST_SHARED=str(tmp_path / "shared"))
    assert "2 passed, 2 deselected" in said, said


def test_without_the_shared_folder_its_tests_are_left_out_in_a_printed_line(planted: Path, tmp_path: Path) -> None:
    said = run_pytest(planted, CONNOTE_TEST_ENGINE="sqlite", CONNOTE_TEST_SHARED=str(tmp_path / "absent"))
    assert "1 passed, 3 deselected" in said, said
    assert "../shared is absent, so the tests that read it were left out." in said


def test_where_the_shared_folder_is_required_its_tests_fail_without_it(planted: Path, tmp_path: Path) -> None:
    absent = str(tmp_path / "absent")
    said = run_pytest(planted, CONNOTE_TEST_ENGINE="sqlite", CONNOTE_TEST_SHARED=absent, CONNOTE_REQUIRE_SHARED="1")
    assert "CONNOTE_REQUIRE_SHARED=1 wants it" in said, said
