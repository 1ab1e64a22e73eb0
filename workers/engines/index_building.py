"""A FAISS index being built: streamed from blocks, in pieces, the description written last.

Three kinds, chosen by how many vectors there are:

* `exact` to 100,000: every similarity, so recall 1. At 384 numbers that is 150 MB, and some milliseconds a query.
* `hnsw` to 500,000: a graph over the vectors themselves, a fraction of a millisecond a query. It is built by one
  thread, since several would link it differently each time; beyond this size that takes too long, and the vectors
  too much memory.
* `ivf-pq` beyond: lists around centroids, and about a byte for every four numbers; 10 million vectors of 384 take 1 GB.
  Its similarities are near ones: re-rank with the vectors where they matter.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from math import isqrt
from pathlib import Path
from typing import Any

from backend.methods.file_digests import sha256_of_file
from workers.engines.protocols import EngineError
from workers.engines.rows import BLOCK, Rows, as_unit, sample_of
from workers.engines.shard_manifest import File
from workers.engines.whole_files import hidden, publish, write_json

SCHEMA = 1
DESCRIPTION = "index.json"
KINDS = ("exact", "hnsw", "ivf-pq")
EXACT_TO, HNSW_TO = 100_000, 500_000
PIECE = 1_000_000  # vectors per file, so that building holds no more of them at once
MOST_THREADS = 8
LINKS, WIDTH_BUILT = 32, 120  # HNSW's M and efConstruction
MOST_LISTS, PER_LIST = 4096, 64  # IVF's lists, and vectors per list that it is trained on
CODE, LEAST_FOR_CODES = 256, 10_000  # values of one PQ byte; FAISS wants 39 vectors for each
EMPTY = "There are no vectors for an index. Add some."
NO_SUCH_KIND = "The index kind {kind!r} does not exist. Use one of: auto, {kinds}."
TOO_FEW = "An ivf-pq index needs at least {least:,} vectors, but there are {n:,}. Use exact or hnsw."


class IndexRefusedError(EngineError):
    """An index cannot be built, opened or asked that way."""

    code = "index_refused"


@dataclass(frozen=True)
class Description:
    """What an index's folder says of it. `pieces` are its files with the number of vectors in each."""

    kind: str
    count: int
    dimension: int
    seed: int
    source: str
    faiss: str
    parameters: dict[str, int]
    pieces: tuple[tuple[File, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What the description's file holds."""
        pieces = [{**file._asdict(), "count": count} for file, count in self.pieces]
        return {"schema": SCHEMA, **asdict(self), "pieces": pieces}


def kind_for(n: int) -> str:
    """The kind that suits `n` vectors."""
    if n <= EXACT_TO:
        return "exact"
    return "hnsw" if n <= HNSW_TO else "ivf-pq"


def use_threads(n: int = MOST_THREADS) -> None:
    """Bound FAISS's threads in the calling thread."""
    import faiss

    faiss.omp_set_num_threads(min(n, os.cpu_count() or 1))


def plan_for(rows: Rows, kind: str, seed: int) -> Description:
    """The index to be, without its files. Raises IndexRefusedError."""
    import faiss

    n, d = len(rows), rows.dimension
    if n == 0:
        raise IndexRefusedError(EMPTY)
    kind = kind_for(n) if kind == "auto" else kind
    if kind not in KINDS:
        raise IndexRefusedError(NO_SUCH_KIND.format(kind=kind, kinds=", ".join(KINDS)))
    if kind == "ivf-pq" and n < LEAST_FOR_CODES:
        raise IndexRefusedError(TOO_FEW.format(least=LEAST_FOR_CODES, n=n))
    return Description(kind, n, d, seed, rows.digest, faiss.__version__, _parameters(kind, n, d))


def _parameters(kind: str, n: int, d: int) -> dict[str, int]:
    if kind == "hnsw":
        return {"links": LINKS, "width_built": WIDTH_BUILT}
    if kind == "exact":
        return {}
    n_lists = min(4 * isqrt(n), n // 39, MOST_LISTS)
    n_bytes = max(parts for parts in range(1, d + 1) if d % parts == 0 and (parts * 4 <= d or parts == 1))
    return {"lists": n_lists, "probed": max(16, n_lists // 16), "bytes": n_bytes}


def build(folder: Path, rows: Rows, plan: Description, piece: int) -> Description:
    """Write the pieces and, last, the description. The caller holds the folder's lock."""
    import faiss

    use_threads(1)  # what is learned must not hang on the number of cores
    empty = _empty(plan, rows)
    files = []
    for number, filled in enumerate(_filled(empty, rows, plan, piece)):
        path = folder / f"piece-{number:05d}.faiss"
        faiss.write_index(filled, str(hidden(path)))
        publish(path)
        files.append((File(path.name, path.stat().st_size, sha256_of_file(path)), int(filled.ntotal)))
    done = replace(plan, pieces=tuple(files))
    write_json(folder / DESCRIPTION, done.as_json())
    return done


def _filled(empty: Any, rows: Rows, plan: Description, piece: int) -> Iterator[Any]:
    """Indexes of at most `piece` vectors each, in order; ids in each from 0."""
    import faiss

    index, seen = faiss.clone_index(empty), 0
    use_threads(1 if plan.kind == "hnsw" else MOST_THREADS)
    for block in rows.blocks(min(BLOCK, piece)):
        unit = as_unit(block, what="vector", first=seen)
        seen += len(unit)
        while len(unit):
            room = piece - index.ntotal
            index.add(unit[:room])
            unit = unit[room:]
            if index.ntotal == piece:
                yield index
                index = faiss.clone_index(empty)
    if index.ntotal:
        yield index


def _empty(plan: Description, rows: Rows) -> Any:
    """A FAISS index that has learned what it needs and holds nothing."""
    import faiss

    if plan.kind == "exact":
        return faiss.IndexFlatIP(plan.dimension)
    if plan.kind == "hnsw":
        graph = faiss.IndexHNSWFlat(plan.dimension, plan.parameters["links"], faiss.METRIC_INNER_PRODUCT)
        graph.hnsw.efConstruction = plan.parameters["width_built"]
        graph.hnsw.rng = faiss.RandomGenerator(plan.seed)
        return graph
    return _trained(plan, rows)


def _trained(plan: Description, rows: Rows) -> Any:
    """IVF-PQ with centroids and codes from a seeded sample."""
    import faiss

    n_lists, n_bytes = plan.parameters["lists"], plan.parameters["bytes"]
    coarse = faiss.IndexFlatIP(plan.dimension)
    lists = faiss.IndexIVFPQ(coarse, plan.dimension, n_lists, n_bytes, 8, faiss.METRIC_INNER_PRODUCT)
    lists.cp.seed = lists.pq.cp.seed = plan.seed
    lists.nprobe = plan.parameters["probed"]
    lists.pq.cp.max_points_per_centroid = PER_LIST
    wanted = max(PER_LIST * n_lists, LEAST_FOR_CODES)
    lists.train(as_unit(rows.rows(sample_of(plan.count, wanted, plan.seed)), what="sampled vector"))
    return lists
