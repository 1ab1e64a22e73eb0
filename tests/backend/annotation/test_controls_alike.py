"""What annotators get tells nothing of controls: pages of one length are alike with and without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from backend.annotation.hits import build_hits
from backend.annotation.models import HitItem
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from settled import set_rules
from world import World

API = "/api/v1"


def shape(value: Any) -> Any:
    """What of an answer may not differ: its keys and kinds, and how long texts are."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    return (type(value).__name__, len(value) if isinstance(value, str) else 0)


def look(client: APIClient, method: str, path: str, **sent: Any) -> tuple[Any, Any]:
    """The body, and all else that can be seen or timed."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        answer = getattr(client, method)(path, format="json", **sent)
    assert answer.status_code < 300, answer.content
    headers = sorted(name for name in answer.headers if name != "X-Request-ID")
    body = answer.json() if answer.content else None
    seen = (answer.status_code, shape(body), len(answer.content), headers, len(captured))
    return body, seen


@pytest.mark.nightly
@pytest.mark.parametrize("captions", [1, 4])
def test_pages_of_equal_length_are_alike_with_and_without_a_control(
    project: Project, bob: User, client_of: Callable[..., APIClient], captions: int
) -> None:
    set_rules(project, control_rate=0.2, captions_per_hit=captions)
    world = World(project)
    for key in "abcdefgh":
        image = world.image(f"image-{key}")
        texts = [f"{key} caption number {n}" for n in range(captions + 1)]
        pairs = world.captions(image, *texts[:captions])
        if captions == 1 or key in "aceg":
            world.control(world.caption(image, f"{key} caption number 9"), "bad")
        else:  # as long, without a control
            world.captions(image, texts[-1])
        assert pairs
    set_rules(project, captions_per_hit=captions if captions == 1 else 5)
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    set_rules(project, control_rate=0.2)
    images = list(project.images.order_by("digest"))
    build_hits(project=project, run=run, subjects=images)
    client, seen = client_of(bob), {True: [], False: []}
    controls = set(HitItem.objects.filter(control__isnull=False).values_list("hit", flat=True))
    client.post(f"{API}/projects/skies/assignments/next", {}, format="json")  # what the process learns once
    while True:
        page, asked = look(client, "post", f"{API}/projects/skies/assignments/next", data={})
        if page["assignment"] is None:
            break
        pk, items = page["assignment"]["id"], page["assignment"]["items"]
        hit = bob.assignments.get(pk=pk).hit_id
        _, again = look(client, "get", f"{API}/assignments/{pk}")
        said = {"judgments": [{"position": each["position"], "label": "good"} for each in items], "fetch_next": False}
        _, sent = look(
            client, "post", f"{API}/assignments/{pk}/submit", data=said, headers={"Idempotency-Key": str(pk)}
        )
        _, past = look(client, "get", f"{API}/assignments/{pk}/past")
        _, progress = look(client, "get", f"{API}/projects/skies/progress")
        seen[hit in controls].append((len(items), asked, again, sent, past))
        assert progress
    assert seen[True] and seen[False]
    assert {repr(one) for one in seen[True][1:]} <= {repr(one) for one in seen[False][1:]}
