"""Ranks and measures of retrieval against bare matrix products, a full sort, ranx and eccv_caption.

    python tests/load/bench_ranking.py [--images 5000] [--rounds 2] [--queries 200] [--large 20000]

Vectors are drawn: five captions for each image, 512 numbers. Seconds are of processor time, the best of the rounds, so
that a machine that is busy with something else gives the same ratio.

* products: the products of the same blocks alone, nothing counted;
* ours: ranks in both directions and all measures of both;
* sort: the products, and each row and column sorted in full, without a measure;
* ranx, eccv_caption: image to text alone, of some queries. Both need sorted lists, which are made before and not
  counted. They are compared with our measures of the same scores, ranks included.

* smooth-Chamfer: sets of K = 4 vectors, a quarter as many images; its ranks and measures against the 16 bare products
  of the same blocks.

The large set, 20,000 images by 100,000 captions, is ranked for ten blocks of images in a process of its own, which says
its peak memory over the vectors. A straight line through them says how long 100,000 by 500,000 would take. Ends with
status 1 where ours takes more than 1.6 times the products, or more than 1.3 GB over the vectors.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from backend.methods.ranking import DotProducts, ScoreMatrix, count_rows, make_pairs, measure, rank_both
from backend.methods.ranking.blocks import ROWS, Pairs
from backend.methods.ranking.scorers import NUMPY, TILE, SetScores, SmoothChamfer, items_of

NUMBERS, CAPTIONS, MEMBERS = 512, 5, 4
MOST_TIMES, MOST_MEMORY = 1.6, 1.3 * 2**30
BLOCKS_OF_LARGE = 10


def make_set(n: int) -> tuple[DotProducts, Pairs]:
    rng = np.random.default_rng(0)
    images = rng.standard_normal((n, NUMBERS), np.float32)
    texts = rng.standard_normal((CAPTIONS * n, NUMBERS), np.float32)
    for start in range(0, len(texts), 10_000):
        texts[start : start + 10_000] += images[np.arange(start, min(start + 10_000, len(texts))) // CAPTIONS] / 2
    of_text = np.arange(len(texts))
    return DotProducts(images, texts), make_pairs(of_text // CAPTIONS, of_text, n_images=n, n_texts=len(texts))


def seconds(work: Callable[[], object], rounds: int = 1) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def blocks(n: int) -> list[tuple[int, int]]:
    return [(start, min(start + ROWS, n)) for start in range(0, n, ROWS)]


def small(n: int, rounds: int, n_queries: int) -> bool:
    source, pairs = make_set(n)
    products = seconds(lambda: [source.block(*each) for each in blocks(n)], rounds)

    def ours() -> None:
        for ranking in rank_both(source, pairs)[:2]:
            measure(ranking)

    took = seconds(ours, rounds)
    print(f"{n:,} images, {CAPTIONS * n:,} captions; products {products:.2f} s of processor time")
    print(f"  ours, both directions, all measures   {took / products:8.2f} times the products")

    def sort() -> None:
        scores = np.concatenate([source.block(*each) for each in blocks(n)])
        for start in range(0, n, ROWS):
            np.argsort(-scores[start : start + ROWS], axis=1, kind="stable")
        turned = np.ascontiguousarray(scores.T)
        for start in range(0, len(turned), ROWS):
            np.argsort(-turned[start : start + ROWS], axis=1, kind="stable")

    sorting = seconds(sort)
    faster = f"ours is {sorting / took:.1f} times as fast"
    print(f"  products and full sort, both          {sorting / products:8.2f} times the products; {faster}")
    sets(max(1, n // 4), rounds)
    if n_queries:
        others(source, n, n_queries)
    return took <= MOST_TIMES * products


def sets(n: int, rounds: int) -> None:
    """smooth-Chamfer with K = 4 against four times four bare products of the same blocks."""
    rng = np.random.default_rng(0)
    images = rng.standard_normal((n, MEMBERS, NUMBERS), np.float32)
    texts = np.repeat(images, CAPTIONS, axis=0) / 4
    texts += rng.standard_normal((CAPTIONS * n, MEMBERS, NUMBERS), np.float32)
    one, other = (items_of(each / np.linalg.norm(each, axis=2, keepdims=True)) for each in (images, texts))
    source = SetScores(SmoothChamfer(), one, other)
    of_text = np.arange(CAPTIONS * n)
    pairs = make_pairs(of_text // CAPTIONS, of_text, n_images=n, n_texts=CAPTIONS * n)

    def bare() -> None:
        for start, stop in blocks(n):
            rows = one.part(start, stop)
            for first in range(0, len(other), TILE):
                tile = other.part(first, first + TILE)
                out = NUMPY.empty(len(rows), len(tile))
                for x in range(MEMBERS):
                    for y in range(MEMBERS):
                        NUMPY.product(rows.vectors[x], tile.vectors[y], out)

    def ours() -> None:
        for ranking in rank_both(source, pairs)[:2]:
            measure(ranking)

    products, took = seconds(bare, rounds), seconds(ours, rounds)
    said = f"smooth-Chamfer, K = {MEMBERS}, {n:,} images"
    print(f"  {said:37} {took / products:8.2f} times its {MEMBERS**2} products, {products:.2f} s of processor time")


def others(source: DotProducts, n: int, n_queries: int) -> None:
    """ranx and eccv_caption on the same scores of some queries, image to text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from eccv_caption import _metrics as eccv
        from ranx import Qrels, Run
        from ranx import evaluate as by_ranx

        scores = np.concatenate([source.block(*each) for each in blocks(min(n_queries, n))])[:n_queries]
        owner = np.arange(CAPTIONS * len(scores))
        pairs = make_pairs(owner // CAPTIONS, owner, n_images=len(scores), n_texts=scores.shape[1])
        names = [str(at) for at in range(scores.shape[1])]
        listed = np.argsort(-scores, axis=1, kind="stable")
        qrels = Qrels({str(i): {str(CAPTIONS * i + k): 1 for k in range(CAPTIONS)} for i in range(len(scores))})
        run = Run({str(i): {names[t]: float(scores[i, t]) for t in listed[i]} for i in range(len(scores))})
        measures = ["hit_rate@1", "hit_rate@5", "hit_rate@10", "map", "r-precision", "mrr", "ndcg"]
        by_ranx(qrels, run, measures)  # compiled by numba once
        in_ranx = seconds(lambda: by_ranx(qrels, run, measures))
        targets = {i: row.tolist() for i, row in enumerate(listed)}
        truths = {i: list(range(CAPTIONS * i, CAPTIONS * i + CAPTIONS)) for i in range(len(scores))}

        def in_eccv() -> None:
            eccv.compute_eccv_metrics(targets, truths)
            for k in (1, 5, 10):
                eccv.compute_r_at_k(targets, truths, K=k)

        took = seconds(lambda: measure(rank_both(ScoreMatrix(scores), pairs)[0]))
        for name, theirs in (("ranx", in_ranx), ("eccv_caption", seconds(in_eccv))):
            said = f"{name}, sorted lists given"
            print(f"  {said:37} {theirs / took:8.2f} times ours with ranks, of {len(scores):,} queries")


def large(n: int) -> bool:
    """Some blocks of a large set, in a process of its own, whose peak is then of nothing else."""
    told = subprocess.run([sys.executable, __file__, "--peak", str(n)], capture_output=True, text=True, check=True)
    peak, per_block, products = (float(each) for each in told.stdout.split())
    hours = per_block * (100_000 / n) * (100_000 / ROWS) / 3600
    print(f"{n:,} images, {CAPTIONS * n:,} captions, {BLOCKS_OF_LARGE} blocks of {ROWS} images")
    print(f"  peak memory over the vectors          {peak / 2**30:8.2f} GB")
    print(f"  ours                                  {per_block / products:8.2f} times the products")
    print(f"  by a straight line, 100,000 x 500,000 {hours:8.2f} hours of one core")
    return peak <= MOST_MEMORY


def peak(n: int) -> None:
    source, pairs = make_set(n)
    own = source.own(pairs.image, pairs.text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    stop = min(n, BLOCKS_OF_LARGE * ROWS)
    took = seconds(lambda: count_rows(source, pairs, own, stop=stop, with_wrong=True))
    products = seconds(lambda: [source.block(*each) for each in blocks(stop)])
    vectors = (n + 2 * CAPTIONS * n) * NUMBERS * 4  # what was given, and the copy of the texts
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(max(after, before) - vectors, took / (stop / ROWS), products / (stop / ROWS))


def main() -> int:
    arguments = argparse.ArgumentParser(description="Ranks and measures of retrieval against bare products.")
    arguments.add_argument("--images", type=int, default=5000)
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--queries", type=int, default=200)
    arguments.add_argument("--large", type=int, default=20_000, help="0 leaves it out")
    arguments.add_argument("--peak", type=int, default=0, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.peak:
        peak(asked.peak)
        return 0
    good = small(asked.images, asked.rounds, asked.queries)
    if asked.large:
        good &= large(asked.large)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
