"""Tables without a header, their columns named by the person who imports them."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest
from django.core.management import call_command

from backend.candidates.models import Candidate
from backend.catalogue.sources import CaptionRow, Limits, Refused, open_source
from backend.catalogue.sources.queries import QueryRow, read_queries
from backend.projects.models import Project
from world import World


def captions(path: Path, *columns: str) -> list[tuple[str, str]]:
    rows = list(open_source(path, columns=columns).captions())
    assert all(isinstance(row, CaptionRow) for row in rows), rows
    return [(row.image_key, row.text) for row in rows if isinstance(row, CaptionRow)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pairs.csv", 'pier,7,"A pier, at dusk."\nboat,8,A boat.\n'),
        ("pairs.tsv", "pier\t7\tA pier, at dusk.\nboat\t8\tA boat.\n"),
        ("pairs.txt", "pier|7|A pier, at dusk.\nboat|8|A boat.\n"),
        ("lines.txt", "pier.jpg\t7\tA pier, at dusk.\nboat.jpg\t8\tA boat.\n"),
        ("header.csv", 'Image_ID,,Caption\npier,7,"A pier, at dusk."\nboat,8,A boat.\n'),
    ],
)
def test_its_columns_are_those_that_were_named(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    found = captions(path, "image_id", "", "caption")
    assert [(key.removesuffix(".jpg"), text) for key, text in found] == [
        ("pier", "A pier, at dusk."),
        ("boat", "A boat."),
    ]


def test_a_sheet_can_have_none_either(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["pier", "A pier."])
    book.active.append(["boat", "A boat."])
    book.save(tmp_path / "pairs.xlsx")
    assert captions(tmp_path / "pairs.xlsx", "image", "caption") == [("pier", "A pier."), ("boat", "A boat.")]


def test_names_that_no_import_looks_for_are_refused_once(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("pier,A pier.\nboat,A boat.\n")
    [row] = open_source(tmp_path / "pairs.csv", columns=("left", "right")).captions()
    assert isinstance(row, Refused) and row.code == "column_missing"


def test_a_json_table_has_names_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "pairs.json").write_text('[{"image_id": "pier", "caption": "A pier."}]')
    assert captions(tmp_path / "pairs.json", "x", "y") == [("pier", "A pier.")]


def test_queries_too(tmp_path: Path) -> None:
    (tmp_path / "queries.csv").write_text("loneliness,pier\nloneliness,boat\n")
    rows = list(read_queries(tmp_path / "queries.csv", Limits(columns=("query", "image"))))
    assert [(row.text, row.image_key) for row in rows if isinstance(row, QueryRow)] == [
        ("loneliness", "pier"),
        ("loneliness", "boat"),
    ]


@pytest.mark.django_db(transaction=True)
def test_the_command_takes_the_names(project: Project, tmp_path: Path) -> None:
    World(project).images("pier", "boat")
    (tmp_path / "pairs.csv").write_text("pier,A pier.\nboat,A boat.\n")
    call_command(
        "import_candidates", str(tmp_path / "pairs.csv"), project="skies", columns="image, caption",
        stdout=io.StringIO(), stderr=io.StringIO(),
    )  # fmt: skip
    assert set(Candidate.objects.values_list("image__key", "raw_text")) == {("pier", "A pier."), ("boat", "A boat.")}
