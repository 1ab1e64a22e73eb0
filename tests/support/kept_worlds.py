"""A world that the tests of a module share: it is made once, and each test works in a savepoint on it.

To judge, select and release the same three images before each test took more time than the tests. A module says
`KEPT_WORLD = make`, with a function that gets the project of `cast.py` and fills it. The people and the project of the
fixtures are then those of the kept world, and the media folder of each test is a copy.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings

import cast
from backend.projects.models import Project

Make = Callable[[Project], object]
_media: list[Path] = []


@pytest.fixture(scope="module", autouse=True)
def kept_world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Rows in a transaction around those of the tests, for a module with `KEPT_WORLD`. No test of it commits."""
    make: Make | None = getattr(request.module, "KEPT_WORLD", None)
    if make is None:
        yield
        return
    request.getfixturevalue("django_db_setup")
    blocker: Any = request.getfixturevalue("django_db_blocker")
    media = tmp_path_factory.mktemp("kept-media")
    around = transaction.atomic()
    around._from_testcase = True  # type: ignore[attr-defined]  # else a durable transaction in it is refused
    with blocker.unblock():
        around.__enter__()
        with override_settings(MEDIA_ROOT=media):
            make(cast.make_project(*(cast.make_person(name, is_staff=name == "alice") for name in cast.ROLES)))
    cast.is_kept = True
    _media.append(media)
    yield
    _media.pop()
    cast.is_kept = False
    with blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


def own_copy(folder: Path) -> Path:
    """The folder, with a copy of the media files of the kept world."""
    if _media:
        shutil.copytree(_media[-1], folder, dirs_exist_ok=True)
    return folder
