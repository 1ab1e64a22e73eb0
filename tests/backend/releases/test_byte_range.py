"""One range of a file, as RFC 9110 reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.releases.byte_range import ByteRange, UnsatisfiableRange, read_range


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-3", ByteRange(0, 3)),
        ("bytes=4-", ByteRange(4, 9)),
        ("bytes=-3", ByteRange(7, 9)),
        ("bytes=-30", ByteRange(0, 9)),
        ("bytes=8-99", ByteRange(8, 9)),
        ("bytes=9-9", ByteRange(9, 9)),
        (f"bytes=4-{'9' * 5000}", ByteRange(4, 9)),
        (f"bytes=-{'9' * 5000}", ByteRange(0, 9)),
        (f"bytes={'0' * 5000}4-{'0' * 5000}5", ByteRange(4, 5)),
        ("", None),
        ("bytes=", None),
        ("bytes=-", None),
        ("bytes=5-2", None),
        ("bytes=0-1,4-5", None),
        ("lines=0-3", None),
        ("bytes=a-b", None),
        ("bytes=٣-٤", None),
    ],
)
def test_a_range_is_read_and_what_is_none_is_ignored(header: str, part: ByteRange | None) -> None:
    assert read_range(header, n_bytes=10) == part


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=10-12", "bytes=-0", f"bytes={'9' * 5000}-"])
def test_a_range_outside_the_file_is_refused(header: str) -> None:
    with pytest.raises(UnsatisfiableRange):
        read_range(header, n_bytes=10)


def test_an_empty_file_has_no_ranges() -> None:
    with pytest.raises(UnsatisfiableRange):
        read_range("bytes=-5", n_bytes=0)


@given(st.integers(1, 500), st.integers(0, 600), st.integers(0, 600))
def test_a_range_never_leaves_the_file(n_bytes: int, first: int, last: int) -> None:
    try:
        part = read_range(f"bytes={first}-{last}", n_bytes=n_bytes)
    except UnsatisfiableRange:
        assert first >= n_bytes
    else:
        assert part is None or 0 <= part.first <= part.last < n_bytes
