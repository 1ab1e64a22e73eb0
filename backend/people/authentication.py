"""Who is asking: an API token in the header, or the site's session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from backend.people import services

if TYPE_CHECKING:
    from backend.people.models import ApiToken, User


class CsrfFailed(exceptions.PermissionDenied):
    default_code = "csrf_failed"
    default_detail = "This page is too old to send anything. Reload it and try again. Programs send an API token."


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
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class SessionAuthentication(authentication.SessionAuthentication):
    """Django's session with CSRF; the header makes DRF answer 401, not 403, to the anonymous."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"

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
