"""Generic captions: worked panels, missing votes, the flag, hubs, and naive loops as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from backend.methods.generic import (
    MISSING,
    Generic,
    Hubs,
    MatchCounts,
    alike_pictures,
    count_hubs,
    scores_of,
    votes_of,
)
from nightly import examples

VOTE = {"+": 1, "-": 0, "?": MISSING}


def panel(*pictures: str) -> list[NDArray[np.int8]]:
    """The votes of seven models on one caption, a string for each picture."""
    return [np.array([[VOTE[picture[model]]] for picture in pictures], dtype=np.int8) for model in range(7)]


def one_caption(*pictures: str) -> Generic:
    """A caption of a picture that is not among `pictures`."""
    counts = MatchCounts([99])
    counts.add(range(len(pictures)), panel(*pictures), alike=np.zeros((len(pictures), 1)))
    return counts.scores()[0]


def test_a_panel_worked_by_hand() -> None:
    """Four, three and seven of seven say yes on three other pictures."""
    found = one_caption("++++---", "+++----", "+++++++")
    assert (found.score, found.n_matched, found.n_judged, found.n_undecided) == (2 / 3, 2, 3, 0)


@pytest.mark.parametrize(
    ("votes", "matched", "judged", "undecided"),
    [
        ("++++???", 1, 1, 0),
        ("+++---?", 0, 0, 1),
        ("++----?", 0, 1, 0),
        ("???????", 0, 0, 1),
        ("----???", 0, 1, 0),
        ("---????", 0, 0, 1),
    ],
)
def test_a_missing_vote_is_never_a_no(votes: str, matched: int, judged: int, undecided: int) -> None:
    found = one_caption(votes)
    assert (found.n_matched, found.n_judged, found.n_undecided) == (matched, judged, undecided)
    assert found.score == (matched / judged if judged else None)


def test_a_model_without_any_score_leaves_open_what_it_could_decide() -> None:
    counts = MatchCounts([9])
    votes = [np.array([[1], [1]])] * 3 + [np.array([[0], [1]])] + [np.array([[0], [0]])] * 2
    counts.add([0, 1], [*votes, None], alike=np.zeros((2, 1)))
    assert counts.scores()[0] == Generic(1.0, 1, 1, 1, None, None)


def test_the_own_picture_and_alike_ones_are_no_others() -> None:
    yes = np.ones((4, 1))
    counts = MatchCounts([0])
    counts.add([0, 1, 2, 3], [yes] * 7, alike=[[0], [1], [0], [0]])
    assert counts.scores()[0] == Generic(1.0, 2, 2, 0, None, "fits_many")


def test_alike_is_a_cosine_of_eighty_hundredths_or_more_also_in_single_precision() -> None:
    pictures = np.array([[1, 0], [0.8, 0.6], [0.79, 0.61311], [0, 1]], dtype=np.float32)
    near = alike_pictures(pictures, pictures, [0, 0, 3])
    assert near.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]]


def test_scores_become_votes_at_the_threshold_and_nan_is_missing() -> None:
    assert votes_of([[0.26, 0.259], [np.nan, -1.0]], 0.26).tolist() == [[1, 0], [-1, 0]]


@settings(max_examples=examples(120), deadline=None)
@given(st.data(), st.integers(1, 4), st.integers(1, 6), st.integers(1, 5), st.integers(1, 6))
def test_the_counts_are_those_of_a_naive_loop_whatever_the_blocks(
    data: st.DataObject, n_captions: int, n_images: int, n_models: int, block: int
) -> None:
    own = data.draw(st.lists(st.integers(0, n_images), min_size=n_captions, max_size=n_captions))
    needed = data.draw(st.integers(1, n_models))
    shape = n_images, n_captions
    votes = data.draw(arrays.arrays(np.int8, (n_models, *shape), elements=st.integers(-1, 1)))
    alike = data.draw(arrays.arrays(np.bool_, shape))
    counts = MatchCounts(own, n_models=n_models, needed=needed)
    for start in range(0, n_images, block):
        rows = range(start, min(start + block, n_images))
        counts.add(rows, (of_model[start : start + block] for of_model in votes), alike=alike[start : start + block])
    for caption, found in enumerate(counts.scores()):
        expected = naive(votes[:, :, caption], alike[:, caption], own[caption], needed)
        assert (found.n_matched, found.n_judged, found.n_undecided) == expected


def naive(votes: NDArray[np.int8], alike: NDArray[np.bool_], own: int, needed: int) -> tuple[int, int, int]:
    """Every way of filling in what is missing: only what all of them agree on is decided."""
    matched = judged = undecided = 0
    for image in range(votes.shape[1]):
        if image == own or alike[image]:
            continue
        known, n_missing = list(votes[:, image]).count(1), list(votes[:, image]).count(-1)
        verdicts = {known + filled >= needed for filled in range(n_missing + 1)}
        matched += verdicts == {True}
        judged += len(verdicts) == 1
        undecided += len(verdicts) == 2
    return matched, judged, undecided


def counts_of(matched: list[int], n_images: int) -> list[Generic]:
    """Captions that fit so many of `n_images` pictures, judged by one model."""
    counts = MatchCounts([-1] * len(matched), n_models=1, needed=1)
    votes = np.arange(n_images)[:, None] < np.array(matched)[None, :]
    counts.add(range(n_images), [votes.astype(np.int8)], alike=np.zeros(votes.shape))
    return counts.scores()


def test_above_one_percent_of_the_pictures_is_flagged_and_one_percent_is_not() -> None:
    assert [caption.reason for caption in counts_of([51, 50, 0], 5000)] == ["fits_many", None, None]


def test_the_highest_percent_of_the_captions_is_flagged_too() -> None:
    assert [caption.reason for caption in counts_of([3, *[2] * 99], 5000)] == ["among_the_highest", *[None] * 99]


def test_equal_scores_are_among_the_highest_together_or_not_at_all() -> None:
    assert not any(caption.is_flagged for caption in counts_of([3, 3, *[2] * 98], 5000))
    assert sum(caption.is_flagged for caption in counts_of([3, 3, *[2] * 198], 5000)) == 2
    assert sum(caption.is_flagged for caption in counts_of([3] * 29 + [2] * 2871, 1000)) == 29, "one percent exactly"


def test_one_other_picture_is_not_many_however_few_there_are() -> None:
    assert [caption.reason for caption in counts_of([2, 1, 0], 57)] == ["fits_many", None, None]
    assert not any(caption.is_flagged for caption in counts_of([1, *[0] * 199], 5000)), "nor as the highest of all"


def test_fitting_no_other_picture_is_never_generic() -> None:
    assert not any(caption.is_flagged for caption in counts_of([0] * 500, 100))


def test_a_beautiful_scene_is_generic_and_a_caption_of_its_picture_is_not() -> None:
    """'Beautiful scene makes me happy' scores .30 on every picture, the other one on its own alone."""
    scores = np.full((40, 2), 0.30)
    scores[:, 1] = 0.10
    scores[7, 1] = 0.35
    counts = MatchCounts([3, 7])
    counts.add(range(40), [votes_of(scores, 0.26)] * 7, alike=np.zeros((40, 2)))
    generic, own = counts.scores(count_hubs(scores, k=1))
    assert generic == Generic(1.0, 39, 39, 0, 39, "fits_many")
    assert own == Generic(0.0, 0, 39, 0, 1, None)


@settings(max_examples=examples(150), deadline=None)
@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(0, 5), st.integers(1, 8)),
        elements=st.sampled_from([0.1, 0.2, 0.3, np.nan]),
    ),
    st.integers(1, 9),
)
def test_hubs_are_those_of_sorted_lists(similarities: NDArray[np.float64], k: int) -> None:
    expected = [0] * similarities.shape[1]
    for row in similarities:
        known = [caption for caption, value in enumerate(row) if not np.isnan(value)]
        for caption in sorted(known, key=lambda caption: (-row[caption], caption))[:k]:
            expected[caption] += 1
    assert count_hubs(similarities, k).tolist() == expected


@settings(max_examples=examples(150), deadline=None)
@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(0, 5), st.integers(1, 12)),
        elements=st.sampled_from([0.1, 0.2, 0.3, np.nan]),
    ),
    st.integers(1, 4),
    st.integers(1, 5),
    st.integers(1, 3),
)
def test_hubs_counted_block_by_block_are_those_of_the_whole(
    similarities: NDArray[np.float64], k: int, n_captions: int, n_pictures: int
) -> None:
    rows, columns = similarities.shape
    hubs = Hubs(rows, columns, k)
    for first in range(0, columns, n_captions):
        for start in range(0, rows, n_pictures):
            block = similarities[start : start + n_pictures, first : first + n_captions]
            hubs.add(np.arange(start, start + len(block)), first, block)
    assert hubs.counts().tolist() == count_hubs(similarities, k).tolist()


def test_captions_counted_in_blocks_are_flagged_among_all_of_them() -> None:
    """Of 200 captions, c of which fit c pictures, the two highest are flagged, wherever the blocks end."""
    votes = (np.arange(40_000)[:, None] < np.arange(200)[None, :]).astype(np.int8)
    blocks = []
    for columns in (slice(0, 130), slice(130, 200)):
        part = MatchCounts(np.full(200, -1)[columns], n_models=1, needed=1)
        part.add(range(40_000), [votes[:, columns]], alike=np.zeros((40_000, 200), dtype=bool)[:, columns])
        blocks.append(part.counts)
    found = scores_of(np.hstack(blocks))
    assert [one.n_matched for one in found] == list(range(200))
    assert [one.reason for one in found] == [None] * 198 + ["among_the_highest"] * 2


def test_no_caption_and_no_picture_are_no_error() -> None:
    none = MatchCounts([])
    none.add([0, 1], [np.zeros((2, 0))] * 7, alike=np.zeros((2, 0)))
    assert none.scores() == []
    assert MatchCounts([0]).scores() == [Generic(None, 0, 0, 0, None, None)]


def test_nonsense_is_refused() -> None:
    counts = MatchCounts([0, 1], n_models=2, needed=1)
    votes, alike = np.zeros((1, 2)), np.zeros((1, 2))
    with pytest.raises(ValueError, match="cannot agree"):
        MatchCounts([0], n_models=3)
    with pytest.raises(ValueError, match="at most 127"):
        MatchCounts([0], n_models=128)
    with pytest.raises(ValueError, match="panel has 2"):
        counts.add([5], [votes], alike=alike)
    with pytest.raises(ValueError, match="votes have the shape"):
        counts.add([5], [votes, np.zeros((2, 2))], alike=alike)
    with pytest.raises(ValueError, match="alike pictures have the shape"):
        counts.add([5], [votes] * 2, alike=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="1 for yes"):
        counts.add([5], [votes, np.full((1, 2), 0.3)], alike=alike)
    with pytest.raises(ValueError, match="at least one place"):
        count_hubs(votes, 0)
    with pytest.raises(ValueError, match="at least one place"):
        Hubs(1, 1, 0)
    assert counts.scores()[0].n_judged == 0, "a refused block leaves no trace"
