"""The door for gunicorn: `gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
CHUNK = 64 * 1024
django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Django's answer. The body of the request is read to its end, also where Django refused it unread.

    Gunicorn closes a connection when much of a body is left. On a kept connection the proxy has sent the next request
    of somebody else by then, and that request fails. On any other the proxy may still send, and then it answers 502
    instead of what Django said.
    """
    answer = django(environ, start_response)
    _read_what_is_left(environ)
    return answer


def _read_what_is_left(environ: dict[str, Any]) -> None:
    """Read at most twice the largest body that an address without uploads takes."""
    left = 2 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    with suppress(OSError):  # the client has gone
        while left > 0 and (chunk := environ["wsgi.input"].read(CHUNK)):
            left -= len(chunk)
