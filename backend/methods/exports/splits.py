"""Seeded splits of images into train, validation and test. Near-duplicate images are always in the same split.

Two images are near-duplicates when their perceptual hashes differ in at most 4 of 64 bits, as in `leakage`. A chain of
such pairs is one group. The groups lie in an order that the seed draws, and the shares cut this order, so that a new
image moves few others.

>>> draw_splits(["a1", "b2", "c3"], ["0" * 16, "f" * 16, "0" * 15 + "1"], Shares(50, 0, 50), seed=1)
{'a1': 'test', 'b2': 'train', 'c3': 'test'}
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from backend.methods.exports.choices import SPLITS, Shares
from backend.methods.leakage import hashes_near, read_hashes


def draw_splits(digests: Sequence[str], hashes: Sequence[str], shares: Shares, *, seed: int) -> dict[str, str]:
    """The split of each image by its digest. `hashes` are the perceptual hashes, 16 hexadecimal digits each.

    Raises ValueError for a hash that is none.
    """
    if not digests:
        return {}
    groups = group_near(hashes)
    first: dict[int, str] = {}
    for group, digest in zip(groups.tolist(), digests, strict=True):
        first[group] = min(first.get(group, digest), digest)
    order = sorted(first, key=lambda group: hashlib.sha256(f"{seed} {first[group]}".encode()).digest())
    sizes, ends = np.bincount(groups), np.cumsum(shares)
    split_of, before = dict[int, str](), 0
    for group in order:
        middle = 100 * (before + sizes[group] / 2) / len(digests)
        split_of[group] = SPLITS[min(int(np.searchsorted(ends, middle, side="right")), len(SPLITS) - 1)]
        before += sizes[group]
    return {digest: split_of[group] for digest, group in zip(digests, groups.tolist(), strict=True)}


def group_near(hashes: Sequence[str]) -> NDArray[np.int64]:
    """A number (n,) for each hash: equal where a chain of near-duplicates joins two images."""
    values, places = np.unique(read_hashes(hashes), return_inverse=True)
    near = hashes_near(values, values)
    shape = (len(values), len(values))
    joined = coo_array((np.ones(len(near.targets), dtype=np.bool_), (near.targets, near.images)), shape=shape)
    groups: NDArray[np.int64] = connected_components(joined, directed=False)[1].astype(np.int64)[places]
    return groups
