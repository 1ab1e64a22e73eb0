"""Exact nearest neighbours on the card: those of the processor, and how many queries in a second."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from measuring import Row, Setup, environment

from workers.engines import devices
from workers.engines.card_search import CardFlat
from workers.engines.protocols import Vectors
from workers.engines.rows import ArrayRows, Ids, as_unit

D, K, QUERIES = 512, 50, 256
SLACK = 1e-5  # by how much a single-precision similarity may be off; nearer ones are ties


class Flat:
    """An exact index by numpy, where FAISS may be missing."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def search(self, queries: Vectors, k: int) -> tuple[Vectors, Ids]:
        products = queries @ self.vectors.T
        best = np.argpartition(-products, k - 1, axis=1)[:, :k]
        order = np.take_along_axis(best, np.argsort(-np.take_along_axis(products, best, axis=1), axis=1), axis=1)
        return np.take_along_axis(products, order, axis=1), order

    def reconstruct_batch(self, ids: Ids) -> Vectors:
        return self.vectors[ids]


def neighbours(setup: Setup) -> Iterator[Row]:
    """Seeded vectors, as many as an exact index has at most. Raises whatever an engine raises."""
    n = 2_000 if setup.is_small else 100_000
    vectors, queries = (
        as_unit(np.random.default_rng(seed).normal(size=(count, D)).astype(np.float32), what="vector")
        for seed, count in ((1, n), (2, QUERIES))
    )
    subject, flat = f"exact search, {n:,} vectors of {D}", Flat(vectors)
    on_card = CardFlat(flat, setup.device, vectors.shape)
    yield same_neighbours(subject, on_card.search(queries, K), flat.search(queries, K))
    card = setup.rate(lambda: on_card.search(queries, K), QUERIES)
    numpy = setup.rate(lambda: flat.search(queries, K), QUERIES)
    yield Row(subject, f"queries per second, k = {K}", f"card {card:,.0f} / numpy {numpy:,.0f} = {card / numpy:.1f}")
    if find_spec("faiss"):
        yield from in_an_index(subject, setup, vectors, queries)


def in_an_index(subject: str, setup: Setup, vectors: Vectors, queries: Vectors) -> Iterator[Row]:
    """The same by the engine's index, which scores what either finds once more in double precision."""
    from workers.engines.index import build_index

    found: list[Any] = []
    rates = []
    for device in ("cpu", str(setup.device)):
        with environment(devices.DEVICE, device):
            index = build_index(setup.scratch / "index", ArrayRows(vectors))
            found.append(index.search(queries, K))
            rates.append(setup.rate(lambda index=index: index.search(queries, K), QUERIES))
    equal = all(np.array_equal(ours, theirs) for ours, theirs in zip(*found, strict=True))
    yield Row(f"{subject}, index", "same neighbours, order and cosines as by FAISS", str(equal), "True", equal)
    yield Row(
        f"{subject}, index",
        f"queries per second, k = {K}",
        f"card {rates[1]:,.0f} / FAISS {rates[0]:,.0f} = {rates[1] / rates[0]:.1f}",
    )


def same_neighbours(subject: str, ours: tuple[Vectors, Ids], theirs: tuple[Vectors, Ids]) -> Row:
    """Whether the card finds what the processor finds: other ids only where their similarities tie."""
    difference = float(np.abs(ours[0] - theirs[0]).max())
    both = (len(np.intersect1d(one, other)) for one, other in zip(ours[1], theirs[1], strict=True))
    shared = sum(both) / ours[1].size
    passed = difference <= SLACK and shared > 0.99
    found = f"{shared:.2%} of the ids, similarities differ by {difference:.0e}"
    return Row(subject, "same neighbours as the processor", found, f"all but ties of {SLACK:.0e}", passed)
