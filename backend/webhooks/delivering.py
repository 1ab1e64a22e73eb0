"""Messages that are due, and what becomes of them. A worker sends them: workers/tasks/webhook_delivery.py.

A message is sent at least once. The worker that takes one moves its time forward; if the worker is killed, another
takes the message after this time. Receivers tell repeated messages by the header `webhook-id`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from backend.people.preferences import read_preferences
from backend.webhooks.models import TEST, Delivery, DeliveryState, DeliveryTry, DisabledWhy, Webhook
from backend.webhooks.services import disable_webhook

logger = structlog.get_logger(__name__)
LEASE = timedelta(minutes=2)  # longer than any request takes
MOST_OF_WEBHOOK, MOST = 8, 40  # taken at once: one slow receiver does not hold up the others
# Seconds until the next try, about three days in all.
WAITS = (5, 60, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 18 * 3600, 22 * 3600)
LONGEST_ASKED = 24 * 3600  # of a receiver's Retry-After
GONE = 410
MAILS = {
    "en": (
        "Connote: the webhook “{name}” is disabled",
        "Hello {person},\n\nthe webhook “{name}” of the project “{project}” did not accept messages, so Connote"
        " disabled it. Its address is {url}.\n\nOpen the page Webhooks of the project to see the reason and to"
        " enable it again.\n",
    ),
    "de": (
        "Connote: Der Webhook „{name}“ ist ausgeschaltet",
        "Hallo {person},\n\nder Webhook „{name}“ des Projekts „{project}“ hat keine Nachrichten angenommen. Connote hat"
        " ihn deshalb ausgeschaltet. Seine Adresse ist {url}.\n\nÖffne die Seite „Webhooks“ des Projekts. Sie zeigt den"
        " Grund, und du kannst ihn dort wieder einschalten.\n",
    ),
}


@dataclass(frozen=True)
class Outcome:
    """What one request came to. `error` is empty where the receiver accepted the message."""

    at: datetime
    ms: int
    status: int | None = None
    error: str = ""
    answer: str = ""
    retry_after: int = 0


def take_due() -> list[Delivery]:
    """Take the messages that are due, the oldest first, a few of each webhook. Two workers take different ones."""
    now = timezone.now()
    due = Delivery.objects.filter(state=DeliveryState.PENDING, next_at__lte=now, webhook__disabled_at=None)
    place = Window(RowNumber(), partition_by=F("webhook"), order_by=("next_at", "pk"))
    first = due.annotate(place=place).filter(place__lte=MOST_OF_WEBHOOK).select_related("webhook")
    return [delivery for delivery in first.order_by("next_at", "pk")[:MOST] if _take(delivery)]


def _take(delivery: Delivery) -> bool:
    mine = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.PENDING, next_at=delivery.next_at)
    delivery.n_tries += 1
    return bool(mine.update(next_at=timezone.now() + LEASE, n_tries=delivery.n_tries))


def headers_of(delivery: Delivery) -> dict[str, str]:
    """The headers of the Standard Webhooks specification, signed now with each valid secret."""
    now = timezone.now()
    signed = [Signer(secret).sign(delivery.message_id, now, delivery.body) for secret in delivery.webhook.secrets]
    return {
        "webhook-id": delivery.message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signed),
    }


@transaction.atomic
def settle(*, delivery: Delivery, outcome: Outcome) -> None:
    """Keep what one try came to, and decide what is next. The message or its webhook may be gone meanwhile."""
    hook = Webhook.objects.select_for_update(no_key=True).filter(pk=delivery.webhook_id).first()
    if hook is None or not Delivery.objects.filter(pk=delivery.pk).exists():
        return
    DeliveryTry.objects.create(
        delivery=delivery, at=outcome.at, ms=outcome.ms, status=outcome.status, error=outcome.error,
        answer=outcome.answer,
    )  # fmt: skip
    if not outcome.error:
        Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.DELIVERED, next_at=None)
        Webhook.objects.filter(pk=hook.pk).update(succeeded_at=timezone.now())
        return
    is_last = delivery.event == TEST or delivery.n_tries > len(WAITS) or outcome.status == GONE
    if is_last:
        ended: dict[str, Any] = {"state": DeliveryState.FAILED, "next_at": None}
    else:
        wait = max(WAITS[delivery.n_tries - 1], min(outcome.retry_after, LONGEST_ASKED))
        ended = {"next_at": timezone.now() + timedelta(seconds=wait)}
    # Not where somebody had it sent again meanwhile, or where another worker took it.
    mine = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.PENDING, n_tries=delivery.n_tries)
    if mine.update(**ended) and is_last:
        _perhaps_disable(hook, delivery, outcome)


def _perhaps_disable(hook: Webhook, delivery: Delivery, outcome: Outcome) -> None:
    """A receiver that wants no messages gets none, and one that took none since this message was made."""
    if hook.disabled_at or delivery.event == TEST:
        return
    if outcome.status == GONE:
        disable_webhook(webhook=hook, why=DisabledWhy.GONE)
    elif hook.succeeded_at is None or hook.succeeded_at < delivery.created_at:
        disable_webhook(webhook=hook, why=DisabledWhy.FAILING)
    else:
        return
    transaction.on_commit(lambda: _mail(hook), robust=True)


def _mail(hook: Webhook) -> None:
    """Tell the person who made the webhook, if the site can send mail."""
    person = hook.created_by
    if person is None or not person.is_active or not person.email or not settings.EMAIL_HOST:
        return
    wanted = read_preferences(person.preferences)["language"]
    subject, body = MAILS.get(wanted, MAILS["en"])
    told = {"name": hook.name, "project": hook.project.name, "url": hook.url, "person": person.shown_name}
    send_mail(
        " ".join(subject.format(**told).split()), body.format(**told), settings.DEFAULT_FROM_EMAIL, [person.email]
    )
