"""Reads over webhooks and their deliveries."""

from __future__ import annotations

from django.db.models import QuerySet

from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.projects.models import Project
from backend.webhooks.models import Delivery, DeliveryState, Webhook


def list_webhooks(*, project: Project) -> QuerySet[Webhook]:
    """The webhooks of a project, newest first."""
    return Webhook.objects.filter(project=project).order_by("-id")


def get_webhook(*, project: Project, webhook_id: int) -> Webhook:
    """Raises NotFound where the project has no such webhook."""
    found = list_webhooks(project=project).filter(pk=webhook_id).first() if webhook_id <= LARGEST_ID else None
    if found is None:
        raise NotFound()
    return found


def list_deliveries(*, webhook: Webhook, state: DeliveryState | None = None) -> QuerySet[Delivery]:
    """The messages to a webhook, newest first, with their tries."""
    found = Delivery.objects.filter(webhook=webhook).order_by("-id").prefetch_related("tries")
    return found.filter(state=state) if state else found


def get_delivery(*, webhook: Webhook, delivery_id: int) -> Delivery:
    """Raises NotFound where the webhook has no such delivery."""
    deliveries = list_deliveries(webhook=webhook)
    found = deliveries.filter(pk=delivery_id).first() if delivery_id <= LARGEST_ID else None
    if found is None:
        raise NotFound()
    return found
