"""Stored pictures over HTTP, to whoever holds a signed link. No session, no database."""

from __future__ import annotations

import mimetypes
from pathlib import PurePosixPath
from urllib.parse import quote

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from backend.catalogue.media import check_link
from backend.catalogue.storage import is_local
from backend.common.errors import ConnoteError, NotFound
from backend.common.exception_handler import error_body

FOLDERS = ("thumbnails", "originals")
KINDS = {".webp": "image/webp", ".avif": "image/avif", ".jp2": "image/jp2"}
LOCKED = "default-src 'none'; sandbox"


@require_safe
def media(request: HttpRequest, name: str) -> HttpResponseBase:
    """The file `name`: shown, or saved where the link says so. Browsers may keep it as long as the link is good."""
    try:
        download_as = request.GET.get("download", "")
        left = check_link(
            name,
            expires=request.GET.get("expires", ""),
            signature=request.GET.get("signature", ""),
            download_as=download_as,
        )
        answer = _send(name)
    except ConnoteError as error:
        return JsonResponse(error_body(error.error_code, error.message), status=error.status)
    answer["Content-Type"] = _kind_of(name)
    answer["Cache-Control"] = f"private, max-age={left}, immutable"
    answer["Content-Disposition"] = content_disposition_header(bool(download_as), download_as) or "inline"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = LOCKED
    return answer


def _send(name: str) -> HttpResponseBase:
    """The bytes, or an order to nginx to send them. Raises NotFound where they are not there."""
    parts = PurePosixPath(name).parts
    if parts[0] not in FOLDERS or ".." in parts:
        raise NotFound()
    if settings.ACCEL_REDIRECT and is_local():
        return HttpResponse(headers={"X-Accel-Redirect": f"{settings.ACCEL_REDIRECT.rstrip('/')}/{quote(name)}"})
    try:
        return FileResponse(default_storage.open(name))
    except (OSError, ValueError) as error:
        raise NotFound() from error


def _kind_of(name: str) -> str:
    ending = PurePosixPath(name).suffix
    return KINDS.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
