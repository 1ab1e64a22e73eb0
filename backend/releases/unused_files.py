"""Removes stored files that nothing refers to any more. Files are named by content, so projects share equal ones."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path, PurePosixPath

from django.core.files.storage import default_storage

from backend.catalogue.models import Image
from backend.catalogue.storage import is_local
from backend.projects.models import Project
from backend.releases.models import ReleaseFile
from backend.runs.models import LIVE, Run
from backend.surveys.models import SurveyItem

STORING = ("import_images", "release")  # stages that first find or write a file, and its row later
ASIDE = ".deleted"


def is_being_stored() -> bool:
    """Whether a run may count on a file whose row it has not written yet."""
    return Run.objects.filter(stage__in=STORING, status__in=LIVE).exists()


def remove_unused(names: Collection[str]) -> int:
    """Remove those of the files that no row names. Returns how many.

    On a local disk a file is first moved aside. An import that begins meanwhile does not find it and writes it again;
    one that had found it before is seen by the second look, and the file is moved back.
    """
    unused = sorted(set(names) - _used(names))
    if not is_local():
        for name in unused:
            default_storage.delete(name)
        return len(unused)
    for name in unused:
        _move(_path(name), _aside(name))
    used = set(unused) if is_being_stored() else _used(unused)
    for name in unused:
        if name in used and not _path(name).exists():
            _move(_aside(name), _path(name))
        _aside(name).unlink(missing_ok=True)
    return len(set(unused) - used)


def _path(name: str) -> Path:
    return Path(default_storage.path(name))


def _aside(name: str) -> Path:
    path = _path(name)
    return path.with_name(path.name + ASIDE)


def _move(here: Path, there: Path) -> None:
    """Move a file that is there; one that a killed worker moved before stays where it is."""
    if here.exists():
        here.replace(there)


def _used(names: Collection[str]) -> set[str]:
    digests = {PurePosixPath(name).name.split(".")[0].split("-")[0] for name in names}
    projects = list(Project.objects.values_list("pk", flat=True))  # with them the index of (project, digest) serves
    images = Image.objects.filter(project__in=projects, digest__in=digests).values_list("original", "small", "large")
    released = ReleaseFile.objects.filter(stored_as__in=names).values_list("stored_as", flat=True)
    asked = SurveyItem.objects.filter(digest__in=digests).values_list("small", "large")
    return {name for row in (*images, *asked) for name in row} | set(released)
