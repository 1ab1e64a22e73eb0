"""While PostgreSQL is away, one thread waits for it for a short time, and the others are told at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.backends.postgresql import base

from backend.common.postgresql.base import DatabaseWrapper
from backend.config import settings

AWAY = DatabaseWrapper.Database.OperationalError


def test_of_two_who_ask_while_it_is_away_the_second_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    wrapper = object.__new__(DatabaseWrapper)

    def ask(self: object, params: dict[str, Any]) -> str:
        asked.append("waited")
        if len(asked) == 3:
            return "connection"
        if len(asked) == 2:  # this one waits; now another asks
            with pytest.raises(AWAY, match="a moment ago"):
                wrapper.get_new_connection({})
        raise AWAY("away")

    monkeypatch.setattr(base.DatabaseWrapper, "get_new_connection", ask)
    for _ in range(2):
        with pytest.raises(AWAY, match=r"^away$"):
            wrapper.get_new_connection({})
    assert wrapper.get_new_connection({}) == "connection"
    assert len(asked) == 3


def test_the_site_gives_up_after_a_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DB_FAIL_FAST", True)
    made = settings.database("postgres://connote@localhost/connote")
    assert made["OPTIONS"]["pool"]["timeout"] == 3
    assert made["ENGINE"] == "backend.common.postgresql"
