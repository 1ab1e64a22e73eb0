"""All files of a release as one .zip, made while it is sent: stored, not compressed, so that its length is known."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.files.storage import default_storage
from django.http import HttpResponseBase, StreamingHttpResponse
from zipstream import ZipStream

from backend.common.files import file_headers
from backend.releases.models import Release
from backend.releases.store import CHUNK


def name_archive(release: Release) -> str:
    """The name of the .zip, and of the folder in it."""
    return f"{release.project.slug}-{release.label}"


def send_archive(release: Release) -> HttpResponseBase:
    """Nothing is read before it is sent, and one piece of a file is in memory at a time."""
    name = name_archive(release)
    archive = ZipStream(sized=True)
    for file in release.files.order_by("name"):
        archive.add(_read(file.stored_as), f"{name}/{file.name}", size=file.n_bytes)
    headers = file_headers(f"{name}.zip") | {"Content-Length": str(len(archive))}
    return StreamingHttpResponse(archive, content_type="application/zip", headers=headers)


def _read(stored_as: str) -> Iterator[bytes]:
    with default_storage.open(stored_as) as file:
        yield from file.chunks(CHUNK)
