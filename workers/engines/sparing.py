"""Mapped files read without keeping their pages: what a process holds does not grow with the files.

Pages that were read from a map stay with the process until the system wants them back, and count as its memory until
then. Whoever reads all over a corpus gives them back now and then; the system still has them, and hands them out again
without asking the disk.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from workers.engines.protocols import Vectors
from workers.engines.rows import BLOCK, Ids
from workers.engines.shards import Shards

AT_ONCE = 256  # rows read before pages are given back; Linux maps 64 kB around each, so 16 MB
MAPS = Path("/proc/self/maps")


def give_back(folders: Collection[Path]) -> None:
    """Let go of the pages that this process has read of the files in `folders`, by whichever library mapped them.

    What can be written to is left alone. Does nothing where the system does not say what is mapped.
    """
    advise = ctypes.CDLL(None).madvise
    for start, end in _mapped(folders):
        advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), mmap.MADV_DONTNEED)


def _mapped(folders: Collection[Path]) -> Iterator[tuple[int, int]]:
    """From and to which address files of these folders are mapped for reading alone."""
    wanted = tuple(f"{folder.resolve()}/" for folder in folders)
    for line in MAPS.read_text(errors="surrogateescape").splitlines() if MAPS.exists() else ():
        addresses, rights, *_, path = [*line.split(maxsplit=5), ""][:6]
        if path.startswith(wanted) and "w" not in rights:
            start, end = addresses.split("-")
            yield int(start, 16), int(end, 16)


def read_sparingly(read: Callable[[Ids], Vectors], ids: Ids, folders: Collection[Path]) -> Vectors:
    """What `read(ids)` gives, read a few rows at a time in the order they lie in the files."""
    order = np.argsort(ids, kind="stable")
    parts = []
    for start in range(0, len(ids), AT_ONCE):
        parts.append(read(ids[order[start : start + AT_ONCE]]))
        give_back(folders)
    if not parts:
        return read(ids)
    found = np.empty((len(ids), parts[0].shape[1]), dtype=np.float32)
    found[order] = np.concatenate(parts)
    return found


class SparingRows:
    """Rows of shards, as Rows, whose pages are given back as soon as they were read."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards
        self.dimension, self.digest = shards.dimension, shards.digest

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self._shards)

    def blocks(self, size: int = BLOCK) -> Iterator[Vectors]:
        """All of them in order, at most `size` at a time; a shard's pages go with its map."""
        return self._shards.blocks(size)

    def rows(self, ids: Ids) -> Vectors:
        """float32 (n, d) in the order of `ids`. Raises IndexError."""
        return read_sparingly(self._shards.rows, ids, self._shards.folders)


class SparingFlat:
    """A flat FAISS index of inner products, mapped from a file of `folder`, asked block by block."""

    def __init__(self, flat: Any, folder: Path) -> None:
        import faiss

        self._flat, self._folders = flat, (folder,)
        self._vectors: Vectors = faiss.rev_swig_ptr(flat.get_xb(), flat.ntotal * flat.d).reshape(-1, flat.d)

    def search(self, queries: Vectors, k: int) -> tuple[Vectors, Ids]:
        """The k <= n nearest of each query, as the index's own `search` gives them; equal ones in any order."""
        import faiss

        best = faiss.ResultHeap(len(queries), k, keep_max=True)
        for start in range(0, len(self._vectors), BLOCK):
            block = self._vectors[start : start + BLOCK]
            near = faiss.knn(queries, block, min(k, len(block)), metric=faiss.METRIC_INNER_PRODUCT)
            best.add_result(near[0], near[1] + start)
            give_back(self._folders)
        best.finalize()
        return best.D, best.I

    def reconstruct_batch(self, ids: Ids) -> Vectors:
        """float32 (n, d) in the order of `ids`."""
        return read_sparingly(self._vectors.__getitem__, ids, self._folders)
