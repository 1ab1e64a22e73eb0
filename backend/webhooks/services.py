"""What can be done with webhooks, and how other rooms tell them of events."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from backend.common.errors import Conflict, InvalidInput
from backend.people.models import RightsAction, User
from backend.people.records import record, record_changes
from backend.projects.models import Project
from backend.projects.services import lock_project
from backend.webhooks.addresses import check_url
from backend.webhooks.models import (
    TEST,
    Delivery,
    DeliveryState,
    DisabledWhy,
    Webhook,
    WebhookEvent,
    new_secret,
)

MOST_WEBHOOKS = 20  # of one project
OLD_SECRET_SIGNS = timedelta(hours=24)
KEPT = timedelta(days=30)  # deliveries that are over
BATCH = 1000


class TooManyWebhooks(Conflict):
    """This project has 20 webhooks, which is the most. Delete one first."""

    code = "too_many_webhooks"


class WebhookDisabled(Conflict):
    """This webhook is disabled. Enable it first."""

    code = "webhook_disabled"


def emit(*, project: Project, event: str, data: Mapping[str, Any]) -> int:
    """Tell each webhook of the project that chose `event`. Returns how many will get the message.

    Call it in the transaction of the change: then the message exists exactly if the change does. `data` is JSON for
    programs of the curators. It must not tell which items are test questions.
    """
    hooks = Webhook.objects.filter(project=project, disabled_at=None).only("pk", "events")
    chosen = [hook for hook in hooks if WebhookEvent(event).value in hook.events]
    body = _body(event, project, data) if chosen else ""
    now = timezone.now()
    Delivery.objects.bulk_create(Delivery(webhook=hook, event=event, body=body, next_at=now) for hook in chosen)
    return len(chosen)


def _body(event: str, project: Project, data: Mapping[str, Any]) -> str:
    message = {"type": event, "timestamp": timezone.now(), "data": {"project": project.slug, **data}}
    return json.dumps(message, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))


@transaction.atomic
def create_webhook(*, project: Project, name: str, url: str, events: Sequence[str], by: User) -> Webhook:
    """A new webhook with a new secret. Raises InvalidInput for an address that may not be asked, TooManyWebhooks."""
    check_url(url)
    lock_project(project)  # of two at once the second counts the first
    if Webhook.objects.filter(project=project).count() >= MOST_WEBHOOKS:
        raise TooManyWebhooks()
    hook = Webhook.objects.create(project=project, name=name, url=url, events=_in_order(events), created_by=by)
    record(RightsAction.WEBHOOK_CREATED, by=by, project=project, after=_told(hook))
    return hook


@transaction.atomic
def change_webhook(*, webhook: Webhook, changes: Mapping[str, Any], by: User) -> Webhook:
    """Change `name`, `url`, `events` or `is_enabled`. Raises InvalidInput for an address that may not be asked."""
    if changes.get("url", webhook.url) != webhook.url:
        check_url(changes["url"])
    hook = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    before = _told(hook)
    for field in changes.keys() & {"name", "url"}:
        setattr(hook, field, changes[field])
    if "events" in changes:
        hook.events = _in_order(changes["events"])
    if "is_enabled" in changes and changes["is_enabled"] != (hook.disabled_at is None):
        if changes["is_enabled"]:
            hook.disabled_at, hook.disabled_why = None, ""
        else:
            _disable(hook, DisabledWhy.BY_HAND)
    hook.save(update_fields=["name", "url", "events", "disabled_at", "disabled_why"])
    record_changes(RightsAction.WEBHOOK_CHANGED, by=by, project=hook.project, before=before, after=_told(hook))
    return hook


@transaction.atomic
def delete_webhook(*, webhook: Webhook, by: User) -> None:
    """Delete a webhook with its deliveries. What is being sent at this moment may still arrive."""
    hook = Webhook.objects.select_for_update().get(pk=webhook.pk)  # a worker that keeps a try waits, then sees it gone
    record(RightsAction.WEBHOOK_DELETED, by=by, project=hook.project, before=_told(hook))
    hook.delete()


@transaction.atomic
def renew_secret(*, webhook: Webhook, by: User) -> Webhook:
    """Give the webhook a new secret. The earlier one signs too, for a day."""
    hook = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    hook.old_secret, hook.secret = hook.secret, new_secret()
    hook.old_secret_until = timezone.now() + OLD_SECRET_SIGNS
    hook.save(update_fields=["old_secret", "secret", "old_secret_until"])
    record(RightsAction.WEBHOOK_SECRET_RENEWED, by=by, project=hook.project, after={"name": hook.name})
    return hook


def send_test(*, webhook: Webhook) -> Delivery:
    """Queue one message that tells of nothing. It is tried once. Raises WebhookDisabled."""
    if webhook.disabled_at:
        raise WebhookDisabled()
    body = _body(TEST, webhook.project, {"webhook": webhook.name})
    return Delivery.objects.create(webhook=webhook, event=TEST, body=body, next_at=timezone.now())


def send_again(*, delivery: Delivery) -> Delivery:
    """Queue the same message again, with the same id and new tries. Raises WebhookDisabled."""
    if delivery.webhook.disabled_at:
        raise WebhookDisabled()
    delivery.state, delivery.n_tries, delivery.next_at = DeliveryState.PENDING, 0, timezone.now()
    delivery.save(update_fields=["state", "n_tries", "next_at"])
    return delivery


def disable_webhook(*, webhook: Webhook, why: DisabledWhy) -> None:
    """Stop sending, on behalf of no person. Call it in a transaction that holds the webhook."""
    _disable(webhook, why)
    webhook.save(update_fields=["disabled_at", "disabled_why"])
    told = {"name": webhook.name, "why": why.value}
    record(RightsAction.WEBHOOK_DISABLED, by=None, project=webhook.project, after=told)


def _disable(hook: Webhook, why: DisabledWhy) -> None:
    """Messages that wait are not sent later: they would tell of things long past."""
    hook.disabled_at, hook.disabled_why = timezone.now(), why
    waiting = Delivery.objects.filter(webhook=hook, state=DeliveryState.PENDING)
    waiting.update(state=DeliveryState.CANCELLED, next_at=None)


def _in_order(events: Sequence[str]) -> list[str]:
    chosen = [event.value for event in WebhookEvent if event.value in events]
    if not chosen:
        raise InvalidInput("Choose at least one event.", code="webhook_no_events", field="events")
    return chosen


def _told(hook: Webhook) -> dict[str, Any]:
    """For the history, which head annotators read too: the path of an address can be a secret."""
    events, is_enabled = ", ".join(hook.events), hook.disabled_at is None
    return {"name": hook.name, "host": urlsplit(hook.url).netloc, "events": events, "is_enabled": is_enabled}


def clean_up() -> int:
    """Delete deliveries that have been over for 30 days. Returns how many."""
    old = Delivery.objects.exclude(state=DeliveryState.PENDING).filter(created_at__lt=timezone.now() - KEPT)
    n = 0
    while batch := list(old.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        Delivery.objects.filter(pk__in=batch).delete()
        n += len(batch)
    return n
