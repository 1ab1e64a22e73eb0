"""The examples of operations about tasks, test questions, quizzes and quality rules have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from api_examples import Examples
from backend.annotation.models import Hit
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from judged_project import work_on
from quizzes import Asks
from suggestions import suggest
from world import make_world

Clients = Callable[..., APIClient]
ANSWERS = [
    {"position": 1, "label": "good", "lens": "literal", "ms": 1200},
    {"position": 2, "label": "bad", "comment": "Two boats, not one.",
     "edits": [{"start": 0, "end": 4, "kind": "location", "before": "pier", "after": "quay"}]},
    {"position": 3, "label": "unsure", "is_generic": False},
]  # fmt: skip
WORK = {
    "items": [
        {
            "position": 1,
            "answer": {
                "label": "good",
                "edits": [],
                "lens": "literal",
                "comment": "",
                "is_generic": False,
                "ms": 900,
                "at": None,
            },
            "unfinished": None,
        }
    ],
    "current": 1,
}
RULES = [{"collector": "control_failures", "condition": {"min_n": 2}, "action": "exclude"}]


def test_tasks_are_as_in_their_examples(
    example: Examples, client_of: Clients, project: Project, bob: User, alice: User, image: Image,
    build: Callable[..., Any], add_image: Callable[..., Image], hold_suggestions: Callable[[], None],
) -> None:  # fmt: skip
    add_image("harbour", 9)
    build()
    hold_suggestions()
    client, skies = client_of(bob), "projects/skies"
    example("projects_preview_retrieve", client_of(alice).get, f"{skies}/preview")
    example("build_checklist", client_of(alice).get, f"{skies}/hits/checklist")
    page = example("projects_assignments_next_create", client.post, f"{skies}/assignments/next", {"holding": []})[
        "assignment"
    ]
    own = f"assignments/{page['id']}"
    example("assignments_retrieve", client.get, own)
    example("assignments_suggestions_retrieve", client.get, f"{own}/suggestions")
    example(
        "assignments_draft_update", client.put, f"{own}/draft", {"work": WORK, "saved_at": timezone.now().isoformat()}
    )
    example("assignments_draft_retrieve", client.get, f"{own}/draft")
    example("assignments_heartbeat_create", client.post, f"{own}/heartbeat")
    sent = {"judgments": ANSWERS, "fetch_next": True}
    key = {"headers": {"Idempotency-Key": "one"}}
    following = example("assignments_submit_create", client.post, f"{own}/submit", sent, more=key)["next"]
    example("projects_past_work_list", client.get, f"{skies}/past-work")
    example("projects_past_work_days_retrieve", client.get, f"{skies}/past-work/days")
    example("assignments_past_retrieve", client.get, f"{own}/past")
    example(
        "assignments_judgments_create",
        client.post,
        f"{own}/judgments/1",
        {"label": "unsure", "comment": "On second thoughts."},
    )
    example(
        "assignments_skip_create",
        client.post,
        f"assignments/{following['id']}/skip",
        {"reason": "cannot_see", "to": "others"},
    )
    third = client.post(f"/api/v1/{skies}/assignments/next").json()["assignment"]
    example("assignments_return_create", client.post, f"assignments/{third['id']}/return")
    example("projects_progress_retrieve", client.get, f"{skies}/progress")
    example("projects_annotator_state_retrieve", client.get, f"{skies}/annotator-state")
    example("projects_forecast_retrieve", client_of(alice).get, f"{skies}/forecast")


@pytest.fixture
def hold_suggestions(project: Project) -> Callable[[], None]:
    """Suggested edits for every caption."""
    from backend.runs import services
    from backend.runs.ledger import Ledger

    def make() -> None:
        run = Run.objects.create(project=project, stage="suggest_edits", parameters={"parser": "colours"}, seed=0)
        claimed = services.claim_run(run_id=str(run.pk))
        assert claimed is not None
        suggest(Ledger(claimed))
        Run.objects.filter(pk=run.pk).update(status="succeeded")

    return make


def test_quizzes_and_guidelines_are_as_in_their_examples(
    example: Examples, client_of: Clients, project: Project, alice: User, bob: User, asks: Asks, image: Image
) -> None:
    asks(6)
    curator, client, own = client_of(alice), client_of(bob), "projects/skies/qualification"
    terms = example("projects_qualification_retrieve", curator.get, own)
    sent = {
        "version": terms["version"], "asks_guidelines": True, "n_questions": 2, "pass_mark": 0.5, "max_attempts": 2,
        "retry_after_minutes": 0, "valid_days": None,
    }  # fmt: skip
    example("projects_qualification_update", curator.put, own, sent)
    worked = {
        "image": image.pk,
        "text": "A pier that waits for its boats.",
        "label": "good",
        "explanation": "The pier stands empty.",
    }
    written = {"version": 1, "examples": [worked]}
    example("projects_guidelines_examples_update", curator.put, "projects/skies/guidelines/examples", written)
    example("projects_guidelines_examples_retrieve", client.get, "projects/skies/guidelines/examples")
    mine = example("projects_qualification_mine_retrieve", client.get, f"{own}/mine")
    read = {"guidelines_digest": mine["guidelines"]["digest"]}
    example("projects_qualification_guidelines_read_create", client.post, f"{own}/guidelines-read", read)
    attempt = example("projects_qualification_quiz_create", client.post, f"{own}/quiz")
    quiz = f"{own}/quiz/{attempt['number']}"
    answers = {"answers": [{"position": 1, "label": "good"}, {"position": 2, "label": "bad"}]}
    example("projects_qualification_quiz_answers_create", client.post, f"{quiz}/answers", answers)
    example("projects_qualification_quiz_retrieve", client.get, quiz)
    example("projects_qualification_attempts_list", curator.get, f"{own}/attempts")


def test_test_questions_are_as_in_their_examples(
    example: Examples, curator: APIClient, project: Project, hit: Hit
) -> None:
    own, image = "projects/skies/controls", Image.objects.get()
    sent = {"image": image.pk, "text": "A dog in the snow.", "accepted": ["bad", "unsure"], "explanation": "No dog."}
    made = example("projects_controls_create", curator.post, own, sent)
    example("projects_controls_list", curator.get, own)
    example("projects_controls_retrieve", curator.get, f"{own}/{made['id']}")
    example("projects_controls_partial_update", curator.patch, f"{own}/{made['id']}", {"state": "retired"})
    example("projects_controls_destroy", curator.delete, f"{own}/{made['id']}")
    rows = f"image,text,accepted\n{image.key},A cat on a roof.,bad\nnowhere,A cat.,bad\n"
    file = {"file": SimpleUploadedFile("controls.csv", rows.encode())}
    example("projects_controls_import_create", curator.post, f"{own}/import", file, more={"format": "multipart"})
    example("projects_controls_supply_retrieve", curator.get, f"{own}/supply")


def test_an_import_of_answers_is_as_in_its_example(example: Examples, curator: APIClient, hit: Hit) -> None:
    key = hit.items.all()[0].candidate.key
    rows = f"task,worker,label\n{key},w1,good\n{key},w2,bad\nnowhere,w1,good\n"
    file = {"file": SimpleUploadedFile("rows.csv", rows.encode())}
    address = "projects/skies/judgments/import"
    example("projects_judgments_import_create", curator.post, address, file, more={"format": "multipart"})


def test_quality_rules_are_as_in_their_examples(
    example: Examples, client_of: Clients, project: Project, alice: User, bob: User, dora: User
) -> None:
    world = make_world(project, images=3, captions=3, controls=4)
    world.submit(bob, 0, ["good", "bad", "good"], controls=dict.fromkeys(range(3), "bad") | {3: "good"})
    world.submit(dora, 0, ["good", "good", "good"], controls=dict.fromkeys(range(4), "good"), ms=[1000, 2000, 6000])
    client, skies = client_of(alice), "projects/skies"
    sent = {"rules": RULES, "note": "First rules."}
    example("projects_policies_create", client.post, f"{skies}/policies", sent)
    example("projects_policies_list", client.get, f"{skies}/policies")
    example("projects_policies_defaults_retrieve", client.get, f"{skies}/policies/defaults")
    one = f"{skies}/policies/1"
    example("projects_policies_retrieve", client.get, one)
    run = example("projects_policies_preview_create", client.post, f"{one}/preview")["run"]
    work_on(Run.objects.get(pk=run))
    example("projects_policies_preview_retrieve", client.get, f"{one}/preview")
    work_on(Run.objects.get(pk=example("projects_policies_apply_create", client.post, f"{one}/apply")["run"]))
    example("projects_annotators_list", client.get, f"{skies}/annotators")
    person = f"{skies}/annotators/{bob.pk}"
    state = {"state": "paused", "reason": "Too many test questions failed."}
    example("projects_annotators_state_create", client.post, f"{person}/state", state)
    example("projects_annotators_retrieve", client.get, person)
