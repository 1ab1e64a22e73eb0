"""Majority, Dawid-Skene and MACE against crowd-kit on what real people said: photographs, sentences, ratings, ConQA.

Where both begin alike and go equally many rounds, they are equal to rounding. As shipped they differ for three reasons:
our smoothing, which doubts who judged little; another rule of when to stop (crowd-kit's likelihood ends Welinder's
birds after two rounds); MACE's draws, for fifty rounds come near the top of a hill and not onto it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote

from backend.methods.aggregation import fit_dawid_skene, fit_mace
from backend.methods.aggregation.mace import Start, run_from
from backend.methods.aggregation.vote_sums import Floats, normalised, vote_shares
from backend.methods.consensus import LABELS, Votes, majority
from backend.methods.foreign.columns import USUAL, Columns
from backend.methods.foreign.reading import PairVotes, Rows, read_judgments
from backend.methods.judgments import Judgments, code_judgments
from nightly import nightly

NEVER_CONVERGED = -np.inf
RATINGS = Columns("context,img_id,description", "anon_worker_id", "q_overall.postimg")
N_VOTERS = 40  # of ConQA, who are not named

pytestmark = [pytest.mark.shared_data, pytest.mark.filterwarnings("ignore::DeprecationWarning")]  # crowd-kit, pandas 3


def said(shared_data: Path, file: str, columns: Columns = USUAL) -> Judgments:
    read = read_judgments((shared_data / file).read_bytes(), columns)
    assert isinstance(read, Rows)
    return code_judgments(read.rows).judgments


def conqa_votes(shared_data: Path) -> PairVotes:
    read = read_judgments((shared_data / "conqa" / "mturk.json").read_text(encoding="utf-8"))
    assert isinstance(read, PairVotes)
    return read


def conqa(shared_data: Path) -> Judgments:
    """ConQA's votes, each pair's dealt to different voters: who they were is not released."""
    counts, dice = conqa_votes(shared_data).counts, np.random.default_rng(1)
    items = np.repeat(np.arange(len(counts)), counts.sum(axis=1))
    voters = np.concatenate([dice.permutation(N_VOTERS)[:n] for n in counts.sum(axis=1)])
    labels = np.concatenate([np.repeat(np.arange(3), row) for row in counts])
    return Judgments(items, voters, labels, len(counts), N_VOTERS, 3)


SETS: dict[str, Callable[[Path], Judgments]] = {
    "entailment": lambda folder: said(folder, "crowd_rte_temp/rte_labels.csv"),
    "birds": lambda folder: said(folder, "bluebirds_ducks/bluebirds_labels.yaml"),
    "sentences": lambda folder: said(folder, "nlvr/nlvr_dev.jsonl.gz"),
    "ratings": lambda folder: said(folder, "context_descriptions/sighted_data_all.csv", RATINGS),
    "conqa": conqa,
}
SIZES = {
    "entailment": (8000, 800, 164, 2), "birds": (4212, 108, 39, 2), "sentences": (4945, 989, 10, 3),
    "ratings": (1102, 272, 58, 5), "conqa": (29650, 8407, 40, 3),
}  # fmt: skip


@pytest.fixture(scope="module", params=[*(name for name in SETS if name != "conqa"), nightly("conqa")])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def judged(name: str, shared_data: Path) -> Judgments:
    """A set, numbered as crowd-kit meets it: its MACE sums by name in one place and by order in another."""
    told = SETS[name](shared_data)
    items, annotators, labels = (
        pd.factorize(each)[0].astype(np.int64) for each in (told.items, told.annotators, told.labels)
    )
    return Judgments(items, annotators, labels, told.n_items, told.n_annotators, told.n_labels)


@pytest.fixture(scope="module")
def table(judged: Judgments) -> pd.DataFrame:
    return pd.DataFrame({"task": judged.items, "worker": judged.annotators, "label": judged.labels})


def posterior(found: Any, judged: Judgments) -> Floats:
    """Crowd-kit's table of probabilities, (items, labels)."""
    return np.asarray(
        found.reindex(index=range(judged.n_items), columns=range(judged.n_labels)).fillna(0), dtype=np.float64
    )


def n_other(one: Floats, other: Floats) -> int:
    """How many items have another label by the one than by the other."""
    return int((one.argmax(axis=1) != other.argmax(axis=1)).sum())


