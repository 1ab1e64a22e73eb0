"""The whole stage from a file, as a task and as a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.walk import get_stage, read_parameters
from workers.tasks.candidates import import_candidates

Maker = Callable[..., list[Image]]


@pytest.fixture
def table(tmp_path: Path, make_images: Maker) -> Path:
    """Six lines about a dog and a cat: three good, a wolf nobody knows, one that is not UTF-8, one that is no JSON."""
    make_images("dog", "cat")
    good = [("dog", "A dog on the grass"), ("cat", "A cat on the stairs"), ("wolf", "A wolf"), ("dog", "Un café, là")]
    lines = [json.dumps({"image_id": key, "caption": text}).encode() for key, text in good]
    lines += [b'{"image_id": "dog", "caption": "caf\xe9 noir"}', b"{not json"]
    path = tmp_path / "captions.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def start(project: Project, **parameters: object) -> Run:
    complete = read_parameters(get_stage("import_candidates"), parameters)
    run = Run.objects.create(project=project, stage="import_candidates", parameters=complete, seed=3)
    import_candidates(str(run.pk))
    run.refresh_from_db()
    return run


def test_captions_of_a_file_are_imported_and_bad_lines_listed(table: Path, project: Project) -> None:
    run = start(project, source=str(table))
    assert (run.status, run.counts["in"], run.counts["out"]) == (RunStatus.SUCCEEDED, 6, 3)
    refused = {(refusal.line, refusal.code) for refusal in run.refusals.all()}
    assert {line for line, _ in refused} == {3, 5, 6}
    assert (3, "unknown_image") in refused
    assert set(Candidate.objects.values_list("source", flat=True)) == {"human"}


def test_borrowing_follows_the_file_and_a_second_run_changes_nothing(table: Path, project: Project) -> None:
    assert start(project, source=str(table), borrow=1).counts["borrowed"] == 2
    before = list(Candidate.objects.order_by("id").values())
    again = start(project, source=str(table), borrow=1)
    assert (again.counts["out"], again.counts["known"], again.counts["borrowed"]) == (0, 3, 0)
    assert list(Candidate.objects.order_by("id").values()) == before


def test_borrowing_alone_needs_no_file(table: Path, project: Project) -> None:
    start(project, source=str(table))
    assert start(project, borrow=2).counts["borrowed"] == 3


def test_a_run_without_a_source_and_one_with_a_bad_origin_fail_with_a_sentence(table: Path, project: Project) -> None:
    nothing, misnamed = start(project), start(project, source=str(table), origin="other_image")
    assert nothing.status == misnamed.status == RunStatus.FAILED
    assert "source" in nothing.error["message"]
    assert "origin" in misnamed.error["message"]
    assert not Candidate.objects.exists()


@pytest.mark.parametrize("page", ["page_url", "landing_url", "domain"])
def test_a_table_may_name_the_page_and_the_site_of_each_caption(
    page: str, tmp_path: Path, make_images: Maker, project: Project
) -> None:
    make_images("dog", "cat")
    rows = [
        {"image_id": "dog", "source": "web", page: "https://dogs.example/1", "captions": ["A dog", {"text": "Dogs"}]},
        {"image_id": "cat", "captions": [{"text": "A cat", page: "cats.example", "site_name": "The Cats"}]},
    ]
    path = tmp_path / "titles.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    start(project, source=str(path))
    assert set(Candidate.objects.values_list("raw_text", "page_url", "site_name")) == {
        ("A dog", "https://dogs.example/1", ""),
        ("Dogs", "https://dogs.example/1", ""),
        ("A cat", "cats.example", "The Cats"),
    }


@pytest.mark.django_db(transaction=True)
def test_the_command_imports_and_reports_what_was_refused(table: Path, project: Project) -> None:
    out, err = StringIO(), StringIO()
    call_command("import_candidates", str(table), project="skies", borrow=1, seed=3, stdout=out, stderr=err)
    assert Run.objects.get().parameters["source"] == str(table)
    assert "in 6" in out.getvalue()
    assert "refused line 3, wolf" in out.getvalue()
    assert Candidate.objects.filter(source="other_image").count() == 2


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"project": "nowhere"}, "The project 'nowhere' does not exist"),
        ({"project": "skies"}, "did not succeed"),
        ({"project": "skies", "borrow": 1000}, "borrow must be from 0 to 100"),
    ],
)
def test_the_command_says_what_is_wrong(
    table: Path, project: Project, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("import_candidates", stdout=StringIO(), stderr=StringIO(), **options)


@pytest.mark.django_db(transaction=True)
def test_the_command_waits_for_images(project: Project) -> None:
    with pytest.raises(CommandError, match="Import images first"):
        call_command("import_candidates", "captions.csv", project="skies", stdout=StringIO(), stderr=StringIO())
