"""Whatever a client sends, the answer is as documented and never a 5xx: every endpoint, fed from its own schema, as
every role."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
import requests
import schemathesis
from django.core.cache import cache
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from api_examples import JSON, SCHEMA, misfits, operations
from backend.people import services
from backend.people.models import User
from empty_tables import delete_rows
from one_of_everything import make_one_of_everything

# What would sign the caller out, or delete a file for good, is left to its own tests.
SPARED = [
    ("DELETE", "/api/v1/session"),
    ("POST", "/api/v1/me/password"),
    ("DELETE", "/api/v1/exports/{export_id}"),
]
ROLES = ["admin", "curator", "head", "annotator", "token", "anonymous"]
PEOPLE = {"curator": "alice", "head": "dora", "annotator": "bob"}
TURNS = cycle((True, True, False))  # most addresses are of what is there
DOCUMENTED = {(each["method"], each["path"]): each["responses"] for each in operations().values()}
schema = schemathesis.openapi.from_dict(SCHEMA)
for method, path in SPARED:
    schema = schema.exclude(method=method, path=path)


@pytest.fixture(scope="module")
def there(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """What is in the project, by the name that addresses have for it."""
    with django_db_blocker.unblock():
        yield make_one_of_everything(tmp_path_factory.mktemp("near"))
        delete_rows()


@pytest.fixture
def sender(request: pytest.FixtureRequest, there: dict[str, Any], db: None) -> APIClient:
    """A client of this role in the project."""
    cache.clear()
    client = APIClient(raise_request_exception=False)
    if request.param == "admin":
        client.force_login(User.objects.create_superuser("ada", "ada@example.org", "correct horse battery"))
    elif request.param == "token":
        _, secret = services.create_token(user=User.objects.get(username="alice"), name="script")
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    elif request.param != "anonymous":
        client.force_login(User.objects.get(username=PEOPLE[request.param]))
    return client


def address(case: Any, there: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the address, most of the times of what is in the project."""
    names = case.path_parameters.keys()
    mine = dict(there) if next(TURNS) else {"slug": there["slug"]}
    part = case.operation.path.removeprefix("/api/v1/").partition("/")[0]
    mine["token"] = there["token"].get(part, "")
    return {name: mine[name] for name in names & mine.keys() if mine[name]}


def check(case: Any, answer: Any) -> None:
    """The answer is no 5xx, and fits what the schema says of its status."""
    told = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer.status_code < 500, told
    documented = DOCUMENTED.get((case.method.upper(), case.operation.path))
    if documented is None:  # a method that the address does not have
        return
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if answer.status_code < 400:
        assert str(answer.status_code) in documented or answer.status_code == 304, (answer.status_code, told[:500])
    found = documented.get(str(answer.status_code), documented["default"]).get("content", {})
    assert kind in found or not told, (kind, told[:500])
    if kind == JSON and found[JSON]["schema"].get("format") != "binary":
        assert misfits(json.loads(told), found[JSON]["schema"]) == [], told[:500]


@pytest.mark.nightly
@schema.parametrize()
@pytest.mark.parametrize("sender", ROLES, indirect=True)
@settings(max_examples=5, suppress_health_check=list(HealthCheck), database=None)
def test_no_input_of_any_role_breaks_the_server(case: Any, sender: APIClient, there: dict[str, Any]) -> None:
    case.path_parameters.update(address(case, there))
    sent = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    headers = {name: value for name, value in sent.headers.items() if name.lower() not in ("cookie", "authorization")}
    content_type = headers.pop("Content-Type", "application/octet-stream")
    check(case, sender.generic(sent.method, sent.path_url, sent.body or b"", content_type, headers=headers))
