"""Tables out of public reports, imported by the commands: no row vanishes into another, and several stay several."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Refusal

pytestmark = [pytest.mark.shared_data, pytest.mark.django_db(transaction=True)]


def run(command: str, *arguments: object) -> str:
    out = io.StringIO()
    options = {} if command == "agreement_report" else {"stderr": io.StringIO()}
    call_command(command, *map(str, arguments), stdout=out, **options)
    return out.getvalue()


def import_both(folder: Path) -> str:
    images = run("import_images", "--project", "skies", folder, "--default-licence", "CC0-1.0")
    return images + run("import_candidates", "--project", "skies", folder)


def captions() -> list[tuple[str, str]]:
    return sorted(Candidate.objects.values_list("image__key", "raw_text"))


def test_quotes_mean_nothing_in_a_tsv(project: Project, shared_cases: Path) -> None:
    import_both(shared_cases / "05-tsv-open-quote" / "in")
    assert Image.objects.count() == 5 and not Refusal.objects.exists()
    assert captions()[0] == ("p1.jpg", '"Sunset over the pier') and len(captions()) == 5


def test_an_open_quote_of_a_csv_is_named_with_its_line(project: Project, shared_cases: Path) -> None:
    told = import_both(shared_cases / "05-tsv-open-quote" / "in5")
    assert told.count("refused line 2, captions.csv: A quote opens on this line and never closes.") == 2, told
    assert [text for _, text in captions()] == [
        "A dog in the snow", "Two boats at rest", "Tall trees by the road", "An empty square",
    ]  # fmt: skip


def test_the_first_line_of_excel_is_no_header(project: Project, shared_cases: Path) -> None:
    import_both(shared_cases / "17-excel-sep-line" / "in")
    assert captions() == [("s1.jpg", "A red corner, and a band"), ("s2.jpg", "A black dot")]
    assert "alpha_nominal" in run("agreement_report", shared_cases / "17-excel-sep-line" / "judgments.csv")


@pytest.mark.parametrize(
    ("folder", "texts"),
    [
        ("in", ["A black dot", "A red corner"]), ("many", ["First of three", "Second of three", "Third of three"]),
        ("same", ["First of three", "Second of three", "Third of three"]),
    ],
)  # fmt: skip
def test_headers_are_read_as_people_write_them(
    project: Project, shared_cases: Path, folder: str, texts: list[str]
) -> None:
    import_both(shared_cases / "40-header-in-capitals" / folder)
    assert sorted(text for _, text in captions()) == texts and not Refusal.objects.exists()


@pytest.mark.parametrize(
    ("file", "text", "n_refused"),
    [
        ("captions.csv.gz", "A red corner", 0), ("captions.jsonl.gz", "A red corner again", 0),
        ("captions16.csv", "Ein rotes Eck", 0), ("captions1252.csv", "A plain line", 1),
        ("captions-bom.csv", "Two lines\r\nin one cell; yes", 0),
    ],
)  # fmt: skip
def test_tables_are_read_in_every_encoding_and_packed(
    project: Project, shared_cases: Path, file: str, text: str, n_refused: int
) -> None:
    run("import_images", "--project", "skies", shared_cases / "42-packed-table" / "in")
    told = run("import_candidates", "--project", "skies", shared_cases / "42-packed-table" / file)
    assert captions() == [("z1.jpg", text)]
    assert told.count(f"refused line 2, {file}: The line is not UTF-8.") == n_refused, told
