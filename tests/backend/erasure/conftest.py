"""A project with everything in it, and one beside it that must not change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.catalogue.models import Image
from backend.catalogue.storage import keep_file, original_name, thumbnail_name
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.runs.models import Run, RunStatus


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_DIR = tmp_path / "data"
    settings.EMBEDDINGS = tmp_path / "embeddings"
    return tmp_path


@pytest.fixture
def full(project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], alice: User) -> Project:
    """Judged by bob and dora, with consensus, selection and a release; every image has its files."""
    opinion = lambda at, caption, person: "bad" if caption < person else "good"  # noqa: E731
    make_judged(project, images=3, captions=7, opinion=opinion)
    for stage in ("consensus", "select", "release"):
        parameters = {"min_votes": 1} if stage == "consensus" else {}
        run = run_stage(project, stage, started_by=alice, **parameters)
        assert run.status == RunStatus.SUCCEEDED, run.error
    _keep_files(project)
    return project


@pytest.fixture
def keep_files() -> Callable[[Project], None]:
    """Name the files of the project's images as an import does, by their content, and write something there."""
    return _keep_files


def _keep_files(project: Project) -> None:
    for image in Image.objects.filter(project=project):
        image.original = original_name(image.digest, image.format)
        image.small, image.large = (thumbnail_name(image.digest, size) for size in ("small", "large"))
        image.save()
        for name in (image.original, image.small, image.large):
            keep_file(name, name.encode())


@pytest.fixture
def beside(project: Project, charlie: User) -> Project:
    """Another project of charlie's."""
    other = Project.objects.create(slug="seas", name="Seas", created_by=charlie)
    Membership.objects.create(project=other, user=charlie, role=Role.CURATOR)
    return other
