"""The two principal axes against scikit-learn's, and where there are none."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from backend.methods.principal_axes import principal_plane


def test_places_are_those_of_scikit_learn_but_for_the_way_an_axis_points() -> None:
    vectors = np.random.default_rng(3).normal(size=(12, 36)) * np.arange(1, 37)
    ours, theirs = principal_plane(vectors), PCA(n_components=2, svd_solver="full").fit_transform(vectors)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)


def test_the_same_vectors_give_the_same_bits_and_the_order_of_rows_does_not_turn_an_axis() -> None:
    vectors = np.random.default_rng(4).normal(size=(9, 5))
    assert principal_plane(vectors).tobytes() == principal_plane(vectors.copy()).tobytes()
    np.testing.assert_allclose(principal_plane(vectors[::-1])[::-1], principal_plane(vectors), atol=1e-9)


@pytest.mark.parametrize("vectors", [np.ones((1, 4)), np.ones((3, 4)), np.ones((4, 1)), np.empty((0, 4))])
def test_where_nothing_differs_everything_lies_at_one_place(vectors: np.ndarray) -> None:
    assert principal_plane(vectors).tolist() == [[0.0, 0.0]] * len(vectors)


def test_two_vectors_lie_on_one_axis_as_far_apart_as_they_are() -> None:
    (ax, ay), (bx, by) = principal_plane([[0.0, 3.0, 0.0], [4.0, 0.0, 0.0]])
    assert (ay, by) == (pytest.approx(0, abs=1e-12),) * 2
    assert abs(ax - bx) == pytest.approx(5)


@pytest.mark.parametrize("bad", [[[np.nan, 1.0]], [[np.inf, 1.0]]])
def test_a_vector_that_is_no_number_is_refused(bad: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="NaN or infinity"):
        principal_plane(bad)


def test_one_dimension_of_rows_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(n, d\)"):
        principal_plane([1.0, 2.0])
