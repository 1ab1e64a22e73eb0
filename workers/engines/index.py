"""Nearest neighbours by cosine, among many more vectors than fit into memory.

    index = build_index(folder, read_shards(embeddings))
    similarities, ids = index.search(queries, k=50)

Ids are row numbers of what the index was built from. Equal similarities come by lowest id, whatever the threads did:
candidates from FAISS are scored once more in double precision where their vectors are at hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.file_digests import sha256_of_file
from workers.engines.card_search import CardFlat
from workers.engines.devices import card
from workers.engines.index_building import (
    DESCRIPTION,
    PIECE,
    SCHEMA,
    Description,
    IndexRefusedError,
    build,
    kind_for,
    plan_for,
    use_threads,
)
from workers.engines.protocols import Vectors
from workers.engines.rows import ArrayRows, Ids, NoDirectionError, Rows, as_unit
from workers.engines.shard_manifest import File
from workers.engines.sparing import SparingFlat, give_back
from workers.engines.whole_files import locked, sweep

__all__ = [
    "ArrayRows",
    "Index",
    "IndexRefusedError",
    "NoDirectionError",
    "Rows",
    "build_index",
    "kind_for",
    "open_index",
]

Found = tuple[Vectors, Ids]
QUERIES = 256  # asked at once
SCORED = 2**23  # numbers held while candidates are scored again
TIES = 16  # candidates beyond k, for those that tie with the last
SLACK = 1e-5  # by how much a single-precision similarity may be off
RERANKED, LEAST_RERANKED = 10, 100  # candidates of an ivf-pq index for each neighbour asked for
NO_INDEX = "The folder {folder} has no complete index. Build one there."
NOT_READABLE = "Connote cannot read the index in {folder} ({why}). Build it again."
DAMAGED = "The file {file} of the index has changed ({why}). Build the index again."
BAD_K = "k is {k}: ask for at least one neighbour."
BAD_QUERIES = "Queries of shape {shape} were given to an index of vectors with {d} numbers: give (n, {d})."
OTHER_ROWS = "The vectors to re-rank with are not those that the index in {folder} was built from."


def build_index(
    folder: Path, rows: Rows, *, kind: str = "auto", seed: int = 0, piece: int = PIECE, sparing: bool = False
) -> Index:
    """An index of `rows` in `folder`, opened; built unless the very same one is there already.

    Raises IndexRefusedError for an empty corpus or an unknown kind, NoDirectionError for a vector of zeros or NaN.
    """
    plan = plan_for(rows, kind, seed)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "index"):
        sweep(folder)
        if not _is_there(folder, plan, piece):
            (folder / DESCRIPTION).unlink(missing_ok=True)
            for path in folder.glob("piece-*.faiss"):
                path.unlink()
            build(folder, rows, plan, piece)
    return open_index(folder, verify=False, sparing=sparing)


def _is_there(folder: Path, plan: Description, piece: int) -> bool:
    try:
        found = _described(folder)
        check_pieces(folder, found)
    except IndexRefusedError:
        return False
    same_pieces = found.pieces[0][1] == min(piece, plan.count)
    return same_pieces and {**plan.as_json(), "pieces": 0} == {**found.as_json(), "pieces": 0}


def open_index(folder: Path, *, verify: bool = True, sparing: bool = False) -> Index:
    """The index in `folder`, memory-mapped; `verify` reads it through once. Raises IndexRefusedError.

    A `sparing` one answers the same and gives back the pages that it has read: of an exact index after each block, of
    the others after each piece, so that a graph is held whole while it is asked.
    """
    described = _described(folder)
    if verify:
        check_pieces(folder, described)
    return Index(folder, described, sparing=sparing)


def _described(folder: Path) -> Description:
    path = folder / DESCRIPTION
    if not path.is_file():
        raise IndexRefusedError(NO_INDEX.format(folder=folder))
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value.pop("schema") != SCHEMA:
            raise ValueError("another version wrote it")
        pieces = tuple((File(one["name"], one["n_bytes"], one["sha256"]), int(one["count"])) for one in value["pieces"])
        return Description(**{**value, "pieces": pieces})
    except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise IndexRefusedError(NOT_READABLE.format(folder=folder, why=error)) from error


def check_pieces(folder: Path, described: Description) -> None:
    """Raises IndexRefusedError where a file of the index is missing or changed."""
    for file, _ in described.pieces:
        path = folder / file.name
        if not path.is_file():
            raise IndexRefusedError(DAMAGED.format(file=path, why="it is missing"))
        if sha256_of_file(path) != file.sha256:
            raise IndexRefusedError(DAMAGED.format(file=path, why="its SHA-256 differs"))


@dataclass(frozen=True)
class _Piece:
    """One FAISS index, and the row number of its first vector."""

    faiss: Any
    start: int
    count: int


class Index:
    """A finished index, mapped from its files."""

    def __init__(self, folder: Path, description: Description, *, sparing: bool = False) -> None:
        self.folder, self.description, self._sparing = folder, description, sparing
        self._pieces = tuple(_mapped(folder, description, sparing=sparing))

    def __len__(self) -> int:
        """How many vectors it holds."""
        return self.description.count

    @property
    def kind(self) -> str:
        """`exact`, `hnsw` or `ivf-pq`."""
        return self.description.kind

    def search(self, queries: Vectors, k: int, *, rerank: Rows | None = None) -> Found:
        """The k nearest of each query: cosines float32 (q, k) descending, ids int64 (q, k).

        Where there are fewer than k, the id is -1 and the cosine -inf. An `ivf-pq` index gives near cosines unless it
        is given the vectors to `rerank` its candidates with. Raises IndexRefusedError, NoDirectionError for a query.
        """
        if k < 1:
            raise IndexRefusedError(BAD_K.format(k=k))
        if queries.ndim != 2 or queries.shape[1] != self.description.dimension:
            raise IndexRefusedError(BAD_QUERIES.format(shape=queries.shape, d=self.description.dimension))
        if rerank is not None and rerank.digest != self.description.source:
            raise IndexRefusedError(OTHER_ROWS.format(folder=self.folder))
        use_threads()
        unit = as_unit(queries, what="query")
        parts = [self._search(unit[start : start + QUERIES], k, rerank) for start in range(0, len(unit), QUERIES)]
        empty = np.empty((0, k), dtype=np.float32), np.empty((0, k), dtype=np.int64)
        similarities, ids = zip(*(parts or [empty]), strict=True)
        return np.concatenate(similarities), np.concatenate(ids)

    def _search(self, queries: Vectors, k: int, rerank: Rows | None) -> Found:
        """The best k of all pieces. Candidates are re-ranked once, when it is known which of all are the nearest."""
        depth = self._depth(k, rerank)
        found: Found = np.empty((len(queries), 0), dtype=np.float32), np.empty((len(queries), 0), dtype=np.int64)
        for piece in self._pieces:
            more = self._in_piece(piece, queries, depth)
            joined = np.concatenate((found[0], more[0]), axis=1), np.concatenate((found[1], more[1]), axis=1)
            found = _first(*joined, depth)
            if self._sparing:
                give_back((self.folder,))
        if rerank is None:
            return found
        return _first(_scored(queries, found[1], rerank.rows), found[1], k)

    def _depth(self, k: int, rerank: Rows | None) -> int:
        """How many candidates are kept."""
        if rerank is None:
            return k
        return max(RERANKED * k, LEAST_RERANKED) if self.kind == "ivf-pq" else k + TIES

    def _in_piece(self, piece: _Piece, queries: Vectors, depth: int) -> Found:
        """The piece's best, at least `depth` of them where it has so many, with ids of the whole."""
        if self.kind == "ivf-pq":
            similarities, ids = piece.faiss.search(queries, min(depth + TIES, piece.count))
        else:
            similarities, ids = _with_ties(piece, queries, depth, depth + TIES)
            similarities = _scored(queries, ids, piece.faiss.reconstruct_batch)
        return similarities, np.where(ids < 0, -1, ids + piece.start)


