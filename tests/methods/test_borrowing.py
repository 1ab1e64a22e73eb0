"""The seeded draw of other images' captions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.methods.borrowing import Lent, choose_borrowed, draw_places

DOG = Lent("d1", "dog.jpg", "A dog.", "a dog")
CAT = Lent("c1", "cat.jpg", "A cat", "a cat")
CAT_AGAIN = Lent("c2", "kitten.jpg", "a cat!", "a cat")
COW = Lent("e1", "cow.jpg", "A cow", "a cow")


@given(st.integers(0, 300), st.integers(0, 100), st.integers(0, 2**53), st.text("0123456789abcdef", max_size=8))
def test_a_draw_has_different_places_of_the_pool_and_repeats_itself(
    n_pool: int, n: int, seed: int, digest: str
) -> None:
    places = draw_places(n_pool, n, seed=seed, digest=digest)
    assert len(set(places)) == len(places) == min(n_pool, n)
    assert set(places) <= set(range(n_pool))
    assert places == draw_places(n_pool, n, seed=seed, digest=digest)


def test_a_draw_is_the_same_on_every_python_and_machine() -> None:
    assert draw_places(1000, 5, seed=7, digest="ab") == [586, 380, 986, 44, 237]


def test_another_seed_and_another_image_draw_otherwise() -> None:
    draws = {tuple(draw_places(1000, 5, seed=seed, digest=digest)) for seed in (0, 1) for digest in ("ab", "cd")}
    assert len(draws) == 4


def test_no_place_is_favoured() -> None:
    counts = [0] * 10
    for image in range(3000):
        for place in draw_places(10, 3, seed=1, digest=str(image)):
            counts[place] += 1
    assert all(800 < count < 1000 for count in counts)


def test_an_image_borrows_neither_its_own_nor_what_it_already_says_nor_the_same_twice() -> None:
    drawn = [DOG, CAT, CAT_AGAIN, COW]
    assert choose_borrowed(drawn, digest="d1", own={"a cow"}, n_wanted=5) == [CAT]
    assert choose_borrowed(drawn, digest="x", own=set(), n_wanted=2) == [DOG, CAT]
    assert choose_borrowed([], digest="x", own=set(), n_wanted=2) == []
    assert choose_borrowed(drawn, digest="x", own=set(), n_wanted=0) == []
