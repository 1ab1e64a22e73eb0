"""Judgments made elsewhere come in while people of the house work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import Assignment, Hit
from backend.catalogue.models import Image
from backend.foreign import rows as storing
from backend.people.models import User
from backend.projects.models import Project
from foreign_judgments import of_workers, run
from pages_in_hand import submit, take

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_a_file_and_an_audit_of_controls_do_not_lock_each_other_out(
    project: Project, add_image: Callable[..., Image], build: Callable[..., list[Hit]], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_image("pier", 3)
    add_image("cat", 3)
    first, second = build()
    run(project, of_workers(first, "W1", "W2"))
    found: list[int] = []
    store, auditing = storing._store_assignments, threading.Thread(target=audit, args=(project, found))

    def store_slowly(*args: Any) -> None:
        store(*args)
        if auditing.ident is None:
            auditing.start()
            auditing.join(timeout=0.5)

    monkeypatch.setattr(storing, "_store_assignments", store_slowly)
    assert run(project, of_workers(second, "W2", "W1")).n_new == 6
    auditing.join(timeout=30)
    assert found == [2]


def audit(project: Project, found: list[int]) -> None:
    try:
        with transaction.atomic():
            found.append(len(lock_annotator_states(project)))
    finally:
        connection.close()


@pytest.fixture
def held(project: Project, hit: Hit, dora: User) -> Assignment:
    """A page in dora's hands, of a project without controls: nobody settles a HIT there whose pages show all of it."""
    Project.objects.filter(pk=project.pk).update(control_rate=0)
    return take(Project.objects.get(pk=project.pk), dora)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_page_submitted_while_a_file_comes_in_waits_for_its_hit_and_finds_the_file(
    project: Project, hit: Hit, bob: User, held: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file counts the page as held: the submit, which comes after, is the one that can close what both judged."""
    settle, sent = storing.settle, threading.Thread(target=submit_and_close, args=(held,))

    def settle_slowly(**asked: Any) -> None:
        settle(**asked)
        sent.start()
        sent.join(timeout=0.5)
        assert sent.is_alive()

    monkeypatch.setattr(storing, "settle", settle_slowly)
    assert run(project, of_workers(hit, "W1")[:1]).n_new == 1
    sent.join(timeout=30)
    held.refresh_from_db()
    assert held.status == "submitted"
    assert len(take(project, bob).shown) == 2


def submit_and_close(page: Assignment) -> None:
    try:
        submit(page)
    finally:
        connection.close()
