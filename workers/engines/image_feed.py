"""Pictures on their way to a model: read a piece at a time in a lane, or ahead of the model on threads, in order.

Pillow lets go of Python's lock while it decodes and resizes, so threads are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from PIL.Image import Image

from workers.engines.in_order import cores, map_in_order
from workers.engines.pictures import PictureRefused, read_rgb
from workers.engines.preprocessing import Pixels
from workers.engines.protocols import PictureSource, Skipped

MOST_PIXELS = 200_000_000  # of one picture unpacked; more is refused as a decompression bomb
NARROWEST = 500  # long side over short side; scaled to a model's size, a narrower strip would fill the memory
TOO_NARROW = "The image has {w} x {h} pixels. This is too narrow for a model. Crop the important part."
MOST_THREADS = 16

Given = tuple[str, PictureSource]
Prepare = Callable[[PictureSource], Pixels]


@dataclass
class Batch:
    """Pictures that could be read, in order, and those that came between them and could not."""

    keys: list[str] = field(default_factory=list)
    pixels: list[Pixels] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def add(self, key: str, found: Pixels | Skipped) -> None:
        """One more picture, or why there is none."""
        if isinstance(found, Skipped):
            self.skipped.append(found)
        else:
            self.keys.append(key)
            self.pixels.append(found)


def pieces(pictures: Iterable[Given], size: Callable[[], int]) -> Iterator[list[Given]]:
    """The pictures unread, `size()` at a time, the last time fewer."""
    rest = iter(pictures)
    while piece := list(islice(rest, size())):
        yield piece


def read(pictures: Sequence[Given], prepare: Prepare) -> Batch:
    """One after the other, all that `prepare` does not refuse."""
    batch = Batch()
    for key, source in pictures:
        batch.add(key, _read(key, source, prepare))
    return batch


def batches(pictures: Iterable[Given], prepare: Prepare, size: Callable[[], int]) -> Iterator[Batch]:
    """Batches of `size()` pictures, the last one shorter, while the next two are being read on threads.

    What `prepare` refuses is skipped and takes no place.
    """
    batch = Batch()
    reads = map_in_order(
        lambda one: (one[0], _read(*one, prepare)), pictures, n_threads=min(MOST_THREADS, cores()), ahead=2 * size()
    )
    for key, found in reads:
        batch.add(key, found)
        if len(batch.keys) >= size():
            yield batch
            batch = Batch()
    if batch.keys or batch.skipped:
        yield batch


def _read(key: str, source: PictureSource, prepare: Prepare) -> Pixels | Skipped:
    try:
        return prepare(source)
    except PictureRefused as refused:
        return Skipped(key, refused.message, refused.code)


def rgb_of(source: PictureSource) -> Image:
    """The picture upright, RGB, on white. Raises PictureRefused."""
    image = read_rgb(source, max_pixels=MOST_PIXELS)
    if max(image.size) > NARROWEST * min(image.size):
        raise PictureRefused("too_narrow", TOO_NARROW, {"w": image.width, "h": image.height})
    return image
