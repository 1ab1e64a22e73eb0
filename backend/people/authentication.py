"""Who is asking: an API token in the header, or the site's session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework import authentication, exceptions
from rest_framework.request import Request

from backend.people import services

if TYPE_CHECKING:
    from backend.people.models import ApiToken, User


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Token ...`; an unknown, expired or revoked token is an error, never an anonymous caller."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "token":
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
