"""The embedded site's stand-in for beat goes on whatever its chores come to."""

from __future__ import annotations

import time

import pytest
from django.conf import settings
from django.db import OperationalError

from backend.runs import embedded

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

    chores = {"failing": fail, "working": lambda: done.append("done")}
    monkeypatch.setattr(settings, "CHORES", {name: (name, 0) for name in chores})
    monkeypatch.setattr(embedded, "import_string", chores.__getitem__)
    monkeypatch.setattr(embedded, "close_old_connections", lambda: None)
    monkeypatch.setattr(time, "sleep", sleep)
    with pytest.raises(LookedTwice):
        embedded._recover_for_ever()
    assert done == ["failed", "done"] * 2
