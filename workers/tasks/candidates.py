"""Captions in, and cleaned."""

from __future__ import annotations

from backend.candidates.cleaning import clean_candidates
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage


@stage("clean")
def clean(ledger: Ledger) -> None:
    clean_candidates(ledger=ledger, min_words=ledger.parameters["min_words"])
