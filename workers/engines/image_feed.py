"""Pictures read ahead of the model, on threads, in order, no more of them at once than a few batches.

Pillow lets go of Python's lock while it decodes and resizes, so threads are enough.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from PIL.Image import Image

from workers.engines.pictures import PictureRefused, read_rgb
from workers.engines.preprocessing import Pixels
from workers.engines.protocols import PictureSource, Skipped

MOST_PIXELS = 200_000_000  # of one picture unpacked; more is refused as a decompression bomb
NARROWEST = 500  # long side over short side; scaled to a model's size, a narrower strip would fill the memory
TOO_NARROW = "It is {w:,} x {h:,} pixels, too narrow a strip to be seen by a model: cut out the part that matters."
MOST_THREADS = 16


@dataclass
class Batch:
    """Pictures that could be read, in order, and those that came between them and could not."""

    keys: list[str] = field(default_factory=list)
    pixels: list[Pixels] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


Read = Pixels | Skipped


def batches(
    pictures: Iterable[tuple[str, PictureSource]], prepare: Callable[[PictureSource], Pixels], size: Callable[[], int]
) -> Iterator[Batch]:
    """Batches of `size()` pictures, the last one shorter. What `prepare` refuses is skipped and takes no place."""
    batch = Batch()
    for key, found in _in_order(pictures, prepare, ahead=2 * size()):
        if isinstance(found, Skipped):
            batch.skipped.append(found)
            continue
        batch.keys.append(key)
        batch.pixels.append(found)
        if len(batch.keys) >= size():
            yield batch
            batch = Batch()
    if batch.keys or batch.skipped:
        yield batch


def _in_order(
    pictures: Iterable[tuple[str, PictureSource]], prepare: Callable[[PictureSource], Pixels], *, ahead: int
) -> Iterator[tuple[str, Read]]:
    """Each picture's pixels, or why it has none, while up to `ahead` more are being read."""
    threads = ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1), thread_name_prefix="decode")
    waiting: deque[tuple[str, Future[Read]]] = deque()
    try:
        for key, source in pictures:
            waiting.append((key, threads.submit(_read, key, source, prepare)))
            if len(waiting) > ahead:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
    finally:  # also where the caller stops half-way
        threads.shutdown(wait=True, cancel_futures=True)


def _first(waiting: deque[tuple[str, Future[Read]]]) -> tuple[str, Read]:
    key, reading = waiting.popleft()
    return key, reading.result()


def _read(key: str, source: PictureSource, prepare: Callable[[PictureSource], Pixels]) -> Read:
    try:
        return prepare(source)
    except PictureRefused as refused:
        return Skipped(key, refused.message, refused.code)


def rgb_of(source: PictureSource) -> Image:
    """The picture upright, RGB, on white. Raises PictureRefused."""
    image = read_rgb(source, max_pixels=MOST_PIXELS)
    if max(image.size) > NARROWEST * min(image.size):
        raise PictureRefused("too_narrow", TOO_NARROW.format(w=image.width, h=image.height))
    return image
