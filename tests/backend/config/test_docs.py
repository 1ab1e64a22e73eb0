"""The reference of the API is made from the schema: nothing is left out, and its examples can be run."""

from __future__ import annotations

import ast
import json
import shlex

import pytest
from django.test import Client

from backend.config.api_reference import ROOMS, Operation, read_operations
from backend.config.site import written_schema


@pytest.fixture(scope="module")
def operations() -> list[Operation]:
    return list(read_operations(json.loads(written_schema())))


def test_every_operation_belongs_to_a_room_with_a_title(operations: list[Operation]) -> None:
    assert {operation.room for operation in operations} == set(ROOMS)


def test_the_first_page_lists_every_operation_and_a_visitor_may_read_it(
    client: Client, db: None, operations: list[Operation]
) -> None:
    page = client.get("/api/docs").content.decode()
    assert "SITE=http://testserver" in page
    for part in ('id="auth"', 'id="pages"', 'id="errors"'):
        assert part in page
    for operation in operations:
        assert f"/api/docs/{operation.room}#{operation.anchor}" in page


def test_a_room_has_its_operations_with_examples(client: Client, db: None) -> None:
    page = client.get("/api/docs/runs").content.decode()
    assert 'id="projects_runs_create"' in page
    assert "curl --request POST" in page
    assert "client.request(" in page
    assert "/api/v1/projects/photographs/runs" in page


def test_a_room_that_does_not_exist_is_not_found(client: Client, db: None) -> None:
    assert client.get("/api/docs/cellar").status_code == 404


def test_the_examples_are_shell_and_python(operations: list[Operation]) -> None:
    for operation in operations:
        words = shlex.split(operation.curl)
        assert words[0] == "curl"
        assert words[-1].startswith("$SITE/api/v1/")
        ast.parse(operation.python)


def test_a_call_without_an_account_sends_no_token(operations: list[Operation]) -> None:
    by_path = {operation.path: operation for operation in operations if operation.method == "GET"}
    assert "$TOKEN" not in by_path["/api/v1/public/releases/{token}"].curl
    assert "$TOKEN" in by_path["/api/v1/me"].curl
