"""Dawid and Skene's model: every annotator has a confusion matrix, every label a prevalence, and EM finds both.

P(votes of item i, its label t) = p_t prod_a e_a[t, l_ia]. E: T_it is proportional to it. M: p = mean of T,
e_a[t, l] proportional to sum_i T_it [l_ia = l] + smoothing. It starts from the shares of the votes and stops at its
fixed point: when no posterior moves by more than `tolerance` in a round. The growth of the log-likelihood, by which
crowd-kit stops, is no such test: where the likelihood is flat, as with annotators of a few judgments each, many rounds
of hardly any growth still change many labels. 1e-8 a round leaves less than 1e-5 where a round takes a thousandth of
the way. RTE's 8,000 labels take 45 rounds, 300,000 of simulated people 142, the votes of ConQA 1,556.
Source: A. P. Dawid, A. M. Skene, Applied Statistics 28 (1979) 20-28, equations 2.3 to 2.5.

`smoothing` is added to every cell of a matrix: the mode under a Dirichlet(1 + smoothing) prior on its rows, and EM then
climbs likelihood times prior. 0 is the paper's, but it calls an annotator of three judgments infallible; an engine that
decides on the posterior whether to ask another person needs some doubt. 0.1 costs nothing on the sets whose accuracies
are published (a test says so): three of three make .94, thirty of thirty .99.
Labels that are known (controls, the head annotator's verdicts) are held fixed, as Dawid and Skene propose in section 4.

Hand-written, for crowd-kit brings pandas and transformers into the web image for these few lines; it is their oracle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from backend.methods.aggregation.vote_sums import (
    UNKNOWN,
    Floats,
    Ints,
    normalised,
    one_hot,
    posterior_of,
    vote_shares,
    with_known,
)
from backend.methods.judgments import Judgments

SMOOTHING = 0.1
TOLERANCE, MOST_ROUNDS = 1e-8, 5000
FLOOR = 1e-10  # so that a label never seen costs much and not everything


@dataclass(frozen=True)
class DawidSkene:
    """`posterior` (n_items, k), `prevalence` (k,), `confusions` (n_annotators, k true, k said), and the log-likelihood
    after each round, of judgments and, where there is smoothing, prior. `moved` is how far the posterior that moved
    most went in the last round, and `converged` that this is less than the tolerance. An annotator without judgments
    has even rows, an item without judgments the prevalence as its posterior."""

    posterior: Floats
    prevalence: Floats
    confusions: Floats
    history: tuple[float, ...]
    moved: float
    converged: bool

    @property
    def log_likelihood(self) -> float:
        return self.history[-1]

    @property
    def accuracies(self) -> Floats:
        """How likely each annotator says the true label, (n_annotators,)."""
        return np.asarray(np.einsum("att,t->a", self.confusions, self.prevalence))


def fit_dawid_skene(
    judgments: Judgments,
    *,
    smoothing: float = SMOOTHING,
    known: Ints | None = None,
    tolerance: float = TOLERANCE,
    max_rounds: int = MOST_ROUNDS,
) -> DawidSkene:
    """EM until no posterior moves by more than `tolerance`, or to `max_rounds`. Raises ValueError without a judgment,
    and on impossible settings."""
    if not len(judgments):
        raise ValueError("There is no judgment to learn from.")
    if smoothing < 0 or max_rounds < 1:
        raise ValueError(f"Smoothing is at least 0 and rounds at least 1, not {smoothing} and {max_rounds}.")
    votes, judged = one_hot(judgments), np.bincount(judgments.items, minlength=judgments.n_items) > 0
    posterior, history = with_known(vote_shares(judgments), known), list[float]()
    for _ in range(max_rounds):
        before = posterior
        prevalence, confusions = _maximise(votes, before, judged, judgments, smoothing)
        posterior, log_item = _expect(votes, prevalence, confusions, known)
        history.append(float(log_item.sum(where=judged)) + smoothing * float(np.log(confusions).sum()))
        moved = float(np.abs(posterior - before).max(where=judged[:, None], initial=0))
        if moved < tolerance:
            break
    return DawidSkene(posterior, prevalence, confusions, tuple(history), moved, moved < tolerance)


def _maximise(
    votes: sparse.csr_array, posterior: Floats, judged: NDArray[np.bool_], judgments: Judgments, smoothing: float
) -> tuple[Floats, Floats]:
    """Prevalence (k,) and confusions (a, true, said)."""
    said = np.asarray(votes.T @ posterior).reshape(judgments.n_annotators, judgments.n_labels, judgments.n_labels)
    confusions = normalised(np.maximum(said.transpose(0, 2, 1) + smoothing, FLOOR))
    return normalised(np.maximum(np.einsum("i,ik->k", judged, posterior) / judged.sum(), FLOOR)), confusions


def _expect(
    votes: sparse.csr_array, prevalence: Floats, confusions: Floats, known: Ints | None
) -> tuple[Floats, Floats]:
    """The posterior, and the log-likelihood of each item's votes, and of its known label with them."""
    k = len(prevalence)
    log_joint = np.log(prevalence) + votes @ np.log(confusions).transpose(0, 2, 1).reshape(-1, k)
    if known is not None:
        hidden = (known[:, None] != UNKNOWN) & (known[:, None] != np.arange(k))
        log_joint = np.where(hidden, -np.inf, log_joint)
    return posterior_of(log_joint)
