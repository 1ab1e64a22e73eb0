"""Whatever a client sends, the answer is never a 5xx: every endpoint, fed from its own schema, as every role."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest
import requests
import schemathesis
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from rest_framework.test import APIClient

from backend.people import services
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import ReviewCase
from pages_in_hand import take
from world import make_world

# What would sign the caller out, or let go of the project, is left to its own tests.
SPARED = [("DELETE", "/api/v1/session"), ("POST", "/api/v1/me/password")]
ROLES = ["admin", "curator", "head", "annotator", "token", "anonymous"]
TURNS = cycle((True, False))  # half of the addresses are of what is there
schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
for method, path in SPARED:
    schema = schema.exclude(method=method, path=path)


@pytest.fixture
def sender(request: pytest.FixtureRequest, project: Project, alice: User, dora: User, bob: User) -> APIClient:
    """A client of this role in the project."""
    client = APIClient(raise_request_exception=False)
    people = {"curator": alice, "head": dora, "annotator": bob}
    if request.param == "admin":
        client.force_login(User.objects.create_superuser("ada", "ada@example.org", "correct horse battery"))
    elif request.param == "token":
        _, secret = services.create_token(user=alice, name="script")
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    elif request.param != "anonymous":
        client.force_login(people[request.param])
    return client


@pytest.fixture
def found(project: Project, bob: User) -> dict[str, object]:
    """What is in the project, by the name that addresses have for it."""
    world = make_world(project, images=4, captions=3, controls=2)
    image, pair = world.hits[0].image, world.pairs[0]
    page = take(project, bob)
    case = ReviewCase.objects.create(project=project, candidate=world.pairs[1], opened_at=page.leased_at)
    there = {"image_id": image.pk, "candidate_id": pair.pk, "assignment_id": str(page.pk), "user_id": bob.pk}
    return there | {"case_id": case.pk}


def send(case: Any, sender: APIClient, found: dict[str, object]) -> None:
    """Send what the schema made, half of the times to an address of the project."""
    there = {"slug": "skies"} | (found if next(TURNS) else {})
    case.path_parameters.update({name: mine for name, mine in there.items() if name in case.path_parameters})
    sent = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    headers = {name: value for name, value in sent.headers.items() if name.lower() not in ("cookie", "authorization")}
    content_type = headers.pop("Content-Type", "application/octet-stream")
    answer = sender.generic(sent.method, sent.path_url, sent.body or b"", content_type, headers=headers)
    assert answer.status_code < 500, answer.content


@pytest.mark.nightly
@schema.parametrize()
@pytest.mark.parametrize("sender", ROLES, indirect=True)
@settings(max_examples=15, suppress_health_check=list(HealthCheck), database=None)
def test_no_input_of_any_role_breaks_the_server(case: Any, sender: APIClient, found: dict[str, object]) -> None:
    send(case, sender, found)
