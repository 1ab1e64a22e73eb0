"""One caption of each cluster: the same ones for the same seed, whatever order the captions come in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.methods.selection import Choice, GoodCaptions, image_seed, rank_of, select_by_cluster
from backend.methods.selection.least_alike import cosines_of
from backend.methods.selection.points import find_points
from nightly import nightly
from workers.engines.caption_clusters import UmapKMeans, one_thread

# numba and scikit-learn warn of their own corners at import; none of it is ours.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def grouped(n: int, *, groups: int = 5, seed: int = 1) -> GoodCaptions:
    """n captions, by turns of so many groups that lie far apart."""
    dice = np.random.default_rng(seed)
    centres = np.eye(groups, 24) * 4
    rows = centres[np.arange(n) % groups] + dice.normal(size=(n, 24)) * 0.4
    return GoodCaptions(
        [f"{at:03}" for at in range(n)], [f"caption {'abcdefghij'[at % 10]} {at}" for at in range(n)], unit(rows)
    )


def shuffled(captions: GoodCaptions, seed: int) -> GoodCaptions:
    order = np.random.default_rng(seed).permutation(len(captions))
    ids, texts = [captions.ids[at] for at in order], [captions.texts[at] for at in order]
    return replace(captions, ids=ids, texts=texts, vectors=captions.vectors[order])


def chosen(captions: GoodCaptions, *, seed: int = 7, k: int = 5, n_seeds: int = 0) -> Choice:
    with one_thread():
        found = select_by_cluster(captions, k, seed=seed, digest="aa", grouper=UmapKMeans(), n_seeds=n_seeds)
    assert found is not None
    return found


@pytest.mark.parametrize("n", [5, 6, 14, nightly(15), nightly(40)])
def test_the_same_captions_in_any_order_give_the_same_five_in_the_same_places(n: int) -> None:
    captions = grouped(n)
    first = chosen(captions, n_seeds=3)
    assert first.chosen.method == ("all" if n == 5 else "kmeans" if n < 15 else "umap_kmeans")
    assert len(set(first.chosen.ids)) == 5
    assert set(first.places) == set(captions.ids)
    assert [chosen(shuffled(captions, at), n_seeds=3) for at in range(2)] == [first, first]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_fewer_than_five_are_a_short_pool(n: int) -> None:
    assert select_by_cluster(grouped(n), 5, seed=7, digest="aa", grouper=UmapKMeans()) is None


@pytest.mark.parametrize("n", [14, nightly(40)])
def test_each_group_gives_one_caption_the_lowest_ranked_of_its_own(n: int) -> None:
    found = chosen(grouped(n))
    assert {int(key) % 5 for key in found.chosen.ids} == {0, 1, 2, 3, 4}
    assert found.n_clusters == 5
    for key in found.chosen.ids:
        seed = image_seed(7, "aa")
        mine = [other for other in found.places if found.places[other].cluster == found.places[key].cluster]
        assert key == min(mine, key=lambda other: rank_of(seed, other))


@pytest.mark.nightly
def test_another_seed_or_another_image_picks_others_and_the_stability_says_how_much_stays() -> None:
    captions = grouped(40)
    sets = {chosen(captions, seed=seed).chosen.ids for seed in range(4)}
    other = select_by_cluster(captions, 5, seed=0, digest="bb", grouper=UmapKMeans())
    assert other is not None
    assert len(sets | {other.chosen.ids}) > 3
    shaky, firm = chosen(captions, n_seeds=10).stability, chosen(grouped(5), n_seeds=10).stability
    assert shaky is not None
    assert 0 <= shaky < 0.5
    assert firm == 1.0


def spelled(texts: list[str], vectors: NDArray[np.float32], captions: GoodCaptions) -> GoodCaptions:
    ids = [*captions.ids, *(f"s{at:02}" for at in range(len(texts)))]
    return GoodCaptions(ids, [*captions.texts, *texts], np.concatenate([captions.vectors, vectors]))


SPELLINGS = [
    "A dog on a beach", "a dog on a beach", "A dog on a beach.", "A DOG ON A BEACH", "A  dog on a beach!",
    "a dog, on a beach", "A dog on a beach…", "“A dog on a beach”", "A dog on a beach?", "a Dog on a Beach",
]  # fmt: skip


@pytest.mark.parametrize("n", [9, 30])
def test_ten_spellings_of_one_sentence_are_chosen_at_most_once(n: int) -> None:
    dice = np.random.default_rng(5)
    near = unit(np.ones((10, 24)) + dice.normal(size=(10, 24)) * 0.3)  # a model that sees letters tells them apart
    found = chosen(spelled(SPELLINGS, near, grouped(n)))
    assert sum(key.startswith("s") for key in found.chosen.ids) <= 1
    assert len(found.chosen.ids) == 5
    only = chosen(spelled(SPELLINGS, near, grouped(0)))
    assert (only.n_clusters, len(only.chosen.ids)) == (1, 5)


def test_fewer_different_vectors_than_clusters_are_filled_up_by_the_least_alike() -> None:
    rows = np.repeat(np.eye(3, 24), 3, axis=0)
    captions = GoodCaptions(
        [f"{at:03}" for at in range(9)], [f"{'abc'[at // 3]} word {at}" for at in range(9)], unit(rows)
    )
    found = chosen(captions)
    assert found.n_clusters == 3
    assert sorted(int(key) // 3 for key in found.chosen.ids) in ([0, 0, 1, 1, 2], [0, 0, 1, 2, 2], [0, 1, 1, 2, 2])
    assert found.chosen.mean_similarity == pytest.approx(0.2)


def test_rows_that_repeat_do_not_make_umap_forget_its_seed() -> None:
    captions = grouped(30)
    again = replace(captions, vectors=np.concatenate([captions.vectors[:20], captions.vectors[:10]]))
    assert chosen(again) == chosen(again)


def test_captions_longer_than_the_model_reads_are_no_repeats_because_their_beginnings_are_equal() -> None:
    rows = np.concatenate([np.eye(2, 24), np.repeat(np.eye(3, 24)[2:], 3, axis=0)])
    captions = GoodCaptions(list("abcde"), ["one", "two", "long x", "long y", "long y!"], unit(rows), frozenset("cde"))
    cut = find_points(captions, cosines_of(captions.vectors))
    read = find_points(replace(captions, cut=frozenset()), cosines_of(captions.vectors))
    assert (cut.point_of, cut.repeats) == ([0, 1, 2, 2, 2], {4})
    assert read.repeats == {3, 4}
    assert {key for key, place in chosen(captions, k=4).places.items() if place.is_cut} == set("cde")


def test_a_pin_takes_the_place_of_its_clusters_pick_and_a_ban_moves_nothing_else() -> None:
    captions = grouped(40)
    before = chosen(captions)
    out = before.chosen.ids[0]
    mate = next(key for key in captions.ids if int(key) % 5 == int(out) % 5 and key != out)
    pinned = chosen(replace(captions, pinned=frozenset([mate])))
    assert set(pinned.chosen.ids) == set(before.chosen.ids) - {out} | {mate}
    banned = chosen(replace(captions, banned=frozenset([out])))
    assert set(before.chosen.ids) - set(banned.chosen.ids) == {out}
    assert banned.places == before.places


def test_several_pins_in_one_cluster_are_all_chosen_and_still_five_come_out() -> None:
    captions = grouped(40)
    pins = frozenset(key for key in captions.ids if int(key) % 5 == 2)
    three = frozenset(sorted(pins)[:3])
    found = chosen(replace(captions, pinned=three))
    assert three < set(found.chosen.ids)
    assert len(found.chosen.ids) == len({int(key) % 5 for key in found.chosen.ids}) + 2 == 5


def test_a_cluster_of_banned_captions_alone_is_made_up_for_by_others() -> None:
    captions = grouped(40)
    gone = frozenset(key for key in captions.ids if int(key) % 5 == 0)
    found = chosen(replace(captions, banned=gone))
    assert len(found.chosen.ids) == 5
    assert not gone & set(found.chosen.ids)
