"""Cost by ConQA's formula."""

from __future__ import annotations

from decimal import Decimal

import pytest

from backend.methods.budget import cost_of, hits_needed


def test_conqa_cost_what_its_paper_says() -> None:
    conceptual = hits_needed(100, n_judgments=3, slots=5)
    descriptive = hits_needed(100, n_judgments=3, slots=5, controls=1)
    assert (conceptual, descriptive) == (60, 75)
    cost = cost_of(50 * conceptual + 30 * descriptive, pay=Decimal("0.20"), fee=Decimal("0.10"))
    assert cost == Decimal("1155.00")


def test_a_last_hit_that_is_not_full_is_paid_in_full() -> None:
    assert hits_needed(101, n_judgments=3, slots=5) == 63
    assert hits_needed(0, n_judgments=3, slots=5) == 0
    assert cost_of(1, pay=Decimal("0.125")) == Decimal("0.13")


def test_a_hit_without_a_place_for_an_item_is_refused() -> None:
    with pytest.raises(ValueError, match="no place beside 5 controls"):
        hits_needed(10, n_judgments=3, slots=5, controls=5)
    with pytest.raises(ValueError, match="cannot be negative"):
        hits_needed(-1, n_judgments=3, slots=5)
