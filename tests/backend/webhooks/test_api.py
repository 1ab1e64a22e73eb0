"""Webhooks over the API: for curators of the project, with a secret that is shown once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.erasure import deleting
from backend.erasure.own_data import write_own_data
from backend.people.models import RightsRecord, User
from backend.projects.models import Project
from backend.webhooks import services
from backend.webhooks.models import Delivery, DeliveryTry, Webhook
from receiver import Receiver
from workers.tasks.webhook_delivery import deliver

pytestmark = pytest.mark.django_db
Clients = Callable[..., APIClient]
HOOKS = "/api/v1/projects/skies/webhooks"
CALLS = [
    ("get", ""),
    ("post", ""),
    ("get", "/{id}"),
    ("patch", "/{id}"),
    ("delete", "/{id}"),
    ("post", "/{id}/secret"),
    ("post", "/{id}/test"),
    ("get", "/{id}/deliveries"),
    ("get", "/{id}/deliveries/{delivery}"),
    ("post", "/{id}/deliveries/{delivery}/again"),
]


@pytest.fixture
def wish(receiver: Receiver) -> dict[str, Any]:
    return {"name": "Bell", "url": receiver.url, "events": ["run.failed", "run.finished"]}


@pytest.fixture
def made(client_of: Clients, project: Project, alice: User, wish: dict[str, Any]) -> dict[str, Any]:
    answer = client_of(alice).post(HOOKS, wish)
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


@pytest.mark.parametrize(("who", "status"), [("dora", 403), ("bob", 403), ("charlie", 404), (None, 401)])
def test_only_curators_of_the_project_reach_its_webhooks(
    request: pytest.FixtureRequest,
    client_of: Clients,
    made: dict[str, Any],
    wish: dict[str, Any],
    who: str | None,
    status: int,
) -> None:
    delivery = services.send_test(webhook=Webhook.objects.get())
    client = client_of(request.getfixturevalue(who) if who else None)
    for method, path in CALLS:
        address = HOOKS + path.format(id=made["id"], delivery=delivery.pk)
        answer = getattr(client, method)(address, wish if method in ("post", "patch") else None)
        assert answer.status_code == status, (method, path, answer.content)
    assert Webhook.objects.get().name == "Bell"


def test_a_curator_reaches_all_of_them(
    client_of: Clients, alice: User, made: dict[str, Any], wish: dict[str, Any]
) -> None:
    delivery = services.send_test(webhook=Webhook.objects.get())
    for method, path in sorted(CALLS, key=lambda call: call[0] == "delete"):
        address = HOOKS + path.format(id=made["id"], delivery=delivery.pk)
        answer = getattr(client_of(alice), method)(address, wish if method in ("post", "patch") else None)
        assert answer.status_code in (200, 201, 202, 204), (method, path, answer.content)


def test_a_webhook_of_another_project_is_not_found_under_ones_own(
    client_of: Clients, charlie: User, made: dict[str, Any]
) -> None:
    for path in ("", "/secret", "/test", "/deliveries"):
        method = "get" if path in ("", "/deliveries") else "post"
        answer = getattr(client_of(charlie), method)(f"/api/v1/projects/elsewhere/webhooks/{made['id']}{path}")
        assert answer.status_code == 404


def test_the_secret_is_shown_when_it_is_made_and_never_again(
    client_of: Clients, alice: User, made: dict[str, Any], receiver: Receiver
) -> None:
    client, one = client_of(alice), f"{HOOKS}/{made['id']}"
    assert made["secret"].startswith("whsec_")
    renewed = client.post(f"{one}/secret")
    assert "no-store" in renewed["Cache-Control"]
    secrets = {made["secret"], renewed.json()["secret"]}
    assert len(secrets) == 2
    client.post(f"{one}/test")
    deliver()
    said = [client.get(address).content.decode() for address in (HOOKS, one, f"{one}/deliveries")]
    said.append(client.patch(one, {"name": "Bells"}).content.decode())
    said.append(client.get("/api/v1/projects/skies/history").content.decode())
    said.append("".join(write_own_data(alice)))
    said.append(json.dumps(list(RightsRecord.objects.values("before", "after"))))
    assert [text for text in said if any(secret[6:] in text for secret in secrets)] == []
    assert client.get(one).json()["old_secret_until"]


def test_the_history_names_the_host_and_not_the_path_which_can_be_a_secret(
    client_of: Clients, dora: User, made: dict[str, Any], receiver: Receiver
) -> None:
    told = client_of(dora).get("/api/v1/projects/skies/history").json()["results"]
    assert told[0]["action"] == "webhook_created"
    assert told[0]["after"]["host"] == f"127.0.0.1:{receiver.port}"
    assert "/hook" not in json.dumps(told)


REFUSED = (
    ("https://10.0.0.7/hook", "webhook_not_public"),
    ("https://[::1]/hook", "webhook_not_public"),
    ("https://[::ffff:127.0.0.1]/hook", "webhook_not_public"),
    ("https://2130706433/hook", "webhook_not_public"),
    ("http://169.254.169.254/latest", "webhook_not_public"),
    ("http://93.184.216.34/hook", "webhook_needs_https"),
    ("https://93.184.216.34:6379/hook", "webhook_port"),
    ("https://user:word@93.184.216.34/hook", "webhook_with_password"),
    ("https://no.invalid/hook", "webhook_unknown_host"),
    ("ftp://93.184.216.34/hook", "webhook_no_address"),
    ("https://93.184.216.34:99999/", "webhook_no_address"),
    ("https://93.184.216.34/ä b", "webhook_no_address"),
    ("https://", "webhook_no_address"),
    ("nonsense", "webhook_no_address"),
    ("http://[", "webhook_no_address"),
    ("", "invalid"),
    ("https://93.184.216.34/" + "x" * 500, "invalid"),
)


def test_an_address_that_may_not_be_asked_is_refused_with_its_reason(
    client_of: Clients, project: Project, alice: User, wish: dict[str, Any], settings: Any
) -> None:
    settings.WEBHOOK_NETWORKS = ()
    client = client_of(alice)
    for url, code in REFUSED:
        answer = client.post(HOOKS, {**wish, "url": url})
        assert (answer.status_code, answer.json()["code"]) == (400, code), url
        assert "url" in answer.json()["fields"]
    assert Webhook.objects.count() == 0


def test_an_address_is_checked_when_it_changes_too(client_of: Clients, alice: User, made: dict[str, Any]) -> None:
    answer = client_of(alice).patch(f"{HOOKS}/{made['id']}", {"url": "https://10.0.0.7/"})
    assert (answer.status_code, answer.json()["code"]) == (400, "webhook_not_public")


def test_only_known_events_can_be_chosen(
    client_of: Clients, project: Project, alice: User, wish: dict[str, Any]
) -> None:
    for events in ([], ["run.finished", "control.failed"], "run.finished", ["webhook.test"]):
        assert client_of(alice).post(HOOKS, {**wish, "events": events}).status_code == 400


def test_a_project_has_at_most_twenty_webhooks(
    client_of: Clients, alice: User, made: dict[str, Any], wish: dict[str, Any]
) -> None:
    Webhook.objects.bulk_create(
        Webhook(project_id=Project.objects.get(slug="skies").pk, name=str(n)) for n in range(19)
    )
    answer = client_of(alice).post(HOOKS, wish)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_webhooks")


def test_a_disabled_webhook_sends_nothing_until_it_is_enabled(
    client_of: Clients, alice: User, made: dict[str, Any], receiver: Receiver
) -> None:
    client, one = client_of(alice), f"{HOOKS}/{made['id']}"
    client.post(f"{one}/test")
    off = client.patch(one, {"is_enabled": False}).json()
    assert (off["is_enabled"], off["disabled_why"]) == (False, "by_hand")
    assert (deliver(), receiver.got) == (0, [])
    refused = client.post(f"{one}/test")
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_disabled")
    on = client.patch(one, {"is_enabled": True}).json()
    assert (on["is_enabled"], on["disabled_why"], on["disabled_at"]) == (True, "", None)
    client.post(f"{one}/test")
    assert (deliver(), len(receiver.got)) == (1, 1)


def test_the_log_of_deliveries_tells_each_try(
    client_of: Clients, alice: User, made: dict[str, Any], receiver: Receiver
) -> None:
    receiver.status, receiver.body = 418, b"I am a <b>teapot</b>"
    client, one = client_of(alice), f"{HOOKS}/{made['id']}"
    sent = client.post(f"{one}/test").json()
    deliver()
    page = client.get(f"{one}/deliveries?state=failed").json()
    assert [each["id"] for each in page["results"]] == [sent["id"]]
    log = page["results"][0]
    assert log["message"]["data"] == {"project": "skies", "webhook": "Bell"}
    [told] = log["tries"]
    assert (told["status"], told["error"], told["answer"]) == (418, "status", "I am a <b>teapot</b>")
    assert client.get(f"{one}/deliveries?state=pending").json()["results"] == []
    assert client.get(f"{one}/deliveries?state=odd").status_code == 400


@pytest.mark.django_db(transaction=True)
def test_a_deleted_project_takes_its_webhooks_along(project: Project, alice: User, receiver: Receiver) -> None:
    hook = services.create_webhook(project=project, name="Bell", url=receiver.url, events=["run.failed"], by=alice)
    services.send_test(webhook=hook)
    deliver()
    call_command("delete_project", "skies", "--yes")
    assert deleting.delete_projects() == 1
    assert [model.objects.count() for model in (Webhook, Delivery, DeliveryTry)] == [0, 0, 0]
