"""Dawid-Skene or MACE over all judgments of a project that count: the models look at everything at once.

They are fitted anew when a stage is taken up again, from the same judgments in the same order, and so come out alike;
`Fitted.digest` names what they were fitted to. A judgment is three numbers in memory, whatever its row holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from backend.annotation.selectors import counted_judgments
from backend.common.errors import InvalidInput
from backend.common.labels import Label
from backend.curation.models import Method
from backend.curation.services import DECIMALS
from backend.methods.aggregation import fit_dawid_skene, fit_mace
from backend.methods.aggregation.dawid_skene import MOST_ROUNDS, SMOOTHING, TOLERANCE
from backend.methods.aggregation.vote_sums import UNKNOWN
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments
from backend.people.models import User
from backend.projects.models import Project

CHUNK = 20_000
RESTARTS, MACE_ROUNDS = 10, 50
PLACE = {str(label): place for place, label in enumerate(LABELS)}
OURS = "written for Connote (backend/methods/aggregation), held against crowd-kit 1.4.2 by its tests"
Ints = NDArray[np.int64]


class NothingShared(InvalidInput):
    """No pair has two answers, which Dawid-Skene and MACE need. Use the majority, or ask for more answers."""

    code = "nothing_shared"


@dataclass(frozen=True)
class Fitted:
    """The posterior (n, 3) of the pairs (n,), ascending, and what there is to tell of the fit."""

    pairs: Ints
    posterior: NDArray[np.float64]
    digest: str
    log: str

    def of(self, pair: int) -> dict[Label, float] | None:
        """What the model says of a pair; None where nobody judged it."""
        at = int(np.searchsorted(self.pairs, pair))
        if at == len(self.pairs) or self.pairs[at] != pair:
            return None
        return {Label(label): float(share) for label, share in zip(LABELS, self.posterior[at], strict=True)}


def fit(*, project: Project, method: Method, until: int, seed: int, verdicts: Mapping[int, str]) -> Fitted | None:
    """Fit a model to the judgments that count at judgment `until`; labels that a verdict settled are held fixed.

    None for the majority, which has no model, and where nothing is judged. Raises NothingShared.
    """
    rows = _rows(project, until) if method != Method.MAJORITY else np.empty((0, 3), dtype=np.int64)
    if not len(rows):
        return None
    pairs, judgments = _judgments(rows)
    known = np.array([PLACE[verdicts[pair]] if pair in verdicts else UNKNOWN for pair in pairs.tolist()])
    if (judgments.counts().sum(axis=1) + (known != UNKNOWN)).max() < 2:  # a verdict is a second word on its pair
        raise NothingShared()
    posterior, log = _mace(judgments, known, seed) if method == Method.MACE else _dawid_skene(judgments, known)
    digest = hashlib.sha256(rows.tobytes() + known.tobytes()).hexdigest()
    return Fitted(
        pairs, np.round(posterior, DECIMALS), digest, f"{log} {_overturned(judgments, known, posterior)}; {OURS}."
    )


def _rows(project: Project, until: int) -> Ints:
    """Rows (pair, annotator, label), by pair and then by the annotator's name: ids differ between two databases, and
    MACE draws where it begins annotator by annotator."""
    counted = counted_judgments(project=project, until=until).order_by()
    columns = counted.values_list("candidate_id", "annotator_id", "label").iterator(chunk_size=CHUNK)
    chunks = [np.empty((0, 3), dtype=np.int64)]
    while chunk := [(pair, person, PLACE[label]) for pair, person, label in islice(columns, CHUNK)]:
        chunks.append(np.array(chunk, dtype=np.int64))
    rows = np.concatenate(chunks)
    rows[:, 1] = _ranks(rows[:, 1])
    return np.ascontiguousarray(rows[np.lexsort([rows[:, 1], rows[:, 0]])])


def _ranks(people: Ints) -> Ints:
    """Each annotator's place among the names of all."""
    known, place = np.unique(people, return_inverse=True)
    names = dict(User.objects.filter(pk__in=known.tolist()).values_list("pk", "username"))
    order = np.argsort(np.argsort([names[person] for person in known.tolist()]))
    return np.asarray(order[place], dtype=np.int64)


def _judgments(rows: Ints) -> tuple[Ints, Judgments]:
    pairs, items = np.unique(rows[:, 0], return_inverse=True)
    people = rows[:, 1]
    return pairs, Judgments(items, people, rows[:, 2], len(pairs), int(people.max()) + 1, len(LABELS))


def _dawid_skene(judgments: Judgments, known: Ints) -> tuple[NDArray[np.float64], str]:
    fitted = fit_dawid_skene(judgments, known=known)
    ended = "at its fixed point" if fitted.converged else f"before its fixed point, last change {fitted.moved:.1g}"
    return fitted.posterior, (
        f"Dawid-Skene, smoothing {SMOOTHING}, tolerance {TOLERANCE}, at most {MOST_ROUNDS:,} rounds: stopped after "
        f"{len(fitted.history)}, {ended}, on {_sizes(judgments, known)}, log-likelihood {fitted.log_likelihood:.3f},"
    )


def _mace(judgments: Judgments, known: Ints, seed: int) -> tuple[NDArray[np.float64], str]:
    fitted = fit_mace(judgments, seed=seed, n_restarts=RESTARTS, n_rounds=MACE_ROUNDS, known=known)
    return fitted.posterior, (
        f"MACE, seed {seed}, {RESTARTS} restarts of {MACE_ROUNDS} rounds, on {_sizes(judgments, known)}, "
        f"log-likelihood {fitted.log_likelihood:.3f},"
    )


def _overturned(judgments: Judgments, known: Ints, posterior: NDArray[np.float64]) -> str:
    """How many majorities the model is against. If it is many, there are too few votes to weigh the annotators, and the
    majority may be right."""
    counts = judgments.counts()
    most = counts == counts.max(axis=1, keepdims=True)
    has_majority = (most.sum(axis=1) == 1) & (known == UNKNOWN)
    against = has_majority & (posterior.argmax(axis=1) != counts.argmax(axis=1))
    return f"against {int(against.sum()):,} of {int(has_majority.sum()):,} majorities"


def _sizes(judgments: Judgments, known: Ints) -> str:
    n_known = int((known != UNKNOWN).sum())
    return f"{len(judgments):,} judgments of {judgments.n_items:,} pairs, {n_known:,} of them settled by a verdict"
