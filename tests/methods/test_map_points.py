"""A map in bytes: what is packed is read back, and what is no map is refused."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from backend.methods.map_points import HEADER, MapPoints, Plane, check_of, pack, unpack


def plane(*ids: int, start: float = 0.0) -> Plane:
    places = np.array([(start + n / 3, start - n / 7) for n in range(len(ids))], dtype=np.float32).reshape(-1, 2)
    return Plane(np.array(ids, dtype=np.int64), places, np.arange(-1, len(ids) - 1, dtype=np.int32))


def test_a_packed_map_is_read_back_whole_with_ids_beyond_32_bits() -> None:
    checks = np.array([check_of("a dog"), check_of("a dög")], dtype=np.uint32)
    given = MapPoints(plane(3, 2**40 + 1, 2**53), plane(1, 9, start=-4), checks)
    found = unpack(pack(given))
    for mine, theirs in ((given.images, found.images), (given.captions, found.captions)):
        assert mine.ids.tolist() == theirs.ids.tolist()
        assert mine.places.tolist() == theirs.places.tolist()
        assert mine.clusters.tolist() == theirs.clusters.tolist()
    assert found.checks.tolist() == checks.tolist()


def test_the_bytes_lie_where_a_browser_looks_for_them() -> None:
    packed = pack(MapPoints(plane(7), plane(8, 9, start=2), np.zeros(2, dtype=np.uint32)))
    assert struct.unpack_from("<8sII3d", packed) == (b"CONMAP1\0", 1, 2, 7.0, 8.0, 9.0)
    assert struct.unpack_from("<3f", packed, HEADER.size + 3 * 8) == (0.0, 2.0, np.float32(2 + 1 / 3))
    assert struct.unpack_from("<3i", packed, HEADER.size + 3 * 16) == (-1, -1, 0)


def test_an_empty_map_is_a_map() -> None:
    found = unpack(pack(MapPoints(plane(), plane(), np.zeros(0, dtype=np.uint32))))
    assert (len(found.images), len(found.captions)) == (0, 0)


@pytest.mark.parametrize("spoil", [lambda b: b[:-1], lambda b: b + b"\0", lambda b: b"X" + b[1:], lambda b: b[:5]])
def test_what_is_no_map_is_refused(spoil: object) -> None:
    packed = pack(MapPoints(plane(1), plane(2), np.zeros(1, dtype=np.uint32)))
    with pytest.raises(ValueError, match="no map"):
        unpack(spoil(packed))  # type: ignore[operator]


def test_a_place_that_is_no_number_is_refused() -> None:
    bad = plane(1)
    bad.places[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        pack(MapPoints(bad, plane(), np.zeros(0, dtype=np.uint32)))
