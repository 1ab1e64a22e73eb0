"""How large thumbnails are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.methods.thumbnails import fit_within

SIDES = st.integers(1, 100_000)


def test_the_longest_side_decides() -> None:
    assert fit_within(4000, 3000, 320) == (320, 240)
    assert fit_within(3000, 4000, 1280) == (960, 1280)
    assert fit_within(100, 50, 320) == (100, 50)


@given(SIDES, SIDES, st.sampled_from([320, 1280]))
def test_a_thumbnail_is_never_larger_never_empty_and_turns_with_its_picture(width: int, height: int, most: int) -> None:
    size = fit_within(width, height, most)
    assert min(size) >= 1 and max(size) == min(most, max(width, height))
    assert size[0] <= width and size[1] <= height
    assert fit_within(height, width, most) == size[::-1]
