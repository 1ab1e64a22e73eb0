"""The fixture that other tests of the real stack build on: it is ready, counts its requests, and survives kill -9."""

from __future__ import annotations

import time
from urllib.request import urlopen

import pytest

from backend.config.health import KEPT_SECONDS
from live_stack import LiveStack

pytestmark = pytest.mark.nightly


def test_the_stack_names_the_missing_worker_until_it_is_back(live_stack: LiveStack) -> None:
    live_stack.kill_workers()
    time.sleep(KEPT_SECONDS)
    live_stack.readiness()  # while one request checks, others are told what was found before
    status, body = live_stack.readiness()
    assert status == 503
    assert {"worker_cpu", "worker_gpu"} == set(body["missing"])
    live_stack.start_workers()
    assert live_stack.readiness()[0] == 200


def test_metrics_add_up_what_all_web_processes_served(live_stack: LiveStack) -> None:
    for _ in range(20):
        urlopen(f"{live_stack.url}/health/live").close()
    served = [_requests_served(live_stack) for _ in range(6)]
    assert served == sorted(served) and served[0] >= 20


def _requests_served(stack: LiveStack) -> float:
    with urlopen(f"{stack.url}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    name = "django_http_requests_before_middlewares_total "
    return next(float(line.removeprefix(name)) for line in lines if line.startswith(name))


def test_manage_py_runs_on_the_stacks_own_database(live_stack: LiveStack) -> None:
    assert "postgresql" in live_stack.manage("diffsettings", "--all").lower()
    assert live_stack.manage("migrate", "--check") == ""
