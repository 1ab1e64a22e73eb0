"""Worked examples beside the guidelines: who sets them, when they are read anew, and that none is a control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.candidates.models import Candidate
from backend.candidates.queries import add_query
from backend.catalogue.models import Image
from backend.common.errors import Stale
from backend.common.labels import Label
from backend.controls.imports import import_controls
from backend.controls.services import KnownAnswer, make_control
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.qualification.models import Control, GuidelineExample
from backend.qualification.services import ControlIsExample, ExampleIsControl, set_examples
from backend.runs.models import Run
from workers.tasks import control_making

ADDRESS = "/api/v1/projects/skies/guidelines/examples"
MINE = "/api/v1/projects/skies/qualification/mine"
SAID = {
    "text": "A pier that waits for its boats.",
    "label": "good",
    "explanation": "The pier stands empty.",
}
Clients = Callable[..., APIClient]


@pytest.fixture
def image(add_image: Callable[..., Image]) -> Image:
    return add_image("pier", 2)


def tell(project: Project, image: Image, text: str, label: Label = Label.GOOD) -> Project:
    """One example, in the place of all others."""
    return set_examples(
        project=project,
        version=project.version,
        examples=[GuidelineExample(image=image, text=text, label=label, explanation="Because.")],
    )


def put(client: APIClient, *examples: dict[str, Any], version: int = 1) -> Any:
    return client.put(ADDRESS, {"version": version, "examples": list(examples)}, format="json")


@pytest.mark.parametrize(
    ("who", "reads", "writes"),
    [("alice", 200, 200), ("dora", 200, 403), ("bob", 200, 403), ("charlie", 404, 404), (None, 401, 401)],
)
def test_members_read_the_examples_and_curators_set_them(
    request: pytest.FixtureRequest, client_of: Clients, image: Image, who: str | None, reads: int, writes: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    assert client.get(ADDRESS).status_code == reads
    assert put(client, {"image": image.pk, **SAID}).status_code == writes


def test_examples_stand_in_the_order_given_with_picture_edit_and_reason(
    client_of: Clients, alice: User, bob: User, image: Image
) -> None:
    edited = {**SAID, "text": "Two boats.", "edited_text": "A boat.", "label": "bad"}
    assert put(client_of(alice), {"image": image.pk, **SAID}, {"image": image.pk, **edited}).json()["version"] == 2
    told = client_of(bob).get(ADDRESS).json()
    assert [(one["text"], one["label"], one["edited_text"]) for one in told["examples"]] == [
        (SAID["text"], "good", ""), ("Two boats.", "bad", "A boat."),
    ]  # fmt: skip
    assert told["examples"][0]["thumbnail"]["small"]["url"]
    turned = put(client_of(alice), {"image": image.pk, **edited}, version=2).json()
    assert [one["text"] for one in turned["examples"]] == ["Two boats."]
    assert put(client_of(alice), version=3).json()["examples"] == []


@pytest.mark.nightly
@pytest.mark.parametrize(("who", "is_told"), [("alice", True), ("dora", True), ("bob", False)])
def test_who_only_annotates_is_not_told_the_number_of_a_picture(
    request: pytest.FixtureRequest, client_of: Clients, alice: User, image: Image, who: str, is_told: bool
) -> None:
    """Numbers say in which order pictures came in, which may be compared with what else is known of a control."""
    assert put(client_of(alice), {"image": image.pk, **SAID}).json()["examples"][0]["image"] == image.pk
    client = client_of(request.getfixturevalue(who))
    assert client.get(ADDRESS).json()["examples"][0]["image"] == (image.pk if is_told else None)
    (read,) = client.get(MINE).json()["guidelines"]["examples"]
    assert set(read) == {"thumbnail", "text", "label", "edited_text", "explanation"}


def test_a_slower_curator_is_told_which_version_stands(client_of: Clients, alice: User, image: Image) -> None:
    put(client_of(alice), {"image": image.pk, **SAID})
    late = put(client_of(alice), version=1)
    assert (late.status_code, late.json()["code"], late.json()["details"]) == (409, "stale", {"version": 2})
    assert GuidelineExample.objects.count() == 1


@pytest.mark.nightly
@pytest.mark.parametrize(
    "wrong",
    [{"text": " "}, {"label": "fine"}, {"explanation": ""}, {"explanation": "x" * 501}, {"text": "\x00"}, {"image": 0}],
)
def test_an_example_that_says_nothing_is_refused(
    client_of: Clients, alice: User, image: Image, wrong: dict[str, Any]
) -> None:
    assert put(client_of(alice), {"image": image.pk, **SAID, **wrong}).status_code == 400
    assert not GuidelineExample.objects.exists()


def test_a_picture_of_another_project_is_no_example_here(
    client_of: Clients, alice: User, charlie: User, add_image: Callable[..., Image], project: Project
) -> None:
    foreign = add_image("foreign", 0, into=Project.objects.get(slug="elsewhere"))
    answer = put(client_of(alice), {"image": foreign.pk, **SAID})
    assert (answer.status_code, answer.json()["code"]) == (400, "no_such_image")


@pytest.mark.nightly
def test_changed_examples_are_to_be_read_again_and_another_setting_is_not(
    client_of: Clients, alice: User, bob: User, project: Project, image: Image
) -> None:
    terms = {
        "version": 0, "asks_guidelines": True, "n_questions": 0, "pass_mark": 0.5, "max_attempts": 2,
        "retry_after_minutes": 0, "valid_days": None,
    }  # fmt: skip
    client_of(alice).put("/api/v1/projects/skies/qualification", terms, format="json")
    client = client_of(bob)
    assert client.get(MINE).json()["is_qualified"] is True
    put(client_of(alice), {"image": image.pk, **SAID})
    mine = client.get(MINE).json()
    assert (mine["is_qualified"], mine["guidelines"]["examples"][0]["text"]) == (False, SAID["text"])
    read = {"guidelines_digest": mine["guidelines"]["digest"]}
    client.post("/api/v1/projects/skies/qualification/guidelines-read", read)
    client_of(alice).patch("/api/v1/projects/skies", {"version": 2, "overlap": 3}, format="json")
    assert client.get(MINE).json()["is_qualified"] is True
    put(client_of(alice), {"image": image.pk, **SAID, "explanation": "It says what one feels."}, version=3)
    assert client.get(MINE).json()["why"]["code"] == "read_again"


@pytest.mark.parametrize("said", ["pier caption 1", "  Pier  CAPTION 1."])
def test_a_control_is_no_example_however_it_is_written(project: Project, image: Image, said: str) -> None:
    pair = Candidate.objects.get(text="pier caption 1")
    make_control(image=image, of=pair, answer=KnownAnswer(("good",)), made_by=None)
    with pytest.raises(ExampleIsControl) as refused:
        tell(project, image, said)
    assert refused.value.details == {"position": 1}
    tell(project, image, "pier caption 2")


def test_an_example_becomes_no_control(project: Project, image: Image) -> None:
    tell(project, image, "Pier caption 1")
    answer = KnownAnswer(("good",))
    with pytest.raises(ControlIsExample):
        make_control(image=image, of=Candidate.objects.get(text="pier caption 1"), answer=answer, made_by=None)
    with pytest.raises(ControlIsExample):
        make_control(image=image, of="pier caption 1", answer=answer, made_by=None)
    assert not Control.objects.exists()
    make_control(image=image, of="A dog.", answer=answer, made_by=None)


def test_the_image_of_a_querys_example_becomes_no_control_of_it(project: Project, image: Image) -> None:
    Project.objects.update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    query = add_query(project=project, text="waiting").query
    tell(project, image, "Waiting", Label.BAD)
    with pytest.raises(ControlIsExample):
        make_control(image=image, of=query, answer=KnownAnswer(("bad",)), made_by=None)


def test_an_imported_row_that_is_an_example_is_refused_and_the_others_are_not(project: Project, image: Image) -> None:
    tell(project, image, "Pier caption 1")
    rows = [(at, {"image": "pier", "text": f"pier caption {at}", "accepted": "good"}) for at in (1, 2)]
    found = import_controls(project=project, rows=rows, made_by=None)
    assert (found.n_new, [row.code for row in found.refused]) == (1, ["control_is_example"])


def test_controls_that_are_made_pass_by_the_examples(project: Project, add_image: Callable[..., Image]) -> None:
    pier, _ = add_image("pier", 1), add_image("dune", 2)
    Image.objects.filter(key="dune").update(perceptual_hash="f" * 16)
    tell(project, pier, "dune caption 1", Label.BAD)
    run = Run.objects.create(project=project, stage="make_controls", seed=1, parameters={"k": 1, "by": "hash"})
    control_making.make_controls(str(run.pk))
    assert Control.objects.get(candidate__image=pier).candidate.text == "dune caption 2"


def test_what_was_set_meanwhile_stands(project: Project, image: Image) -> None:
    tell(project, image, "pier caption 1")
    with pytest.raises(Stale):
        set_examples(project=Project.objects.get(), version=1, examples=[])
