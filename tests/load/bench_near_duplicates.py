"""Near-duplicates of pools of COCO captions, against a plain loop over all pairs and against datasketch alone.

    python tests/load/bench_near_duplicates.py [--sizes 10 100 1000 3000] [--large 60000] [--rounds 2]

Every pool is COCO captions, a tenth of them once more with a seeded change: another case, one more word, two halves
exchanged. Each way gives the keys it drops; the best of the rounds counts, in seconds of processor time, so that a
machine that is busy with something else gives the same ratio.

* ours: `find_near_duplicates`, folding and sorting included;
* loop: the same rule, each caption with each kept one, whatever their sizes;
* datasketch: MinHash of 128 permutations and its LSH at the threshold, as its documentation shows it, unchecked.

Recall is the share of the loop's drops that are found, `wrong` counts what the loop keeps. Above 50,000 captions the
loop would take half an hour and our exact products stand in for it. Ends with status 1 where ours finds less than the
loop in a small pool, or less than .99 in the large one, or drops anything wrongly.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from datasketch import MinHash, MinHashLSH

from backend.methods import near_duplicates
from backend.methods.cleaning import Caption
from backend.methods.cleaning.pool import fold_text
from backend.methods.near_duplicates import THRESHOLD, find_near_duplicates, trigrams
from shared_data_fixtures import SHARED

COCO = SHARED / "data" / "coco5k" / "coco5k_test_captions.jsonl.gz"
CAPTIONS_IN_SMALL_POOLS = 3000
CHANGED = 0.1
LEAST_RECALL = 0.99

Pool = list[Caption]
Way = Callable[[Pool], set[str]]


def coco_captions() -> list[str]:
    with gzip.open(COCO, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["caption"] for line in lines]


def changed(text: str, dice: random.Random) -> str:
    words = text.split()
    half = len(words) // 2
    return dice.choice([text.upper(), f"{text} {dice.choice(words)}", " ".join([*words[half:], *words[:half]])])


def make_pool(texts: list[str], n: int, dice: random.Random) -> Pool:
    """`n` captions with keys in no order; more than there are come a second time with one more word and a number."""
    n_changed = round(n * CHANGED)
    own = dice.sample(texts, min(n - n_changed, len(texts)))
    own += [f"{dice.choice(texts)} {dice.randrange(10**6)}" for _ in range(n - n_changed - len(own))]
    own += [changed(dice.choice(own), dice) for _ in range(n_changed)]
    return [Caption(f"{dice.getrandbits(64):016x}", "human", text) for text in own]


def ours(pool: Pool) -> set[str]:
    return set(find_near_duplicates(pool))


def by_merit(pool: Pool) -> Pool:
    return sorted(pool, key=lambda caption: (-len(caption.text), caption.key))


def loop(pool: Pool) -> set[str]:
    kept: list[set[str]] = []
    dropped: set[str] = set()
    for caption in by_merit(pool):
        grams = trigrams(fold_text(caption.text))
        if any(len(grams & other) / len(grams | other) >= THRESHOLD for other in kept):
            dropped.add(caption.key)
        else:
            kept.append(grams)
    return dropped


def datasketch_alone(pool: Pool) -> set[str]:
    index = MinHashLSH(threshold=THRESHOLD, num_perm=128)
    dropped: set[str] = set()
    ordered = by_merit(pool)
    batches = ([gram.encode() for gram in trigrams(fold_text(caption.text))] for caption in ordered)
    for caption, sketch in zip(ordered, MinHash.generator(batches, num_perm=128), strict=True):
        if index.query(sketch):
            dropped.add(caption.key)
        else:
            index.insert(caption.key, sketch)
    return dropped


def ours_exact(pool: Pool) -> set[str]:
    """Sparse products whatever the size."""
    limit, near_duplicates.EXACT_UP_TO = near_duplicates.EXACT_UP_TO, len(pool)
    try:
        return ours(pool)
    finally:
        near_duplicates.EXACT_UP_TO = limit


def measure(way: Way, pools: list[Pool], rounds: int) -> tuple[float, list[set[str]]]:
    """The best seconds a pool, and what was dropped."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        dropped = [way(pool) for pool in pools]
        best = min(best, time.process_time() - start)
    return best / len(pools), dropped


def compare(pools: list[Pool], ways: dict[str, Way], rounds: int) -> dict[str, tuple[float, int]]:
    """Print a line for each way, held against the first; recall and wrong drops of each."""
    print(f"{len(pools):,} {'pool' if len(pools) == 1 else 'pools'} of {len(pools[0]):,} captions")
    seconds, truth = 0.0, None
    results = {}
    for name, way in ways.items():
        took, dropped = measure(way, pools, rounds)
        seconds, truth = seconds or took, truth or dropped
        n_true = sum(map(len, truth))
        n_found = sum(len(found & true) for found, true in zip(dropped, truth, strict=True))
        wrong = sum(map(len, dropped)) - n_found
        recall = n_found / n_true if n_true else 1.0
        results[name] = recall, wrong
        print(f"  {name:17} {took * 1e3:12.3f} ms   {seconds / took:7.2f} x   recall {recall:.4f}   {wrong} wrong")
    return results


def main() -> int:
    arguments = argparse.ArgumentParser(description="Near-duplicates against a loop over all pairs and datasketch.")
    arguments.add_argument("--sizes", type=int, nargs="*", default=[10, 100, 1000, 3000])
    arguments.add_argument("--large", type=int, default=60_000, help="0 leaves it out")
    arguments.add_argument("--rounds", type=int, default=2)
    asked = arguments.parse_args()
    texts, dice = coco_captions(), random.Random(0)
    find_near_duplicates([Caption(str(n), "human", f"{n}") for n in range(200)])  # scipy is imported
    good = True
    for size in asked.sizes:
        pools = [make_pool(texts, size, dice) for _ in range(max(1, CAPTIONS_IN_SMALL_POOLS // size))]
        ways: dict[str, Way] = {"loop": loop, "ours": ours, "datasketch": datasketch_alone}
        good &= compare(pools, ways, asked.rounds)["ours"] == (1.0, 0)
    if asked.large:
        ways = {"ours, exact": ours_exact, "ours": ours, "datasketch": datasketch_alone}
        recall, wrong = compare([make_pool(texts, asked.large, dice)], ways, 1)["ours"]
        good &= recall >= LEAST_RECALL and not wrong
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
