"""Reads over people and their tokens."""

from __future__ import annotations

from django.db.models import QuerySet

from backend.people.models import ApiToken, User


def list_tokens(*, user: User) -> QuerySet[ApiToken]:
    """The tokens of `user` that were not revoked, expired ones too, newest first."""
    return ApiToken.objects.filter(user=user, revoked_at=None).select_related("project").order_by("-id")
