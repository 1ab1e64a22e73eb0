"""What is true of a pair, given what people said of it, and when to stop asking.

`consensus.majority` counts; Dawid-Skene and MACE also weigh who said it; the stop rule asks whether another vote is
worth its price.
"""

from __future__ import annotations

from backend.methods.aggregation.category_readings import (
    READINGS,
    PairReading,
    UnsureReading,
    category_under,
    readings_of,
)
from backend.methods.aggregation.dawid_skene import DawidSkene, fit_dawid_skene
from backend.methods.aggregation.mace import Mace, fit_mace
from backend.methods.aggregation.pair_summary import Category, PairSummary, categorise, is_relevant, summarise
from backend.methods.aggregation.stop_rule import Decision, annotator_skill, decide, label_posterior

__all__ = [
    "READINGS", "Category", "DawidSkene", "Decision", "Mace", "PairReading", "PairSummary", "UnsureReading",
    "annotator_skill", "categorise", "category_under", "decide", "fit_dawid_skene", "fit_mace", "is_relevant",
    "label_posterior", "readings_of", "summarise",
]  # fmt: skip