def _mapped(folder: Path, description: Description, *, sparing: bool) -> Iterator[_Piece]:
    """IVF lists are mapped as they are, the other kinds through FAISS's zero-copy reader.

    An exact index is searched by a GPU where there is one. FAISS searches the others on the processor.
    """
    import faiss

    gpu = card() if description.kind == "exact" else None
    flag = faiss.IO_FLAG_MMAP if description.kind == "ivf-pq" else faiss.IO_FLAG_MMAP_IFC
    start = 0
    for file, count in description.pieces:
        mapped = faiss.read_index(str(folder / file.name), flag)
        if description.kind == "exact":
            mapped = SparingFlat(mapped, folder) if sparing else mapped
            mapped = CardFlat(mapped, gpu, (count, description.dimension)) if gpu is not None else mapped
        yield _Piece(mapped, start, count)
        start += count


def _with_ties(piece: _Piece, queries: Vectors, k: int, wanted: int) -> Found:
    """Candidates among which all are that could be the first k: none left out is as similar as the k-th."""
    import faiss

    wanted = min(wanted, piece.count)
    if isinstance(piece.faiss, faiss.IndexHNSW):
        width = faiss.SearchParametersHNSW(efSearch=max(2 * wanted, 128))
        near: Found = piece.faiss.search(queries, wanted, params=width)
        return near
    similarities, ids = piece.faiss.search(queries, wanted)
    tied = similarities[:, min(k, wanted) - 1] - similarities[:, -1] <= SLACK
    if wanted == piece.count or not tied.any():
        return similarities, ids
    more = _with_ties(piece, queries[tied], k, 4 * wanted)
    wide = np.full((2, len(queries), more[1].shape[1]), -np.inf)
    merged = wide[0].astype(np.float32), np.full(wide[1].shape, -1, dtype=np.int64)
    for kept, narrow, wider in zip(merged, (similarities, ids), more, strict=True):
        kept[:, :wanted] = narrow
        kept[tied] = wider
    return merged


