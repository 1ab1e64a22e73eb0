"""Links to stored files that carry their own permission: the link opens the file until it expires.

Expiries are rounded up to a fixed grid, so that the same picture keeps the same address for hours and browsers can keep
it. Checking a link takes no database query.
"""

from __future__ import annotations

import time
from urllib.parse import quote, urlencode

from django.conf import settings
from django.core.signing import Signer
from django.utils.crypto import constant_time_compare

from backend.common.errors import ConnoteError

_signer = Signer(salt="connote.media")


class LinkBroken(ConnoteError):
    """This link to an image is not complete. Reload the page."""

    code = "link_broken"
    status = 403


class LinkExpired(ConnoteError):
    """This link to an image has expired. Reload the page."""

    code = "link_expired"
    status = 403


def media_url(name: str, *, download_as: str = "") -> str:
    """A signed address of the stored file `name`; with `download_as` the browser saves it under that name."""
    grid = settings.MEDIA_LINK_HOURS * 3600  # a link lives for one to two of these
    expires = (int(time.time()) // grid + 2) * grid
    query = {"expires": expires, "signature": _sign(name, expires, download_as)}
    if download_as:
        query["download"] = download_as
    return f"/media/{quote(name)}?{urlencode(query)}"


def check_link(name: str, *, expires: str, signature: str, download_as: str) -> int:
    """Seconds that the link will still be good. Raises LinkBroken or LinkExpired."""
    if not (expires.isascii() and expires.isdigit() and len(expires) <= 12):
        raise LinkBroken()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(constant_time_compare(signature, _sign(name, int(expires), download_as, key)) for key in keys):
        raise LinkBroken()
    left = int(expires) - int(time.time())
    if left <= 0:
        raise LinkExpired()
    return left


def _sign(name: str, expires: int, download_as: str, key: str | None = None) -> str:
    return _signer.signature("\n".join((name, str(expires), download_as)), key=key)
