"""Ranks and measures of retrieval: worked numbers, properties, and what other programs say of the same scores."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import warnings
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backend.methods.ranking import (
    DotProducts,
    Order,
    Pairs,
    Ranking,
    RankingError,
    ScoreMatrix,
    ScoreSource,
    Ties,
    count_rows,
    make_pairs,
    measure,
    rank_both,
    rank_run,
)
from backend.methods.ranking.blocks import Counts
from backend.methods.ranking.figures import Direction, Evaluation, evaluate
from backend.methods.ranking.folds import fold_means
from nightly import examples

TOY = np.array(
    [[0.30, 0.10, 0.25, 0.28, 0.05, 0.20], [0.22, 0.24, 0.21, 0.26, 0.23, 0.27], [0.15, 0.12, 0.18, 0.11, 0.29, 0.13]],
    np.float32,
)
TOY_PAIRS = make_pairs(np.arange(6) // 2, np.arange(6), n_images=3, n_texts=6)


def means(ranking: Ranking, *, ties: Ties = "expected", ks: tuple[int, ...] = (1, 2, 5)) -> dict[str, float]:
    return {name: float(values.mean()) for name, values in measure(ranking, ties=ties, ks=ks).values.items()}


def both(scores: np.ndarray, pairs: Pairs, **options: object) -> tuple[Ranking, Ranking]:
    return rank_both(ScoreMatrix(scores), pairs, **options)[:2]  # type: ignore[arg-type]


def as_directions(to_text: Ranking, to_image: Ranking, of_text: np.ndarray) -> list[Direction]:
    n = to_text.n_queries
    return [Direction("image_to_text", to_text, np.arange(n)), Direction("text_to_image", to_image, of_text)]


def test_the_worked_example_has_its_published_figures() -> None:
    to_text, to_image = both(TOY, TOY_PAIRS)
    expected = {
        "hit@1": 0.66667, "hit@2": 1, "recall_all@1": 0.33333, "recall@2": 0.5, "recall@5": 0.83333,
        "map@R": 0.416667, "map": 0.622222, "r_precision": 0.5, "mrr": 0.833333, "ndcg": 0.777607, "ndcg@2": 0.537716,
    }  # fmt: skip
    found = means(to_text)
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=5e-6)
    expected = {"hit@1": 0.33333, "map@R": 0.33333, "map": 0.611111, "mrr": 0.611111, "ndcg": 0.710310}
    found = means(to_image)
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=5e-6)
    assert sorted(measure(to_text).rank_all) == [1, 1, 2, 4, 5, 6]
    assert sorted(measure(to_image).rank_all) == [1, 1, 2, 2, 3, 3]


def test_ranks_of_the_worked_example_are_summed_up_over_all_and_over_the_best() -> None:
    figures = evaluate(as_directions(*both(TOY, TOY_PAIRS), np.arange(6) // 2), n_clusters=3, draws=20).metrics
    ranks = {name: figures["image_to_text"][name].value for name in figures["image_to_text"] if "rank" in name}
    assert ranks == pytest.approx(
        {"rank_all_mean": 3.16667, "rank_all_median": 3, "rank_best_mean": 1.33333, "rank_best_median": 1}, abs=5e-6
    )
    assert figures["text_to_image"]["rank_all_mean"].value == figures["text_to_image"]["rank_all_median"].value == 2


def test_recall_reaches_one_where_an_image_has_more_captions_than_k_and_seven_do_not_give_more() -> None:
    pairs = make_pairs(np.zeros(7, int), np.arange(7), n_images=1, n_texts=9)
    to_text, _ = both(np.arange(9, 0, -1, dtype=np.float32)[None], pairs)
    found = means(to_text, ks=(1, 5, 10))
    assert (found["recall@1"], found["recall@5"], found["recall@10"]) == (1, 1, 1)
    assert found["recall_all@5"] == pytest.approx(5 / 7)


# --- properties ------------------------------------------------------------------------------------------------------


@st.composite
def ranked_sets(draw: st.DrawFn) -> tuple[np.ndarray, Pairs]:
    """Scores of few distinct values, so that many are tied, and right pairs of any shape."""
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    scores = draw(arrays(np.float32, (n, m), elements=st.integers(-2, 3).map(float)))
    right = draw(arrays(np.bool_, (n, m)))
    image, text = np.nonzero(right)
    return scores, make_pairs(image, text, n_images=n, n_texts=m)


def all_orders(scores: np.ndarray, right: set[int], k: int) -> dict[str, float]:
    """The plain measures of one query, averaged over every order that its scores allow."""
    rows = []
    for order in permutations(range(len(scores))):
        if all(scores[a] >= scores[b] for a, b in pairwise(order)):
            ranks = [at for at, item in enumerate(order, 1) if item in right]
            n = len(ranks)
            rows.append({
                f"hit@{k}": float(ranks[0] <= k),
                f"recall@{k}": sum(r <= k for r in ranks) / min(k, n),
                "map": sum(j / r for j, r in enumerate(ranks, 1)) / n,
                "map@R": sum(j / r for j, r in enumerate(ranks, 1) if r <= n) / n,
                "r_precision": sum(r <= n for r in ranks) / n,
                "mrr": 1 / ranks[0],
                "ndcg": sum(1 / np.log2(r + 1) for r in ranks) / sum(1 / np.log2(i + 2) for i in range(n)),
                f"ndcg@{k}": sum(1 / np.log2(r + 1) for r in ranks if r <= k)
                / sum(1 / np.log2(i + 2) for i in range(min(k, n))),
                "rank_best": ranks[0],
            })  # fmt: skip
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


@settings(max_examples=examples(40), deadline=None)
@given(arrays(np.float32, st.integers(1, 6), elements=st.integers(0, 2).map(float)), st.data())
def test_a_figure_is_the_mean_over_every_order_of_equal_scores(scores: np.ndarray, data: st.DataObject) -> None:
    right = data.draw(st.sets(st.integers(0, len(scores) - 1), min_size=1))
    k = data.draw(st.integers(1, 4))
    pairs = make_pairs(np.zeros(len(right), int), np.array(sorted(right)), n_images=1, n_texts=len(scores))
    found = measure(both(scores[None], pairs)[0], ks=(k,))
    expected = all_orders(scores, right, k)
    assert found.rank_best[0] == pytest.approx(expected.pop("rank_best"))
    assert {name: found.values[name][0] for name in expected} == pytest.approx(expected)


@settings(max_examples=examples(60), deadline=None)
@given(ranked_sets(), st.sampled_from(["stable", "optimistic", "pessimistic"]))
def test_ranks_are_those_of_a_sorted_list(given_set: tuple[np.ndarray, Pairs], ties: Ties) -> None:
    scores, pairs = given_set
    order = Order(np.arange(pairs.n_images), np.arange(pairs.n_texts))
    right = np.zeros(scores.shape, bool)
    right[pairs.image, pairs.text] = True
    for ranking, matrix, is_right in zip(
        both(scores, pairs, order=order), (scores, scores.T), (right, right.T), strict=True
    ):
        found = measure(ranking, ties=ties)
        for query in found.queries:
            later = {
                "stable": np.zeros(matrix.shape[1]),
                "optimistic": ~is_right[query],
                "pessimistic": is_right[query],
            }
            listed = np.lexsort((later[ties], -matrix[query]))
            ranks = np.flatnonzero(is_right[query][listed]) + 1
            assert sorted(found.rank_all[ranking.query == query]) == list(ranks)


@settings(max_examples=examples(40), deadline=None)
@given(ranked_sets(), st.integers(1, 5), st.integers(0, 6))
def test_block_size_and_shares_of_the_work_change_nothing(
    given_set: tuple[np.ndarray, Pairs], rows: int, cut: int
) -> None:
    scores, pairs = given_set
    source, own = ScoreMatrix(scores), scores[pairs.image, pairs.text]
    order = Order(np.arange(pairs.n_images)[::-1].copy(), np.arange(pairs.n_texts)[::-1].copy())
    *_, whole = rank_both(source, pairs, order=order, with_wrong=True)
    shared, cut = Counts.empty(pairs), min(cut, pairs.n_images)
    for start, stop in ((0, cut), (cut, pairs.n_images)):
        shared.add(count_rows(source, pairs, own, start=start, stop=stop, order=order, with_wrong=True, rows=rows))
    for name in whole.__dataclass_fields__:
        assert np.array_equal(getattr(whole, name), getattr(shared, name)), name


@settings(max_examples=examples(40), deadline=None)
@given(ranked_sets())
def test_measures_keep_their_bounds_and_a_growing_function_changes_none(given_set: tuple[np.ndarray, Pairs]) -> None:
    scores, pairs = given_set
    for one, other in zip(both(scores, pairs), both(np.exp(scores / 2), pairs), strict=True):
        first, second = measure(one), measure(other)
        for name, values in first.values.items():
            assert np.array_equal(values, second.values[name])
            assert ((values >= 0) & (values <= 1 + 1e-12)).all(), name
        assert (first.values["map@R"] <= first.values["r_precision"] + 1e-12).all()
        best, worst = measure(one, ties="optimistic").values, measure(one, ties="pessimistic").values
        for name, values in first.values.items():
            assert (worst[name] <= values + 1e-12).all() and (values <= best[name] + 1e-12).all(), name
        alone = np.bincount(one.query, minlength=one.n_queries)[first.queries] == 1
        assert np.allclose(first.values["hit@1"][alone], first.values["map@R"][alone])


def test_a_constant_model_scores_chance_whatever_the_order_of_rows() -> None:
    n = 300
    pairs = make_pairs(np.arange(5 * n) // 5, np.arange(5 * n), n_images=n, n_texts=5 * n)
    same = np.full((1, 48), 1 / 3, np.float32)
    to_text, to_image, _ = rank_both(DotProducts(np.repeat(same, n, 0), np.repeat(same, 5 * n, 0)), pairs)
    assert (to_text.tied == 5 * n).all() and (to_image.tied == n).all()
    assert means(to_image, ks=(1, 10))["hit@1"] == pytest.approx(1 / n)
    assert means(to_image, ks=(1, 10))["hit@10"] == pytest.approx(10 / n)
    assert means(to_text)["hit@1"] == pytest.approx(1 / n)
    assert means(to_text)["mrr"] < 0.02 < 0.99 < means(to_text, ties="optimistic")["mrr"]


def test_an_own_score_that_two_products_round_differently_does_not_beat_itself() -> None:
    class Rounded(ScoreMatrix):
        def own(self, images: np.ndarray, texts: np.ndarray) -> np.ndarray:
            return np.nextafter(super().own(images, texts).astype(np.float32), np.float32(-1))

    for found, expected in zip(rank_both(Rounded(TOY), TOY_PAIRS), rank_both(ScoreMatrix(TOY), TOY_PAIRS), strict=True):
        if isinstance(found, Ranking) and isinstance(expected, Ranking):
            assert np.array_equal(found.above, expected.above) and np.array_equal(found.tied, expected.tied)


def test_embeddings_rank_as_a_sorted_list_of_their_products() -> None:
    rng = np.random.default_rng(0)
    images = rng.standard_normal((301, 33)).astype(np.float32)
    texts = rng.standard_normal((700, 33)).astype(np.float32)
    image = np.sort(rng.integers(301, size=700))
    pairs = make_pairs(image, np.arange(700), n_images=301, n_texts=700)
    source: ScoreSource = DotProducts(images, texts)
    ranking = rank_both(source, pairs)[1]
    listed = np.argsort(-(images.astype(np.float64) @ texts.T.astype(np.float64)), axis=0, kind="stable")
    expected = (listed == image).argmax(axis=0) + 1
    assert np.abs(measure(ranking).rank_all - expected).max() <= 1  # neighbours that differ in the last bit
    assert (measure(ranking).rank_all == expected).mean() > 0.99


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_is_refused_by_its_place(value: float) -> None:
    scores = TOY.copy()
    scores[2, 4] = value
    with pytest.raises(RankingError, match=f"image 2 and text 4 is {value}"):
        both(scores, TOY_PAIRS)


def test_pairs_that_come_twice_or_do_not_exist_are_refused() -> None:
    with pytest.raises(RankingError, match="image 0 and text 1 is given twice"):
        make_pairs(np.array([0, 0]), np.array([1, 1]), n_images=1, n_texts=2)
    with pytest.raises(RankingError, match="outside of the 1 images"):
        make_pairs(np.array([1]), np.array([0]), n_images=1, n_texts=2)


def test_queries_without_a_right_item_are_dropped_and_counted() -> None:
    pairs = make_pairs(np.array([0]), np.array([1]), n_images=3, n_texts=4)
    to_text, to_image = both(TOY[:, :4], pairs)
    assert (to_text.n_dropped, to_image.n_dropped) == (2, 3)
    assert len(measure(to_text).queries) == 1
    empty = both(TOY, make_pairs(np.zeros(0, int), np.zeros(0, int), n_images=3, n_texts=6))
    figures = evaluate(as_directions(*empty, np.zeros(6, int)), n_clusters=3)
    assert figures.metrics["image_to_text"]["hit@1"].reason == "no_queries"


# --- figures ---------------------------------------------------------------------------------------------------------


def evaluated(n: int, *, seed: int = 0, draws: int = 300) -> Evaluation:
    rng = np.random.default_rng(seed)
    of_text = np.arange(5 * n) // 5
    vectors = rng.standard_normal((n, 16)).astype(np.float32)
    texts = vectors[of_text] + 1.5 * rng.standard_normal((5 * n, 16)).astype(np.float32)
    pairs = make_pairs(of_text, np.arange(5 * n), n_images=n, n_texts=5 * n)
    to_text, to_image, _ = rank_both(DotProducts(vectors, texts), pairs)
    hard = np.arange(5 * n) % 5 < 2
    directions = [
        Direction("image_to_text", to_text, np.arange(n), {"hard": hard[to_text.item], "easy": ~hard[to_text.item]}),
        Direction("text_to_image", to_image, of_text, {"hard": hard[to_image.query], "easy": ~hard[to_image.query]}),
    ]
    return evaluate(directions, n_clusters=n, draws=draws, seed=seed)


def test_a_category_has_its_own_denominator_and_its_contributions_add_up() -> None:
    found = evaluated(60)
    whole = found.metrics["text_to_image"]["hit@5"]
    parts = [found.categories[name]["text_to_image"]["hit@5"] for name in ("hard", "easy")]
    assert [part.n for part in parts] == [120, 180] and whole.n == 300
    assert sum(part.contribution or 0 for part in parts) == pytest.approx(whole.value)
    assert parts[0].value == pytest.approx((parts[0].contribution or 0) * 300 / 120)
    assert found.categories["hard"]["image_to_text"]["hit@5"].n == 60


@pytest.mark.nightly
def test_intervals_are_repeatable_and_hold_their_figure() -> None:
    one, again = evaluated(60), evaluated(60)
    assert one.metrics == again.metrics and one.categories == again.categories
    for figures in (*one.metrics.values(), *one.categories["hard"].values()):
        for name, figure in figures.items():
            assert figure.low is not None and figure.high is not None and figure.value is not None
            assert figure.low <= figure.value <= figure.high, name
    rsum = one.metrics["both"]["rsum"].value
    assert rsum == pytest.approx(
        100
        * sum(one.metrics[way][f"hit@{k}"].value or 0 for way in ("image_to_text", "text_to_image") for k in (1, 5, 10))
    )


@pytest.mark.nightly
def test_an_interval_by_images_is_that_of_a_plain_bootstrap() -> None:
    found = evaluated(60, draws=2000)
    figure = found.metrics["text_to_image"]["hit@5"]
    values = found.per_query["text_to_image"].values["hit@5"].reshape(60, 5).mean(axis=1)
    rng = np.random.default_rng(1)
    plain = np.quantile([values[rng.integers(60, size=60)].mean() for _ in range(2000)], [0.025, 0.975])
    assert [figure.low, figure.high] == pytest.approx(list(plain), abs=0.015)


def test_folds_are_ranked_alone_and_averaged() -> None:
    rng = np.random.default_rng(3)
    scores = rng.standard_normal((6, 12)).astype(np.float32)
    pairs = make_pairs(np.arange(12) // 2, np.arange(12), n_images=6, n_texts=12)
    found = fold_means(ScoreMatrix(scores), pairs, 2, ks=(1,))
    half = make_pairs(np.arange(6) // 2, np.arange(6), n_images=3, n_texts=6)
    parts = [means(both(part, half)[1], ks=(1,)) for part in (scores[:3, :6], scores[3:, 6:])]
    assert found["text_to_image"] == pytest.approx({name: np.mean([part[name] for part in parts]) for name in parts[0]})
    with pytest.raises(RankingError, match="6 images cannot be cut into 4 equal parts"):
        fold_means(ScoreMatrix(scores), pairs, 4)


# --- other programs --------------------------------------------------------------------------------------------------


def random_set(seed: int) -> tuple[np.ndarray, Pairs, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 40, (30, 90)) / 8
    right = rng.random((30, 90)) < 0.06
    right[np.arange(90) // 3, np.arange(90)] = True
    image, text = np.nonzero(right)
    return scores, make_pairs(image, text, n_images=30, n_texts=90), right


def by_ranx(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], names: list[str]) -> dict[str, float]:
    """In a process of its own, where numba may be told not to compile: that takes longer than all tests here."""
    asked = json.dumps([qrels, run, names])
    program = [sys.executable, str(Path(__file__).parents[1] / "support/by_ranx.py")]
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run(program, input=asked, env=plain, capture_output=True, text=True, check=True)
    return dict(json.loads(told.stdout))


@pytest.mark.nightly
def test_figures_in_the_order_of_rows_are_those_of_ranx() -> None:
    scores, pairs, right = random_set(5)
    order = Order(np.arange(30), np.arange(90))
    to_text = both(scores, pairs, order=order)[0]
    names = [f"t{text:03}" for text in range(90)]
    qrels = {f"i{i:02}": {names[t]: 1 for t in np.flatnonzero(right[i])} for i in range(30)}
    # ranx leaves equal scores in any order, so it is given the order that `stable` means.
    listed = np.argsort(-scores, axis=1, kind="stable")
    run = {f"i{i:02}": {names[t]: float(90 - at) for at, t in enumerate(listed[i])} for i in range(30)}
    ours = {
        "hit_rate@1": "hit@1", "hit_rate@5": "hit@5", "recall@5": "recall_all@5", "recall@10": "recall_all@10",
        "map": "map", "r-precision": "r_precision", "mrr": "mrr", "ndcg": "ndcg", "ndcg@5": "ndcg@5",
        "ndcg@10": "ndcg@10",
    }  # fmt: skip
    found = means(to_text, ties="stable", ks=(1, 5, 10))
    assert {name: found[name] for name in ours.values()} == pytest.approx(
        {ours[name]: value for name, value in by_ranx(qrels, run, list(ours)).items()}
    )


def test_figures_of_full_rankings_are_those_of_eccv_caption() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it would rather have ujson
        from eccv_caption import _metrics as theirs

    scores, pairs, right = random_set(6)
    order = Order(np.arange(30), np.arange(90))
    for ranking, matrix, is_right in zip(
        both(scores, pairs, order=order), (scores, scores.T), (right, right.T), strict=True
    ):
        listed = {q: [int(item) for item in np.argsort(-row, kind="stable")] for q, row in enumerate(matrix)}
        truths = {q: [int(item) for item in np.flatnonzero(row)] for q, row in enumerate(is_right)}
        expected = theirs.compute_eccv_metrics(listed, truths)
        found = means(ranking, ties="stable", ks=(1, 5, 10))
        assert found["map@R"] == pytest.approx(expected["eccv_map_at_r"])
        assert found["r_precision"] == pytest.approx(expected["eccv_rprecision"])
        assert found["hit@1"] == pytest.approx(expected["eccv_r1"])
        for k in (5, 10):
            assert found[f"hit@{k}"] == pytest.approx(theirs.compute_r_at_k(listed, truths, K=k))


def test_folds_are_those_of_eccv_caption() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from eccv_caption import _metrics as theirs

    scores = np.random.default_rng(8).permutation(30 * 90).reshape(30, 90).astype(np.float64)
    owner = np.arange(90) // 3
    pairs = make_pairs(owner, np.arange(90), n_images=30, n_texts=90)
    found = fold_means(ScoreMatrix(scores), pairs, 5, ks=(1, 5))
    listed = {q: [int(item) for item in np.argsort(-column)] for q, column in enumerate(scores.T)}
    for k in (1, 5):
        expected = [
            theirs.compute_coco1k_r_at_k(
                listed,
                {q: [int(owner[q])] for q in range(18 * fold, 18 * fold + 18)},
                range(6 * fold, 6 * fold + 6),
                K=k,
            )
            for fold in range(5)
        ]
        assert found["text_to_image"][f"hit@{k}"] == pytest.approx(np.mean(expected))


def test_average_precision_and_gain_without_ties_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import average_precision_score, ndcg_score

    rng = np.random.default_rng(7)
    scores = rng.permutation(30 * 90).reshape(30, 90).astype(np.float64)
    _, pairs, right = random_set(7)
    found = measure(both(scores, pairs)[0], ks=(5,)).values
    assert found["map"] == pytest.approx([average_precision_score(right[i], scores[i]) for i in range(30)])
    assert found["ndcg"] == pytest.approx([ndcg_score(right[i][None], scores[i][None]) for i in range(30)])
    tied, _, _ = random_set(7)  # scikit-learn's ndcg is the mean over all orders, too
    found = measure(both(tied, pairs)[0], ks=(5,)).values
    assert found["ndcg@5"] == pytest.approx([ndcg_score(right[i][None], tied[i][None], k=5) for i in range(30)])


@pytest.mark.shared_data
def test_the_run_of_trec_has_the_figures_of_trec_eval_to_the_printed_digit(shared_data: Path) -> None:
    folder = shared_data / "trec_eval"
    relevant: dict[str, set[str]] = {}
    run: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.test").read_text().splitlines():
        query, _, document, grade = line.split()
        if int(grade) > 0:
            relevant.setdefault(query, set()).add(document)
    for line in (folder / "results.test").read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {})[document] = float(score)
    official = {
        name: value for name, _, value in (line.split() for line in (folder / "out.test").read_text().splitlines())
    }
    ranking, queries, _ = rank_run(run, relevant, n_items=2000, ties="docno", as_float32=True)
    ks = (5, 10, 15, 20, 30, 100, 200, 500)
    measured = measure(ranking, ties="docno", ks=ks)
    found = {name: f"{values.mean():.4f}" for name, values in measured.values.items()}
    assert str(len(queries)) == official["num_q"]
    assert {"map": found["map"], "Rprec": found["r_precision"], "recip_rank": found["mrr"]} == {
        name: official[name] for name in ("map", "Rprec", "recip_rank")
    }
    n_right = np.bincount(ranking.query)
    for k in ks:
        precision = (measured.values[f"recall_all@{k}"] * n_right / k).mean()
        assert f"{precision:.4f}" == official[f"P_{k}"]
    assert str(int(ranking.ranked.sum())) == official["num_rel_ret"]
    gone = evaluate([Direction("query_to_item", ranking, np.arange(3))], n_clusters=3, ties="docno")
    assert gone.metrics["query_to_item"]["rank_all_mean"].reason == "not_all_ranked"


@pytest.mark.shared_data
def test_coco_rankings_are_those_of_a_sorted_list_at_scale(shared_data: Path) -> None:
    with gzip.open(shared_data / "coco5k/original_image_to_caption.json.gz") as file:
        captions = json.load(file)
    ids = sorted({caption for each in captions.values() for caption in each})
    number = {caption: at for at, caption in enumerate(ids)}
    chosen = list(captions.items())[:60]
    image = np.repeat(np.arange(60), [len(each) for _, each in chosen])
    text = np.array([number[caption] for _, each in chosen for caption in each])
    scores = np.random.default_rng(0).standard_normal((60, len(ids))).astype(np.float16)  # half precision: many ties
    pairs = make_pairs(image, text, n_images=60, n_texts=len(ids))
    order = Order(np.arange(60), np.arange(len(ids)))
    to_text = rank_both(ScoreMatrix(scores), pairs, order=order)[0]
    place = np.empty_like(scores, dtype=np.int64)
    np.put_along_axis(place, np.argsort(-scores.astype(np.float32), axis=1, kind="stable"), np.arange(len(ids)), axis=1)
    expected = np.sort(place[image, text].reshape(60, -1), axis=1) + 1
    assert np.array_equal(measure(to_text, ties="stable").rank_all.reshape(60, -1), expected)
    assert measure(to_text).is_tied.mean() > 0.9
