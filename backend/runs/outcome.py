"""Whether an import took anything: one that took nothing did not succeed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.common.errors import InvalidInput

TAKEN = ("out", "already_there", "known", "queries")  # counts of what the project has now, new or not
THERE = "same_picture"  # the reason by which an image is ignored that the project has under another id
STARTS_AGAIN = ("all_rejected", "no_images_in_source", "no_captions_in_source", "no_queries_in_source")


class AllRejected(InvalidInput):
    """Nothing was imported, because every row was rejected. Look at the reasons."""

    code = "all_rejected"


class NoImages(InvalidInput):
    """The source has no images. Choose another file, or another format."""

    code = "no_images_in_source"


class NoCaptions(InvalidInput):
    """The source has no captions. Choose another file, or another format."""

    code = "no_captions_in_source"


class NoQueries(InvalidInput):
    """The source has no queries. Choose another file."""

    code = "no_queries_in_source"


def check_outcome(counts: Mapping[str, Any], *, empty: type[InvalidInput]) -> None:
    """Raises AllRejected, or `empty` where there were no rows, if the project has nothing of a source that was read."""
    is_there = any(counts.get(name) for name in TAKEN) or counts.get("ignored", {}).get(THERE)
    if not is_there:
        raise AllRejected() if counts.get("dropped") else empty()
