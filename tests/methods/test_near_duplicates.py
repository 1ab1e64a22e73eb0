"""Near-duplicates: worked Jaccards, who is kept, and three methods against comparing each with each."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from datasketch import MinHash
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.methods import near_duplicates
from backend.methods.cleaning import Caption, Dropped
from backend.methods.cleaning.pool import count_dirt, fold_text
from backend.methods.contrast import differ
from backend.methods.near_duplicates import find_near_duplicates, jaccard, trigrams
from nightly import examples

DOG = "a dog runs after a ball in the park"  # 33 different grams
METHODS = ("sets", "products", "minhash")
# Few words in a few orders, so that many texts are near each other.
WORDS = ("red", "dog", "cat", "runs", "in", "the", "park!", "Café", "🐕", "a", "blue", "two", "no", "man", "woman")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
POOLS = st.lists(st.tuples(TEXTS, st.sampled_from(["human", "web", "corpus"])), max_size=12)


def use(method: str, patch: pytest.MonkeyPatch) -> None:
    """Every pool takes `method`, whatever its size."""
    patch.setattr(near_duplicates, "SETS_UP_TO", 10**9 if method == "sets" else 0)
    patch.setattr(near_duplicates, "EXACT_UP_TO", 0 if method == "minhash" else 10**9)


def human(texts: list[str]) -> list[Caption]:
    return [Caption(f"c{at:06d}", "human", text) for at, text in enumerate(texts)]


def pool_of(drawn: list[tuple[str, str]]) -> list[Caption]:
    return [Caption(f"c{at:02d}", source, text) for at, (text, source) in enumerate(drawn)]


def merit(caption: Caption) -> tuple[int, int, int, str]:
    dirt, source = count_dirt(caption.text), ["human", "corpus", "web"].index(caption.source)
    return dirt, source, -len(caption.text), caption.key


def each_with_each(captions: list[Caption], settled: list[Caption]) -> dict[str, str]:
    """The rule word for word: key of each dropped caption, and of the first kept one that it repeats."""
    kept, dropped = sorted(settled, key=merit), {}
    for caption in sorted(captions, key=merit):
        near = [other for other in kept if jaccard(caption.text, other.text) >= 0.8]
        equal = [other for other in near if fold_text(caption.text) == fold_text(other.text)]
        near = [other for other in near if not differ(caption.text, other.text)]
        if equal or near:
            dropped[caption.key] = (equal or near)[0].key
        else:
            kept.append(caption)
    return dropped


@pytest.mark.parametrize(
    ("text", "other", "shared", "all_grams"),
    [
        (DOG, "A dog runs - after a ball, in the park!", 33, 33),
        (DOG, f"{DOG} slowly", 33, 40),
        ("two young children play near church", "two young children play near school", 27, 38),
        (DOG, "a dog running after a ball in the park", 30, 39),
        ("boats rest at dawn in the harbour", "in the harbour boats rest at dawn", 28, 34),
        (DOG, f"{DOG} getty images", 33, 46),
        ("a cat sleeping on the warm roof", "a cat asleep on the warm roof", 22, 34),
        (DOG, "silence before the storm at sea", 3, 59),
        ("yellow umbrella, purple coat", "purple umbrella, yellow coat", 20, 28),
        ("a red car and a blue van", "a blue car and a red van", 20, 24),
        ("ab", "AB!", 1, 1),
        ("ab", "abc", 0, 2),
        ("?!", "?!", 1, 1),
        ("狗在草地上跑", "狗在草地上睡", 3, 5),
    ],
)
def test_the_jaccard_of_worked_pairs(text: str, other: str, shared: int, all_grams: int) -> None:
    assert len(trigrams(fold_text(text)) & trigrams(fold_text(other))) == shared
    assert jaccard(text, other) == jaccard(other, text) == shared / all_grams


def test_kinds_of_change_lie_on_the_side_of_the_threshold_where_the_table_has_them() -> None:
    """Appending a word .825, as in SCIENCE 2.5; reordering over .80; a swapped word, an ending or a site below."""
    same = [f"{DOG} slowly", "A DOG runs after a ball in the park.", "in the park a dog runs after a ball"]
    other = ["a cat runs after a ball in the park", "a dog running after a ball in the park", f"{DOG} getty images"]
    assert round(jaccard(DOG, same[0]), 3) == 0.825
    assert all(jaccard(DOG, text) >= 0.8 for text in same)
    assert all(jaccard(DOG, text) < 0.8 for text in other)


@pytest.mark.parametrize("method", METHODS)
def test_exactly_the_threshold_is_a_near_duplicate(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four of five grams are .80 exactly; the same with the longer text of a worse source."""
    use(method, monkeypatch)
    assert jaccard("abcdefg", "abcdef") == 0.8
    short, long = Caption("a", "human", "abcdef"), Caption("b", "web", "abcdefg")
    assert find_near_duplicates([long, short]) == {"b": Dropped("near_duplicate", "a")}


