"""What can be done to a person and their tokens."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from backend.people.models import ApiToken

LAST_USED_GRAIN = timedelta(minutes=1)


def digest_of(secret: str) -> str:
    """SHA-256 of a token, hex. Tokens are 256 random bits, so that a slow hash would add nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def use_token(*, secret: str) -> ApiToken | None:
    """The live token behind `secret`, its `last_used_at` kept to the minute; None where there is none."""
    now = timezone.now()
    live = Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now)) & Q(user__is_active=True)
    token = ApiToken.objects.select_related("user").filter(live, digest=digest_of(secret)).first()
    if token and (token.last_used_at is None or now - token.last_used_at > LAST_USED_GRAIN):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token
