"""Vectors of a model by the digest of their items, in a folder that any number of processes may share.

    FOLDER/DIGEST OF THE KEYS/   a collection of shards (`shards`) for each set of keys that was wanted

What another set has already is copied from there, so an item is encoded once for each model. A killed process loses
one shard. Shards have the same items whoever computes them, so the vectors are the same to the last bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from workers.engines.protocols import Skipped, Vectors
from workers.engines.shard_manifest import COLLECTION, Manifest, Recipe, ShardRefusedError
from workers.engines.shards import Block, Ids, Part, Shards, read_shards, write_shards

SHARD_SIZE = 1024  # items: the most that a kill loses, and a multiple of all sizes of batches
Encode = Callable[[Sequence[int]], Iterable[tuple[Sequence[int], Vectors, Sequence[Skipped]]]]


def count_missing(folder: Path | None, keys: Sequence[str]) -> int:
    """How many of the keys have no vector yet."""
    if folder is None:
        return len(keys)
    known = _known(_collections(folder), keys, verify=False)
    return len(keys) - (0 if known is None else int((known[1] >= 0).sum()))


def vectors_of(
    folder: Path | None, recipe: Recipe, keys: Sequence[str], encode: Encode, *, on_progress: Callable[[int], None]
) -> tuple[Vectors, list[Skipped]]:
    """The vector of each of the different `keys`, and which have none: their rows are zeros.

    `encode` takes places in `keys` and gives those that it could encode, in their order, with their vectors. Without a
    folder nothing is kept. Raises NotFiniteError, ShardRefusedError, OutOfMemoryError.
    """
    pieces = [range(start, min(start + SHARD_SIZE, len(keys))) for start in range(0, len(keys), SHARD_SIZE)]
    if folder is not None:
        return _kept(folder, recipe, keys, pieces, encode, on_progress)
    found = np.zeros((len(keys), recipe.dimension), np.float32)
    skipped: list[Skipped] = []
    for piece in pieces:
        for places, vectors, left_out in encode(piece):
            found[list(places)] = vectors
            skipped += left_out
            on_progress(len(places) + len(left_out))
    return found, skipped


def _kept(
    folder: Path,
    recipe: Recipe,
    keys: Sequence[str],
    pieces: Sequence[range],
    encode: Encode,
    on_progress: Callable[[int], None],
) -> tuple[Vectors, list[Skipped]]:
    mine = folder / _digest(keys)[:32]
    known = _known([each for each in _collections(folder) if each != mine], keys, verify=True)

    def blocks(piece: range) -> Iterator[Block]:
        here = [] if known is None else [at for at in piece if known[1][at] >= 0]
        if known is not None and here:
            yield Block([keys[at] for at in here], known[0].rows(known[1][here]))
            on_progress(len(here))
        for places, vectors, left_out in encode(sorted(set(piece) - set(here))):
            yield Block([keys[at] for at in places], vectors, left_out)
            on_progress(len(places) + len(left_out))

    def on_shard(manifest: Manifest, is_computed: bool) -> None:
        if not is_computed:
            on_progress(manifest.count + len(manifest.skipped))

    parts = [Part(_digest(keys[piece.start : piece.stop]), partial(blocks, piece)) for piece in pieces]
    write_shards(mine, recipe, parts, on_shard)
    shards = read_shards(mine)
    rows = shards.ids_of(keys)
    found = np.zeros((len(keys), recipe.dimension), np.float32)
    found[rows >= 0] = shards.rows(rows[rows >= 0])
    return found, shards.skipped


def _digest(keys: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{key}\n" for key in keys).encode()).hexdigest()


def _collections(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob(f"*/{COLLECTION}"))


def _known(folders: Sequence[Path], keys: Sequence[str], *, verify: bool) -> tuple[Shards, Ids] | None:
    """The row of each key in these collections, -1 where none has it. One that cannot be read is left out."""
    good = []
    for folder in folders:
        try:
            read_shards(folder, partial=True, verify=verify)
            good.append(folder)
        except (ShardRefusedError, OSError):
            continue
    if not good:
        return None
    try:
        shards = read_shards(*good, partial=True, verify=False)
        return shards, shards.ids_of(keys)
    except (ShardRefusedError, OSError):
        return None
