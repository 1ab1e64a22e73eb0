"""Relevance from votes, and accepted against rejected captions: ConQA's counts, and scikit-learn's precision."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from backend.methods.foreign.conqa import SeedQuery, read_seed_queries
from backend.methods.foreign.shapes import PairVotes
from backend.methods.relevance import Rule, draw_negatives, evaluate_curves, judge_relevance


def votes_of(rows: list[tuple[str, str, tuple[int, int, int]]]) -> PairVotes:
    return PairVotes(np.array([row[2] for row in rows]), tuple(r[0] for r in rows), tuple(r[1] for r in rows))


QUERIES = {"0": SeedQuery("a query", True, frozenset({"s"})), "1": SeedQuery("another", False, frozenset())}
VOTES = votes_of([
    ("0", "all", (3, 0, 0)), ("0", "most", (2, 1, 0)), ("0", "half", (1, 1, 1)), ("0", "doubt", (2, 0, 1)),
    ("0", "unsure", (0, 0, 3)), ("0", "s", (3, 0, 0)), ("1", "none", (0, 3, 0)), ("1", "s", (3, 0, 0)),
])  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("unanimous", {"all"}),
        ("majority", {"all", "most", "doubt"}),
        ("at_least_half", {"all", "most", "half", "doubt"}),
    ],
)
def test_a_rule_says_what_is_relevant_and_seeds_are_in_no_gallery(rule: Rule, expected: set[str]) -> None:
    found = judge_relevance(VOTES, QUERIES, rule=rule)
    assert found.relevant == {"0": expected, "1": frozenset()}
    assert found.gallery == ("all", "most", "half", "doubt", "unsure", "none")
    assert found.n_seeds == 1 and found.dropped == ("1",)


@pytest.mark.shared_data
def test_the_gallery_of_conqa_is_as_large_as_published_and_one_query_of_each_kind_is_dropped(shared_data: Path) -> None:
    votes = json.loads((shared_data / "conqa/mturk.json").read_text())
    rows = [(query, image, tuple(counts)) for query, images in votes.items() for image, counts in images.items()]
    queries = read_seed_queries((shared_data / "conqa/seed.json").read_bytes())
    found = judge_relevance(votes_of(rows), queries)
    assert len(found.gallery) == 6390
    kept = [queries[query].is_conceptual for query, images in found.relevant.items() if images]
    assert (sum(kept), len(kept) - sum(kept)) == (49, 29)  # the denominators of table 5
    assert len(found.dropped) == 2


# --- accepted against rejected ---------------------------------------------------------------------------------------


def test_the_worked_example_has_its_average_precision() -> None:
    right = np.array([1, 0, 1, 1, 0, 0, 1, 0], bool)
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3])
    found = evaluate_curves(scores, np.arange(8), right, {}, draws=50)[""]
    assert found.value == pytest.approx(0.74702, abs=5e-6)
    assert found.prevalence == 0.5 and found.above_chance == pytest.approx((0.74702 - 0.5) / 0.5, abs=1e-5)


def test_each_category_is_held_against_all_rejected_pairs_as_scikit_learn_does_it() -> None:
    rng = np.random.default_rng(0)
    right = rng.random(400) < 0.6
    scores = np.round(rng.standard_normal(400) + right, 1)  # many are equal
    hard = rng.random(400) < 0.3
    found = evaluate_curves(scores, rng.integers(90, size=400), right, {"hard": hard}, draws=200)
    for name, chosen in (("", np.ones(400, bool)), ("hard", (hard & right) | ~right)):
        assert found[name].value == pytest.approx(average_precision_score(right[chosen], scores[chosen]))
        assert found[name].prevalence == pytest.approx(right[chosen].mean())
        low, high = found[name].low, found[name].high
        assert low is not None and high is not None and low < (found[name].value or 0) < high
        assert found[name].points[-1] == (1.0, pytest.approx(right[chosen].mean()))


def test_one_class_has_no_figure_and_says_so() -> None:
    found = evaluate_curves(np.arange(4.0), np.arange(4), np.ones(4, bool), {"none": np.zeros(4, bool)}, draws=10)
    assert found[""].value is None and found[""].reason == "one_class"
    assert found["none"].reason == "one_class"
    with pytest.raises(ValueError, match="pair 2"):
        evaluate_curves(np.array([0.0, 1, np.nan]), np.arange(3), np.array([1, 0, 1], bool), {})


def test_one_rejected_caption_of_an_image_is_drawn_whatever_the_order_and_the_other_images() -> None:
    rejected = {f"i{n}": [f"caption {k}" for k in range(1 + n % 4)] for n in range(40)} | {"none": []}
    one = draw_negatives(rejected, seed=3)
    turned = draw_negatives({image: texts[::-1] for image, texts in rejected.items() if image != "i7"}, seed=3)
    for image, at in turned.chosen.items():
        assert rejected[image][::-1][at] == rejected[image][one.chosen[image]]
    assert one.n_missing == 1 and "none" not in one.chosen
    assert one.chosen != draw_negatives(rejected, seed=4).chosen
