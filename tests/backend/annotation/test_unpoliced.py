"""Controls audit themselves by the clock where no policy is in force, and cost nothing where there is nothing new."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as site
from django.core.cache import cache
from django.utils import timezone

from at_once import at_once
from backend.annotation.controls import auditing
from backend.annotation.controls.reasons import PUT_BACK
from backend.annotation.models import Control, ControlState, SettledAs, Standing
from backend.annotation.quality.unpoliced import audit_unpoliced
from backend.annotation.resettling import settle_changed
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import embedded
from backend.runs.models import Run
from backend.runs.queue import AUDIT, app
from judged_project import PulledPlug
from world import World, make_world

LATER = timedelta(hours=1, seconds=1)
Counts = Callable[[int], Any]


@pytest.fixture(autouse=True)
def clean_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def world(project: Project) -> World:
    """Five controls, the first of which everybody fails: its answer is wrong."""
    return make_world(project, images=1, captions=3, controls=5)


@pytest.fixture
def met(world: World, make_user: Callable[..., User]) -> World:
    for number in range(6):
        answers = {0: "bad"} | dict.fromkeys(range(1, 5), "good")
        world.submit(make_user(f"person-{number}"), 0, ["good"] * 3, controls=answers)
    return world


def states() -> list[str]:
    return list(Control.objects.order_by("pk").values_list("state", flat=True))


def scores() -> set[tuple[int, int]]:
    return set(Standing.objects.values_list("n_graded", "n_failed"))


OUT = [ControlState.QUARANTINED, *[ControlState.ACTIVE] * 4]


def test_a_wrong_control_is_put_out_and_scores_are_counted_anew_without_a_run(met: World) -> None:
    assert (audit_unpoliced(), states(), scores()) == (1, OUT, {(4, 0)})
    assert not Run.objects.filter(stage="apply_policy").exists()


def test_hits_are_settled_anew_where_the_stop_rule_believes_people_by_controls(met: World) -> None:
    Project.objects.update(confidence=0.9, max_overlap=5)
    while settle_changed():
        pass
    audit_unpoliced()
    assert SettledAs.objects.get().last_hit == 0


def test_it_looks_again_after_an_hour_and_only_at_what_is_new(met: World, make_user: Callable[..., User]) -> None:
    Control.objects.filter(pk=met.controls[0].pk).update(state_code=PUT_BACK)
    assert (audit_unpoliced(), states()) == (1, [ControlState.ACTIVE] * 5)
    with time_machine.travel(timezone.now() + LATER, tick=False):
        assert audit_unpoliced() == 0
        Control.objects.update(state_code="")
        met.submit(make_user("late"), 0, ["good"] * 3, controls={0: "bad"})
        assert (audit_unpoliced(), states()) == (1, OUT)
        met.submit(make_user("later"), 0, ["good"] * 3, controls={1: "bad"})
        assert audit_unpoliced() == 0  # within the hour


def test_where_a_policy_is_in_force_its_replays_audit(met: World) -> None:
    met.project.policies.create(version=1, rules=[], in_force_since=timezone.now())
    assert (audit_unpoliced(), states()) == (0, [ControlState.ACTIVE] * 5)
    met.project.policies.update(in_force_since=None)
    assert (audit_unpoliced(), states()) == (1, OUT)


def test_a_project_where_nobody_met_a_control_is_not_looked_at(world: World, bob: User) -> None:
    world.submit(bob, 0, ["good"] * 3)
    assert audit_unpoliced() == 0


def test_a_clock_killed_half_way_starts_over(met: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(project: Project) -> None:
        raise PulledPlug

    with monkeypatch.context() as patched, pytest.raises(PulledPlug):
        patched.setattr(auditing, "recount_controls", die)
        audit_unpoliced()
    assert (states(), scores()) == ([ControlState.ACTIVE] * 5, {(5, 1)})
    assert (audit_unpoliced(), states(), scores()) == (1, OUT, {(4, 0)})


@pytest.mark.django_db(transaction=True)
def test_two_clocks_at_once_do_it_once(met: World) -> None:
    assert at_once([audit_unpoliced, audit_unpoliced]) in ([1, 1], [1, 0], [0, 1])
    assert (states(), scores()) == (OUT, {(4, 0)})


def test_beat_calls_it_and_so_does_the_embedded_site() -> None:
    assert AUDIT in app.tasks
    assert AUDIT in {entry["task"] for entry in site.CELERY_BEAT_SCHEDULE.values()}
    assert audit_unpoliced in embedded._chores
