"""Webhooks of a project, the messages to them, and every try to deliver one."""

from __future__ import annotations

import base64
import secrets
import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.common.models import Dated
from backend.projects.models import Project


class WebhookEvent(models.TextChoices):
    """What a webhook can hear of. No event tells anything about a test question."""

    RUN_FINISHED = "run.finished", "a run succeeded"
    RUN_FAILED = "run.failed", "a run failed"
    RELEASE_CREATED = "release.created", "a release was made"
    RELEASE_WITHDRAWN = "release.withdrawn", "an image was withdrawn from the releases"
    EXPORT_READY = "export.ready", "an export is ready"
    ASSIGNMENTS_MILESTONE = "assignments.milestone", "another tenth of the assignments is submitted"


TEST = "webhook.test"  # the event of a test, which nobody chooses


class DisabledWhy(models.TextChoices):
    BY_HAND = "by_hand", "a curator disabled it"
    FAILING = "failing", "all tries of three days failed"
    GONE = "gone", "the receiver answered 410 Gone"


class DeliveryState(models.TextChoices):
    PENDING = "pending", "pending"
    DELIVERED = "delivered", "delivered"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class TryError(models.TextChoices):
    """Why a try to deliver failed."""

    STATUS = "status", "the receiver answered with an error"
    REDIRECTED = "redirected", "the receiver redirects"
    NOT_PUBLIC = "not_public", "the address is not public"
    UNKNOWN_HOST = "unknown_host", "the host name is not known"
    NO_CONNECTION = "no_connection", "no connection"
    BAD_CERTIFICATE = "bad_certificate", "no safe connection"
    TIMED_OUT = "timed_out", "no answer in time"
    BAD_ANSWER = "bad_answer", "the answer is not HTTP"


def new_secret() -> str:
    """32 random bytes, as the Standard Webhooks specification writes them."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


class Webhook(Dated):
    """An address that hears of events. Its secret signs messages, so it is kept readable; the API shows it once."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=80, help_text="For people.")
    url = models.CharField(max_length=500, help_text="The address that gets the messages.")
    events = models.JSONField(default=list, help_text="The events that it hears of.")
    secret = models.CharField(max_length=80, default=new_secret)
    old_secret = models.CharField(max_length=80, blank=True, help_text="The secret before. It signs too, for a day.")
    old_secret_until = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True, help_text="Empty: it is enabled.")
    disabled_why = models.CharField(max_length=8, choices=DisabledWhy.choices, blank=True)
    succeeded_at = models.DateTimeField(null=True, blank=True, help_text="The last delivery.")
    milestone = models.PositiveSmallIntegerField(default=0, help_text="Tenths of the assignments that it has reported.")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.name} ({self.project_id})"

    @property
    def secrets(self) -> list[str]:
        """The secrets that sign now: after a change the earlier one too, so that no message is refused."""
        is_old_valid = self.old_secret_until is not None and self.old_secret_until > timezone.now()
        return [self.secret, self.old_secret] if is_old_valid else [self.secret]


class Delivery(Dated):
    """One message to one webhook, written in the transaction of what it tells."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False, help_text="Of the header webhook-id.")
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.TextField(help_text="The JSON, as it is sent and signed.")
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.PENDING)
    n_tries = models.PositiveSmallIntegerField(default=0, help_text="Tries since it was made or sent again.")
    next_at = models.DateTimeField(null=True, blank=True, help_text="When it is tried next; empty: it is over.")

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "deliveries"
        indexes = (
            models.Index(fields=("webhook", "-id"), name="delivery_of_webhook"),
            models.Index(fields=("next_at",), condition=models.Q(state="pending"), name="delivery_due"),
        )

    def __str__(self) -> str:
        return f"{self.event} {self.uid}"

    @property
    def message_id(self) -> str:
        return f"msg_{self.uid.hex}"


class DeliveryTry(models.Model):
    """One request, and what came back."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField(help_text="When the request began.")
    ms = models.PositiveIntegerField(help_text="How long it took, in milliseconds.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The HTTP status; empty: no answer came.")
    error = models.CharField(max_length=16, choices=TryError.choices, blank=True, help_text="Empty: it succeeded.")
    answer = models.TextField(blank=True, help_text="The first 1,024 bytes of the answer, as text.")

    class Meta:
        ordering = ("id",)
        verbose_name_plural = "delivery tries"

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.status or self.error}"
