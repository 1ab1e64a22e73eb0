"""Votes become labels: counted in the database, in batches, again whenever somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from backend.annotation.allocation import mark_pairs
from backend.annotation.answers import Judged
from backend.annotation.leases import lease_next
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, Judgment, Slot
from backend.annotation.submissions import submit_assignment
from backend.common.labels import Label
from backend.curation import services
from backend.curation.models import Consensus
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from judged_project import PulledPlug, work_on
from settled import settle_all
from workers.tasks import curation
from world import World

pytestmark = pytest.mark.both_engines

OPINIONS = {
    0: ("good", "good"),
    1: ("bad", "bad"),
    2: ("unsure", "unsure"),
    3: ("good", "bad"),
    4: ("good", None),
    5: (None, None),
}


def mixed(image: int, caption: int, person: int) -> str | None:
    return OPINIONS[caption][person]


def labels(project: Project) -> list[tuple[str, int, int, int]]:
    rows = Consensus.objects.filter(candidate__project=project).order_by("candidate_id")
    return list(rows.values_list("label", "n_good", "n_bad", "n_unsure"))


def test_every_pair_gets_its_majority_and_nothing_goes_uncounted(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]
) -> None:
    run = run_stage(make_judged(project, images=1, opinion=mixed), "consensus")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert labels(project) == [("good", 2, 0, 0), ("bad", 0, 2, 0), ("unsure", 0, 0, 2), ("", 1, 1, 0), ("", 1, 0, 0)]
    assert run.counts == {
        "in": 6, "out": 3, "good": 1, "bad": 1, "unsure": 1, "tied": 1,
        "dropped": {"tied": 1, "too_few_votes": 1, "not_judged": 1},
    }  # fmt: skip
    assert (run.done, run.total) == (6, 6)


@pytest.mark.nightly
@pytest.mark.parametrize(("min_votes", "n_good"), [(0, 1), (1, 2), (2, 1)])
def test_a_pair_needs_as_many_votes_as_its_hit_has_places_unless_the_curator_says_so(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], min_votes: int, n_good: int
) -> None:
    run = run_stage(make_judged(project, images=1, opinion=mixed), "consensus", min_votes=min_votes)
    assert run.counts["good"] == n_good


def test_a_larger_overlap_asks_no_more_of_hits_that_are_built_already(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]
) -> None:
    judged = make_judged(project, images=1, captions=2)
    Project.objects.filter(pk=project.pk).update(overlap=9)
    assert run_stage(judged, "consensus").counts["good"] == 2


@pytest.mark.nightly
def test_a_pair_waits_for_the_judgments_that_a_head_annotator_asked_for(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]
) -> None:
    judged = make_judged(project, images=1, captions=2)
    for slot, assignment in zip(Slot.objects.order_by("number"), Assignment.objects.all(), strict=True):
        Slot.objects.filter(pk=slot.pk).update(assignment=assignment)
    asked = Judgment.objects.earliest("pk").candidate_id
    mark_pairs(project=project, asked={asked: 3})
    assert run_stage(judged, "consensus").counts["good"] == 1
    mark_pairs(project=project, asked={asked: 0})
    assert run_stage(judged, "consensus").counts["good"] == 2


@pytest.mark.nightly
def test_who_replaced_somebody_excluded_finishes_the_pair(
    project: Project,
    make_judged: Callable[..., Project],
    run_stage: Callable[..., Run],
    bob: User,
) -> None:
    judged = make_judged(project, images=1, captions=2)
    for slot, assignment in zip(Slot.objects.order_by("number"), Assignment.objects.all(), strict=True):
        Slot.objects.filter(pk=slot.pk).update(assignment=assignment)
    AnnotatorState.objects.update_or_create(project=judged, user=bob, defaults={"state": AnnotatorStatus.EXCLUDED})
    settle_all(judged)
    assert run_stage(judged, "consensus").counts["good"] == 0
    shown = lease_next(project=judged, annotator=World(judged).person("cleo")).shown
    assert shown
    judgments = [Judged(at, Label.GOOD) for at in (1, 2)]
    submit_assignment(assignment=shown.assignment, judgments=judgments, idempotency_key="k")
    assert run_stage(judged, "consensus").counts["good"] == 2


@pytest.mark.nightly
def test_a_change_of_mind_counts_in_place_of_the_earlier_judgment(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], bob: User
) -> None:
    run_stage(make_judged(project, images=1, captions=2), "consensus")
    earlier = Judgment.objects.filter(annotator=bob).earliest("pk")
    later = World(project).change_mind(earlier, "bad")
    assert labels(project)[0] == ("good", 2, 0, 0)
    assert read_counters([project.pk])[project.pk]["new_answers"] == 1
    run_stage(project, "consensus")
    assert read_counters([project.pk])[project.pk]["new_answers"] == 0
    assert labels(project) == [("", 1, 1, 0), ("good", 2, 0, 0)]
    assert set(Consensus.objects.values_list("counted_until", flat=True)) == {later.pk}


@pytest.mark.nightly
def test_running_again_changes_nothing_where_nothing_changed(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]
) -> None:
    first = run_stage(make_judged(project, opinion=lambda i, c, p: ("good", "bad")[(i + c * p) % 2]), "consensus")
    before = list(Consensus.objects.order_by("pk").values("pk", "candidate", "label"))
    assert first.counts["out"]
    assert run_stage(project, "consensus").counts == first.counts
    assert list(Consensus.objects.order_by("pk").values("pk", "candidate", "label")) == before


def test_other_projects_are_left_alone(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], alice: User
) -> None:
    other = Project.objects.create(slug="other", name="Other", created_by=alice)
    make_judged(other, images=1)
    run_stage(make_judged(project, images=1), "consensus")
    assert not labels(other)
    counters = read_counters([project.pk, other.pk])
    assert (counters[project.pk]["agreed_good"], counters[other.pk]["agreed_good"]) == (6, 0)


def test_a_killed_worker_is_resumed_and_judgments_made_meanwhile_wait_for_the_next_run(
    project: Project, make_judged: Callable[..., Project], monkeypatch: pytest.MonkeyPatch, bob: User
) -> None:
    make_judged(project, images=4, captions=3, people=[bob])
    monkeypatch.setattr(curation, "PAIRS", 5)
    run = Run.objects.create(project=project, stage="consensus", parameters={"min_votes": 1})
    record = services.record_consensus

    def break_in_the_second_batch(**given: object) -> object:
        if Consensus.objects.exists():
            raise PulledPlug
        return record(**given)

    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(services, "record_consensus", break_in_the_second_batch)
        work_on(run)
    assert Consensus.objects.count() == 5
    Judgment.objects.filter(pk=Judgment.objects.latest("pk").pk).update(id=1_000_000)
    with time_machine.travel(timezone.now() + 2 * timedelta(seconds=settings.RUN_STALE_SECONDS), tick=False):
        run = work_on(run)
    assert (run.status, run.attempt, run.done) == (RunStatus.SUCCEEDED, 2, 12)
    assert run.counts["good"] == 11
    assert run.counts["dropped"] == {"not_judged": 1}
