"""Searching a million vectors, and mapping them, against the bare libraries.

    python tests/load/bench_retrieval.py [--vectors 1000000] [--queries 1000] [-k 3000] [--maps 25000 100000] [--quick]

The vectors are a seeded mixture of 384 numbers, of length one, written once as shards (var/bench-retrieval).

* recall: of the exact k nearest of each query, found by a full scan, how many the index finds and re-ranks;
* queries/s: `Index.search` against bare FAISS over the very same index files, by the similarities of the codes alone,
  and re-ranked: bare FAISS with as many candidates, whose vectors are gathered and multiplied, without unit lengths,
  double precision, ties or padding. Both take turns; the ratio is that of the best rounds' processor times;
* peak memory of building and of searching, each in a process of its own;
* to 10 million: an index of 1, 2 and 4 parts is built and searched, a line is laid through the figures, and what it
  says of ten times as many is printed as what it is, an extrapolation;
* UMAP + HDBSCAN: the stage's map against umap-learn and scikit-learn called directly with the same settings.

Ends with status 1 where queries/s are below 0.8 of bare FAISS's.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import numpy as np  # noqa: E402

from costs import cost  # noqa: E402
from workers.engines.index import LEAST_RERANKED, RERANKED, build_index, open_index  # noqa: E402
from workers.engines.index_building import MOST_THREADS, use_threads  # noqa: E402
from workers.engines.protocols import Vectors  # noqa: E402
from workers.engines.rows import ArrayRows  # noqa: E402
from workers.engines.shards import Block, Part, Recipe, Shards, read_shards, write_shards  # noqa: E402

DIMENSIONS, CENTRES, DIRECTIONS = 384, 100, 16
SPREAD, NOISE = 0.15, 0.01  # of what a centre's own directions and all of them vary
SHARD = 100_000
AT_LEAST = 0.8
TEN_MILLION = 10_000_000
ROUNDS = 3
KIND = "ivf-pq"  # what a million gets by itself; the smaller ones of the line get it too
QUICK = {"vectors": 40_000, "queries": 40, "k": 200, "maps": [2000]}
RECIPE = Recipe("a seeded mixture", "0" * 64, "none", DIMENSIONS)
GB = 1e9
Search = Callable[[], np.ndarray]


def mixture(first: int, n: int) -> Vectors:
    """Vectors `first` to `first + n`, the same for the same two numbers.

    Around each centre they spread in a few directions of its own, as pictures of one subject do, and a little in all.
    """
    dice = np.random.default_rng(0)
    centres = dice.standard_normal((CENTRES, DIMENSIONS), dtype=np.float32) / np.sqrt(DIMENSIONS)
    ways = dice.standard_normal((CENTRES, DIRECTIONS, DIMENSIONS), dtype=np.float32) / np.sqrt(DIMENSIONS)
    dice = np.random.default_rng([1, first])
    which = np.sort(dice.integers(CENTRES, size=n))
    vectors = NOISE * dice.standard_normal((n, DIMENSIONS), dtype=np.float32)
    for centre in range(CENTRES):
        own = which == centre
        far = SPREAD * dice.standard_normal((int(own.sum()), DIRECTIONS), dtype=np.float32)
        vectors[own] += centres[centre] + far @ ways[centre]
    dice.shuffle(vectors)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def shards_of(folder: Path, n: int) -> Shards:
    """`n` vectors as shards, written where they are missing."""

    def part(first: int) -> Part:
        size = min(SHARD, n - first)

        def blocks() -> Iterator[Block]:
            yield Block([str(first + i) for i in range(size)], mixture(first, size))

        return Part(
            hashlib.sha256(f"{first} {size} {SPREAD} {NOISE} {CENTRES} {DIRECTIONS}".encode()).hexdigest(), blocks
        )

    write_shards(folder, RECIPE, [part(first) for first in range(0, n, SHARD)])
    return read_shards(folder, verify=False)


def exact(rows: Shards, queries: Vectors, k: int) -> np.ndarray:
    """Ids of the k nearest of each query by a full scan, in single precision as FAISS has them."""
    import faiss

    use_threads(MOST_THREADS)
    best = faiss.ResultHeap(len(queries), k, keep_max=True)
    seen = 0
    for block in rows.blocks(SHARD):
        flat = faiss.IndexFlatIP(DIMENSIONS)
        flat.add(np.ascontiguousarray(block))
        similarities, ids = flat.search(queries, min(k, len(block)))
        best.add_result(similarities, ids + seen)
        seen += len(block)
    best.finalize()
    return np.asarray(best.I)


def bare(folder: Path, queries: Vectors, k: int) -> np.ndarray:
    """The same index files without us: FAISS's own reader and search, by the similarities of the codes."""
    import faiss

    described = json.loads((folder / "index.json").read_text())
    use_threads(MOST_THREADS)
    found, start = [], 0
    for piece in described["pieces"]:
        index = faiss.read_index(str(folder / piece["name"]), faiss.IO_FLAG_MMAP)
        similarities, ids = index.search(queries, min(k, piece["count"]))
        found.append((similarities, np.where(ids < 0, -1, ids + start)))
        start += piece["count"]
    near, ids = (np.concatenate(column, axis=1) for column in zip(*found, strict=True))
    return ids if len(found) == 1 else np.take_along_axis(ids, np.argsort(-near, axis=1, kind="stable")[:, :k], axis=1)


