"""The examples of operations of the review queue have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from api_examples import Examples
from backend.annotation.models import Judgment
from backend.people.models import User
from backend.projects.models import Project
from backend.review.queue.filling import fill_cases
from pages_in_hand import submit, take
from world import World

BASE = "projects/skies/review"


def test_the_review_queue_is_as_in_its_examples(
    example: Examples, client_of: Callable[..., APIClient], project: Project, bob: User, finn: User, dora: User,
    erin: User, switch: Callable[..., None],
) -> None:  # fmt: skip
    world = World(project)
    world.add_hits(3, 2)
    switch(ties=True, comments=True, first_assignments=1, second_look_percent=100)
    for hit in range(3):
        world.submit(bob, hit, ["good", "good"], ms=[1200, 900])
        world.submit(finn, hit, ["bad", "good"])
    Judgment.objects.filter(annotator=bob, position=2).update(comment="Which of the two boats?")
    fill_cases(project=project)
    head = client_of(dora)
    example("projects_review_settings_retrieve", head.get, f"{BASE}/settings")
    example(
        "projects_review_settings_partial_update",
        head.patch,
        f"{BASE}/settings",
        {"sample_percent": 5, "second_look_percent": 100},
    )
    example("projects_review_counts_retrieve", head.get, f"{BASE}/counts")
    example("projects_review_cases_list", head.get, f"{BASE}/cases")
    case = example("projects_review_next_create", head.post, f"{BASE}/next", {"reason": "tie"})
    own = f"{BASE}/cases/{case['id']}"
    example("projects_review_cases_retrieve", head.get, own)
    example("projects_review_cases_lease_create", head.post, f"{own}/lease")
    example("projects_review_cases_lease_destroy", head.delete, f"{own}/lease")
    said = {
        "candidate": case["pairs"][0]["candidate"],
        "label": "bad",
        "reason": "wrong_count",
        "confidence": 3,
        "note": "It is one boat.",
    }
    decided = {"action": "settle", "items": [said]}
    done = example("projects_review_cases_decisions_create", head.post, f"{own}/decisions", decided)
    example("projects_review_undo_create", head.post, f"{BASE}/undo", {"token": done["undo"]["token"]})
    example("projects_review_disputes_list", head.get, f"{BASE}/disputes")
    example("projects_review_pages_summary_list", head.get, f"{BASE}/pages/summary")
    ties = [each["id"] for each in head.get(f"/api/v1/{BASE}/cases?reason=tie").json()["results"]]
    example(
        "projects_review_decisions_create",
        head.post,
        f"{BASE}/decisions",
        {"cases": ties[1:], "action": "settle", "label": "good"},
    )
    verdict = {"candidate": world.pairs[1].pk, "label": "good", "reason": "I looked twice."}
    example("projects_verdicts_create", head.post, "projects/skies/verdicts", verdict)
    example("projects_verdicts_list", head.get, "projects/skies/verdicts")
    fill_cases(project=project)
    other = client_of(erin)
    look = other.post(f"/api/v1/{BASE}/next", {"reason": "second_look"}).json()
    judged = {"action": "settle", "items": [{"candidate": look["pairs"][0]["candidate"], "label": "bad"}]}
    assert other.post(f"/api/v1/{BASE}/cases/{look['id']}/decisions", judged).status_code == 200
    example("projects_review_heads_retrieve", other.get, f"{BASE}/heads")


def test_the_gate_is_as_in_its_examples(
    example: Examples,
    client_of: Callable[..., APIClient],
    project: Project,
    bob: User,
    dora: User,
    switch: Callable[..., None],
) -> None:
    World(project).add_hits(3, 2)
    switch()
    Project.objects.filter(pk=project.pk).update(gate_after=1)
    project.refresh_from_db()
    submit(take(project, bob))
    example("projects_review_gate_list", client_of(dora).get, f"{BASE}/gate")
    example("projects_review_gate_release_create", client_of(dora).post, f"{BASE}/gate/{bob.pk}/release", {})
