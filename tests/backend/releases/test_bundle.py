"""The files of a release are written as they come: ten times the images take no more memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.methods.export_rows import ReleasedCaption, ReleasedImage
from backend.releases.bundle import SPOOL, Bundle

JUDGED = (("1", "good"), ("2", "good"))


def images(n: int) -> Iterator[ReleasedImage]:
    terms = {"licence": "CC0-1.0", "licence_url": "", "author": "", "title": "", "source_url": "", "attribution": ""}
    for at in range(n):
        captions = tuple(
            ReleasedCaption(
                f"{at:030}{k:02}", k, f"{at} {k} " * 8, "raw", "human", "", 2, 0, 0, (("1", "good"), ("2", "good"))
            )
            for k in range(1, 6)
        )
        facts = {"width": 1, "height": 1, "format": "PNG", "n_bytes": 1, "perceptual_hash": "0"}
        yield ReleasedImage(
            f"{at:064}", str(at), **facts, **terms, method="all", mean_similarity=0.1, captions=captions
        )


def peak(folder: Path, n: int) -> int:
    """Bytes that writing n images holds at most."""
    folder.mkdir()
    tracemalloc.start()
    with Bundle(folder) as bundle:
        for image in images(n):
            bundle.add(image)
        bundle.finish(
            lambda counts, licences: DESCRIPTION | {"counts": counts, "licences": licences},
            lambda content, manifest, images: ("1.0.0", "# Changelog\n"),
        )
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held


PROJECT = {"name": "N", "slug": "n", "direction": "captions_of_image", "guidelines_sha256": ""}
DESCRIPTION = {"project": PROJECT, "policy": "majority/1", "stages": {}, "difficulty": None}


@pytest.mark.nightly
def test_memory_stays_flat(tmp_path: Path) -> None:
    """Kept, the rows of 2,700 more images would be 6 MB."""
    assert peak(tmp_path / "many", 3000) < peak(tmp_path / "few", 300) + 2 * 2**20


def test_the_spool_with_the_peoples_own_ids_is_gone_in_the_end(tmp_path: Path) -> None:
    peak(tmp_path / "one", 1)
    assert not (tmp_path / "one" / SPOOL).exists()
