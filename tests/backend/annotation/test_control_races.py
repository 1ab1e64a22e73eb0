"""A control deleted while a page with it is handed over: who met it has a meeting, or never met it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from backend.annotation.controls.keeping import delete_control
from backend.annotation.controls.meeting import NO_CONTROL
from backend.annotation.drawing import Drawn, draw_page
from backend.annotation.leasing import lease_next
from backend.annotation.models import Assignment, Control, ControlMeeting, Hit, Standing
from backend.people.models import User
from backend.projects.models import Project
from world import World

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def control(project: Project, hit: Hit) -> Control:
    Project.objects.filter(pk=project.pk).update(control_rate=0.5)
    world = World(project)
    return world.control(world.caption(hit.image, "pier caption 9"), "bad")


def lease(project: Project, user: User) -> None:
    try:
        lease_next(project=Project.objects.get(pk=project.pk), annotator=user)
    finally:
        connection.close()


@pytest.mark.parametrize("has_begun", [True, False])
def test_a_control_that_is_met_while_it_is_deleted_is_not_forgotten(
    project: Project, control: Control, bob: User, monkeypatch: pytest.MonkeyPatch, has_begun: bool
) -> None:
    if has_begun:
        Standing.objects.create(project=project, user=bob)
    leasing, delete = threading.Thread(target=lease, args=(project, bob)), Control.delete

    def leased_just_before(self: Control) -> Any:
        leasing.start()
        leasing.join(timeout=0.5)
        return delete(self)

    monkeypatch.setattr(Control, "delete", leased_just_before)
    delete_control(control=control)
    leasing.join(timeout=30)
    page = Assignment.objects.get(annotator=bob)
    assert ControlMeeting.objects.filter(assignment=page).count() == len(page.controls) == 0
    assert len(page.shown) == 3


def test_a_page_whose_control_was_deleted_since_it_was_drawn_is_drawn_anew(
    project: Project, control: Control, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter([NO_CONTROL - 1])

    def with_one_that_is_gone(**asked: Any) -> Drawn | None:
        page = draw_page(**asked)
        if page is None or (gone := next(drawn, None)) is None:
            return page
        return replace(page, controls=[replace(each, control_id=gone) for each in page.controls])

    monkeypatch.setattr("backend.annotation.leasing.draw_page", with_one_that_is_gone)
    lease(project, bob)
    page = Assignment.objects.get(annotator=bob)
    assert ControlMeeting.objects.filter(assignment=page, control=control).count() == len(page.controls) == 1