def crowd_kits_start(judged: Judgments) -> Start:
    """What its MACE draws for `random_state` 0: both tables from the same numbers."""
    widths = (2, judged.n_labels)
    drawn = [scipy.stats.uniform(1, 1.5).rvs(size=(judged.n_annotators, width), random_state=0) for width in widths]
    return Start(normalised(drawn[0]), normalised(drawn[1]))


def test_the_set_is_whole_and_its_shares_of_votes_are_those_of_crowd_kit(
    name: str, judged: Judgments, table: pd.DataFrame
) -> None:
    assert (len(judged), judged.n_items, judged.n_annotators, judged.n_labels) == SIZES[name]
    theirs = posterior(MajorityVote().fit_predict_proba(table), judged)
    assert vote_shares(judged) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize("n_rounds", [1, 5, 30])
def test_dawid_skene_is_that_of_crowd_kit_after_as_many_rounds(
    judged: Judgments, table: pd.DataFrame, n_rounds: int
) -> None:
    theirs = posterior(DawidSkene(n_iter=n_rounds, tol=NEVER_CONVERGED).fit(table).probas_, judged)
    ours = fit_dawid_skene(judged, smoothing=0, tolerance=NEVER_CONVERGED, max_rounds=n_rounds).posterior
    assert ours == pytest.approx(theirs, abs=1e-6)
    assert n_other(ours, theirs) == 0


@pytest.mark.nightly
@pytest.mark.parametrize("n_rounds", [5, 50])
def test_mace_is_that_of_crowd_kit_from_its_start(judged: Judgments, table: pd.DataFrame, n_rounds: int) -> None:
    theirs = posterior(MACE(n_restarts=1, n_iter=n_rounds).fit(table).probas_, judged)
    ours = run_from(judged, crowd_kits_start(judged), n_rounds=n_rounds).posterior
    assert ours == pytest.approx(theirs, abs=1e-9)


OTHERS_AS_SHIPPED = {  # items that may have another label than by crowd-kit: Dawid-Skene, MACE
    "entailment": (2, 2), "birds": (2, 1), "sentences": (2, 1), "ratings": (60, 8), "conqa": (300, 10),
}  # fmt: skip


@pytest.mark.nightly
def test_as_shipped_smoothing_and_starts_change_few_labels(name: str, judged: Judgments, table: pd.DataFrame) -> None:
    """Both after 100 rounds. Ratings of five points by 58 people with 19 each are too few for 25 cells a person: there
    smoothing decides. Of ConQA's voters, who are dealt, none is better than another, and the likelihood is flat."""
    skene = posterior(DawidSkene(n_iter=100, tol=NEVER_CONVERGED).fit(table).probas_, judged)
    mace = posterior(MACE(n_restarts=1, n_iter=50).fit(table).probas_, judged)
    ours = fit_dawid_skene(judged, tolerance=NEVER_CONVERGED, max_rounds=100).posterior
    found = n_other(ours, skene), n_other(fit_mace(judged).posterior, mace)
    assert all(n <= most for n, most in zip(found, OTHERS_AS_SHIPPED[name], strict=True)), found


@pytest.mark.nightly
@pytest.mark.parametrize("smoothing", [0, 0.1])
def test_dawid_skene_reaches_its_fixed_point_on_every_set(judged: Judgments, smoothing: float) -> None:
    """Of ConQA's votes crowd-kit's 100 rounds are far from it: 3,000 more change hundreds of labels."""
    fitted = fit_dawid_skene(judged, smoothing=smoothing)
    once_more = fit_dawid_skene(
        judged, smoothing=smoothing, tolerance=NEVER_CONVERGED, max_rounds=len(fitted.history) + 50
    )
    assert fitted.converged
    assert once_more.posterior == pytest.approx(fitted.posterior, abs=1e-6)


def test_the_majority_of_conqas_votes_is_crowd_kits_where_no_two_labels_lead(shared_data: Path) -> None:
    counts = conqa_votes(shared_data).counts
    ours = [majority(Votes(*map(int, row))) for row in counts]
    judged = conqa(shared_data)
    table = pd.DataFrame({"task": judged.items, "worker": judged.annotators, "label": judged.labels})
    theirs = MajorityVote().fit_predict(table).sort_index()
    leading = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1)
    assert [label is None for label in ours] == (leading > 1).tolist()
    assert all(label in (None, LABELS[best]) for label, best in zip(ours, theirs, strict=True))