def _scored(queries: Vectors, ids: Ids, vectors_of: Callable[[Ids], Vectors]) -> Vectors:
    """Cosines float32 (q, m) of each query with its own candidates, -inf where the id is -1.

    No more than SCORED numbers are held at once, also where one query has more candidates than that.
    """
    similarities = np.full(ids.shape, -np.inf, dtype=np.float32)
    rows, columns = np.nonzero(ids >= 0)
    step = max(1, SCORED // queries.shape[1])
    for start in range(0, len(rows), step):
        here, own = rows[start : start + step], columns[start : start + step]
        asked, begins = np.unique(here, return_index=True)
        vectors = np.split(vectors_of(ids[here, own]), begins[1:])
        for query, candidates, places in zip(asked, vectors, np.split(own, begins[1:]), strict=True):
            similarities[query, places] = cosines(candidates, queries[query].astype(np.float64))
    return similarities


def cosines(vectors: Vectors, query: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64 (n,): those of `vectors` (n, d), of any length, with a query of length one. Raises NoDirectionError."""
    exact = vectors.astype(np.float64)
    lengths = np.sqrt(np.einsum("nd,nd->n", exact, exact))
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        as_unit(vectors, what="vector")  # says which
    return np.asarray(np.einsum("nd,d->n", exact, query) / lengths)


def _first(similarities: Vectors, ids: Ids, k: int) -> Found:
    """The best k of each row: most similar first, equal ones by lowest id, nothing last."""
    last = np.where(ids < 0, np.iinfo(np.int64).max, ids)
    similarities = np.where(ids < 0, np.float32(-np.inf), similarities)
    order = np.lexsort((last, -similarities), axis=1)[:, :k]
    best = np.take_along_axis(similarities, order, axis=1), np.take_along_axis(ids, order, axis=1)
    short = k - order.shape[1]
    if short <= 0:
        return best
    return (
        np.pad(best[0], ((0, 0), (0, short)), constant_values=-np.inf),
        np.pad(best[1], ((0, 0), (0, short)), constant_values=-1),
    )
