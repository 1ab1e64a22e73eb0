"""What happens to every request: its log lines name its address, its id and the house's content policy go into the
answer's headers, and a body too large is not read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import ceil

import structlog
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django_structlog.signals import bind_extra_request_metadata
from rest_framework.throttling import BaseThrottle

from backend.common.exception_handler import error_body, request_id
from backend.methods.said import fill

MB = 1024 * 1024
TOO_MUCH = "This request has {n} MB. The server accepts at most {most} MB. Send it in parts."


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


class ContentPolicyMiddleware(CSPMiddleware):
    """django-csp's, which builds the policy twice for each answer, a twentieth of what handing over a page costs: the
    house's own is built once. An answer that asks for another, by a decorator or a nonce, gets what the library makes.
    """

    ASKED = ("_csp_config", "_csp_update", "_csp_replace", "_csp_exempt")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        asks = any(hasattr(response, name) for name in self.ASKED) or hasattr(request, "_csp_nonce")
        if asks or settings.DEBUG:  # Django's own debug pages stay as the library leaves them
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, _house_policy())
        return response


@cache
def _house_policy() -> str:
    return build_policy()


class BodyLimitMiddleware:
    """Refuses a body by its announced length: the CSRF check alone, asked of anybody, would read all of it to disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        n_bytes, most = int(announced) if announced.isdecimal() else 0, _most_bytes(request)
        if n_bytes <= most:
            return self.get_response(request)
        params = {"n": ceil(n_bytes / MB), "most": most // MB}
        return JsonResponse(error_body("too_many_mb", fill(TOO_MUCH, params), params), status=413)


def _most_bytes(request: HttpRequest) -> int:
    """What this address takes: files where uploads go, anywhere else a form or some JSON."""
    takes_files = request.path.endswith("/uploads")
    return settings.MAX_UPLOAD_MB * MB if takes_files else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
