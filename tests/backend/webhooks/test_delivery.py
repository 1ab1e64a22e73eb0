"""Messages of webhooks: written with what they tell, signed, sent until they arrive, and never into the own network."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import transaction
from django.utils import timezone
from standardwebhooks import Webhook as Verifier

from at_once import at_once
from backend.people.models import RightsRecord, User
from backend.projects.models import Membership, Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import claim_run, fail_run, finish_run
from backend.webhooks import services
from backend.webhooks.delivering import LEASE, take_due
from backend.webhooks.milestones import tell_milestones
from backend.webhooks.models import Delivery, DeliveryTry, Webhook
from receiver import Receiver
from workers.tasks import webhook_delivery
from workers.tasks.webhook_delivery import deliver

pytestmark = pytest.mark.django_db
EVENTS = ("run.finished", "run.failed")


@pytest.fixture
def hook(project: Project, alice: User, receiver: Receiver) -> Webhook:
    return services.create_webhook(project=project, name="Bell", url=receiver.url, events=EVENTS, by=alice)


def ring(project: Project, **data: Any) -> Delivery:
    assert services.emit(project=project, event="run.finished", data=data or {"run": "r1"}) == 1
    return Delivery.objects.latest("id")


def run_of(project: Project, stage: str = "select") -> Run:
    run = Run.objects.create(project=project, stage=stage)
    claimed = claim_run(run_id=str(run.pk))
    assert claimed is not None
    return claimed


def last_try(delivery: Delivery) -> DeliveryTry:
    return delivery.tries.latest("id")


def test_the_end_of_a_run_arrives_with_a_signature_that_the_secret_proves(
    project: Project, hook: Webhook, receiver: Receiver
) -> None:
    done, failed = run_of(project), run_of(project, "difficulty")
    finish_run(run=done)
    fail_run(run=failed, code="no_images", message="There are no images – none.")
    assert deliver() == 2
    by_type = {json.loads(got.body)["type"]: got for got in receiver.got}
    got = by_type["run.failed"]
    said = Verifier(hook.secret).verify(got.body, got.headers)
    assert said["data"] == {
        "project": "skies",
        "run": str(failed.pk),
        "stage": "difficulty",
        "status": "failed",
        "error": {"code": "no_images", "message": "There are no images – none."},
    }
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.{got.body}".encode()
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert (len(key), got.headers["webhook-signature"]) == (32, f"v1,{expected}")
    assert got.headers["content-type"] == "application/json"
    assert json.loads(by_type["run.finished"].body)["data"]["status"] == "succeeded"
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}
    assert deliver() == 0


def test_a_change_that_is_undone_tells_nothing(project: Project, hook: Webhook) -> None:
    run = run_of(project)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        finish_run(run=run)
        raise ZeroDivisionError
    assert (Run.objects.get().status, Delivery.objects.count()) == (RunStatus.RUNNING, 0)


def test_only_webhooks_of_the_project_that_chose_the_event_hear_of_it(
    project: Project, hook: Webhook, alice: User, receiver: Receiver
) -> None:
    other = Project.objects.create(slug="seas", name="Seas", created_by=alice)
    assert services.emit(project=other, event="run.finished", data={}) == 0
    assert services.emit(project=project, event="release.created", data={}) == 0
    services.change_webhook(webhook=hook, changes={"is_enabled": False}, by=alice)
    assert services.emit(project=project, event="run.finished", data={}) == 0


def test_a_receiver_that_is_down_is_tried_for_three_days_then_disabled_with_a_mail(
    project: Project, hook: Webhook, receiver: Receiver, settings: Any
) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    receiver.status, receiver.body = 500, b"x" * 5000
    with time_machine.travel(timezone.now(), tick=False) as clock:
        began = timezone.now()
        delivery = ring(project)
        waits = []
        while delivery.state == "pending":
            deliver()
            delivery.refresh_from_db()
            if delivery.next_at:
                waits.append((delivery.next_at - timezone.now()).total_seconds())
                clock.move_to(delivery.next_at)
        lasted = timezone.now() - began
        ring_again = Delivery.objects.filter(state="pending").count()
    assert waits == sorted(waits) and len(waits) == 10 and len(receiver.got) == 11
    assert timedelta(days=2.9) < lasted <= timedelta(days=3)
    assert {got.headers["webhook-id"] for got in receiver.got} == {delivery.message_id}
    assert (delivery.state, ring_again) == ("failed", 0)
    found = last_try(delivery)
    assert (found.status, found.error, len(found.answer)) == (500, "status", 1024)
    hook.refresh_from_db()
    assert hook.disabled_why == "failing"
    assert RightsRecord.objects.latest("id").action == "webhook_disabled"
    with pytest.raises(services.WebhookDisabled):
        services.send_again(delivery=Delivery.objects.get(pk=delivery.pk))


@pytest.mark.django_db(transaction=True)
def test_the_person_who_made_a_webhook_gets_a_mail_when_it_is_disabled(
    project: Project, alice: User, hook: Webhook, receiver: Receiver, settings: Any
) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    receiver.status = 410
    waiting = Delivery.objects.create(
        webhook=hook, event="run.failed", body="{}", next_at=timezone.now() + timedelta(hours=1)
    )
    delivery = ring(project)
    deliver()
    assert [(sent.to, "Bell" in sent.subject, receiver.url in sent.body) for sent in mail.outbox] == [
        ([alice.email], True, True)
    ]
    assert Webhook.objects.get().disabled_why == "gone"
    states = dict(Delivery.objects.values_list("pk", "state"))
    assert states == {waiting.pk: "cancelled", delivery.pk: "failed"}


def test_a_webhook_that_accepts_other_messages_stays_enabled(
    project: Project, hook: Webhook, receiver: Receiver
) -> None:
    delivery = ring(project)
    Delivery.objects.filter(pk=delivery.pk).update(n_tries=10)
    Webhook.objects.update(succeeded_at=timezone.now() + timedelta(seconds=1))
    receiver.status = 500
    deliver()
    assert (Delivery.objects.get().state, Webhook.objects.get().disabled_at) == ("failed", None)


def test_a_receiver_says_when_to_try_again(project: Project, hook: Webhook, receiver: Receiver) -> None:
    receiver.status, receiver.headers = 503, {"Retry-After": "900"}
    delivery = ring(project)
    deliver()
    delivery.refresh_from_db()
    assert delivery.next_at is not None
    assert 890 < (delivery.next_at - timezone.now()).total_seconds() <= 900


def test_a_redirect_is_not_followed(project: Project, hook: Webhook, receiver: Receiver) -> None:
    receiver.status, receiver.headers = 307, {"Location": f"http://127.0.0.1:{receiver.port}/elsewhere"}
    delivery = ring(project)
    deliver()
    assert [got.path for got in receiver.got] == ["/hook"]
    assert (last_try(delivery).error, last_try(delivery).status) == ("redirected", 307)


def means(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def resolve(host: Any, port: Any, *_: Any, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


@pytest.mark.parametrize("private", ["127.0.0.1", "169.254.169.254", "10.0.0.7"])
def test_a_name_that_becomes_private_after_it_was_checked_is_not_asked(
    project: Project, alice: User, receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch, private: str
) -> None:
    settings.WEBHOOK_NETWORKS = ()
    means(monkeypatch, "93.184.216.34")
    url = "https://rebound.example:8443/hook"
    services.create_webhook(project=project, name="Rebound", url=url, events=EVENTS, by=alice)
    means(monkeypatch, "93.184.216.34", private)
    connected: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *asked, **_: connected.append(asked))
    delivery = ring(project)
    deliver()
    assert (last_try(delivery).error, last_try(delivery).answer, connected) == ("not_public", "", [])


def test_a_private_network_that_the_site_opens_is_asked_and_others_are_not(
    project: Project, alice: User, hook: Webhook, receiver: Receiver, settings: Any
) -> None:
    delivery = ring(project)
    settings.WEBHOOK_NETWORKS = ()
    deliver()
    assert (last_try(delivery).error, receiver.got) == ("not_public", [])


def test_a_receiver_that_sends_one_byte_after_the_other_is_cut_off(
    project: Project, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_delivery, "MOST_SECONDS", 0.3)
    receiver.drips = True
    delivery = ring(project)
    deliver()
    assert last_try(delivery).error == "timed_out" and last_try(delivery).ms < 3000


def test_answers_that_are_no_text_and_hosts_that_are_gone_are_told(
    project: Project, hook: Webhook, receiver: Receiver
) -> None:
    receiver.status, receiver.body = 400, b"\x00\xff bad"
    delivery = ring(project)
    deliver()
    assert last_try(delivery).answer == "\ufffd\ufffd bad"
    for url, error in (("http://127.0.0.1:1/hook", "no_connection"), ("https://no.invalid/hook", "unknown_host")):
        Webhook.objects.update(url=url)
        delivery = ring(project)
        deliver()
        assert (last_try(delivery).error, last_try(delivery).status) == (error, None)


def test_a_killed_worker_leaves_its_message_to_another(project: Project, hook: Webhook, receiver: Receiver) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        delivery = ring(project)
        assert [each.pk for each in take_due()] == [delivery.pk]  # and dies
        assert deliver() == 0
        clock.shift(LEASE)
        assert deliver() == 1
    delivery.refresh_from_db()
    assert (delivery.state, delivery.n_tries) == ("delivered", 2)


@pytest.mark.django_db(transaction=True)
def test_two_workers_take_different_messages(project: Project, hook: Webhook) -> None:
    for _ in range(6):
        ring(project)
    taken = [each.pk for found in at_once([take_due, take_due]) for each in found]
    assert sorted(taken) == sorted(Delivery.objects.values_list("pk", flat=True))


def test_one_webhook_with_many_messages_does_not_hold_up_another(
    project: Project, hook: Webhook, alice: User, receiver: Receiver
) -> None:
    for _ in range(60):
        ring(project)
    other = services.create_webhook(project=project, name="Late", url=receiver.url, events=EVENTS, by=alice)
    services.emit(project=project, event="run.failed", data={})
    assert other.pk in {each.webhook_id for each in take_due()}


def test_a_test_is_tried_once_and_disables_nothing(hook: Webhook, receiver: Receiver) -> None:
    receiver.status = 410
    delivery = services.send_test(webhook=hook)
    deliver()
    delivery.refresh_from_db()
    hook.refresh_from_db()
    assert (delivery.state, hook.disabled_at, len(receiver.got)) == ("failed", None, 1)
    assert json.loads(receiver.got[0].body)["type"] == "webhook.test"


def test_a_message_that_is_sent_again_keeps_its_id(project: Project, hook: Webhook, receiver: Receiver) -> None:
    delivery = ring(project)
    deliver()
    services.send_again(delivery=Delivery.objects.get(pk=delivery.pk))
    deliver()
    assert len(receiver.got) == 2 and len({got.headers["webhook-id"] for got in receiver.got}) == 1
    assert delivery.tries.count() == 2


def test_for_a_day_both_secrets_prove_the_signature(
    project: Project, hook: Webhook, receiver: Receiver, alice: User
) -> None:
    old, new = hook.secret, services.renew_secret(webhook=hook, by=alice).secret
    ring(project)
    deliver()
    got = receiver.got[0]
    for secret in (old, new):
        Verifier(secret).verify(got.body, got.headers)
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        ring(project)
        deliver()
        Verifier(new).verify(receiver.got[1].body, receiver.got[1].headers)
    assert " " not in receiver.got[1].headers["webhook-signature"]


def test_each_tenth_of_the_assignments_is_told_once(
    project: Project, alice: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.create_webhook(
        project=project, name="Tenths", url=receiver.url, events=("assignments.milestone",), by=alice
    )
    counts = {"slots": 40, "slots_open": 40}
    monkeypatch.setattr("backend.webhooks.milestones.read_counters", lambda ids: dict.fromkeys(ids, counts))

    def told(n: int, n_open: int) -> int:
        counts.update(slots=n, slots_open=n_open)
        return tell_milestones()

    assert [told(40, 40), told(40, 37), told(40, 36), told(40, 36), told(40, 20)] == [0, 0, 1, 0, 1]
    assert [told(400, 380), told(400, 360)] == [0, 1]  # more tasks were built
    bodies = [json.loads(body)["data"] for body in Delivery.objects.order_by("id").values_list("body", flat=True)]
    assert bodies[1] == {"project": "skies", "percent": 50, "submitted": 20, "needed": 40}


def test_deliveries_are_kept_for_thirty_days(project: Project, hook: Webhook) -> None:
    with time_machine.travel(timezone.now() - timedelta(days=31)):
        old, waiting = ring(project), ring(project)
    Delivery.objects.filter(pk=old.pk).update(state="delivered")
    new = ring(project)
    assert services.clean_up() == 1
    assert set(Delivery.objects.values_list("pk", flat=True)) == {waiting.pk, new.pk}


def test_a_webhook_that_is_deleted_while_its_message_is_sent_leaves_nothing(
    project: Project, hook: Webhook, alice: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring(project)
    settle = webhook_delivery._settle
    Membership.objects.filter(user=alice).update(role="curator")

    def delete_first(*asked: Any) -> None:
        services.delete_webhook(webhook=hook, by=alice)
        settle(*asked)

    monkeypatch.setattr(webhook_delivery, "_settle", delete_first)
    assert deliver() == 1
    assert Delivery.objects.count() == 0
