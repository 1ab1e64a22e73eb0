"""The difference of two shares against Newcombe's own worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.quality import difference_of_shares, wilson

# Newcombe (1998), Statistics in Medicine 17, table II, method 10: the first share less the second, 95%.
PUBLISHED = [
    ((56, 70), (48, 80), 0.0524, 0.3339),
    ((9, 10), (3, 10), 0.1705, 0.8090),
    ((6, 7), (2, 7), 0.0582, 0.8062),
    ((5, 56), (0, 29), -0.0381, 0.1926),
    ((0, 10), (0, 20), -0.1611, 0.2775),
    ((0, 10), (0, 10), -0.2775, 0.2775),
    ((10, 10), (0, 20), 0.6791, 1.0000),
    ((10, 10), (0, 10), 0.6075, 1.0000),
]


@pytest.mark.parametrize(("more", "less", "low", "high"), PUBLISHED)
def test_the_interval_is_the_published_one(
    more: tuple[int, int], less: tuple[int, int], low: float, high: float
) -> None:
    found = difference_of_shares(less, more)
    assert found.value == pytest.approx(more[0] / more[1] - less[0] / less[1])
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


shares = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(first=shares, second=shares)
def test_the_interval_holds_its_value_and_turns_with_its_sides(first: tuple[int, int], second: tuple[int, int]) -> None:
    found, turned = difference_of_shares(first, second), difference_of_shares(second, first)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert (turned.low, turned.high) == (pytest.approx(-found.high), pytest.approx(-found.low))


def test_no_trial_is_refused_as_wilson_refuses_it() -> None:
    with pytest.raises(ValueError, match="n"):
        wilson(0, 0)
    with pytest.raises(ValueError, match="n"):
        difference_of_shares((0, 0), (1, 2))
