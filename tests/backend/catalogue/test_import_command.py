"""`manage.py import_images`: any path of this machine, a bar, and the report of what was refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Run

pytestmark = pytest.mark.django_db(transaction=True)


def run_command(*arguments: str) -> tuple[str, str]:
    """What it prints, and its progress bar."""
    out, bar = io.StringIO(), io.StringIO()
    call_command("import_images", *arguments, stdout=out, stderr=bar)
    return out.getvalue(), bar.getvalue()


def test_it_imports_any_path_and_lists_every_refused_row(project: Project, picture_folder: Callable[..., Path]) -> None:
    folder = picture_folder(3)
    (folder / "1.png").write_bytes(b"")
    out, bar = run_command("--project", "skies", str(folder), "--seed", "5")
    assert all(part in out for part in ("succeeded, but 1 row was rejected.", "already_there 0", "in 3", "out 2")), out
    assert "refused line 2, 1.png: The file has no bytes" in out
    assert "3/3" in bar.rpartition("\r")[2] and bar.count("\n") == 1
    assert Image.objects.count() == 2 and Run.objects.get().seed == 5


def test_it_says_what_is_wrong_with_its_arguments(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="project 'seas' does not exist"):
        run_command("--project", "seas", str(tmp_path))
    with pytest.raises(CommandError, match="did not succeed"):
        run_command("--project", "skies", str(tmp_path / "nowhere"))


def test_a_default_licence_covers_bare_pictures(project: Project, picture_folder: Callable[..., Path]) -> None:
    folder = picture_folder(2)
    run_command("--project", "skies", str(folder), "--layout", "files", "--default-licence", "CC0-1.0")
    assert set(Image.objects.values_list("key", "licence")) == {("0.png", "CC0-1.0"), ("1.png", "CC0-1.0")}
