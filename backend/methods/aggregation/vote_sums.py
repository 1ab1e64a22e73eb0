"""Judgments as a sparse table, one row per item and one column per (annotator, label): both models below are products
with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from backend.methods.judgments import Judgments

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
UNKNOWN = -1


def one_hot(judgments: Judgments) -> sparse.csr_array:
    """(n_items, n_annotators * n_labels), 1 where the annotator gave the item the label."""
    columns = judgments.annotators * judgments.n_labels + judgments.labels
    shape = (judgments.n_items, judgments.n_annotators * judgments.n_labels)
    return sparse.csr_array((np.ones(len(judgments)), (judgments.items, columns)), shape=shape)


def vote_shares(judgments: Judgments) -> Floats:
    """The share of each label among an item's votes, (n_items, n_labels); even where there is no vote."""
    counts = judgments.counts().astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / judgments.n_labels))


def with_known(posterior: Floats, known: Ints | None) -> Floats:
    """The posterior with the known items' labels put in, for sure; `known` is (n_items,), -1 where nothing is known.

    Raises ValueError where `known` is of another length or names no label.
    """
    if known is None:
        return posterior
    n_items, n_labels = posterior.shape
    if known.shape != (n_items,) or (known < UNKNOWN).any() or (known >= n_labels).any():
        raise ValueError(f"Known labels are one number per item, -1 to {n_labels - 1}, for {n_items} items.")
    fixed = known != UNKNOWN
    settled = posterior.copy()
    settled[fixed] = np.eye(n_labels)[known[fixed]]
    return settled


def posterior_of(log_joint: Floats) -> tuple[Floats, Floats]:
    """log P(votes, label) of each item (n, k) as P(label | votes), (n, k), and log P(votes), (n,).

    Label by label: numpy goes through rows of three numbers one at a time, in several times as long.
    """
    by_label = np.ascontiguousarray(log_joint.T)
    largest = by_label.max(axis=0)
    by_label -= largest
    np.exp(by_label, out=by_label)
    total = by_label.sum(axis=0)
    by_label /= total
    return np.ascontiguousarray(by_label.T), np.asarray(largest + np.log(total))


def normalised(rows: Floats) -> Floats:
    """Rows (..., n) that add up to one."""
    return np.asarray(rows / rows.sum(axis=-1, keepdims=True))
