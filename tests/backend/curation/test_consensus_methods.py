"""Dawid-Skene, MACE, verdicts, and what counts at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, HitItem, Judgment
from backend.candidates.models import Candidate
from backend.curation import fitting, services
from backend.curation.models import Consensus
from backend.methods.aggregation import fit_dawid_skene, fit_mace
from backend.methods.judgments import Judgments, code_judgments
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Verdict
from backend.review.services import record_verdict
from backend.runs.models import Run, RunStatus
from judged_project import PulledPlug, fall_silent, work_on
from workers.tasks import curation
from world import World

LABELS = ("good", "bad", "unsure")
Judged = Callable[..., Project]
Stage = Callable[..., Run]


def careful_and_careless(image: int, caption: int, person: int) -> str:
    """Two people agree; the third says good of everything."""
    return "good" if person == 2 else LABELS[(image + caption) % 2]


@pytest.fixture
def judged(project: Project, make_judged: Judged, bob: User, dora: User, alice: User) -> Project:
    return make_judged(project, images=4, captions=5, opinion=careful_and_careless, people=[bob, dora, alice])


def coded() -> Any:
    rows = Judgment.objects.order_by("pk").values_list("candidate__pk", "annotator__username", "label")
    return code_judgments([(f"{pair:09d}", name, label) for pair, name, label in rows], labels=LABELS)


@pytest.mark.parametrize("method", ["dawid_skene", "mace"])
def test_where_no_two_judged_the_same_a_model_has_nothing_to_learn_from(
    project: Project, make_judged: Judged, bob: User, run_stage: Stage, method: str
) -> None:
    """Of 12 good, 8 bad and 5 unsure, each said by one person, Dawid-Skene made 25 good ones."""
    alone = make_judged(project, images=4, captions=5, opinion=careful_and_careless, people=[bob])
    run = run_stage(alone, "consensus", method=method, min_votes=1)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "nothing_shared")
    assert not Consensus.objects.exists()
    assert run_stage(alone, "consensus", method="majority", min_votes=1).status == RunStatus.SUCCEEDED


@pytest.mark.nightly
def test_verdicts_are_something_to_learn_from_where_no_two_judged_the_same(
    project: Project, make_judged: Judged, bob: User, dora: User, run_stage: Stage
) -> None:
    alone = make_judged(project, images=4, captions=5, opinion=careful_and_careless, people=[bob])
    for pair in Judgment.objects.values_list("candidate", flat=True)[:10]:
        record_verdict(project=alone, candidate_id=pair, label="bad", decided_by=dora)
    assert run_stage(alone, "consensus", method="dawid_skene", min_votes=1).status == RunStatus.SUCCEEDED


@pytest.mark.parametrize("method", ["dawid_skene", "mace"])
def test_a_named_method_gives_each_pair_its_posterior_and_the_run_says_how_it_was_fitted(
    judged: Project, run_stage: Stage, method: str
) -> None:
    run = run_stage(judged, "consensus", method=method)
    assert run.status == RunStatus.SUCCEEDED, run.error
    judgments = coded().judgments
    fitted = fit_dawid_skene(judgments) if method == "dawid_skene" else fit_mace(judgments, seed=7)
    kept = Consensus.objects.order_by("candidate_id")
    found = np.array([[row.posterior[label] for label in LABELS] for row in kept])
    assert np.abs(found - fitted.posterior).max() < 1e-6
    assert {row.label for row in kept} == {"good", "bad"}
    assert {row.method for row in kept} == {method}
    assert ("crowd-kit" in run.log_tail[0], "60 judgments of 20 pairs" in run.log_tail[0]) == (True, True)
    assert "against 0 of 20 majorities" in run.log_tail[0]


def test_the_run_says_how_many_majorities_a_model_is_against() -> None:
    """Four pairs of three votes: one tied, one settled, and of two majorities the model is against one."""
    said = [0, 0, 1, 0, 0, 1, 0, 1, 2, 1, 1, 0]
    judgments = Judgments(np.arange(4).repeat(3), np.tile(np.arange(3), 4), np.array(said), 4, 3, 3)
    posterior = np.array([[0.9, 0.1, 0], [0.2, 0.8, 0], [0, 0, 1], [1, 0, 0]])
    assert fitting._overturned(judgments, np.array([-1, -1, -1, 0]), posterior) == "against 1 of 2 majorities"


def test_the_run_tells_the_categories_under_all_three_readings_of_unsure(
    project: Project, make_judged: Judged, run_stage: Stage
) -> None:
    said = {0: ("good", "unsure"), 1: ("unsure", "unsure"), 2: ("good", "good")}
    run = run_stage(make_judged(project, images=1, captions=3, opinion=lambda i, c, p: said[c][p]), "consensus")
    assert run.log_tail == [
        "Unsure as an answer: 1 fully relevant, 2 unsure.",
        "Unsure as no answer: 2 fully relevant, 1 no votes.",
        "Unsure between bad and good: 1 fully relevant, 2 unsure.",
    ]


@pytest.mark.nightly
def test_a_verdict_stands_above_all_votes_and_above_too_few(
    project: Project, make_judged: Judged, run_stage: Stage, dora: User
) -> None:
    make_judged(project, images=1, captions=3, opinion=lambda i, c, p: None if c == 2 else "good")
    pairs = list(Candidate.objects.order_by("pk").values_list("pk", flat=True))
    for pair in (pairs[0], pairs[2]):
        record_verdict(project=project, candidate_id=pair, label="bad", decided_by=dora)
    run_stage(project, "consensus")
    rows = Consensus.objects.order_by("candidate_id").values_list("label", "n_good", "verdict__label")
    assert list(rows) == [("bad", 2, "bad"), ("good", 2, None), ("bad", 0, "bad")]
    record_verdict(project=project, candidate_id=pairs[0], label=None, decided_by=dora)
    run_stage(project, "consensus")
    assert Consensus.objects.get(candidate=pairs[0]).label == "good"
    assert Verdict.objects.count() == 3


@pytest.mark.nightly
def test_a_settled_pair_teaches_dawid_skene_whom_to_trust(judged: Project, run_stage: Stage, dora: User) -> None:
    run_stage(judged, "consensus", method="dawid_skene")
    before = Consensus.objects.values_list("posterior", flat=True)[0]
    pairs = Candidate.objects.order_by("pk").values_list("pk", flat=True)
    for pair in pairs[1:]:
        record_verdict(project=judged, candidate_id=pair, label="unsure", decided_by=dora)
    run_stage(judged, "consensus", method="dawid_skene")
    assert Consensus.objects.order_by("candidate_id")[0].posterior["unsure"] > before["unsure"]


def test_excluded_people_late_work_and_controls_do_not_count(
    judged: Project, run_stage: Stage, alice: User, bob: User
) -> None:
    AnnotatorState.objects.filter(user=alice).update(state=AnnotatorStatus.EXCLUDED)
    hidden = Candidate.objects.order_by("pk").first()
    made = World(judged).control(hidden)
    HitItem.objects.filter(candidate=hidden).update(control=made)
    Judgment.objects.filter(candidate=hidden).update(control=made)
    late = Assignment.objects.filter(annotator=bob).order_by("created_at").first()
    Assignment.objects.filter(pk=late.pk).update(status=AssignmentStatus.LATE)
    run_stage(judged, "consensus", method="dawid_skene", min_votes=1)
    votes = [row.n_good + row.n_bad + row.n_unsure for row in Consensus.objects.order_by("candidate_id")]
    assert votes == [1] * 4 + [2] * 15
    assert not Consensus.objects.filter(candidate=hidden).exists()


def test_a_pair_that_nobody_is_asked_about_any_more_has_votes_enough(
    project: Project, make_judged: Judged, run_stage: Stage, bob: User
) -> None:
    make_judged(project, images=1, captions=2, people=[bob])
    HitItem.objects.filter(position=1).update(is_decided=True)
    run = run_stage(project, "consensus")
    assert (run.counts["good"], run.counts["dropped"]) == (1, {"too_few_votes": 1})


def test_where_judgments_stop_counting_under_a_killed_worker_the_model_is_fitted_anew(
    judged: Project, monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    monkeypatch.setattr(curation, "PAIRS", 6)
    run = Run.objects.create(
        project=judged, stage="consensus", seed=3, parameters={"min_votes": 1, "method": "dawid_skene"}
    )
    record = services.record_consensus

    def break_in_the_second_batch(**given: object) -> object:
        if Consensus.objects.exists():
            raise PulledPlug
        return record(**given)

    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(services, "record_consensus", break_in_the_second_batch)
        work_on(run)
    fall_silent(run)
    AnnotatorState.objects.filter(user=alice).update(state=AnnotatorStatus.EXCLUDED)
    run = work_on(run)
    assert (run.status, run.done, run.counts["in"]) == (RunStatus.SUCCEEDED, 20, 20)
    assert [line.split(",")[0] for line in run.log_tail if "Dawid" in line] == ["Dawid-Skene"] * 2
    assert {row.n_good + row.n_bad for row in Consensus.objects.all()} == {2}
