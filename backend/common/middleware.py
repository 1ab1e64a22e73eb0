"""What happens to every request: its log lines name its address, its id goes into the answer's headers, and a body
too large is not read."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django_structlog.signals import bind_extra_request_metadata
from rest_framework.throttling import BaseThrottle

from backend.common.exception_handler import error_body, request_id
from backend.common.parsers import BodyTooLarge

MB = 1024 * 1024
TOO_MUCH = "{n:,.0f} MB at once is more than the {most:,.0f} MB this address takes. Send it in several parts."


@receiver(bind_extra_request_metadata)
def log_address(request: HttpRequest, **_: object) -> None:
    """Log lines name the address that throttles count by: of X-Forwarded-For only what our own proxies have added."""
    structlog.contextvars.bind_contextvars(ip=BaseThrottle().get_ident(request))  # type: ignore[arg-type]  # of META


class RequestIdHeaderMiddleware:
    """A person can quote the id, and an operator finds it in the logs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if found := request_id():
            response["X-Request-ID"] = found
        return response


class BodyLimitMiddleware:
    """Refuses a body by its announced length: the CSRF check alone, asked of anybody, would read all of it to disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        n_bytes, most = int(announced) if announced.isdecimal() else 0, _most_bytes(request)
        if n_bytes <= most:
            return self.get_response(request)
        sentence = TOO_MUCH.format(n=n_bytes / MB, most=most / MB)
        return JsonResponse(error_body(BodyTooLarge.default_code, sentence), status=413)


def _most_bytes(request: HttpRequest) -> int:
    """What this address takes: files where uploads go, anywhere else a form or some JSON."""
    takes_files = request.path.endswith("/uploads")
    return settings.MAX_UPLOAD_MB * MB if takes_files else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
