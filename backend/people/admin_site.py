"""Django's admin with the same brake on its sign-in form as the API has on its own."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.people.throttles import SignInAddressThrottle, SignInPersonThrottle


class ConnoteAdminSite(AdminSite):
    site_title = site_header = "Connote"

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        waits = _waits(request) if request.method == "POST" else []
        if not waits:
            return super().login(request, extra_context)
        sentence = f"Too many tries. Wait {max(waits):.0f} seconds, then try again."
        headers = {"Retry-After": f"{max(waits):.0f}"}
        return HttpResponse(sentence, status=429, headers=headers, content_type="text/plain; charset=utf-8")


def _waits(request: HttpRequest) -> list[float]:
    """Seconds that each exceeded limit asks for; every limit counts this try."""
    asked = Request(request, parsers=[FormParser(), MultiPartParser()])
    throttles = [SignInPersonThrottle(), SignInAddressThrottle()]
    refusing = [throttle for throttle in throttles if not throttle.allow_request(asked, APIView())]
    return [throttle.wait() for throttle in refusing]
