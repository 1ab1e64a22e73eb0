"""Who uses Connote: people and the tokens their programs carry."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone

from backend.common.models import Dated


class User(AbstractUser):
    """A person. Roles are per project (projects.Membership); `is_staff` may create projects and see the admin."""

    display_name = models.CharField(max_length=80, blank=True, help_text="How others see this person's name.")
    preferences = models.JSONField(default=dict, blank=True, help_text="Theme and remapped keys, validated on write.")

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class ApiToken(Dated):
    """A program's key. Only the SHA-256 of the token is kept; the token itself is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12, help_text="The token's first characters, to tell tokens apart.")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_live(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())
