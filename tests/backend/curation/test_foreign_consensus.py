"""What people said elsewhere, imported as judgments of a project: its consensus is crowd-kit's on the same rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote

from backend.curation.models import Consensus
from backend.foreign.services import import_judgments
from backend.methods.foreign.reading import tell_judgments
from backend.methods.foreign.told import Told
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from world import make_world

N_BIRDS, N_WORKERS = 108, 39

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # crowd-kit, pandas
    pytest.mark.nightly,
]


@pytest.fixture
def told(shared_data: Path, project: Project) -> list[Told]:
    """What 39 people said of 108 photographs, each a pair of the project."""
    file = shared_data / "bluebirds_ducks" / "bluebirds_labels.yaml"
    said = tell_judgments(file.read_text(encoding="utf-8"))
    keys = [pair.key for pair in make_world(project, images=N_BIRDS // 6, captions=6).pairs]
    key_of = dict(zip(sorted({each.task for each in said}), keys, strict=True))
    return [each._replace(task=key_of[each.task]) for each in said]


@pytest.fixture
def rows(project: Project, told: list[Told]) -> pd.DataFrame:
    """The same rows as crowd-kit takes them, once they are imported."""
    found = import_judgments(project=project, told=told)
    assert (found.n_new, found.n_people, found.refused) == (N_BIRDS * N_WORKERS, N_WORKERS, [])
    label = {"True": "good", "False": "bad"}
    return pd.DataFrame(
        [(each.task, each.worker, label[each.label]) for each in told], columns=["task", "worker", "label"]
    )


def crowd_kits(oracle: Any, rows: pd.DataFrame) -> dict[str, str]:
    """Its labels by key. It meets numbers in their order, for its MACE sums by name in one place and by order in
    another: by these very names 13 birds were other ones."""
    numbered = {name: pd.factorize(column) for name, column in rows.items()}
    found = oracle.fit_predict(pd.DataFrame({name: places for name, (places, _) in numbered.items()}))
    keys, said = numbered["task"][1], numbered["label"][1]
    return {keys[task]: said[label] for task, label in found.items()}


def labels() -> dict[str, str | None]:
    return dict(Consensus.objects.values_list("candidate__key", "label"))


@pytest.mark.parametrize(
    ("method", "oracle", "most"),
    [
        ("majority", MajorityVote(), 0),
        ("dawid_skene", DawidSkene(n_iter=100, tol=-np.inf), 2),
        ("mace", MACE(n_restarts=1, n_iter=50), 2),
    ],
)
def test_the_consensus_of_imported_judgments_is_that_of_crowd_kit(
    project: Project, rows: pd.DataFrame, run_stage: Callable[..., Run], method: str, oracle: Any, most: int
) -> None:
    run = run_stage(project, "consensus", method=method)
    assert run.status == RunStatus.SUCCEEDED, run.error
    theirs, ours = crowd_kits(oracle, rows), labels()
    assert len(ours) == N_BIRDS
    others = {key: (ours[key], said) for key, said in theirs.items() if ours[key] != said}
    assert len(others) <= most, others
