"""What a corpus keeps of a picture beside its vector: its size and its pHash, from one decoding."""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.methods.thumbnails import SMALL
from workers.engines.image_feed import rgb_of
from workers.engines.perceptual_hash import perceptual_hash
from workers.engines.pictures import fitted
from workers.engines.protocols import PictureSource

DECODED_AT_MOST = 4_000_000  # pixels; a larger picture waits as the bytes it came in and is decoded once more


@dataclass(frozen=True)
class Seen:
    """A picture that could be decoded: pixels upright, the pHash as 64 bits, and what an encoder is given."""

    width: int
    height: int
    perceptual_hash: int
    source: PictureSource = field(repr=False)


def see(data: bytes) -> Seen:
    """The picture in `data`. Raises PictureRefused.

    The hash is taken from the small thumbnail's size, as that of an imported image is, so that both can be compared.
    """
    image = rgb_of(data)
    image.info = {}  # it is upright by now: an encoder that looked at its EXIF would turn it once more
    phash = int(perceptual_hash(fitted(image, SMALL)), 16)
    is_small = image.width * image.height <= DECODED_AT_MOST
    return Seen(image.width, image.height, phash, image if is_small else data)
