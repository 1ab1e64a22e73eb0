"""How large a picture's thumbnails are: drawn by the workers, announced by the API, the same arithmetic for both."""

from __future__ import annotations

SMALL, LARGE = 320, 1280  # pixels of the longest side


def fit_within(width: int, height: int, longest: int) -> tuple[int, int]:
    """The size whose longest side is `longest` pixels, sides at least one; a smaller picture is not blown up.

    >>> fit_within(4000, 3000, 320)
    (320, 240)
    """
    side = max(width, height)
    if side <= longest:
        return width, height
    return max(1, round(width * longest / side)), max(1, round(height * longest / side))
