"""Is it alive, is it ready, what is it, how much has it done. `ready` names what is missing."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from threading import Lock

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django_prometheus.exports import ExportToDjangoView

from backend.config.site import no_such_address
from backend.runs import queue

logger = structlog.get_logger(__name__)

THIS_MACHINE = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "")  # empty: a Unix socket
KEPT_SECONDS = 2.0  # an answer of `ready` holds for so long
ASKING = "The check is still running. Ask again in a few seconds."


def inside_only(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Not there for requests that a proxy hands on. Embedded, there is also nothing for other machines."""

    @wraps(view)
    def hidden(request: HttpRequest) -> HttpResponse:
        is_outside = settings.EMBEDDED and request.META.get("REMOTE_ADDR", "") not in THIS_MACHINE
        return no_such_address(request) if is_outside or "X-Forwarded-For" in request.headers else view(request)

    return hidden


@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """This process answers; nothing else is looked at."""
    return JsonResponse({"status": "alive"})


class LastCheck:
    """What was found last. A check waits for workers for seconds: one thread at a time makes it, the others do not."""

    def __init__(self) -> None:
        self.making = Lock()
        self.found: dict[str, str] = {"check": ASKING}
        self.holds_until = 0.0

    def get(self) -> dict[str, str]:
        """What is missing by part, an empty sentence where the part answers."""
        if time.monotonic() >= self.holds_until and self.making.acquire(blocking=False):
            try:
                self.found = {"database": _database(), **queue.check()}
                self.holds_until = time.monotonic() + KEPT_SECONDS
            finally:
                self.making.release()
        return self.found


last_check = LastCheck()


@never_cache
@inside_only
def ready(request: HttpRequest) -> JsonResponse:
    """200 if database, broker and a worker for every queue answer, else 503 with each fault and its repair."""
    checks = last_check.get()
    missing = {name: sentence for name, sentence in checks.items() if sentence}
    body = {"status": "not ready" if missing else "ready", "checks": {n: s or "answers" for n, s in checks.items()}}
    return JsonResponse(body | {"missing": missing}, status=503 if missing else 200)


@never_cache
def version(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"name": "Connote", "code_version": settings.CODE_VERSION, "api": "v1"})


@inside_only
def metrics(request: HttpRequest) -> HttpResponse:
    """Counters for Prometheus."""
    response: HttpResponse = ExportToDjangoView(request)
    return response


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, OSError) as error:
        logger.warning("database_does_not_answer", error=str(error))
        return "The database does not answer. Start it, or correct CONNOTE_DATABASE_URL."
    return ""
