"""Agreement over HTTP: live figures with intervals, n and prevalence, for reviewers and nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.people.models import User
from backend.projects.models import Project

Clients = Callable[..., APIClient]
AGREEMENT = "/api/v1/projects/skies/agreement"
ANNOTATORS = "/api/v1/projects/skies/agreement/annotators"


def mixed(image: int, caption: int, person: int) -> str:
    """They agree on two captions in three."""
    labels = ("good", "bad", "unsure")
    return labels[(image + caption) % 3] if (image * 6 + caption) % 3 else labels[(image + person) % 3]


@pytest.fixture
def judged(project: Project, make_judged: Callable[..., Project]) -> Project:
    return make_judged(project, images=6, captions=6, opinion=mixed)


def test_every_measure_comes_under_every_reading_with_interval_n_and_prevalence(
    client_of: Clients, dora: User, judged: Project
) -> None:
    answer = client_of(dora).get(AGREEMENT).json()
    assert (answer["scope"], answer["n_waiting"]) == ("overall", 0)
    [whole] = answer["slices"]
    assert (whole["n_judgments"], whole["n_pairs"], whole["draws"]["n_judgments"]) == (72, 36, 72)
    said = {(figure["measure"], figure["reading"]): figure for figure in whole["figures"]}
    assert set(said) == {
        ("cohen", "value"), ("cohen", "missing"), ("cohen_linear", "middle"), ("cohen_quadratic", "middle"),
        ("fleiss", "value"), ("fleiss", "missing"), ("fleiss", "middle"),
        ("alpha_nominal", "value"), ("alpha_nominal", "missing"), ("alpha_ordinal", "middle"),
    }  # fmt: skip
    for (measure, reading), figure in said.items():
        if figure["value"] is None:
            assert (measure, figure["reason"] != "") == ("fleiss", True), (measure, reading)
        else:
            assert figure["interval"]["low"] <= figure["value"] <= figure["interval"]["high"]
            assert figure["interval"]["n_groups"] == 6
            assert sum(figure["prevalence"].values()) == pytest.approx(1)
