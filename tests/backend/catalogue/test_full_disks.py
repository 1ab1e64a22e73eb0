"""A disk that is full or locked: one sentence names it, nothing half-written stays, and a second try goes on."""

from __future__ import annotations

import errno
import os
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.db import OperationalError
from rest_framework.test import APIClient

from backend.catalogue.models import Image, Upload
from backend.catalogue.selectors import upload_folder
from backend.catalogue.sources import open_source
from backend.common.disks import disk_error
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run, RunStatus
from drawn import draw

pytestmark = pytest.mark.django_db(transaction=True)
UPLOADS = "/api/v1/projects/skies/uploads"
CODES = {errno.ENOSPC: "disk_full", errno.EROFS: "disk_locked"}


@dataclass
class Disk:
    """A disk that takes `n_writes` more files. After these it raises the error as the kernel does: without a name."""

    number: int
    n_writes: float = inf

    def take(self, path: Path) -> None:
        self.n_writes -= 1
        if self.n_writes < 0:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            raise OSError(self.number, os.strerror(self.number))


@pytest.fixture(params=CODES, ids=CODES.values())
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk, write_bytes, opened = Disk(request.param), Path.write_bytes, Path.open

    def write(path: Path, data: Any) -> int:
        disk.take(path)
        return write_bytes(path, data)

    def open_anew(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if "x" in mode:
            disk.take(path)
        return opened(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "write_bytes", write)
    monkeypatch.setattr(Path, "open", open_anew)
    return disk


def full(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_import_names_the_disk_lists_only_whole_pictures_and_a_retry_ends_well(
    import_from: Callable[..., Run], picture_folder: Callable[..., Path], disk: Disk
) -> None:
    folder = picture_folder(12)
    disk.n_writes = 14
    run = import_from(folder)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, CODES[disk.number])
    assert "the folder /" in run.error["message"] and "Retry continues from there." in run.error["message"]
    for image in Image.objects.all():
        assert all(default_storage.size(name) for name in (image.original, image.small, image.large))
    disk.n_writes = inf
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert (again.status, Image.objects.count()) == (RunStatus.SUCCEEDED, 12)
    leftovers = [path for path in Path(default_storage.path("")).rglob(".*") if path.is_file()]
    assert leftovers == []


def test_an_upload_is_refused_in_a_sentence_and_leaves_nothing(
    client_of: Callable[..., APIClient], alice: User, project: Project, disk: Disk
) -> None:
    client, disk.n_writes = client_of(alice), 0
    answer = send(client)
    assert (answer.status_code, answer.json()["code"]) == (507, CODES[disk.number])
    assert "administrator" in answer.json()["message"]
    assert not Upload.objects.exists()
    assert list(upload_folder("x").parent.glob("*")) == []
    disk.n_writes = inf
    assert send(client).status_code == 201


def test_an_upload_that_fills_the_temporary_folder_is_told_too(
    client_of: Callable[..., APIClient], alice: User, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Django writes a large upload there before the view sees it."""

    def full_at_once(handler: TemporaryFileUploadHandler, *_: object) -> None:
        handler.file.close()  # Django leaves that to the garbage collector
        full()

    monkeypatch.setattr(TemporaryFileUploadHandler, "receive_data_chunk", full_at_once)
    answer = send(client_of(alice), size=3 * 1024 * 1024)
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")


def send(client: APIClient, size: int = 100) -> Any:
    return client.post(UPLOADS, {"files": [SimpleUploadedFile("a.txt", b"x" * size)]}, format="multipart")


def test_an_archive_is_not_called_damaged_when_there_is_no_room_to_unpack_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "x.tar.gz"
    (tmp_path / "a.png").write_bytes(draw(1))
    with tarfile.open(packed, "w:gz") as tar:
        tar.add(tmp_path / "a.png", "a.png")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        open_source(packed)


class DiskFullOfPostgresql(Exception):
    sqlstate = "53100"


def from_cause(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "disk_full"),
        (RuntimeError("PytorchStreamWriter failed: No space left on device"), "disk_full"),
        (OperationalError("database or disk is full"), "disk_full"),
        (from_cause(OperationalError("could not extend file"), DiskFullOfPostgresql()), "disk_full"),
        (from_cause(RuntimeError("not stored"), OSError(errno.ENOSPC, "x")), "disk_full"),
        (OperationalError("attempt to write a readonly database"), "disk_locked"),
        (PermissionError(errno.EACCES, "Permission denied", f"{tempfile.gettempdir()}/x"), "disk_locked"),
        (PermissionError(errno.EACCES, "Permission denied", "/srv/images/a.png"), None),
        (OperationalError("server closed the connection unexpectedly"), None),
        (RuntimeError("no space"), None),
    ],
)
def test_what_is_about_a_disk_is_told_from_what_is_not(error: Exception, code: str | None) -> None:
    found = disk_error(error)
    assert (found and found.error_code) == code


def test_words_that_a_person_typed_are_not_taken_for_a_full_disk(
    client_of: Callable[..., APIClient], alice: User
) -> None:
    typed = {"name": "x", "direction": "No space left on device"}
    assert client_of(alice).post("/api/v1/projects", typed, format="json").status_code == 400
