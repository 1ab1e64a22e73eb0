"""How the OpenAPI schema describes our two ways to say who one is."""

from __future__ import annotations

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class ApiTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "backend.people.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        described = "`Token ...` or `Bearer ...`, made on your profile. For programs."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": described}


class SiteSessionScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The site's cookie; a write also sends the `csrftoken` cookie back in the X-CSRFToken header."""

    target_class = "backend.people.authentication.SessionAuthentication"
    name = "session"


class SiteDoorScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The same cookie, where the X-CSRFToken header is asked of the anonymous too."""

    target_class = "backend.people.authentication.SiteAuthentication"
    name = "site"
