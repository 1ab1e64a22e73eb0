"""The examples of operations about runs have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from api_examples import Examples
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Refusal, Run, RunStatus


def test_runs_are_as_in_their_examples(
    example: Examples, client_of: Callable[..., APIClient], project: Project, alice: User
) -> None:
    client = client_of(alice)
    sent = {"stage": "import_images", "parameters": {"layout": "coco"}, "seed": 7}
    run = example("projects_runs_create", client.post, "projects/skies/runs", sent)
    own = f"runs/{run['id']}"
    Run.objects.update(status=RunStatus.RUNNING, total=240, done=35, log_tail=["35 of 240 images"])
    Refusal.objects.create(run_id=run["id"], line=3, name="a.jpg", code="truncated", message="The file ends too early.")
    example("runs_retrieve", client.get, own)
    example("projects_runs_list", client.get, "projects/skies/runs")
    example("runs_refusals_list", client.get, f"{own}/refusals")
    example("projects_walk_retrieve", client.get, "projects/skies/walk")
    example("runs_cancel_create", client.post, f"{own}/cancel")
    Run.objects.update(status=RunStatus.CANCELLED)
    example("runs_retry_create", client.post, f"{own}/retry")