def bare_ranked(folder: Path, rows: Shards, queries: Vectors, k: int) -> np.ndarray:
    """As many candidates of bare FAISS as `Index` takes, scored with the vectors in one product per query."""
    near = bare(folder, queries, max(RERANKED * k, LEAST_RERANKED))
    return np.stack([_best(rows, query, ids[ids >= 0], k) for query, ids in zip(queries, near, strict=True)])


def _best(rows: Shards, query: Vectors, ids: np.ndarray, k: int) -> np.ndarray:
    scored = rows.rows(ids) @ query
    first = np.argpartition(-scored, k - 1)[:k]
    return np.asarray(ids[first[np.argsort(-scored[first], kind="stable")]])


def recall(found: np.ndarray, truth: np.ndarray) -> float:
    shared = [len(np.intersect1d(one, other)) for one, other in zip(found, truth, strict=True)]
    return float(np.mean(shared)) / truth.shape[1]


def peak(folder: Path, n: int, what: str, *more: str) -> dict[str, float]:
    """Seconds and gigabytes of one piece of work in a process of its own."""
    command = [sys.executable, __file__, "--alone", what, "--vectors", str(n), "--folder", str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def alone(what: str, folder: Path, n: int, queries: int, k: int) -> None:
    """One piece of work, in this process and nothing else."""
    rows = shards_of(folder / "vectors", n)
    asked = mixture(10**9, queries)
    if what == "build":
        shutil.rmtree(index_of(folder, n), ignore_errors=True)
    work: dict[str, Callable[[], object]] = {
        "build": lambda: build_index(index_of(folder, n), rows, kind=KIND),
        "search": lambda: open_index(index_of(folder, n), verify=False).search(asked, k, rerank=rows),
    }
    spent = cost(work[what])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / GB
    print(json.dumps({"clock": spent.clock, "processor": spent.processor, "gigabytes": memory}))


def index_of(folder: Path, n: int) -> Path:
    return folder / f"index-{n}"


def searching(folder: Path, n: int, n_queries: int, k: int) -> bool:
    """Print recall, queries/s and memory; whether the bound is kept."""
    rows = shards_of(folder / "vectors", n)
    built = peak(folder, n, "build")
    index = open_index(index_of(folder, n), verify=False)
    queries = mixture(10**9, n_queries)
    truth = exact(rows, queries, k)
    print(f"{n:,} vectors of {DIMENSIONS}, {n_queries:,} queries, k = {k:,}")
    print(f"  {index.kind} {index.description.parameters}", flush=True)
    good = beside(
        "by codes alone", lambda: bare(index.folder, queries, k), lambda: index.search(queries, k)[1], truth, n_queries
    )
    good &= beside(
        "re-ranked with the vectors, as the stage does",
        lambda: bare_ranked(index.folder, rows, queries, k),
        lambda: index.search(queries, k, rerank=rows)[1],
        truth,
        n_queries,
    )
    searched = peak(folder, n, "search", "--queries", str(n_queries), "-k", str(k))
    print(f"  building    {built['clock']:,.0f} s, {built['gigabytes']:.2f} GB at most")
    print(f"  searching   {searched['gigabytes']:.2f} GB at most", flush=True)
    return good


def beside(name: str, theirs: Search, ours: Search, truth: np.ndarray, n_queries: int) -> bool:
    """Print how fast and how well both find what `truth` says; whether ours is fast enough."""
    found = [recall(way(), truth) for way in (theirs, ours)]  # warm now
    rounds = [(cost(theirs), cost(ours)) for _ in range(ROUNDS)]
    clocks = [min(one[place].clock for one in rounds) for place in (0, 1)]
    processors = [min(one[place].processor for one in rounds) for place in (0, 1)]
    ratio = processors[0] / processors[1]
    print(f"  {name}")
    for who, clock, share in zip(("bare", "ours"), clocks, found, strict=True):
        print(f"    {who}   {n_queries / clock:10,.1f} queries/s   recall@{truth.shape[1]} {share:.4f}")
    print(f"    ours / bare   {clocks[0] / clocks[1]:.2f} by the clock, {ratio:.2f} by processor time; "
          f"at least {AT_LEAST}", flush=True)  # fmt: skip
    return ratio >= AT_LEAST


def extrapolation(folder: Path, n: int, n_queries: int, k: int) -> None:
    """Print what a quarter, a half and the whole take, and what a straight line says of ten million."""
    sizes = [n // 4, n // 2, n]
    queries = ["--queries", str(n_queries), "-k", str(k)]
    figures = []
    for size in sizes:
        part = folder / f"part-{size}"
        built, searched = peak(part, size, "build"), peak(part, size, "search", *queries)
        n_bytes = sum(path.stat().st_size for path in index_of(part, size).glob("*.faiss"))
        figures.append((built["clock"], 1e3 * searched["clock"] / n_queries, searched["gigabytes"], n_bytes / GB))
        print(f"  {size:>10,}  build {figures[-1][0]:8,.1f} s   {figures[-1][1]:8.1f} ms/query   "
              f"{figures[-1][2]:.2f} GB to search   {figures[-1][3]:.2f} GB on disk", flush=True)  # fmt: skip
    lines = [np.polyfit(sizes, column, 1) for column in zip(*figures, strict=True)]
    at = [float(np.polyval(line, TEN_MILLION)) for line in lines]
    print(f"  {TEN_MILLION:>10,}  build {at[0]:8,.0f} s   {at[1]:8.1f} ms/query   {at[2]:.2f} GB to search   "
          f"{at[3]:.2f} GB on disk   (extrapolated)", flush=True)  # fmt: skip


def mapping(n: int) -> None:
    """Print the stage's map of n vectors and 100 images against the libraries called directly."""
    from workers.engines.cluster_map import MapSettings, map_clusters

    pictures, images = mixture(0, n), mixture(10**9, 100)
    with tempfile.TemporaryDirectory() as folder:
        wanted = MapSettings(min_cluster_size=50, epsilon=0.0, sample=n, seed=0)
        ours = cost(lambda: map_clusters(ArrayRows(pictures), ArrayRows(images), wanted, Path(folder)))
    theirs = cost(lambda: libraries(pictures, images))
    print(f"  {n:>10,} points   ours {ours.clock:8.1f} s   libraries {theirs.clock:8.1f} s   "
          f"libraries / ours {theirs.processor / ours.processor:.2f} by processor time", flush=True)  # fmt: skip


def libraries(pictures: Vectors, images: Vectors) -> Any:
    """UMAP and HDBSCAN as their own documentation calls them."""
    import umap
    from sklearn.cluster import HDBSCAN

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = umap.UMAP(n_components=2, metric="cosine", random_state=0, transform_seed=0, n_jobs=1)
        places = model.fit_transform(pictures)
        model.transform(images)
    return HDBSCAN(min_cluster_size=50, n_jobs=-1, copy=True).fit(places).labels_


def main() -> int:
    arguments = argparse.ArgumentParser(description="Searching and mapping many vectors against the bare libraries.")
    arguments.add_argument("--vectors", type=int, default=1_000_000)
    arguments.add_argument("--queries", type=int, default=1000)
    arguments.add_argument("-k", type=int, default=3000)
    arguments.add_argument("--maps", type=int, nargs="*", default=[25_000, 100_000])
    arguments.add_argument("--folder", type=Path, default=ROOT / "var" / "bench-retrieval")
    arguments.add_argument("--quick", action="store_true", help="small numbers, to see that all of it works")
    arguments.add_argument("--alone", choices=("build", "search"), help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.alone:
        alone(asked.alone, asked.folder, asked.vectors, asked.queries, asked.k)
        return 0
    if asked.quick:
        vars(asked).update(QUICK)
    good = searching(asked.folder, asked.vectors, asked.queries, asked.k)
    print("Growing, each size in a process of its own:", flush=True)
    extrapolation(asked.folder, asked.vectors, min(asked.queries, 100), asked.k)
    print("UMAP + HDBSCAN:", flush=True)
    libraries(mixture(0, 5000), mixture(10**9, 5))  # numba compiles, also the search that UMAP begins at 4,096 with
    for n in asked.maps:
        mapping(n)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
