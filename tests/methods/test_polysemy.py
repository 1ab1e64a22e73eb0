"""The curves of Figure 3: the worked angles, plain loops as the oracle, and what is not defined."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from itertools import combinations, islice
from math import acos

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.methods.polysemy import CurveSums, Point, angle
from nightly import examples

Floats = NDArray[np.float64]


def unit(dice: np.random.Generator, n: int, d: int) -> Floats:
    vectors = dice.normal(size=(n, d))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def at_cosine(cosine: float) -> Floats:
    return np.array([cosine, (1 - cosine**2) ** 0.5])


@pytest.mark.parametrize(
    ("cosine", "radians"),
    [(0.35, 1.2132), (0.30, 1.2661), (0.25, 1.3181), (0.20, 1.3694), (0.10, 1.4706), (0.0, 1.5708)],
)
def test_the_worked_angles_come_out(cosine: float, radians: float) -> None:
    assert angle(at_cosine(1.0), at_cosine(cosine)[None])[0] == pytest.approx(radians, abs=5e-5)


def test_a_tiny_angle_is_not_lost() -> None:
    """arccos of the single-precision product says 0 here."""
    near = np.array([[np.cos(1e-5), np.sin(1e-5)]])
    assert angle(at_cosine(1.0), near)[0] == pytest.approx(1e-5, rel=1e-6)
    assert angle(at_cosine(1.0), -near)[0] == pytest.approx(np.pi - 1e-5)


def test_one_query_worked_by_hand() -> None:
    """Neighbours at cosines .8 and .6; the first has the captions at .35 and .25, the second one at .1."""
    sums = CurveSums([2, 0, 1])
    sums.add(
        at_cosine(1.0),
        [at_cosine(0.8), at_cosine(0.6)],
        clip_image=at_cosine(1.0),
        captions=[at_cosine(0.1), at_cosine(0.35), at_cosine(0.25)],
        caption_of=[1, 0, 0],
    )
    zero, one, two = sums.curves().points
    assert zero == Point(0, None, None, None, 0, 0, 0, 0)
    assert (one.radius, one.n_queries, one.n_captions, two.n_captions) == (1, 1, 2, 3)
    assert one.image_similarity == pytest.approx(0.8)
    assert two.image_similarity == pytest.approx(0.7)
    assert one.in_cluster_similarity == pytest.approx(0.8), "the query and its one neighbour"
    assert two.in_cluster_similarity == pytest.approx((0.8 + 0.6 + 0.96) / 3)
    assert one.geodesic_distance == pytest.approx((1.2132 + 1.3181) / 2, abs=5e-5)
    assert two.geodesic_distance == pytest.approx((1.2132 + 1.3181 + 1.4706) / 3, abs=5e-5)


def plain_loops(queries: list[tuple[Floats, ...]], radius: int) -> tuple[float | None, float | None, float | None]:
    """The three means word for word."""
    similarity, in_cluster, distance = [], [], []
    for image, near, clip_image, captions, caption_of in queries:
        first = near[:radius]
        angles = [acos(clip_image @ t) for t, place in zip(captions, caption_of, strict=True) if place < len(first)]
        if len(first):
            similarity.append(np.mean([image @ v for v in first]))
            in_cluster.append(np.mean([a @ b for a, b in combinations([image, *first], 2)]))
        if angles:
            distance.append(np.mean(angles))
    return tuple(float(np.mean(values)) if values else None for values in (similarity, in_cluster, distance))  # type: ignore[return-value]


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(0, 2**32 - 1), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 6)), max_size=4))
def test_the_sums_say_what_plain_loops_say(seed: int, sizes: list[tuple[int, int]]) -> None:
    dice = np.random.default_rng(seed)
    sums, queries = CurveSums([0, 1, 3, 5]), []
    for n, m in sizes:
        m = m if n else 0
        near, captions = unit(dice, n, 6), unit(dice, m, 4)
        query = unit(dice, 1, 6)[0], near, unit(dice, 1, 4)[0], captions, dice.integers(0, max(n, 1), m)
        queries.append(query)
        sums.add(query[0], near, clip_image=query[2], captions=captions, caption_of=query[4])
    for point in sums.curves().points:
        expected = plain_loops(queries, point.radius)
        found = point.image_similarity, point.in_cluster_similarity, point.geodesic_distance
        assert found == tuple(None if value is None else pytest.approx(value, abs=6e-7) for value in expected)
        assert point.n_short == sum(n < point.radius for n, _ in sizes)


def test_a_query_without_neighbours_is_counted_and_left_out_of_the_means() -> None:
    sums = CurveSums([5])
    alone = np.empty((0, 2))
    sums.add(at_cosine(1.0), alone, clip_image=at_cosine(1.0), captions=alone, caption_of=[])
    sums.add(at_cosine(1.0), [at_cosine(0.5)], clip_image=at_cosine(1.0), captions=[], caption_of=[])
    curves = sums.curves()
    assert curves.n_queries == 2
    assert curves.points[0] == Point(5, pytest.approx(0.5), pytest.approx(0.5), None, 1, 0, 0, 2)


def test_nothing_added_gives_curves_without_values() -> None:
    assert CurveSums([1]).curves().points == (Point(1, None, None, None, 0, 0, 0, 0),)


def test_single_precision_vectors_are_made_exactly_unit_first() -> None:
    vectors = unit(np.random.default_rng(3), 60, 384).astype(np.float32)
    sums = CurveSums([59])
    sums.add(vectors[0], vectors[1:], clip_image=vectors[0], captions=vectors[:1], caption_of=[0])
    wide = vectors.astype(np.float64)
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    exact = np.mean([a @ b for a, b in combinations(wide, 2)])
    assert sums.to_state()["sums"][1] == pytest.approx([exact], abs=1e-9)


def test_no_more_digits_are_told_than_single_precision_knows() -> None:
    vectors = unit(np.random.default_rng(5), 20, 32)
    sums = CurveSums([7])
    sums.add(vectors[0], vectors[1:], clip_image=vectors[0], captions=vectors[1:], caption_of=range(19))
    point = sums.curves().points[0]
    for value in (point.image_similarity, point.in_cluster_similarity, point.geodesic_distance):
        assert value == round(value or 0, 6)


def test_the_curves_are_written_as_json_and_csv() -> None:
    sums = CurveSums([0, 1])
    sums.add(at_cosine(1.0), [at_cosine(0.5)], clip_image=at_cosine(1.0), captions=[at_cosine(0.0)], caption_of=[0])
    curves = sums.curves()
    read = json.loads(json.dumps(curves.to_json(), allow_nan=False))
    assert [point["image_similarity"] for point in read["points"]] == [None, 0.5]
    rows = list(csv.DictReader(io.StringIO(curves.to_csv())))
    assert [row["geodesic_distance"] for row in rows] == ["", repr(curves.points[1].geodesic_distance)]
    assert list(rows[0]) == list(read["points"][0])


@given(st.integers(0, 2**32 - 1), st.integers(0, 5))
def test_sums_that_were_put_down_and_taken_up_again_are_the_same_to_the_last_bit(seed: int, n_before: int) -> None:
    dice = np.random.default_rng(seed)
    whole, parted = CurveSums([0, 1, 3]), CurveSums([0, 1, 3])
    for n in range(6):
        if n == n_before:
            parted = CurveSums.from_state(json.loads(json.dumps(parted.to_state())))
        near, captions, own = unit(dice, 4, 6), unit(dice, 3, 4), unit(dice, 1, 6)[0]
        for sums in (whole, parted):
            sums.add(own, near, clip_image=captions[0], captions=captions, caption_of=[0, 1, 3])
    assert parted.to_state() == whole.to_state()
    assert parted.curves() == whole.curves()


@pytest.mark.nightly
def test_the_intervals_are_as_wide_as_the_queries_say_and_follow_from_the_seed() -> None:
    """600 queries of known spread: the bootstrap must find 1.96 standard errors, to the noise of its 400 resamples."""
    dice = np.random.default_rng(11)
    cosines = dice.uniform(0.2, 0.9, 600)
    made = [CurveSums([1], seed=seed) for seed in (7, 7, 8)]
    for sums in made:
        for cosine in cosines:
            text = at_cosine(float(cosine))
            sums.add(at_cosine(1.0), [text], clip_image=at_cosine(1.0), captions=[text], caption_of=[0])
    [first], [again], [other] = (sums.curves().points for sums in made)
    assert first == again
    assert (first.image_similarity, first.n_queries) == (other.image_similarity, 600)
    assert first.image_similarity_low != other.image_similarity_low
    for name, values in (("image_similarity", cosines), ("geodesic_distance", np.arccos(cosines))):
        low, mean, high = (getattr(first, f"{name}{end}") for end in ("_low", "", "_high"))
        half = 1.96 * values.std() / len(values) ** 0.5
        assert (mean - low, high - mean) == (pytest.approx(half, rel=0.2), pytest.approx(half, rel=0.2))


def test_memory_does_not_grow_with_the_queries() -> None:
    vectors = unit(np.random.default_rng(0), 101, 64)
    sums = CurveSums()

    def add(n: int) -> None:
        for _ in islice(iter(int, 1), n):
            sums.add(vectors[0], vectors[1:], clip_image=vectors[0], captions=vectors[1:], caption_of=range(100))

    peaks = []
    for n in (5, 100):
        tracemalloc.start()
        add(n)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_nonsense_is_refused() -> None:
    one, text = at_cosine(1.0), [at_cosine(0.3)]
    for radii in ([], [-1], [2, 2]):
        with pytest.raises(ValueError, match="radii"):
            CurveSums(radii)
    sums = CurveSums([1])
    with pytest.raises(ValueError, match="neighbour vectors must have length one"):
        sums.add(one, [[np.nan, 1]], clip_image=one, captions=text, caption_of=[0])
    with pytest.raises(ValueError, match="caption vectors must have length one"):
        sums.add(one, text, clip_image=one, captions=[[0, 0]], caption_of=[0])
    with pytest.raises(ValueError, match="do not fit"):
        sums.add(one, [[1, 0, 0]], clip_image=one, captions=text, caption_of=[0])
    with pytest.raises(ValueError, match="place of its neighbour"):
        sums.add(one, text, clip_image=one, captions=text, caption_of=[1])
    assert sums.n_queries == 0, "a refused query leaves no trace"
