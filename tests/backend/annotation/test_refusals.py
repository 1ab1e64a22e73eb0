"""Losing a race: what is tried again, and what is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, OperationalError, transaction
from psycopg.errors import ConnectionFailure, DeadlockDetected

from backend.annotation.locks import TRIES, Crowded, with_retries

Work = Callable[[], str]


def failing(times: int, error: Exception) -> tuple[Work, list[int]]:
    tried: list[int] = []

    def work() -> str:
        tried.append(1)
        if len(tried) <= times:
            raise error
        return "done"

    return work, tried


def caused(cause: Exception) -> OperationalError:
    error = OperationalError("as the database says it")
    error.__cause__ = cause
    return error


RACES = [IntegrityError("unique"), OperationalError("database is locked"), caused(DeadlockDetected())]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", RACES)
def test_a_lost_race_is_run_again(error: Exception) -> None:
    work, _ = failing(TRIES - 1, error)
    assert with_retries(work) == "done"


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", RACES)
def test_who_always_loses_is_told_to_try_again(error: Exception) -> None:
    with pytest.raises(Crowded):
        with_retries(failing(TRIES, error)[0])


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_is_not_asked_again() -> None:
    work, tried = failing(1, caused(ConnectionFailure()))
    with pytest.raises(OperationalError):
        with_retries(work)
    assert len(tried) == 1


@pytest.mark.django_db(transaction=True)
def test_a_deadlock_inside_anothers_transaction_is_theirs() -> None:
    work, tried = failing(1, caused(DeadlockDetected()))
    with pytest.raises(OperationalError), transaction.atomic():
        with_retries(work)
    assert len(tried) == 1
