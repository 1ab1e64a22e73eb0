"""Who is asking: an API token in the header, or the site's session."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import login
from rest_framework import authentication, exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from structlog.contextvars import bind_contextvars

from backend.common.errors import NotAllowed, NotFound
from backend.people import services

if TYPE_CHECKING:
    from backend.people.models import ApiToken, User


BEGAN, SEEN = "began_at", "seen_at"  # in a session, seconds
RELEASES = ("backend.releases.", "backend.exports.")  # the rooms that a token for releases opens
SEEN_GRAIN = 3600  # seconds: not every request writes the session


class CsrfFailed(exceptions.PermissionDenied):
    default_code = "csrf_failed"
    default_detail = "This page is too old to send anything. Reload it and try again. Programs send an API token."


class TokenReadsOnly(NotAllowed):
    """This token can only read. Use another token to change something."""

    code = "token_reads_only"


class TokenOfOneProject(NotAllowed):
    """A token for one project cannot do this. Use another token."""

    code = "token_of_one_project"


class TokenForReleases(NotAllowed):
    """This token can only read releases and exports. Use another token."""

    code = "token_for_releases"


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Token ...` or `Bearer ...`.

    An unknown, expired or revoked token is an error, never an anonymous caller.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() not in ("token", "bearer"):
            return None
        token = services.use_token(secret=secret.strip())
        if token is None:
            raise exceptions.AuthenticationFailed()
        if token.is_read_only and request.method not in SAFE_METHODS:
            raise TokenReadsOnly()
        if token.is_for_releases and not _is_of_releases(request):
            raise TokenForReleases()
        if token.project is not None:
            _check_project(request, token.project.slug)
        bind_contextvars(user_id=token.user_id)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


def _is_of_releases(request: Request) -> bool:
    """Whether a view of releases or exports answers here."""
    match = request._request.resolver_match
    view = getattr(match.func, "cls", None) if match else None
    return view is not None and view.__module__.startswith(RELEASES)


def _check_project(request: Request, slug: str) -> None:
    """Hold a token for one project to the addresses of this project. Addresses without a slug are held to it by
    projects/selectors.py, through `only_project_id`; those of assignments know the person alone, so they are refused.
    """
    match = request._request.resolver_match
    asked = match.kwargs if match else {}
    if asked.get("slug", slug) != slug:
        raise NotFound()
    if "assignment_id" in asked:
        raise TokenOfOneProject()


class SessionAuthentication(authentication.SessionAuthentication):
    """Django's session with CSRF; the header makes DRF answer 401, not 403, to the anonymous."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Who is signed in, unless the session is too old. Use keeps it from ending: Django ends one that is idle."""
        found = super().authenticate(request)
        session = request._request.session
        now = time.time()
        if found and now - session.get(BEGAN, now) > settings.SESSION_DAYS * 24 * 3600:
            session.flush()
            return None
        if found and now - session.get(SEEN, now) > SEEN_GRAIN:
            session[SEEN] = now
            services.note_seen(user=found[0])
        if found:
            bind_contextvars(user_id=found[0].pk)
        return found

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise CsrfFailed() from error


class SiteAuthentication(SessionAuthentication):
    """For the doors themselves: CSRF is asked of the anonymous too, and a token opens nothing.

    Without it another site could sign a visitor in under an account of its own.
    """

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        self.enforce_csrf(request)
        return super().authenticate(request)


def enter_site(request: Request, user: User) -> None:
    """Sign `user` in with a session that holds nothing of the one before: Django keeps it for the same person."""
    request._request.session.flush()
    login(request._request, user)
    request._request.session[BEGAN] = request._request.session[SEEN] = time.time()
