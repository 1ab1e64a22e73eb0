"""What is answered where no room answers: the front end's page, and errors in the house's one shape."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.csrf import csrf_failure as django_csrf_failure
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie
from django.views.decorators.http import require_safe

from backend.common.errors import ConnoteError
from backend.common.exception_handler import SENTENCES, error_body
from backend.people.authentication import CsrfFailed
from backend.releases import sharing
from backend.releases.preview import describe

BROKEN = "The server had an error and wrote it to its log. Try again, or send the request id to the administrator."
NOT_BUILT = "The front end does not exist yet. Run `make demo`, or `npm ci && npm run build` in frontend/."

CLOSED = "noindex, nofollow"  # to search engines

INDEX = {
    "projects": "/api/v1/projects",
    "me": "/api/v1/me",
    "session": "/api/v1/session",
    "docs": "/api/docs",
    "schema": "/api/schema",
}


@csrf_exempt  # it takes no POST, and says so
@require_safe
@ensure_csrf_cookie
def front_end(request: HttpRequest) -> HttpResponse | FileResponse:
    """The single page; its router reads the rest of the address."""
    page = settings.FRONTEND_DIST / "index.html"
    if not page.is_file():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    return HttpResponse(page.read_bytes(), headers={"Cache-Control": "no-cache"})


@csrf_exempt  # it takes no POST, and says so
@require_safe
def release_page(request: HttpRequest, token: str) -> HttpResponse:
    """The same page under the link of a release, with what other sites show of the link in its head."""
    page = settings.FRONTEND_DIST / "index.html"
    if not page.is_file():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    text, headers = page.read_text(encoding="utf-8"), {"Cache-Control": "no-cache", "X-Robots-Tag": CLOSED}
    try:
        link = sharing.follow(token)
    except ConnoteError as error:  # the page says the rest
        return HttpResponse(text, status=error.status, headers=headers)
    picture = reverse("public-release-preview", kwargs={"token": token})
    head = describe(link, url=request.build_absolute_uri(f"/r/{token}"), picture=request.build_absolute_uri(picture))
    headers["X-Robots-Tag"] = "all" if link.is_indexable else CLOSED
    return HttpResponse(head.put_into(text), headers=headers)


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The schema of the API as it was written with this version; to make it takes a second of processor time."""
    return HttpResponse(written_schema(), content_type="application/json", headers={"Cache-Control": "no-cache"})


@csrf_exempt  # it takes no POST, and says so
@require_safe
def index(request: HttpRequest) -> JsonResponse:
    """Where a program finds the API. It is the same for everybody."""
    here = {name: request.build_absolute_uri(address) for name, address in INDEX.items()}
    return JsonResponse({"name": "Connote", "version": 1} | here)


@cache
def written_schema() -> bytes:
    return (settings.BASE_DIR / "frontend" / "schema.json").read_bytes()


@csrf_exempt  # there is nothing to protect, and the check would read the body and answer in HTML
def no_such_address(request: HttpRequest) -> JsonResponse:
    return JsonResponse(error_body(*SENTENCES["not_found"]), status=404)


def csrf_failure(request: HttpRequest, reason: str) -> HttpResponse:
    """What the CSRF check of Django refuses. DRF has its own; only people with a browser see the admin pages."""
    if request.path.startswith("/admin/"):
        return django_csrf_failure(request, reason)
    return JsonResponse(error_body(CsrfFailed.default_code, CsrfFailed.default_detail), status=403)


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """What Django refuses before any room sees it: a host that is not ours, a body that cannot be read."""
    sentence = "The server cannot answer this request. Check the address and the host name."
    return JsonResponse(error_body("bad_request", sentence), status=400)


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    return no_such_address(request)


def server_error(request: HttpRequest) -> JsonResponse:
    return JsonResponse(error_body("server_error", BROKEN), status=500)
