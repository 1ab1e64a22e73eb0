"""Keeps release files in the media storage under the name of their content, so that none is ever overwritten."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.core.files import File
from django.core.files.storage import default_storage

from backend.releases.bundle import MadeFile

CHUNK = 1024 * 1024


def keep_file(made: MadeFile) -> str:
    """Store one file, unless its content is there. Returns its storage name.

    A worker that was killed leaves a part of a file under this name. No release refers to it yet. Its checksum is
    wrong, so it is written again.
    """
    name = f"releases/{made.sha256[:2]}/{made.sha256}"
    if default_storage.exists(name):
        if default_storage.size(name) == made.n_bytes and _sha256(name) == made.sha256:
            return name
        default_storage.delete(name)
    with made.path.open("rb") as file:
        return default_storage.save(name, File(file))


def copy_file(stored_as: str, path: Path) -> None:
    """Copy a stored file to `path`, piece by piece."""
    with default_storage.open(stored_as) as file, path.open("wb") as out:
        for chunk in file.chunks(CHUNK):
            out.write(chunk)


def _sha256(name: str) -> str:
    digest = hashlib.sha256()
    with default_storage.open(name) as file:
        for chunk in file.chunks(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