def test_kept_is_the_best_source_then_the_longest_then_the_lowest_key() -> None:
    web, corpus = Caption("a", "web", f"{DOG} slowly"), Caption("b", "corpus", DOG)
    assert find_near_duplicates([web, corpus]) == {"a": Dropped("near_duplicate", "b")}
    assert find_near_duplicates(human([DOG, f"{DOG} slowly"])) == {"c000000": Dropped("near_duplicate", "c000001")}
    assert find_near_duplicates(human([f"{DOG} slowly", f"slowly {DOG}"])) == {
        "c000001": Dropped("near_duplicate", "c000000")
    }


def test_equal_texts_are_duplicates_as_before_and_name_a_caption_that_is_kept() -> None:
    """b equals c, but c is near a and goes: b must name a, which stays."""
    pool = [Caption("a", "human", DOG), Caption("b", "web", f"{DOG} slowly!"), Caption("c", "corpus", f"{DOG} Slowly")]
    near = Dropped("near_duplicate", "a")
    assert find_near_duplicates(pool) == {"b": near, "c": near}
    assert find_near_duplicates(pool[1:]) == {"b": Dropped("duplicate", "c")}


def test_a_chain_of_small_steps_does_not_swallow_a_pool() -> None:
    """b is near a and near c, c is not near a: b goes for a, and c stays although b was like it."""
    a, b = Caption("a", "human", f"{DOG} slowly"), Caption("b", "corpus", DOG)
    c = Caption("c", "web", f"{DOG} quickly")
    assert jaccard(a.text, b.text) >= 0.8
    assert jaccard(b.text, c.text) >= 0.8
    assert jaccard(a.text, c.text) < 0.8
    assert find_near_duplicates([a, b, c]) == {"b": Dropped("near_duplicate", "a")}


@pytest.mark.parametrize("method", METHODS)
def test_settled_captions_stay_whatever_else_there_is(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(method, monkeypatch)
    settled = [Caption("s1", "web", DOG), Caption("s2", "web", f"{DOG} slowly")]
    better = [Caption("b", "human", f"{DOG} quickly"), Caption("e", "human", f"{DOG} slowly.")]
    assert find_near_duplicates(better, settled=settled) == {
        "b": Dropped("near_duplicate", "s1"),
        "e": Dropped("duplicate", "s2"),
    }
    assert find_near_duplicates([], settled=settled) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["sets", "products"])
