"""Vectors that lie in a file while they are made and read, so that memory does not grow with their number."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workers.engines.protocols import Vectors


class VectorFile:
    """Rows of float32, appended as they come. Use it in `with`; `read` maps the whole file.

    It goes on behind the first `n` rows that an earlier one left; the rows after those are cut off.
    """

    def __init__(self, path: Path, dimensions: int, n: int = 0) -> None:
        self.path, self.dimensions, self.n = path, dimensions, n

    def __enter__(self) -> VectorFile:
        self._file = self.path.open("ab")
        self._file.truncate(self.n * self.dimensions * 4)
        return self

    @staticmethod
    def has(path: Path, dimensions: int, n: int) -> bool:
        """Whether at least `n` rows lie there."""
        return not n or (path.is_file() and path.stat().st_size >= n * dimensions * 4)

    def __exit__(self, *problem: object) -> None:
        self._file.close()

    def add(self, vectors: Vectors) -> None:
        """Append rows (n, dimensions). Raises OSError where the disk is full."""
        self._file.write(np.ascontiguousarray(vectors, dtype=np.float32).tobytes())
        self.n += len(vectors)

    def read(self) -> Vectors:
        """All rows, (n, dimensions), read from the file as they are needed."""
        self._file.flush()
        shape = (self.n, self.dimensions)
        return np.memmap(self.path, dtype=np.float32, mode="r", shape=shape) if self.n else np.empty(shape, np.float32)
