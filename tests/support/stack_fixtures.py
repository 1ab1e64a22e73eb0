"""Fixtures of the real stack. Logs and screenshots lie in tests/artefacts, whatever the outcome."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from live_stack import LiveStack
from live_stack import live_stack as running_stack
from tiny_clips import make_panel
from walker import CREATE_CURATOR

ARTEFACTS = Path(__file__).resolve().parents[1] / "artefacts"
STACK_FIXTURES = {"live_stack", "start_stack"}
RUNNING: list[LiveStack] = []


@pytest.fixture(scope="session")
def artefacts() -> Path:
    """The folder that keeps what a person may want to look at after the tests."""
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS


@pytest.fixture(scope="session")
def tiny_panel() -> dict[str, str]:
    """Settings of a site whose difficulty stage asks three tiny CLIPs, which lie ready."""
    return make_panel()


@pytest.fixture(scope="session")
def live_stack(postgres_url: str, redis_url: str, artefacts: Path) -> Iterator[LiveStack]:
    """One stack for each process of the tests; they keep apart by making projects of their own."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    with running_stack(artefacts / f"stack{worker}", postgres_url=postgres_url, redis_url=redis_url) as stack:
        RUNNING.append(stack)
        yield stack
        RUNNING.remove(stack)


@pytest.fixture(scope="session")
def site(live_stack: LiveStack) -> str:
    """The stack's address, with a curator on it."""
    live_stack.manage("shell", "-c", CREATE_CURATOR)
    return live_stack.url


@pytest.fixture
def start_stack(
    request: pytest.FixtureRequest, postgres_url: str, redis_url: str, artefacts: Path
) -> Iterator[Callable[..., LiveStack]]:
    """Start a stack for this test alone: `start_stack(CONNOTE_RUN_STALE_SECONDS="2")`."""
    folder = artefacts / re.sub(r"\W+", "-", request.node.name)
    with ExitStack() as stacks:

        def start(**settings: str) -> LiveStack:
            own = folder / str(len(RUNNING))
            context = running_stack(own, postgres_url=postgres_url, redis_url=redis_url, settings=settings)
            RUNNING.append(stack := stacks.enter_context(context))
            stacks.callback(RUNNING.remove, stack)
            return stack

        yield start


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the real stack, so that `-m stack` finds them."""
    for item in items:
        if STACK_FIXTURES & set(item.fixturenames):
            item.add_marker("stack")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Show the ends of the stack's logs under a failed test."""
    outcome = yield
    report = outcome.get_result()
    if report.failed and item.get_closest_marker("stack"):
        report.sections += [("logs of the stack", stack.logs()) for stack in RUNNING]
