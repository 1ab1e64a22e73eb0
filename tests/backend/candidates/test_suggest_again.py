"""Captions that come after Suggest edits get their suggestions, by a run of their own or at the end of this one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.candidates.models import Candidate, text_digest
from backend.candidates.selectors import suggestion_counters
from backend.candidates.suggesting import Parsed, suggest_for_captions
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus
from suggestions import colours, put_sample_in_force, suggest
from workers.tasks import control_making

pytestmark = pytest.mark.django_db
Adder = Callable[..., Candidate]
Holder = Callable[..., Ledger]
CONTROLS = "/api/v1/projects/skies/controls"


@pytest.fixture
def images(make_images: Callable[..., list[Image]], add_caption: Adder) -> list[Image]:
    """Three images with two kept captions each."""
    made = make_images("night", "day", "noon")
    for image in made:
        for n in range(2):
            text = f"A red sky over the {image.key} hill {n}"
            add_caption(image, text, text=text, status="kept")
    return made


@pytest.fixture
def read(images: list[Image], hold_run: Holder) -> Run:
    """All of it was read by Suggest edits."""
    run = suggest(hold_run("suggest_edits")).run
    Run.objects.filter(pk=run.pk).update(status=RunStatus.SUCCEEDED, parameters={"parser": "colours"})
    return run


def without(project: Project) -> int:
    return suggestion_counters([project.pk])[project.pk]["without_suggestions"]


def follow_ups() -> list[Run]:
    return list(Run.objects.filter(stage="suggest_edits", parameters__captions="new"))


def unread() -> list[str]:
    return [one.text for one in Candidate.objects.order_by("pk") if one.suggested_digest != text_digest(one.text)]


def add_control(client: APIClient, image: Image, text: str) -> None:
    answer = client.post(CONTROLS, {"image": image.pk, "text": text, "accepted": ["bad"]})
    assert answer.status_code == 201, answer.json()


@pytest.mark.nightly
def test_a_control_made_by_hand_or_from_a_file_starts_a_run_over_the_new_captions_alone(
    client_of: Callable[..., APIClient], alice: User, project: Project, images: list[Image], read: Run, hold_run: Holder
) -> None:
    client = client_of(alice)
    assert without(project) == 0
    add_control(client, images[0], "A green dog")
    (run,) = follow_ups()
    assert run.parameters == {"captions": "new", "parser": "colours"}
    assert (run.status, run.started_by) == (RunStatus.QUEUED, alice)
    assert without(project) == 1
    # The second control does not trip over the first one's run.
    file = io.BytesIO(b"image_id,text,accepted\nday,Two blue cats,bad\n")
    file.name = "controls.csv"
    answer = client.post(f"{CONTROLS}/import", {"file": file}, format="multipart")
    assert (answer.status_code, answer.json()["n_new"]) == (200, 1)
    assert (len(follow_ups()), without(project), unread()) == (1, 2, ["A green dog", "Two blue cats"])
    Run.objects.filter(pk=run.pk).update(status=RunStatus.CANCELLED)
    ledger = hold_run("suggest_edits")
    suggest_for_captions(ledger=ledger, parse=colours, models_used={}, only_new=True)
    assert (ledger.run.counts["in"], ledger.run.done, ledger.run.total) == (2, 2, 2)
    assert (without(project), unread()) == (0, [])
    assert all(control.candidate.suggestions.exists() for control in Control.objects.all())


def test_where_suggest_edits_never_ran_or_failed_last_nothing_is_started(
    client_of: Callable[..., APIClient], alice: User, project: Project, images: list[Image]
) -> None:
    add_control(client_of(alice), images[0], "A green dog")
    assert (Run.objects.count(), without(project)) == (0, 0)
    Run.objects.create(project=project, stage="suggest_edits", status=RunStatus.FAILED)
    add_control(client_of(alice), images[0], "A blue dog")
    assert not follow_ups()


def test_make_controls_ends_with_a_run_over_its_captions(
    project: Project, images: list[Image], read: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.objects.filter(key="day").update(perceptual_hash="f" * 16)
    run = Run.objects.create(project=project, stage="make_controls", parameters={"k": 1, "by": "hash"})
    control_making.make_controls(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.error) == (RunStatus.SUCCEEDED, None)
    assert Control.objects.exists() and len(follow_ups()) == 1
    assert without(project) == Control.objects.values("candidate__image").distinct().count()


def test_captions_that_come_while_it_runs_are_read_at_its_end(
    project: Project, images: list[Image], add_caption: Adder, hold_run: Holder
) -> None:
    came: list[Candidate] = []

    def parse(texts: Sequence[str]) -> Iterator[Parsed]:
        if not came:  # for the first image, which this run has read by then
            came.append(add_caption(min(images, key=lambda image: image.digest), "A red boat", text="A red boat"))
            Candidate.objects.filter(pk=came[0].pk).update(status="kept")
        return colours(texts)

    ledger = suggest(hold_run("suggest_edits"), parse)
    assert unread() == [] and came[0].suggestions.exists()
    assert (ledger.run.counts["in"], ledger.run.done, ledger.run.total) == (7, 7, 7)


def test_an_image_outside_of_the_sample_is_not_counted_since_no_run_reads_it(
    project: Project, images: list[Image], read: Run, add_caption: Adder, charlie: Any
) -> None:
    add_caption(images[0], "A green sea", text="A green sea", status="kept")
    assert without(project) == 1
    sample = put_sample_in_force(project)
    assert without(project) == 0
    sample.points.create(image=images[0], x=0, y=0, position=1)
    assert without(project) == 1


def test_the_counter_takes_two_queries_for_any_number_of_projects(
    project: Project, images: list[Image], read: Run, charlie: Any, django_assert_num_queries: Callable[..., Any]
) -> None:
    ids = list(Project.objects.values_list("pk", flat=True))
    assert len(ids) > 1
    with django_assert_num_queries(2):
        assert suggestion_counters(ids) == {each: {"without_suggestions": 0} for each in ids}
