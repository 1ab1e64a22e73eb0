"""Changed settings, and judgments that count otherwise, reach HITs that are there already, by a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.annotation import settle_stage as resettling
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Hit, Judgment
from backend.annotation.settle_stage import settle_changed
from backend.catalogue.models import Image
from backend.controls.audit import recount_controls
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.services import update_project
from backend.quality import services as policies
from backend.quality.services import recount
from backend.runs.models import Run
from judged_project import PulledPlug
from pages_in_hand import submit, take
from settled import set_rules

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hits(
    project: Project, add_image: Callable[..., Image], build: Callable[..., list[Hit]], monkeypatch: pytest.MonkeyPatch
) -> list[Hit]:
    """Five HITs, two to a batch."""
    monkeypatch.setattr(resettling, "BATCH", 2)
    add_image("pier", 15)
    return build()


def change(project: Project, **settings: object) -> None:
    update_project(project=project, version=project.version, changes=settings)


def n_slots() -> list[int]:
    return [hit.slots.count() for hit in Hit.objects.order_by("pk")]


@pytest.mark.nightly
def test_a_raised_overlap_adds_slots_and_a_lowered_one_takes_free_ones_away(project: Project, hits: list[Hit]) -> None:
    change(project, overlap=4)
    assert settle_changed() == 1
    assert n_slots() == [4] * 5
    run = Run.objects.get(project=project, stage="settle")
    assert (run.status, run.counts["out"]) == ("succeeded", 5)
    change(project, overlap=1)
    settle_changed()
    assert n_slots() == [1] * 5


@pytest.mark.nightly
def test_nothing_is_done_twice_or_for_other_settings(project: Project, hits: list[Hit]) -> None:
    change(project, overlap=4)
    assert (settle_changed(), settle_changed()) == (1, 0)
    change(project, lease_minutes=7, control_rate=0.3)
    assert settle_changed() == 0


def test_a_killed_worker_costs_one_batch(project: Project, hits: list[Hit], monkeypatch: pytest.MonkeyPatch) -> None:
    change(project, overlap=3)
    real, calls = resettling.settle, []

    def settle_then_die(**given: object) -> None:
        calls.append(given["roots"])
        real(**given)  # type: ignore[arg-type]
        if len(calls) == 2:
            raise PulledPlug

    monkeypatch.setattr(resettling, "settle", settle_then_die)
    with pytest.raises(PulledPlug):
        settle_changed()
    assert n_slots() == [3, 3, 2, 2, 2]
    Run.objects.filter(stage="settle").update(status="failed")
    monkeypatch.setattr(resettling, "settle", real)
    settle_changed()
    assert n_slots() == [3] * 5


def test_who_judged_much_is_replaced_by_a_run(
    project: Project, hits: list[Hit], bob: User, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "MOST_AT_ONCE", 1)
    for user in (bob, bob, dora, dora):
        submit(take(project, user))
    AnnotatorState.objects.filter(user=bob).update(state=AnnotatorStatus.EXCLUDED)
    recount(project=project, users=[bob.pk])
    assert n_slots() == [2] * 5
    assert settle_changed() == 1
    assert n_slots() == [3, 3, 2, 2, 2]
    assert AnnotatorState.objects.get(user=bob).n_unsettled == 0
    assert settle_changed() == 0


@pytest.mark.nightly
def test_other_scores_are_believed_by_a_run_where_the_stop_rule_asks_for_them(
    project: Project, hits: list[Hit], bob: User
) -> None:
    submit(take(project, bob))
    AnnotatorState.objects.filter(user=bob).update(n_graded=3, n_failed=1)
    recount_controls(project)
    assert settle_changed() == 0, "a fixed overlap asks for no scores"
    set_rules(project, confidence=0.9)
    AnnotatorState.objects.filter(user=bob).update(n_graded=3, n_failed=1)
    recount_controls(project)
    assert (settle_changed(), Judgment.objects.count()) == (1, 3)
