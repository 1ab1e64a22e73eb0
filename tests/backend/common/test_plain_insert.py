from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from backend.annotation.models import Standing
from backend.common.plain_insert import insert_plainly
from backend.people.models import User
from backend.projects.models import Project


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
