"""Sends a file: whole, from where a download broke off, or not at all, for a client that has it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar
from urllib.parse import quote

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiParameter

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
RANGE = OpenApiParameter("Range", str, OpenApiParameter.HEADER, description="One range: bytes=FIRST-LAST.")
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


@dataclass(frozen=True)
class Content:
    """What is sent: its name for people, its size, a digest of it, and a function that reads bytes of it."""

    name: str
    n_bytes: int
    tag: str
    read: Callable[[int, int], Iterable[bytes]]
    kind: str = ""  # its media type; by default that of its name


def send_file(request: HttpRequest, file: StoredFile) -> HttpResponseBase:
    """Send a stored file as `send_content` does. Where nginx stands in front it sends the bytes of the file."""
    if settings.ACCEL_REDIRECT and not settings.S3_BUCKET and not _is_known(request, f'"{file.sha256}"'):
        return _with_headers(_handed_over(file), f'"{file.sha256}"')
    return send_content(request, Content(file.name, file.n_bytes, file.sha256, partial(read_stored, file.stored_as)))


def send_content(request: HttpRequest, content: Content) -> HttpResponseBase:
    """200, 206 for one range, 304 where `If-None-Match` names the digest, 416 for a range outside the content."""
    tag = f'"{content.tag}"'
    if _is_known(request, tag):
        return _with_headers(HttpResponse(status=304), tag)
    try:
        part = read_range(_asked_range(request, tag), n_bytes=content.n_bytes)
    except UnsatisfiableRange:
        return _refused(content.n_bytes)
    return _with_headers(_streamed(request, content, part), tag)


def send_text(request: HttpRequest, name: str, text: str, kind: str) -> HttpResponseBase:
    """Send a small text that was made just now, as `send_content` does."""
    data = text.encode()

    def read(first: int, n_bytes: int) -> Iterable[bytes]:
        return (data[first : first + n_bytes],)

    return send_content(request, Content(name, len(data), hashlib.sha256(data).hexdigest(), read, kind))


def _is_known(request: HttpRequest, tag: str) -> bool:
    known = request.headers.get("If-None-Match", "")
    return tag in known or known.strip() == "*"


def _asked_range(request: HttpRequest, tag: str) -> str:
    """The Range header; empty where `If-Range` names another content than this, and for HEAD (RFC 9110, 14.2)."""
    is_of_this = request.method == "GET" and request.headers.get("If-Range", tag) == tag
    return request.headers.get("Range", "") if is_of_this else ""


def _handed_over(file: StoredFile) -> HttpResponse:
    response = _described(HttpResponse(), file.name, "")
    response["X-Accel-Redirect"] = f"{settings.ACCEL_REDIRECT.rstrip('/')}/{quote(file.stored_as)}"
    return response


def _streamed(request: HttpRequest, content: Content, part: ByteRange | None) -> HttpResponseBase:
    first, n_bytes = (part.first, part.n_bytes) if part else (0, content.n_bytes)
    told = () if request.method == "HEAD" else content.read(first, n_bytes)
    response = _described(StreamingHttpResponse(told), content.name, content.kind)
    response["Content-Length"] = str(n_bytes)
    if part:
        response.status_code = 206
        response["Content-Range"] = f"bytes {part.first}-{part.last}/{content.n_bytes}"
    return response


def read_stored(stored_as: str, first: int, n_bytes: int) -> Iterator[bytes]:
    """`n_bytes` of a stored file from byte `first` on."""
    with default_storage.open(stored_as) as file:
        file.seek(first)
        while n_bytes > 0 and (chunk := file.read(min(CHUNK, n_bytes))):
            n_bytes -= len(chunk)
            yield chunk


def _described(response: Response, name: str, kind: str) -> Response:
    response["Content-Type"] = kind or KINDS.get(name.rpartition(".")[2], PLAIN)
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    return response


def _with_headers(response: Response, tag: str) -> Response:
    """The content behind an address never changes, but who may read it can."""
    response["ETag"] = tag
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = "private, no-cache"
    return response


def _refused(n_bytes: int) -> JsonResponse:
    params = {"n_bytes": n_bytes, "last": n_bytes - 1}
    response = JsonResponse(error_body("range_outside", fill(OUTSIDE, params), params), status=416)
    response["Content-Range"] = f"bytes */{n_bytes}"
    return response
