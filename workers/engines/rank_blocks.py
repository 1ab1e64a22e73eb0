"""Ranks of large data in blocks of images, which any number of processes claim in a folder that they share.

Counts of different images add up in their order, so the ranks are those of one process to the last bit. A killed
process loses one block. A folder belongs to one data set, model and way to order equal scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from backend.methods.ranking import Counts, Order, Pairs, ScoreSource, count_rows
from backend.methods.ranking.blocks import ROWS, Scores
from workers.engines.whole_files import hidden, locked, publish, sweep

MOST_BLOCKS = 32
LEAST_SCORES = 20_000_000  # in a block; smaller data are counted at once
OF_PAIRS = ("text_above", "text_tied", "text_before")
OF_TEXTS = ("image_above", "image_tied", "image_before", "wrong_image")


@dataclass(frozen=True)
class SharedCounting:
    """Counts as `count_rows`. `name` says of which data and model they are."""

    folder: Path
    name: str
    least: int = LEAST_SCORES

    def __call__(
        self,
        scores: ScoreSource,
        pairs: Pairs,
        own: Scores,
        *,
        order: Order | None = None,
        with_wrong: bool = False,
        rows: int = ROWS,
        on_progress: Callable[[int], None] | None = None,
    ) -> Counts:
        """The counts of all images, those of large data from blocks in the folder."""
        size = max(-(-scores.n_images // MOST_BLOCKS), -(-self.least // max(1, scores.n_texts)))
        size = -(-size // rows) * rows
        starts = range(0, scores.n_images, size)
        if len(starts) <= 1:
            return count_rows(
                scores, pairs, own, order=order, with_wrong=with_wrong, rows=rows, on_progress=on_progress
            )
        folder = self.folder / self._key(pairs, own, order, f"{size} {rows} {with_wrong}")
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)

        def make(start: int, stop: int) -> Counts:
            return count_rows(
                scores, pairs, own, start=start, stop=stop, order=order, with_wrong=with_wrong, rows=rows,
                on_progress=on_progress,
            )  # fmt: skip

        blocks = [_Block(folder, start, min(start + size, scores.n_images), pairs, make) for start in starts]
        done = [each.see(on_progress, wait=False) for each in blocks]
        for each in (each for each, is_there in zip(blocks, done, strict=True) if not is_there):
            each.see(on_progress, wait=True)  # by now another process has finished it, or died over it
        counts = Counts.empty(pairs)
        for each in blocks:
            counts.add(each.read())
        return counts

    def _key(self, pairs: Pairs, own: Scores, order: Order | None, how: str) -> str:
        """Of all that counts depend on. Machines whose scores differ in a bit do not mix their blocks."""
        digest = hashlib.sha256(f"{self.name} {how} {own.dtype}\n".encode())
        for array in (pairs.image, pairs.text, own, *((order.image, order.text) if order else ())):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:32]


@dataclass(frozen=True)
class _Block:
    """The counts of the images from `start` to `stop`, in a file that one process makes."""

    folder: Path
    start: int
    stop: int
    pairs: Pairs
    make: Callable[[int, int], Counts]

    @property
    def path(self) -> Path:
        return self.folder / f"block-{self.start:09d}.npz"

    def see(self, on_progress: Callable[[int], None] | None, *, wait: bool) -> bool:
        """Whether the file is there; False where another process has it in hand."""
        with locked(self.path.with_suffix(""), wait=wait) as is_mine:
            if not is_mine:
                return False
            if not self.path.is_file():
                self._write(self.make(self.start, self.stop))
            elif on_progress is not None:
                on_progress(self.stop - self.start)
        return True

    def read(self) -> Counts:
        """The counts, made again where the file was damaged after it was written."""
        try:
            return self._read()
        except (OSError, ValueError, KeyError, BadZipFile):
            self.path.unlink(missing_ok=True)
            self.see(None, wait=True)
            return self._read()

    @property
    def _here(self) -> slice:
        return slice(*np.searchsorted(self.pairs.image, [self.start, self.stop]).tolist())

    def _write(self, counts: Counts) -> None:
        arrays = {name: getattr(counts, name)[self._here].astype(np.int32) for name in OF_PAIRS}
        arrays |= {name: getattr(counts, name).astype(np.int32) for name in OF_TEXTS}
        arrays |= {"score": counts.wrong_image_score, "wrong_text": counts.wrong_text[self.start : self.stop]}
        with hidden(self.path).open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        publish(self.path)

    def _read(self) -> Counts:
        counts = Counts.empty(self.pairs)
        with np.load(self.path, allow_pickle=False) as arrays:
            for name in OF_PAIRS:
                getattr(counts, name)[self._here] = arrays[name]
            for name in OF_TEXTS:
                getattr(counts, name)[:] = arrays[name]
            counts.wrong_image_score[:] = arrays["score"]
            counts.wrong_text[self.start : self.stop] = arrays["wrong_text"]
        return counts
