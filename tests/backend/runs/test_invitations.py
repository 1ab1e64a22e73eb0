"""Workers are invited to a run that several can do; nothing depends on whether they come."""

from __future__ import annotations

from typing import Any

import pytest
from kombu.exceptions import OperationalError

from backend.runs import queue


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[tuple[str, tuple[str, ...], str]]:
    """Task, arguments and queue of what went to the broker, on a site with real workers."""
    settings.EMBEDDED = False
    found: list[tuple[str, tuple[str, ...], str]] = []

    class Signature:
        def __init__(self, name: str, args: tuple[str, ...]) -> None:
            self.name, self.args = name, args

        def apply_async(self, *, queue: str) -> None:
            found.append((self.name, self.args, queue))

    monkeypatch.setattr(queue.app, "signature", lambda name, args: Signature(name, args))
    return found


def test_as_many_workers_are_asked_as_are_needed_on_the_stages_own_queue(sent: list[Any]) -> None:
    queue.invite("some-run", stage="embed_corpus", n=3)
    assert sent == [("catalogue.embed_shards", ("some-run",), "gpu")] * 3


@pytest.mark.parametrize("n", [0, -1])
def test_nobody_is_asked_where_nobody_is_needed(n: int, sent: list[Any]) -> None:
    queue.invite("some-run", stage="embed_corpus", n=n)
    assert sent == []


def test_embedded_there_is_nobody_to_ask(sent: list[Any], settings: Any) -> None:
    settings.EMBEDDED = True
    queue.invite("some-run", stage="embed_corpus", n=3)
    assert sent == []


def test_a_broker_that_is_down_costs_the_helpers_and_not_the_run(
    monkeypatch: pytest.MonkeyPatch, settings: Any, sent: list[Any]
) -> None:
    def down(name: str, args: tuple[str, ...]) -> Any:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(queue.app, "signature", down)
    queue.invite("some-run", stage="embed_corpus", n=3)
    assert sent == []
