"""What takes a person at the site, not a program with their token."""

from __future__ import annotations

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.common.errors import NotAllowed
from backend.people.models import ApiToken


class InPerson(BasePermission):
    """A leaked token must not be able to make further tokens, or to change the password."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.auth, ApiToken):
            raise NotAllowed("A token cannot do this. Sign in on the site.", code="not_by_token")
        return True
