"""The door for gunicorn: `gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
CHUNK = 64 * 1024
django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Django's answer. The body of the request is read to its end, also where Django refused it unread.

    Gunicorn says that it keeps the connection, and closes it when much of a body is left. The proxy has sent the next
    request of somebody else on it by then, and that request fails. On a connection that closes, the proxy answers 502
    to the request itself if it cannot send on; a client that stops sending is not waited for.
    """
    answer = django(environ, start_response)
    if environ.get("HTTP_CONNECTION", "").lower() == "close":
        _take_what_comes(environ)
    else:
        _read_what_is_left(environ)
    return answer


def _take_what_comes(environ: dict[str, Any]) -> None:
    """Throw away the rest of a body for at most five seconds, until nothing comes for one second."""
    left = getattr(getattr(environ["wsgi.input"], "reader", None), "length", 0)
    until = monotonic() + 5
    with suppress(OSError):  # nothing came, or the client has gone
        connection = environ["gunicorn.socket"] if left else None
        while connection and left > 0 and monotonic() < until:
            connection.settimeout(1)
            chunk = connection.recv(CHUNK)
            left = left - len(chunk) if chunk else 0


def _read_what_is_left(environ: dict[str, Any]) -> None:
    """Read at most twice the largest body that an address without uploads takes."""
    left = 2 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    with suppress(OSError):  # the client has gone
        while left > 0 and (chunk := environ["wsgi.input"].read(CHUNK)):
            left -= len(chunk)
