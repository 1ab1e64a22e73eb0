"""Locks that somebody keeps: a request answers in words after a while, and does not wait for ever."""

from __future__ import annotations

import os
import runpy
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from time import sleep
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from at_once import elsewhere
from backend.annotation.allocation import settle
from backend.annotation.leases import lease_next
from backend.annotation.locks import lock_annotator_states, lock_hits
from backend.annotation.models import AnnotatorState, Assignment, Hit, Judgment
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification import services as quiz
from backend.qualification.services import answer_quiz, begin_quiz, lock_state, set_terms
from backend.review.models import Verdict
from pages_in_hand import take
from quizzes import Asks, again

# SQLite has one writer, which is waited for.
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
VERDICTS = "/api/v1/projects/skies/verdicts"
Clients = Callable[..., APIClient]


@pytest.fixture
def impatient() -> Iterator[None]:
    """This connection waits for a lock as a request does, only shorter."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
    yield
    connection.close()


@contextmanager
def held_elsewhere(hold: Callable[[], object]) -> Iterator[None]:
    """Another connection is stuck in a transaction that holds something."""
    is_held, is_over = Event(), Event()

    def work() -> None:
        try:
            with transaction.atomic():
                hold()
                is_held.set()
                is_over.wait(timeout=30)
        finally:
            connection.close()

    stuck = Thread(target=work)
    stuck.start()
    assert is_held.wait(timeout=30)
    try:
        yield
    finally:
        is_over.set()
        stuck.join(timeout=30)


def test_next_and_submit_say_crowded_where_somebody_locks_the_annotator_state(
    project: Project, bob: User, hit: Hit, client_of: Clients, impatient: None
) -> None:
    leased, client = take(project, bob), client_of(bob)
    said = [{"position": position, "label": "good"} for position in (1, 2, 3)]

    def submit() -> Any:
        headers = {"Idempotency-Key": "one"}
        return client.post(
            f"/api/v1/assignments/{leased.pk}/submit", {"judgments": said}, format="json", headers=headers
        )

    with held_elsewhere(lambda: lock_annotator_states(project)):
        answers = [
            client.post("/api/v1/projects/skies/assignments/next", {}, format="json"),
            submit(),
        ]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(409, "crowded")] * 2
    assert not Judgment.objects.exists()
    assert submit().status_code == 200


def test_a_slot_falls_free_only_where_the_hit_can_be_settled_with_it(
    project: Project, bob: User, dora: User, hit: Hit, client_of: Clients, impatient: None
) -> None:
    """Else one that nobody needs any more stayed, and its pairs were judged once too often."""
    hit.slots.filter(number=2).delete()
    page = take(project, bob)
    gone = Assignment.objects.filter(pk=page.pk)
    with held_elsewhere(partial(lock_hits, [hit.pk])):
        assert client_of(bob).post(f"/api/v1/assignments/{page.pk}/return").status_code == 503
        gone.update(expires_at=timezone.now())
        assert lease_next(project=project, annotator=dora).reason == "none_left"
    assert take(project, dora).hit == hit
    assert gone.get().status == "expired"


@pytest.mark.parametrize(("is_lost", "left"), [(False, 2), (True, 1)])
def test_where_a_slot_is_being_taken_while_one_is_to_go_that_is_waited_for(
    project: Project, bob: User, hit: Hit, is_lost: bool, left: int
) -> None:
    """They may lose it again."""
    page = take(project, bob)
    hit.slots.filter(assignment=page).update(assignment=None)
    Project.objects.filter(pk=project.pk).update(overlap=1)

    def take_the_second() -> None:
        hit.slots.filter(number=2).update(assignment=page)
        transaction.set_rollback(is_lost)

    with ThreadPoolExecutor(1) as threads:
        with held_elsewhere(take_the_second):
            settled = threads.submit(elsewhere, partial(settle, project=project, roots=[hit.pk]))
            wait([settled], timeout=0.3)
        settled.result(timeout=30)
    assert list(hit.slots.values_list("number", flat=True)) == [left]


def test_what_else_waits_for_a_lock_in_vain_is_told_to_come_back(
    project: Project, bob: User, dora: User, hit: Hit, client_of: Clients, impatient: None
) -> None:
    leased = take(project, bob)
    pair = hit.items.all()[0].candidate_id

    def hold_both() -> None:
        lock_annotator_states(project)
        lock_hits([hit.pk])

    with held_elsewhere(hold_both):
        answers = [
            client_of(bob).post(f"/api/v1/assignments/{leased.pk}/return"),
            client_of(dora).post(VERDICTS, {"candidate": pair, "label": "good"}, format="json"),
        ]
    told = [(answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) for answer in answers]
    assert told == [(503, "database_unavailable", "2")] * 2
    assert not Verdict.objects.exists()
    assert AnnotatorState.objects.get(user=bob).state == "active"


def test_who_waits_to_begin_the_quiz_begins_on_the_terms_of_then(project: Project, bob: User, asks: Asks) -> None:
    asks(5, n_questions=3, pass_mark=0.3)
    lock_it = partial(lock_state, project=project, user=bob)
    transaction.atomic(lock_it)()
    with ThreadPoolExecutor(1) as threads:
        with held_elsewhere(lock_it):
            begun = threads.submit(elsewhere, partial(begin_quiz, project=again(project), user=bob))
            sleep(0.3)  # it waits by now
            set_terms(project=project, version=1, passes_anew=True, changes={"n_questions": 5, "pass_mark": 1.0})
        attempt = begun.result(timeout=30)
    assert (len(attempt.questions), attempt.pass_mark) == (5, 1.0)


def test_a_pass_of_the_moment_in_which_everybody_is_to_pass_anew_does_not_hold(
    project: Project, bob: User, asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change waits for who is at the quiz, and says so of them too."""
    asks(3)
    begin_quiz(project=project, user=bob)
    real, change = quiz._check_answers, partial(set_terms, project=project, version=1, passes_anew=True, changes={})
    with ThreadPoolExecutor(1) as threads:

        def meanwhile(*given: Any) -> None:
            wait([threads.submit(elsewhere, change)], timeout=0.3)
            real(*given)

        monkeypatch.setattr(quiz, "_check_answers", meanwhile)
        attempt = answer_quiz(project=project, user=bob, number=1, answers=dict.fromkeys((1, 2, 3), "good"))
    assert attempt.is_passed
    assert lease_next(project=again(project), annotator=bob).reason == "not_qualified"


@pytest.mark.parametrize(("prepares", "waits"), [("", "10s"), ("false", "0")])
def test_the_web_servers_connections_wait_for_ten_seconds_but_behind_a_pooler(
    monkeypatch: pytest.MonkeyPatch, prepares: str, waits: str
) -> None:
    for name in ("PGOPTIONS", "PROMETHEUS_MULTIPROC_DIR"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("CONNOTE_DB_PREPARE", prepares)
    runpy.run_path("deploy/gunicorn.conf.py")["on_exit"](None)
    named = connection.get_connection_params()
    own = {name: named[name] for name in ("host", "port", "user", "password", "dbname") if named.get(name)}
    with psycopg.connect(**own) as other:
        found = other.execute("SHOW lock_timeout").fetchone()
    os.environ.pop("PGOPTIONS", None)
    assert found == (waits,)
