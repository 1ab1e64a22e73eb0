"""Pairs are finished by how people did on controls: a control that is put out, or back, has them looked at again."""

from __future__ import annotations

from typing import Any

import pytest

from backend.annotation.controls.auditing import audit_controls
from backend.annotation.controls.keeping import change_control
from backend.annotation.models import ControlState, HitItem, SettledAs, Slot
from backend.annotation.resettling import settle_changed
from backend.people.models import User
from backend.projects.models import Project
from mid_batch import settle_all_while
from world import World, make_world


@pytest.fixture
def finished(project: Project, bob: User, dora: User) -> World:
    """Two HITs of two pairs on which two people agree. Each has passed one control, and so .947 is sure enough for .9;
    of two whom nobody knows it would be .667."""
    world = make_world(adaptive(project), images=2, captions=2, controls=1)
    for user in (bob, dora):
        world.submit(user, 0, ["good"] * 2, controls={0: "good"})
        world.submit(user, 1, ["good"] * 2)
    settle_changed()
    assert n_open(project) == 0
    return world


def adaptive(project: Project, **told: Any) -> Project:
    Project.objects.filter(pk=project.pk).update(**{"overlap": 2, "max_overlap": 3, "confidence": 0.9, **told})
    project.refresh_from_db()
    return project


def n_open(project: Project) -> int:
    return HitItem.objects.filter(hit__project=project, is_open=True).count()


def n_free(project: Project) -> int:
    return Slot.objects.filter(project=project, assignment=None).count()


def test_pairs_that_were_believed_for_a_wrong_control_open_again_and_close_when_it_is_put_back(
    project: Project, finished: World
) -> None:
    change_control(control=finished.controls[0], state=ControlState.QUARANTINED)
    settle_changed()
    assert (n_open(project), n_free(project)) == (4, 2)
    change_control(control=finished.controls[0], state=ControlState.ACTIVE)
    settle_changed()
    assert (n_open(project), n_free(project)) == (0, 0)


def test_pairs_that_were_doubted_for_a_wrong_control_close_once_the_audit_has_put_it_out(project: Project) -> None:
    """Two who pass five of six controls are sure to .964, two who pass five of five to .996."""
    world = make_world(adaptive(project, confidence=0.98), images=2, captions=1, controls=6)
    for number in range(4):
        said = {n: "bad" if n == 0 else "good" for n in range(6)}
        world.submit(world.person(f"person-{number}"), number % 2, ["good"], controls=said)
    settle_changed()
    assert (n_open(project), n_free(project)) == (2, 2)
    assert audit_controls(project)
    settle_changed()
    assert (n_open(project), n_free(project)) == (0, 0)


@pytest.mark.parametrize("told", [{"confidence": None}, {}], ids=["fixed overlap", "a control that nobody met"])
def test_where_no_pair_can_want_anything_else_nothing_is_gone_through(
    project: Project, finished: World, told: dict[str, Any]
) -> None:
    finished.add_controls(1)
    adaptive(project, **told)
    settle_changed()
    change_control(control=finished.controls[0 if told else 1], state=ControlState.QUARANTINED)
    assert settle_changed() == 0


@pytest.mark.django_db(transaction=True)
def test_scores_written_while_a_batch_is_settled_by_those_of_before_are_looked_at_after_it(
    project: Project, finished: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = finished.controls[0]
    settle_all_while(lambda: change_control(control=wrong, state=ControlState.QUARANTINED), monkeypatch)
    assert (n_open(project), SettledAs.objects.get().last_hit) == (4, None)
