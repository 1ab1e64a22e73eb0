"""The embedded site's stand-in for beat goes on whatever its chores come to."""

from __future__ import annotations

import time

import pytest
from django.db import OperationalError

from backend.runs import embedded, services

pytestmark = pytest.mark.both_engines


class LookedTwice(BaseException):
    """What ends the thread in these tests."""


@pytest.mark.parametrize("fault", [ValueError("A chore's own."), OperationalError("database is locked")])
def test_a_chore_that_fails_keeps_neither_the_others_nor_the_next_look(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    done: list[str] = []

    def fail() -> None:
        done.append("failed")
        raise fault

    def sleep(_: float) -> None:
        if len(done) == 4:
            raise LookedTwice

    monkeypatch.setattr(services, "recover_runs", lambda: None)
    monkeypatch.setattr(embedded, "_chores", [fail, lambda: done.append("done")])
    monkeypatch.setattr(embedded, "close_old_connections", lambda: None)
    monkeypatch.setattr(time, "sleep", sleep)
    with pytest.raises(LookedTwice):
        embedded._recover_for_ever()
    assert done == ["failed", "done"] * 2
