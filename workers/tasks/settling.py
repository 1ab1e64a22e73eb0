"""Changed settings and changed judgments reach HITs that were built before."""

from __future__ import annotations

from backend.annotation.settle_stage import settle_project
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage


@stage("settle")
def settle(ledger: Ledger) -> None:
    """A batch of HITs in a step: a killed worker loses one batch."""
    settle_project(ledger=ledger)
