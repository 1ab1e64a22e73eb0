"""What the tables of a project say of the work that is left, and what that work costs."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from backend.methods.budget.cost import cost_of
from backend.methods.budget.left import Left, Span
from backend.methods.budget.pace import Pace


@dataclass(frozen=True)
class Outlook:
    """`n_open` slots are open. Of the unfinished HITs `n_waiting` need a new annotator."""

    left: Left
    n_open: int
    n_waiting: int
    pace: Pace | None


@dataclass(frozen=True)
class Cost:
    """Money in the currency of the project's budget, the platform's fee in it."""

    mean: Decimal
    low: Decimal
    high: Decimal


def restored(told: dict[str, Any]) -> Outlook:
    """The outlook of which `asdict` wrote this."""
    left, pace = told["left"], told["pace"]
    spans = (Span(**left[name]) for name in ("assignments", "judgments"))
    return Outlook(
        left=Left(left["n_hits"], *spans),
        n_open=told["n_open"],
        n_waiting=told["n_waiting"],
        pace=pace and Pace(**pace | {"per_judgment": Span(**pace["per_judgment"])}),
    )


def cost_of_span(assignments: Span, *, pay: Decimal, fee: Decimal) -> Cost:
    """ConQA's formula: HITs times pay, and the fee on top."""
    return Cost(*(cost_of(round(n), pay=pay, fee=fee) for n in (assignments.mean, assignments.low, assignments.high)))
