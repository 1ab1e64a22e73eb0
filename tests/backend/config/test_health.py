"""Alive, ready or not and why, which version, and how much."""

from __future__ import annotations

import threading
import time

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError, connection
from django.test import Client
from kombu.exceptions import OperationalError as BrokerError

from backend.config import health
from backend.runs import queue

READY = "/health/ready"


@pytest.fixture(autouse=True)
def nothing_is_known_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "last_check", health.LastCheck())


@pytest.fixture
def with_a_broker(settings: object) -> None:
    settings.EMBEDDED = False


def answering(monkeypatch: pytest.MonkeyPatch, *queues: str) -> None:
    monkeypatch.setattr(queue, "_served_queues", lambda: set(queues))


def test_a_live_process_says_so_and_asks_no_database(client: Client) -> None:
    """Without the fixture `db`, a test that asks the database fails."""
    answer = client.get("/health/live")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


def test_embedded_it_is_ready_when_the_database_is(client: Client, db: None) -> None:
    answer = client.get(READY)
    assert (answer.status_code, answer.json()["status"], answer.json()["missing"]) == (200, "ready", {})


def test_with_everything_there_it_is_ready(
    client: Client, db: None, with_a_broker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "cpu", "gpu")
    answer = client.get(READY)
    assert answer.status_code == 200
    parts = ("database", "broker", "worker_cpu", "worker_gpu")
    assert answer.json()["checks"] == dict.fromkeys(parts, "answers")


@pytest.mark.parametrize(("there", "missing"), [(("cpu",), "gpu"), (("gpu",), "cpu")])
def test_a_missing_worker_is_named_with_the_command_that_starts_it(
    client: Client,
    db: None,
    with_a_broker: None,
    monkeypatch: pytest.MonkeyPatch,
    there: tuple[str, ...],
    missing: str,
) -> None:
    answering(monkeypatch, *there)
    answer = client.get(READY)
    assert (answer.status_code, answer.json()["status"]) == (503, "not ready")
    (sentence,) = answer.json()["missing"].values()
    assert f"No worker answers on the {missing} queue" in sentence
    assert f"celery -A workers.celery worker -Q {missing}" in sentence


@pytest.mark.parametrize("error", [BrokerError("refused"), ConnectionRefusedError("refused")])
def test_a_missing_broker_is_named(
    client: Client, db: None, with_a_broker: None, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refused() -> set[str]:
        raise error

    monkeypatch.setattr(queue, "_served_queues", refused)
    answer = client.get(READY)
    assert answer.status_code == 503
    assert answer.json()["missing"]["broker"] == queue.NO_BROKER


def test_a_missing_database_is_named_and_its_password_is_not(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise OperationalError("connection failed for password=secret")

    with monkeypatch.context() as unplugged:
        unplugged.setattr(connection, "cursor", refused)
        answer = client.get(READY)
    assert (answer.status_code, list(answer.json()["missing"])) == (503, ["database"])
    assert "CONNOTE_DATABASE_URL" in answer.json()["missing"]["database"]
    assert "secret" not in answer.content.decode()


def test_no_broker_is_asked_for_longer_than_a_probe_waits() -> None:
    assert django_settings.READY_TIMEOUT_SECONDS <= 5


@pytest.mark.nightly
def test_a_real_broker_without_workers_is_told_from_no_broker(
    with_a_broker: None, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue.app.conf, "broker_write_url", redis_url)
    without_workers = queue.check()
    assert without_workers.pop("broker") == ""
    assert all(without_workers.values())
    monkeypatch.setattr(queue.app.conf, "broker_write_url", "redis://127.0.0.1:1/0")
    assert queue.check()["broker"] == queue.NO_BROKER


def test_the_version_names_the_build(client: Client) -> None:
    answer = client.get("/version").json()
    assert answer == {"name": "Connote", "code_version": django_settings.CODE_VERSION, "api": "v1"}


@pytest.mark.parametrize("address", ["/health/live", "/health/ready", "/version"])
def test_no_proxy_may_keep_these(client: Client, db: None, address: str) -> None:
    assert "no-store" in client.get(address)["Cache-Control"]


def test_metrics_count_requests(client: Client, db: None) -> None:
    client.get("/health/live")
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert b"django_http_requests_total_by_method_total" in answer.content


def test_one_thread_checks_while_the_others_tell_what_was_found_last(
    client: Client, db: None, with_a_broker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check waits for workers. When every thread waited, the site answered nobody."""
    asked, may_end = [], threading.Event()

    def slow() -> set[str]:
        asked.append(1)
        may_end.wait(20)
        return {"cpu", "gpu"}

    monkeypatch.setattr(queue, "_served_queues", slow)
    monkeypatch.setattr(health, "_database", lambda: "")
    checking = threading.Thread(target=lambda: Client().get(READY))
    checking.start()
    try:
        while not asked:
            time.sleep(0.01)
        answers = [client.get(READY) for _ in range(5)]
        assert {answer.status_code for answer in answers} == {503}
        assert answers[0].json()["missing"] == {"check": health.ASKING}
    finally:
        may_end.set()
        checking.join()
    assert [client.get(READY).status_code for _ in range(5)] == [200] * 5
    assert len(asked) == 1


def test_an_answer_is_not_kept_for_long(
    client: Client, db: None, with_a_broker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch)
    monkeypatch.setattr(health, "KEPT_SECONDS", 0.0)
    assert client.get(READY).status_code == 503
    answering(monkeypatch, "cpu", "gpu")
    assert client.get(READY).status_code == 200


@pytest.mark.parametrize("address", ["/metrics", READY])
def test_what_a_proxy_hands_on_from_outside_finds_nothing(client: Client, db: None, address: str) -> None:
    assert client.get(address).status_code == 200
    assert client.get(address, headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 404


@pytest.mark.parametrize("address", ["/metrics", READY])
def test_an_embedded_site_tells_its_state_to_its_own_machine_alone(client: Client, db: None, address: str) -> None:
    assert client.get(address, REMOTE_ADDR="203.0.113.7").status_code == 404
    assert client.get(address, REMOTE_ADDR="::1").status_code == 200


@pytest.mark.parametrize("address", ["/metrics", READY])
def test_other_containers_may_ask_a_site_with_a_broker(
    client: Client, db: None, with_a_broker: None, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    answering(monkeypatch, "cpu", "gpu")
    assert client.get(address, REMOTE_ADDR="172.18.0.7").status_code == 200
