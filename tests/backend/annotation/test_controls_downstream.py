"""A control becomes no data: no count, pool, score, loan, consensus or statement of past work takes it for a pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Hit, Judgment
from backend.annotation.selectors import counted_judgments
from backend.candidates.cleaning import clean_candidates, read_demands
from backend.candidates.models import Candidate
from backend.candidates.selectors import candidate_counters, kept_captions, shown_captions
from backend.catalogue.models import Image
from backend.common.errors import InvalidInput
from backend.controls.services import KnownAnswer, make_control
from backend.curation.models import Consensus
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run
from workers.tasks import candidates, curation
from world import World

Clients = Callable[..., APIClient]


@pytest.fixture
def control(project: Project, add_image: Callable[..., Image]) -> Control:
    """One of an image that has three captions besides; every page has about as many controls as pairs."""
    Project.objects.filter(pk=project.pk).update(control_rate=0.3, overlap=1)
    project.refresh_from_db()
    image = add_image("pier", 3)
    image.project = project
    return make_control(image=image, of="A dog in the snow.", answer=KnownAnswer(("bad",)), made_by=None)


@pytest.fixture
def judged(client_of: Clients, bob: User, control: Control, build: Callable[..., list[Hit]]) -> None:
    """Bob says good of all that he is shown, the control among it."""
    build()
    client = client_of(bob)
    page = client.post("/api/v1/projects/skies/assignments/next").json()["assignment"]
    said = [{"position": item["position"], "label": "good"} for item in page["items"]]
    sent = client.post(
        f"/api/v1/assignments/{page['id']}/submit", {"judgments": said}, headers={"Idempotency-Key": "a"}
    )
    assert sent.status_code == 200, sent.content
    assert Judgment.objects.exclude(control=None).get().outcome == "failed"


def run_stage(task: Any, project: Project, stage: str, **parameters: Any) -> Run:
    run = Run.objects.create(project=project, stage=stage, parameters=parameters)
    task(str(run.pk))
    run.refresh_from_db()
    assert run.status == "succeeded", run.error
    return run


def test_no_judgment_of_a_control_counts_and_consensus_has_no_row_of_it(
    project: Project, control: Control, judged: None
) -> None:
    assert Judgment.objects.filter(candidate=control.candidate).count() == 1
    assert counted_judgments(project=project).count() == 3
    run_stage(curation.consensus, project, "consensus", min_votes=1, method="majority")
    assert Consensus.objects.count() == 3
    assert not Consensus.objects.filter(candidate=control.candidate).exists()


def test_counters_and_the_generic_stage_see_the_ordinary_captions_alone(project: Project, control: Control) -> None:
    assert candidate_counters([project.pk])[project.pk] == {"candidates": 3, "kept": 3, "new_candidates": 0}
    assert control.candidate not in kept_captions(project=project)


def test_edits_are_suggested_for_controls_as_for_all_that_annotators_see(project: Project, control: Control) -> None:
    assert control.candidate in shown_captions(project=project)
    assert shown_captions(project=project).count() == 4


def test_cleaning_leaves_a_control_as_it_is_and_drops_no_caption_for_it(project: Project, control: Control) -> None:
    Control.objects.filter(pk=control.pk).update(state="retired")
    same = World(project).caption(control.candidate.image, "a dog in the snow", source="corpus", status="new")
    started = services.claim_run(run_id=str(Run.objects.create(project=project, stage="clean", parameters={}).pk))
    assert started is not None
    ledger = Ledger(started)
    clean_candidates(ledger=ledger, demands=read_demands({}))
    same.refresh_from_db()
    control.candidate.refresh_from_db()
    assert (same.status, control.candidate.status) == ("kept", "kept")
    assert control.candidate.text == "A dog in the snow."
    assert ledger.run.counts["in"] == 4


def test_no_other_image_borrows_the_words_of_a_control(
    project: Project, control: Control, add_image: Callable[..., Image]
) -> None:
    add_image("lamp", 1)
    parameters = {"borrow": 20, "source": "", "upload": "", "layout": "auto", "origin": "human"}
    run_stage(candidates.import_candidates, project, "import_candidates", **parameters)
    borrowed = set(Candidate.objects.filter(source="other_image").values_list("raw_text", flat=True))
    assert borrowed == {*(f"pier caption {n}" for n in (1, 2, 3)), "lamp caption 1"}


@pytest.mark.parametrize("verb", ["drop", "restore"])
def test_a_control_is_neither_dropped_nor_restored_among_the_captions(
    client_of: Clients, alice: User, control: Control, verb: str
) -> None:
    address = f"/api/v1/projects/skies/candidates/{control.candidate_id}/{verb}"
    refused = client_of(alice).post(address, {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "is_control")


def test_what_was_dropped_becomes_no_control(project: Project, add_image: Callable[..., Image]) -> None:
    image = add_image("pier", 1, status="dropped")
    with pytest.raises(InvalidInput, match="Only a kept pair"):
        make_control(image=image, of=Candidate.objects.get(), answer=KnownAnswer(("bad",)), made_by=None)
