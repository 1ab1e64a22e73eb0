"""Embeddings in shards: vectors as `.npy`, their keys as Parquet, and a manifest that is written last.

    shard-00003.npy       float32 (n, d), for numpy.load(mmap_mode="r")
    shard-00003.parquet   row (int64, from 0), key (string), and whatever columns the writer added
    shard-00003.json      model and digest, preprocessing, source, count, SHA-256 of both files, pictures left out
    collection.json       how many shards there will be, and of which model

A shard without its manifest does not exist; one whose manifest says the same model, preprocessing and source is never
computed again. Another source (a picture was added, say) makes that shard anew; another model is refused, since a
folder belongs to one. Ids are row numbers over the whole collection, in the order of the shards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workers.engines.protocols import Skipped, Vectors
from workers.engines.shard_manifest import (
    COLLECTION,
    DAMAGED,
    Manifest,
    Recipe,
    ShardRefusedError,
    as_manifest,
    check_files,
    read_json,
    recipe_of,
    refuse_another,
    stem_of,
)
from workers.engines.shard_writing import Block, Part, Written, are_written, plan_shards, write_shard, write_shards

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "Block",
    "Manifest",
    "Part",
    "Recipe",
    "ShardRefusedError",
    "Shards",
    "Skipped",
    "Written",
    "are_written",
    "join_shards",
    "plan_shards",
    "read_shards",
    "write_shard",
    "write_shards",
]

Ids = NDArray[np.int64]
BLOCK = 16_384
MAPPED, TABLES = 128, 8  # files kept open at once; a map that falls out closes when its last rows are gone
NO_SHARDS = "The folder {folder} has no vectors. Choose the output folder of `manage.py encode`."
UNFINISHED = (
    "{n} of {total} shards in {folder} are not complete. The first is {first}. Run the same encode again to continue."
)
NO_SUCH_ROW = "There is no row {row}: the collection has {count:,}, counted from 0."


def read_shards(*folders: Path, partial: bool = False, verify: bool = True) -> Shards:
    """The finished shards of one or more folders, as one collection. `verify` reads every file to check its SHA-256.

    Raises ShardRefusedError where shards are missing (unless `partial`), damaged, or of different models.
    """
    found = [(folder, manifest) for folder in folders for manifest in _manifests(folder, partial)]
    if not found:
        raise ShardRefusedError(NO_SHARDS.format(folder=", ".join(map(str, folders))))
    recipe = found[0][1].recipe
    for folder, manifest in found:
        refuse_another(folder / f"{stem_of(manifest.number)}.json", manifest.recipe, recipe)
        check_files(folder, manifest, by_content=verify)
    return Shards(found)


def join_shards(collections: Sequence[Shards]) -> Shards:
    """Several collections as one, in this order; nothing is read again. Raises ShardRefusedError for two models."""
    shards = [shard for collection in collections for shard in collection._shards]
    for folder, manifest in shards:
        refuse_another(folder / f"{stem_of(manifest.number)}.json", manifest.recipe, shards[0][1].recipe)
    return Shards(shards)


def _manifests(folder: Path, partial: bool) -> Iterator[Manifest]:
    plan = read_json(folder / COLLECTION)
    if plan is None:
        raise ShardRefusedError(NO_SHARDS.format(folder=folder))
    recipe_of(plan, folder / COLLECTION)
    total = int(plan["n_shards"])
    here = [n for n in range(total) if (folder / f"{stem_of(n)}.json").is_file()]
    missing = sorted(set(range(total)) - set(here))
    if missing and not partial:
        first = stem_of(missing[0])
        raise ShardRefusedError(UNFINISHED.format(n=len(missing), total=total, folder=folder, first=first))
    for number in here:
        path = folder / f"{stem_of(number)}.json"
        # A list of addresses leaves out a third: millions of rows, which only `Shards.skipped` wants.
        yield replace(as_manifest(read_json(path), path), skipped=())


class Shards:
    """Vectors of one model, too many for memory, read where they lie."""

    def __init__(self, shards: Sequence[tuple[Path, Manifest]]) -> None:
        self._shards = tuple(shards)
        self._starts = np.cumsum([0, *(manifest.count for _, manifest in shards)], dtype=np.int64)
        self._mapped = lru_cache(maxsize=MAPPED)(self._map)
        self._tables = lru_cache(maxsize=TABLES)(self._read_table)

    def __len__(self) -> int:
        """How many vectors there are."""
        return int(self._starts[-1])

    @property
    def recipe(self) -> Recipe:
        """The one model and preprocessing all of them were made with."""
        return self._shards[0][1].recipe

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where they lie, each once."""
        return tuple(dict.fromkeys(folder for folder, _ in self._shards))

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self.recipe.dimension

    @property
    def skipped(self) -> list[Skipped]:
        """What was left out, with the reasons, in the order of the shards: read from the manifests each time.

        Raises ShardRefusedError where one of them is gone.
        """
        paths = [folder / f"{stem_of(manifest.number)}.json" for folder, manifest in self._shards]
        return [skipped for path in paths for skipped in as_manifest(read_json(path), path).skipped]

    @property
    def digest(self) -> str:
        """SHA-256 over the vector files' own: what an index or a projection was made from."""
        lines = "".join(f"{manifest.files['vectors'].sha256}\n" for _, manifest in self._shards)
        return hashlib.sha256(lines.encode()).hexdigest()

    def blocks(self, size: int = BLOCK) -> Iterator[Vectors]:
        """All vectors in order, memory-mapped, at most `size` at a time; read-only, and good until the next."""
        for number in range(len(self._shards)):
            vectors = self._map(number)  # not kept: a pass over everything leaves no pages behind
            for start in range(0, len(vectors), size):
                yield vectors[start : start + size]

    def rows(self, ids: Ids) -> Vectors:
        """float32 (n, d), a copy, in the order of `ids`, which may repeat. Raises IndexError."""
        found = np.empty((len(ids), self.dimension), dtype=np.float32)
        for number, places, local in self._by_shard(ids):
            found[places] = self._mapped(number)[local]
        return found

    def keys(self, ids: Ids) -> list[str]:
        """The keys of rows, in the order of `ids`. Raises IndexError."""
        return [str(key) for key in self.column("key", ids)]

    def column(self, name: str, ids: Ids) -> list[Any]:
        """A column of the id tables, in the order of `ids`. Raises IndexError, and KeyError for an unknown column."""
        return self.columns((name,), ids)[name]

    def columns(self, names: Sequence[str], ids: Ids) -> dict[str, list[Any]]:
        """Several columns at once, each as `column` gives it; every table is opened once. Raises as `column` does."""
        found: dict[str, list[Any]] = {name: [None] * len(ids) for name in names}
        for number, places, local in self._by_shard(ids):
            table = self._tables(number)
            for name, values in found.items():
                here = table.column(name).take(local).to_pylist()
                for place, value in zip(places, here, strict=True):
                    values[place] = value
        return found

    def ids_of(self, keys: Sequence[str]) -> Ids:
        """int64 (n,), the row of each key, -1 for one that is not here; the first where a key comes twice."""
        wanted = dict.fromkeys(keys, -1)
        for number in range(len(self._shards)):
            here = self._read_table(number).column("key").to_pylist()
            for row, key in enumerate(here, int(self._starts[number])):
                if wanted.get(key) == -1:
                    wanted[key] = row
        return np.array([wanted[key] for key in keys], dtype=np.int64)

    def _by_shard(self, ids: Ids) -> Iterator[tuple[int, NDArray[np.intp], Ids]]:
        """Which shard, the places in `ids` that it answers, and its own row numbers for them."""
        ids = np.asarray(ids, dtype=np.int64)
        outside = (ids < 0) | (ids >= len(self))
        if outside.any():
            raise IndexError(NO_SUCH_ROW.format(row=ids[outside][0], count=len(self)))
        numbers = np.searchsorted(self._starts, ids, side="right") - 1
        for number in np.unique(numbers):
            places = np.flatnonzero(numbers == number)
            yield int(number), places, ids[places] - self._starts[number]

    def _map(self, number: int) -> Vectors:
        folder, manifest = self._shards[number]
        path = folder / manifest.files["vectors"].name
        vectors: Vectors = np.load(path, mmap_mode="r", allow_pickle=False)
        if (vectors.shape, vectors.dtype) != ((manifest.count, self.dimension), np.dtype(np.float32)):
            why = f"it holds {vectors.dtype} {vectors.shape}, its manifest says {(manifest.count, self.dimension)}"
            raise ShardRefusedError(DAMAGED.format(file=path, why=why))
        return vectors

    def _read_table(self, number: int) -> pyarrow.Table:
        from pyarrow import parquet

        folder, manifest = self._shards[number]
        return parquet.read_table(folder / manifest.files["ids"].name, memory_map=True)
