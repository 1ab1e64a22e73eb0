"""What happens to every request: a made-up method and a body too large are refused, its log lines name its id and its
address, and its id, the house's content policy and who may keep the answer go into the answer's headers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from logging import ERROR, INFO, WARNING
from math import ceil
from uuid import uuid4

import structlog
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers
from rest_framework.throttling import BaseThrottle

from backend.common.exception_handler import SENTENCES, error_body
from backend.methods.said import fill

logger = structlog.get_logger(__name__)
MB = 1024 * 1024
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
TOO_MUCH = "This request has {n} MB. The server accepts at most {most} MB. Send it in parts."


class KnownMethodsMiddleware:
    """Refuses a method that HTTP does not know, before counters of Prometheus are made for it: they stay for ever."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in METHODS:
            return self.get_response(request)
        body = error_body(*SENTENCES["method_not_allowed"])
        return JsonResponse(body, status=405, headers={"Allow": ", ".join(METHODS)})


class PrivateByDefaultMiddleware:
    """No cache keeps an answer that does not say otherwise, and none gives one person's answer to another."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        if request.path.startswith("/api/v1/"):
            patch_vary_headers(response, ("Authorization", "Cookie"))
        return response


class RequestLogMiddleware:
    """Gives the request an id. A person can quote it, and an operator finds it in the logs. One line says how it ended.

    Its lines name the address that throttles count by: of X-Forwarded-For only what our own proxies have added.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = str(uuid4())
        address = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # of META
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id, ip=address)
        response = self.get_response(request)
        code = response.status_code
        level = ERROR if code >= 500 else WARNING if code >= 400 else INFO
        logger.log(level, "request_finished", code=code, request=f"{request.method} {request.get_full_path()}")
        structlog.contextvars.clear_contextvars()
        response["X-Request-ID"] = request_id
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
        n_bytes, most = int(announced) if announced.isdecimal() else 0, settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if n_bytes > most and _takes_uploads(request):
            most = settings.MAX_UPLOAD_MB * MB
        if n_bytes <= most:
            return self.get_response(request)
        params = {"n": ceil(n_bytes / MB), "most": most // MB}
        return JsonResponse(error_body("too_many_mb", fill(TOO_MUCH, params), params), status=413)


def _takes_uploads(request: HttpRequest) -> bool:
    """Whether a view with `takes_uploads` answers here; any other takes a form or some JSON."""
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return False
    return getattr(getattr(view, "cls", None), "takes_uploads", False)
