"""A control deleted while somebody takes a HIT with it: the HIT is begun with it, or without it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from backend.annotation.leases import lease_next
from backend.annotation.models import Assignment, Hit
from backend.catalogue.models import Image
from backend.controls.services import delete_control
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control
from settled import set_rules
from world import World

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_a_control_that_somebody_would_meet_while_it_is_deleted_is_not_shown(
    project: Project, bob: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    set_rules(project, control_rate=0.3)
    control = World(project).control(World(project).caption(add_image("pier", 0), "pier caption 9"), "bad")
    add_image("pier", 3)
    [hit] = build()
    assert hit.items.filter(control=control).exists()

    def lease() -> None:
        try:
            lease_next(project=Project.objects.get(pk=project.pk), annotator=bob)
        finally:
            connection.close()

    leasing, delete = threading.Thread(target=lease), Control.delete

    def leased_just_before(self: Control) -> Any:
        leasing.start()
        leasing.join(timeout=0.5)
        return delete(self)

    monkeypatch.setattr(Control, "delete", leased_just_before)
    delete_control(control=control)
    leasing.join(timeout=30)
    for page in Assignment.objects.all():  # on PostgreSQL the slot was locked, and there was no other
        assert len(page.shown) == 3
    assert hit.items.count() == 3
