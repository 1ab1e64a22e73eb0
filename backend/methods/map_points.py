"""The places of a map in one block of bytes, which a browser reads as typed arrays without a parser.

Little-endian, in this order: the 8 bytes of MAGIC, two uint32 (images, captions), then one number for each point, the
images first: ids as float64, x as float32, y as float32, clusters as int32 (-1 for none). Last, one uint32 for each
caption: the CRC-32 of the text that was laid out, which shows whether the text has changed since.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAGIC = b"CONMAP1\0"
HEADER = struct.Struct("<8sII")
PER_POINT, PER_CAPTION = 8 + 4 + 4 + 4, 4
NO_CLUSTER = -1


@dataclass(frozen=True)
class Plane:
    """Points of one kind: ids ascending int64 (n,), places float32 (n, 2), clusters int32 (n,)."""

    ids: NDArray[np.int64]
    places: NDArray[np.float32]
    clusters: NDArray[np.int32]

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.ids)


@dataclass(frozen=True)
class MapPoints:
    """Both planes. `checks` uint32 (n captions,) are those of the captions' texts."""

    images: Plane
    captions: Plane
    checks: NDArray[np.uint32]


def check_of(text: str) -> int:
    """The CRC-32 of a text."""
    return zlib.crc32(text.encode())


def pack(points: MapPoints) -> bytes:
    """One block of bytes. Raises ValueError where a place is no number."""
    planes = (points.images, points.captions)
    places = np.concatenate([plane.places for plane in planes]).astype("<f4")
    if not np.isfinite(places).all():
        raise ValueError("A place on the map is NaN or infinite.")
    return b"".join(
        (
            HEADER.pack(MAGIC, len(points.images), len(points.captions)),
            np.concatenate([plane.ids for plane in planes]).astype("<f8").tobytes(),
            places[:, 0].tobytes(),
            places[:, 1].tobytes(),
            np.concatenate([plane.clusters for plane in planes]).astype("<i4").tobytes(),
            points.checks.astype("<u4").tobytes(),
        )
    )


def unpack(packed: bytes) -> MapPoints:
    """What `pack` was given. Raises ValueError where the bytes are no map, or not all of one."""
    if len(packed) < HEADER.size:
        raise ValueError("These bytes are no map.")
    magic, n_images, n_captions = HEADER.unpack_from(packed)
    n = n_images + n_captions
    if magic != MAGIC or len(packed) != HEADER.size + n * PER_POINT + n_captions * PER_CAPTION:
        raise ValueError("These bytes are no map.")
    at = HEADER.size
    columns = []
    for kind, length in (("<f8", n), ("<f4", n), ("<f4", n), ("<i4", n), ("<u4", n_captions)):
        columns.append(np.frombuffer(packed, dtype=kind, count=length, offset=at))
        at += columns[-1].nbytes
    ids, x, y, clusters, checks = columns
    places = np.column_stack((x, y))
    first, second = slice(None, n_images), slice(n_images, None)
    images, captions = (
        Plane(ids[part].astype(np.int64), places[part], clusters[part].astype(np.int32)) for part in (first, second)
    )
    return MapPoints(images, captions, checks.astype(np.uint32))
