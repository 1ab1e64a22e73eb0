"""Sends a file of a release or an export: whole, from where a download broke off, or not at all.

Not at all is for a client that has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar
from urllib.parse import quote

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

from backend.common.exception_handler import error_body
from backend.methods.said import fill
from backend.releases.byte_range import ByteRange, UnsatisfiableRange, read_range

Response = TypeVar("Response", bound=HttpResponseBase)
CHUNK = 256 * 1024
PLAIN = "text/plain; charset=utf-8"
KINDS = {
    "jsonl": "application/x-ndjson",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "cff": "application/yaml; charset=utf-8",
    "zip": "application/zip",
}
OUTSIDE = "The file has {n_bytes} bytes. Ask for bytes from 0 to {last}."


class StoredFile(Protocol):
    """What is sent: its name for people, and its content by its storage name, size and checksum."""

    @property
    def name(self) -> str: ...
    @property
    def stored_as(self) -> str: ...
    @property
    def n_bytes(self) -> int: ...
    @property
    def sha256(self) -> str: ...


def send_file(request: HttpRequest, file: StoredFile) -> HttpResponseBase:
    """200, 206 for one range, 304 where `If-None-Match` names the checksum, 416 for a range outside the file.

    Where nginx stands in front it sends the bytes and reads the range itself.
    """
    tag = f'"{file.sha256}"'
    if tag in request.headers.get("If-None-Match", ""):
        return _with_headers(HttpResponse(status=304), tag)
    if settings.ACCEL_REDIRECT and not settings.S3_BUCKET:
        return _with_headers(_handed_over(file), tag)
    try:
        part = read_range(_asked_range(request, tag), n_bytes=file.n_bytes)
    except UnsatisfiableRange:
        return _refused(file)
    return _with_headers(_streamed(file, part), tag)


def _asked_range(request: HttpRequest, tag: str) -> str:
    """The Range header; empty where `If-Range` names another content than this."""
    return request.headers.get("Range", "") if request.headers.get("If-Range", tag) == tag else ""


def _handed_over(file: StoredFile) -> HttpResponse:
    response = _described(HttpResponse(), file)
    response["X-Accel-Redirect"] = f"{settings.ACCEL_REDIRECT.rstrip('/')}/{quote(file.stored_as)}"
    return response


def _streamed(file: StoredFile, part: ByteRange | None) -> HttpResponseBase:
    first, n_bytes = (part.first, part.n_bytes) if part else (0, file.n_bytes)
    response = _described(StreamingHttpResponse(_read(file.stored_as, first, n_bytes)), file)
    response["Content-Length"] = str(n_bytes)
    if part:
        response.status_code = 206
        response["Content-Range"] = f"bytes {part.first}-{part.last}/{file.n_bytes}"
    return response


def _read(stored_as: str, first: int, n_bytes: int) -> Iterator[bytes]:
    with default_storage.open(stored_as) as file:
        file.seek(first)
        while n_bytes > 0 and (chunk := file.read(min(CHUNK, n_bytes))):
            n_bytes -= len(chunk)
            yield chunk


def _described(response: Response, file: StoredFile) -> Response:
    response["Content-Type"] = KINDS.get(file.name.rpartition(".")[2], PLAIN)
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    return response


def _with_headers(response: Response, tag: str) -> Response:
    """The content behind an address never changes, but who may read it can."""
    response["ETag"] = tag
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = "private, no-cache"
    return response


def _refused(file: StoredFile) -> JsonResponse:
    params = {"n_bytes": file.n_bytes, "last": file.n_bytes - 1}
    response = JsonResponse(error_body("range_outside", fill(OUTSIDE, params), params), status=416)
    response["Content-Range"] = f"bytes */{file.n_bytes}"
    return response
