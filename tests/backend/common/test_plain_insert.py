from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from backend.annotation.models import Standing
from backend.common.plain_insert import insert_plainly, insertion
from backend.common.prepared import Statement, fetch_after
from backend.people.models import User
from backend.projects.models import Project

pytestmark = pytest.mark.both_engines


def test_rows_are_as_bulk_create_makes_them(project: Project, alice: User, bob: User, dora: User) -> None:
    insert_plainly([Standing(project=project, user=user, reasons=["Ümit's"], n_submitted=3) for user in (alice, bob)])
    Standing.objects.bulk_create([Standing(project=project, user=dora, reasons=["Ümit's"], n_submitted=3)])
    rows = list(Standing.objects.order_by("pk").values())
    for row in rows:
        assert row.pop("id")
        assert row.pop("user_id")
        assert row.pop("created_at").utcoffset() is not None
    assert rows[0] == rows[1] == rows[2]


def test_no_rows_are_no_statement(db: None, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        insert_plainly([])


def test_a_constraint_refuses_as_ever(project: Project, bob: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_plainly([Standing(project=project, user=bob), Standing(project=project, user=bob)])


def test_rows_go_along_with_another_statement(project: Project, bob: User, dora: User) -> None:
    Standing.objects.create(project=project, user=bob, n_submitted=3)
    rows = insertion([Standing(project=project, user=dora, reasons=["50% of 'it' %s"])])
    counted = Statement(
        "UPDATE annotation_standing SET n_submitted = %s WHERE user_id = %s RETURNING user_id", [4, bob.pk]
    )
    assert fetch_after(rows, counted) == [(bob.pk,)]
    told = dict(Standing.objects.values_list("user", "n_submitted"))
    assert told == {bob.pk: 4, dora.pk: 0}
    assert Standing.objects.get(user=dora).reasons == ["50% of 'it' %s"]


def test_what_goes_along_is_inserted_also_where_the_other_finds_nothing(project: Project, dora: User) -> None:
    gone = Statement("UPDATE annotation_standing SET n_submitted = 4 WHERE user_id = %s RETURNING user_id", [0])
    assert fetch_after(insertion([Standing(project=project, user=dora)]), gone) == []
    assert Standing.objects.get().user == dora
