"""What somebody does while the chore settles a batch by what it had read before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from at_once import elsewhere
from backend.annotation import resettling
from backend.annotation.models import SettledAs
from backend.annotation.resettling import settle_changed


def settle_all_while(deed: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Go through all HITs, the deed on a thread of its own in the first batch; then through what it asks for. Needs
    `django_db(transaction=True)`."""
    real, doing = resettling.settle_hits, threading.Thread(target=elsewhere, args=[deed])

    def settle_meanwhile(**given: Any) -> None:
        real(**given)
        if not doing.ident:
            doing.start()
            doing.join(timeout=0.5)  # still waiting for the batch

    monkeypatch.setattr(resettling, "settle_hits", settle_meanwhile)
    SettledAs.objects.update(last_hit=0)
    settle_changed()
    doing.join(timeout=30)
    settle_changed()
