"""A policy put in force while somebody decides of an annotator by hand: what a person decided always stands."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from backend.annotation.models import AnnotatorState, DecidedStatus, StatusDecision
from backend.people.models import User
from backend.projects.models import Project
from backend.quality import services as policies
from backend.quality.decisions import decide_status
from backend.quality.services import Moved, create_policy, enforce_view, work_out
from world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(project: Project, bob: User, dora: User) -> World:
    """One HIT that bob and dora have judged."""
    made = make_world(project, images=1, captions=3)
    for user in (bob, dora):
        made.submit(user, 0, ["good"] * 3)
    return made


def exclude(project: Project, user: User, by: User) -> None:
    try:
        decide_status(
            project=project, user_id=user.pk, state=DecidedStatus.EXCLUDED, reason="Clicks blindly.", decided_by=by
        )
    finally:
        connection.close()


def test_who_is_excluded_by_hand_while_a_policy_is_put_in_force_stays_excluded(
    world: World, bob: User, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = create_policy(project=world.project, rules=[], created_by=None)
    (view, effect), hold = work_out(policy=policy), policies._lock_changed
    deciding = threading.Thread(target=exclude, args=(world.project, bob, dora))

    def decided_just_before(*args: Any) -> None:
        deciding.start()
        deciding.join(timeout=0.5)  # over where nothing keeps it waiting, and else still waiting
        hold(*args)

    monkeypatch.setattr(policies, "_lock_changed", decided_just_before)
    enforce_view(policy=policy, view=view, effect=effect)
    deciding.join(timeout=30)
    assert AnnotatorState.objects.get(user=bob).state == "excluded"


def test_a_decision_that_is_there_once_the_annotator_states_are_locked_moves_the_policy(
    world: World, bob: User, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = create_policy(project=world.project, rules=[], created_by=None)
    (view, effect), hold = work_out(policy=policy), policies._lock_changed

    def decided_just_before(*args: Any) -> None:
        annotator_state = AnnotatorState.objects.get(user=bob)
        StatusDecision.objects.create(
            annotator_state=annotator_state, state="excluded", reason="Blind.", decided_by=dora
        )
        hold(*args)

    monkeypatch.setattr(policies, "_lock_changed", decided_just_before)
    with pytest.raises(Moved):
        enforce_view(policy=policy, view=view, effect=effect)
