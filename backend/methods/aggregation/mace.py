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
from scipy import sparse
from scipy.special import digamma

from backend.methods.aggregation.vote_sums import Floats, Ints, normalised, one_hot, with_known
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
    votes = one_hot(judgments)
    sources, habits = start.sources, start.habits
    found = _expect(votes, judgments, sources, habits, known)
    for _ in range(n_rounds):
        sources = _variational(found.by_source, KNOWING_PRIOR)
        habits = _variational(found.by_habit, HABIT_PRIOR)
        found = _expect(votes, judgments, sources, habits, known)
    counts = found.by_source + KNOWING_PRIOR
    likelihood = found.log_likelihood
    return Mace(
        found.posterior, counts[:, 1] / counts.sum(axis=1), normalised(habits), likelihood, (likelihood,), seed=0
    )


@dataclass(frozen=True)
class _Expected:
    posterior: Floats
    by_source: Floats  # (a, 2): how many answers came from habit, how many from knowledge
    by_habit: Floats  # (a, k): how often habit said which label
    log_likelihood: float


def _expect(
    votes: sparse.csr_array, judgments: Judgments, sources: Floats, habits: Floats, known: Ints | None
) -> _Expected:
    """E: what each answer came from, given the labels, given the answers."""
    who, said, k = judgments.annotators, judgments.labels, judgments.n_labels
    log_joint, log_item = _joint(votes, judgments, sources, habits)
    posterior = with_known(np.exp(log_joint - log_item[:, None]), known)
    by_habit, by_knowledge = sources[who, 0] * habits[who, said], sources[who, 1]
    right = posterior[judgments.items, said]  # the answer is the label
    knew = right * by_knowledge / (by_habit + by_knowledge)
    from_habit = np.bincount(who * k + said, weights=1 - knew, minlength=judgments.n_annotators * k)
    by_label = from_habit.astype(np.float64).reshape(-1, k)
    knowing = np.bincount(who, weights=knew, minlength=judgments.n_annotators)
    log_likelihood = float((log_item[votes.sum(axis=1) > 0]).sum())
    return _Expected(posterior, np.column_stack([by_label.sum(axis=1), knowing]), by_label, log_likelihood)


def _joint(votes: sparse.csr_array, judgments: Judgments, sources: Floats, habits: Floats) -> tuple[Floats, Floats]:
    """log P(votes, label) as (n_items, k), and log P(votes) as (n_items,)."""
    k = judgments.n_labels
    by_habit = (sources[:, :1] * habits)[:, :, None]  # (a, said, 1)
    of_answers = np.log(by_habit + sources[:, 1, None, None] * np.eye(k))  # (a, said, true)
    log_joint = votes @ of_answers.reshape(-1, k) - np.log(k)
    return np.asarray(log_joint), np.asarray(np.logaddexp.reduce(log_joint, axis=1))


def _variational(counts: Floats, prior: float) -> Floats:
    raised = counts + prior
    return np.asarray(np.exp(digamma(raised) - digamma(raised.sum(axis=1, keepdims=True))))
