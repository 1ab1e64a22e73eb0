"""MACE: an annotator either knows an item's label or answers by a habit of their own; variational Bayes finds which.

With probability c_a annotator a says the true label t, otherwise a label drawn from the habit h_a; labels are equally
likely beforehand. Beta(1/2, 1/2) on knowing, Dirichlet(10) on habits, so that M is exp(digamma(count + prior)) over
exp(digamma(total)). EM only finds the nearest hill, hence `n_restarts` seeded starts, of which the likeliest is kept.
Source: D. Hovy, T. Berg-Kirkpatrick, A. Vaswani, E. Hovy, Learning Whom to Trust with MACE, NAACL-HLT 2013, section 2;
the priors are those of its released code and of crowd-kit. crowd-kit 1.4.2 is the oracle for one start (its restarts
all draw the same numbers); at run time it would bring pandas and transformers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import digamma

from backend.methods.aggregation.vote_sums import Floats, Ints, normalised, one_hot, posterior_of, with_known
from backend.methods.judgments import Judgments

KNOWING_PRIOR = 0.5
HABIT_PRIOR = 10.0
START_NOISE = 0.5


@dataclass(frozen=True)
class Start:
    """Where a run of EM begins: habit against knowledge (n_annotators, 2), rows adding up to one, and the habits
    (n_annotators, k)."""

    sources: Floats
    habits: Floats

    @classmethod
    def drawn(cls, n_annotators: int, n_labels: int, dice: np.random.Generator) -> Start:
        """Near even, by a seeded draw."""
        return cls(
            normalised(1 + START_NOISE * dice.random((n_annotators, 2))),
            normalised(1 + START_NOISE * dice.random((n_annotators, n_labels))),
        )


@dataclass(frozen=True)
class Mace:
    """`posterior` (n_items, k); `competence` (n_annotators,) = how often each knows, 1/2 without judgments; `habits`
    (n_annotators, k); the log-likelihood of the kept run, and of every run."""

    posterior: Floats
    competence: Floats
    habits: Floats
    log_likelihood: float
    of_restarts: tuple[float, ...]
    seed: int


def fit_mace(
    judgments: Judgments, *, seed: int = 0, n_restarts: int = 10, n_rounds: int = 50, known: Ints | None = None
) -> Mace:
    """The likeliest of `n_restarts` runs of `n_rounds` each; the first of equals. Raises ValueError without a judgment
    and on impossible settings."""
    if not len(judgments):
        raise ValueError("There is no judgment to learn from.")
    if n_restarts < 1 or n_rounds < 1:
        raise ValueError(f"MACE needs a start and a round, not {n_restarts} and {n_rounds}.")
    dice = np.random.default_rng(seed)
    starts = [Start.drawn(judgments.n_annotators, judgments.n_labels, dice) for _ in range(n_restarts)]
    runs = [run_from(judgments, start, n_rounds=n_rounds, known=known) for start in starts]
    best = max(runs, key=lambda run: run.log_likelihood)
    return Mace(**{**vars(best), "of_restarts": tuple(run.log_likelihood for run in runs), "seed": seed})


def run_from(judgments: Judgments, start: Start, *, n_rounds: int = 50, known: Ints | None = None) -> Mace:
    """One run of EM from a given start."""
    told = _Told.of(judgments, known)
    sources, habits = start.sources, start.habits
    found = _expect(told, sources, habits)
    for _ in range(n_rounds):
        sources = _variational(found.by_source, KNOWING_PRIOR)
        habits = _variational(found.by_habit, HABIT_PRIOR)
        found = _expect(told, sources, habits)
    counts = found.by_source + KNOWING_PRIOR
    likelihood = found.log_likelihood
    return Mace(
        found.posterior, counts[:, 1] / counts.sum(axis=1), normalised(habits), likelihood, (likelihood,), seed=0
    )


@dataclass(frozen=True)
class _Told:
    """What all rounds look at: the votes, who said what how often (a, k), which items have votes, what is known."""

    votes: sparse.csr_array
    said: Floats
    judged: NDArray[np.bool_]
    known: Ints | None

    @classmethod
    def of(cls, judgments: Judgments, known: Ints | None) -> _Told:
        votes, shape = one_hot(judgments), (judgments.n_annotators, judgments.n_labels)
        judged = np.bincount(judgments.items, minlength=judgments.n_items) > 0
        return cls(votes, np.asarray(votes.sum(axis=0)).reshape(shape), judged, known)


@dataclass(frozen=True)
class _Expected:
    posterior: Floats
    by_source: Floats  # (a, 2): how many answers came from habit, how many from knowledge
    by_habit: Floats  # (a, k): how often habit said which label
    log_likelihood: float


def _expect(told: _Told, sources: Floats, habits: Floats) -> _Expected:
    """E: what each answer came from, given the labels, given the answers. Of all answers of one person and label at
    once: they differ only in how likely the label is right."""
    (n_annotators, k), log_joint = told.said.shape, _joint(told.votes, sources, habits)
    posterior, log_item = posterior_of(log_joint)
    posterior = with_known(posterior, told.known)
    right = np.asarray(told.votes.T @ posterior).reshape(n_annotators, k, k)  # by what was said, by what is true
    by_habit, by_knowledge = sources[:, :1] * habits, sources[:, 1:]
    knew = np.einsum("ass->as", right) * by_knowledge / (by_habit + by_knowledge)
    from_habit = told.said - knew
    by_source = np.column_stack([from_habit.sum(axis=1), knew.sum(axis=1)])
    return _Expected(posterior, by_source, from_habit, float(log_item.sum(where=told.judged)))


def _joint(votes: sparse.csr_array, sources: Floats, habits: Floats) -> Floats:
    """log P(votes, label) as (n_items, k)."""
    k = habits.shape[1]
    by_habit = (sources[:, :1] * habits)[:, :, None]  # (a, said, 1)
    of_answers = np.log(by_habit + sources[:, 1, None, None] * np.eye(k))  # (a, said, true)
    return np.asarray(votes @ of_answers.reshape(-1, k) - np.log(k))


def _variational(counts: Floats, prior: float) -> Floats:
    raised = counts + prior
    return np.asarray(np.exp(digamma(raised) - digamma(raised.sum(axis=1, keepdims=True))))
