"""Puts the request id into the answer's headers, so that a person can quote it and an operator can find it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from backend.common.exception_handler import request_id


class RequestIdHeaderMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if found := request_id():
            response["X-Request-ID"] = found
        return response
