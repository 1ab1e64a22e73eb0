"""Is it alive, is it ready, what is it. `ready` names what is missing."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from backend.runs import queue

logger = structlog.get_logger(__name__)


@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """This process answers; nothing else is looked at."""
    return JsonResponse({"status": "alive"})


@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """200 where database, broker and a worker for every queue answer, else 503 with what is missing and the mend."""
    checks = {"database": _database(), **queue.check()}
    missing = {name: sentence for name, sentence in checks.items() if sentence}
    body = {"status": "not ready" if missing else "ready", "checks": {n: s or "answers" for n, s in checks.items()}}
    return JsonResponse(body | {"missing": missing}, status=503 if missing else 200)


@never_cache
def version(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"name": "Connote", "code_version": settings.CODE_VERSION, "api": "v1"})


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, OSError) as error:
        logger.warning("database_does_not_answer", error=str(error))
        return "The database does not answer. Start it, or correct CONNOTE_DATABASE_URL."
    return ""
