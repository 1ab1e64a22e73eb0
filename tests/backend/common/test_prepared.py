"""Plans that PostgreSQL keeps for a connection, and what heals them when a table changes under them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import NotSupportedError, ProgrammingError, connection, transaction
from django.db.transaction import TransactionManagementError

from backend.common.prepared import change, fetch, parameter
from backend.config import settings as house

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
ASKED = "SELECT id, word FROM scratch_of_plans WHERE id = %s"
RENAMED = "UPDATE scratch_of_plans SET word = %s WHERE id = %s"


@pytest.fixture
def scratch() -> Iterator[None]:
    """A table of one row whose column is about to change its type."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE scratch_of_plans (id bigint, word varchar(10))")
        cursor.execute("INSERT INTO scratch_of_plans VALUES (1, '7')")
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE scratch_of_plans")


def ask() -> Any:
    (row,) = fetch(ASKED, [parameter(1)])
    return row


def n_plans() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%scratch_of_plans%%'")
        return int(cursor.fetchone()[0])


def migrate() -> None:
    """As another process does it: what this connection runs itself has psycopg forget its plans at once."""
    with connection.cursor() as cursor:
        cursor.execute("DO $$ BEGIN ALTER TABLE scratch_of_plans ALTER word TYPE integer USING word::integer; END $$")


def test_outside_a_transaction_a_plan_that_a_migration_broke_is_made_anew(scratch: None) -> None:
    assert ask() == (1, "7") and n_plans() == 1
    migrate()
    assert n_plans() == 1
    assert [ask(), ask()] == [(1, 7), (1, 7)]
    assert n_plans() == 1


def test_a_transaction_fails_once_and_the_next_one_on_that_connection_heals(scratch: None) -> None:
    assert ask() == (1, "7")
    migrate()
    with pytest.raises(NotSupportedError, match="cached plan"), transaction.atomic():
        ask()
    with transaction.atomic():
        assert ask() == (1, 7)
    assert n_plans() == 1


def test_a_statement_that_postgresql_cannot_do_at_all_says_so(scratch: None) -> None:
    with pytest.raises(NotSupportedError, match="not allowed"):
        fetch("SELECT word FROM scratch_of_plans EXCEPT SELECT word FROM scratch_of_plans FOR UPDATE", [])


def test_what_one_statement_found_is_not_the_next_ones(scratch: None) -> None:
    assert ask() == (1, "7")
    with pytest.raises(ProgrammingError):
        fetch("SELECT nothing FROM scratch_of_plans", [])
    assert fetch(ASKED, [parameter(2)]) == [] and change(RENAMED, ["8", parameter(2)]) == 0
    assert ask() == (1, "7")


def test_how_many_rows_a_statement_changed_is_said(scratch: None) -> None:
    assert change(RENAMED, ["8", parameter(1)]) == 1
    assert ask() == (1, "8")


def test_who_counts_or_logs_statements_sees_these_as_any_other(scratch: None, django_assert_num_queries: Any) -> None:
    seen: list[str] = []

    def note(execute: Any, statement: str, *given: Any) -> Any:
        seen.append(statement)
        return execute(statement, *given)

    with django_assert_num_queries(1):
        ask()
    with connection.execute_wrapper(note):
        ask()
    assert seen == [ASKED]


def test_in_a_transaction_that_failed_no_statement_is_sent(scratch: None) -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError, match="current transaction"):
            ask()


def test_threads_that_take_turns_on_a_connection_each_get_their_own_rows(scratch: None) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: _ask_and_let_go(), range(40)))
    assert found == [(1, "7")] * 40


def _ask_and_let_go() -> Any:
    found = ask()
    connection.close()
    return found


@pytest.mark.parametrize("keeps", [True, False])
def test_nothing_is_prepared_where_the_settings_say_so(
    scratch: None, keeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "DB_PREPARE", keeps)
    made = house.database("postgres://somebody@localhost/somewhere")
    assert made["DISABLE_SERVER_SIDE_CURSORS"] is not keeps
    connection.ensure_connection()
    monkeypatch.setattr(connection.connection, "prepare_threshold", made["OPTIONS"]["prepare_threshold"])
    assert ask() == (1, "7") and n_plans() == int(keeps)