@settings(max_examples=examples(150), deadline=None)
@given(POOLS, POOLS, st.randoms(use_true_random=False))
def test_exact_methods_drop_what_comparing_each_with_each_drops(
    method: str, drawn: list[tuple[str, str]], fixed: list[tuple[str, str]], dice: object
) -> None:
    captions = pool_of(drawn)
    settled = [Caption(f"s{caption.key}", caption.source, caption.text) for caption in pool_of(fixed[:3])]
    expected = each_with_each(captions, settled)
    dice.shuffle(captions)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        use(method, patch)
        patch.setattr(near_duplicates, "ENTRIES", 5)  # blocks of one row or a few
        found = find_near_duplicates(captions, settled=settled)
    assert {key: dropped.detail for key, dropped in found.items()} == expected


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=examples(60), deadline=None)
@given(POOLS)
def test_finding_twice_is_finding_once(method: str, drawn: list[tuple[str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use(method, patch)
        captions = pool_of(drawn)
        dropped = find_near_duplicates(captions)
        kept = [caption for caption in captions if caption.key not in dropped]
        assert find_near_duplicates(kept) == {}
        assert {outcome.detail for outcome in dropped.values()} <= {caption.key for caption in kept}


@pytest.mark.nightly
@pytest.mark.parametrize(("n", "method"), [(50, "sets"), (51, "products"), (50_000, "products"), (50_001, "minhash")])
def test_a_pool_is_compared_exactly_up_to_50_000_different_captions_and_by_minhash_above(
    n: int, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Captions that say the same count once: they are found by looking them up."""
    asked: list[str] = []

    def noted(name: str) -> Callable[..., list[None]]:
        return lambda grams, n_fixed, threshold, differ: asked.append(name) or [None] * len(grams)

    for name in METHODS:
        monkeypatch.setattr(near_duplicates, f"_by_{name}", noted(name))
    monkeypatch.setattr(near_duplicates, "trigrams", str)
    found = find_near_duplicates(human([f"picture {in_letters(at)}" for at in range(n)] + ["Picture bbbbb!"]))
    assert (asked, found) == ([method], {"c000000": Dropped("duplicate", f"c{n:06d}")})


def in_letters(number: int) -> str:
    """Five letters, another five for each number: a number would make another caption."""
    return f"{number:05}".translate(str.maketrans("0123456789", "bcdfghjklm"))


def coco(shared_data: Path, n: int) -> list[str]:
    with gzip.open(shared_data / "coco5k" / "coco5k_test_captions.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["caption"] for _, line in zip(range(n), lines, strict=False)]


@pytest.mark.shared_data
def test_all_methods_agree_on_real_captions(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = coco(shared_data, 700)
    pool = human([*texts, *(f"{text} today" for text in texts[:300])])
    found = {}
    for method in METHODS:
        use(method, monkeypatch)
        found[method] = find_near_duplicates(pool)
    assert len(found["sets"]) > 250
    assert found["products"] == found["sets"]
    assert set(found["minhash"]) <= {*found["sets"]}
    assert len(found["minhash"]) >= 0.98 * len(found["sets"])


@pytest.mark.shared_data
def test_minhash_of_datasketch_estimates_the_same_jaccard(shared_data: Path) -> None:
    texts = coco(shared_data, 60)
    for text, other in zip(texts, [f"{text} today" for text in texts], strict=True):
        sketches = [MinHash(num_perm=256), MinHash(num_perm=256)]
        for sketch, each in zip(sketches, (text, other), strict=True):
            sketch.update_batch([gram.encode() for gram in trigrams(fold_text(each))])
        assert sketches[0].jaccard(sketches[1]) == pytest.approx(jaccard(text, other), abs=0.1)


@pytest.mark.nightly
def test_memory_is_bounded_where_every_caption_is_like_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 million pairs; a product that held them at once would take a hundred megabytes."""
    pool = human([f"Stock photo of a beach at sunset by {in_letters(at)} royalty free" for at in range(1500)])
    find_near_duplicates(pool[:100])  # scipy is imported
    monkeypatch.setattr(near_duplicates, "ENTRIES", 2**16)
    tracemalloc.start()
    dropped = find_near_duplicates(pool)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(dropped) == 1499
    assert peak < 30 * 2**20


def test_very_long_captions_and_lone_surrogates_are_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "".join(f"word{at} " for at in range(12_000))
    pool = human([long, f"{long} end", "half \ud800 a smile"])
    for method in METHODS:
        use(method, monkeypatch)
        assert find_near_duplicates(pool) == {"c000000": Dropped("near_duplicate", "c000001")}


def test_no_caption_is_no_duplicate() -> None:
    assert find_near_duplicates([]) == {}
    assert find_near_duplicates(human([DOG])) == {}


@pytest.mark.parametrize("threshold", [0, -0.1, 1.1])
def test_a_threshold_that_is_no_jaccard_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        find_near_duplicates(human([DOG]), threshold=threshold)


def test_another_threshold_is_another_rule() -> None:
    pool = human([DOG, "a dog running after a ball in the park"])
    assert [len(find_near_duplicates(pool, threshold=least)) for least in (0.76, 0.77, 1.0)] == [1, 0, 0]
