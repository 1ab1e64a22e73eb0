"""Controls over HTTP: made, listed, retired, deleted, how long they last; nothing of it for annotators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Hit, HitItem, Judgment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control, ControlNews
from control_files import CONTROLS, send_file
from world import World

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
Clients = Callable[..., APIClient]
BAD = {"accepted": ["bad"]}


@pytest.fixture
def made(curator: APIClient, image: Image) -> dict[str, Any]:
    sent = {"image": image.pk, "text": "A dog in the snow.", "accepted": ["bad", "unsure"], "explanation": "No dog."}
    answer = curator.post(CONTROLS, sent, format="json")
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def meet(control: Control, user: User, outcome: str = "passed") -> None:
    world = World(control.project)
    turn = world.turn(user, world.hit(control.candidate.image, part=99))
    said = {"label": "bad", "position": 1, "outcome": outcome}
    Judgment.objects.create(control=control, candidate=control.candidate, annotator=user, assignment=turn, **said)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("who", "reads", "writes"),
    [("alice", 200, 201), ("dora", 200, 403), ("bob", 403, 403), ("charlie", 404, 404), (None, 401, 401)],
)
def test_curators_write_reviewers_read_and_annotators_see_nothing(
    request: pytest.FixtureRequest, client_of: Clients, image: Image, who: str | None, reads: int, writes: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    pair = Candidate.objects.filter(image=image).first()
    control = World(image.project).control(pair)
    one = f"{CONTROLS}/{control.pk}"
    answers = [client.get(address) for address in (CONTROLS, one, f"{CONTROLS}/supply")]
    assert {answer.status_code for answer in answers} == {reads}
    written = client.post(CONTROLS, {"image": image.pk, "text": "A cat.", **BAD}, format="json")
    assert written.status_code == writes
    rest = [send_file(client, "image,text,accepted\n"), client.patch(one, {"state": "retired"}, format="json")]
    assert {answer.status_code for answer in rest} == {200 if writes == 201 else writes}
    assert client.delete(one).status_code == (204 if writes == 201 else writes)


def test_a_project_of_ones_own_opens_no_other_ones_controls(
    client_of: Clients, charlie: User, made: dict[str, Any]
) -> None:
    mine = f"/api/v1/projects/elsewhere/controls/{made['id']}"
    client = client_of(charlie)
    assert [client.get(mine).status_code, client.delete(mine).status_code] == [404, 404]
    assert client.patch(mine, {"state": "retired"}, format="json").status_code == 404
    assert Control.objects.get().state == "active"


def test_a_written_control_stands_in_the_list_and_in_no_pool(
    curator: APIClient, image: Image, made: dict[str, Any]
) -> None:
    listed = curator.get(CONTROLS).json()["results"]
    assert [(row["text"], row["accepted"], row["origin"], row["state"], row["created_by"]) for row in listed] == [
        ("A dog in the snow.", ["bad", "unsure"], "person", "active", "alice")
    ]
    assert listed[0]["image"]["key"] == "pier"
    pool = curator.get(f"/api/v1/projects/skies/images/{image.pk}/candidates").json()["results"]
    assert made["candidate"] not in [row["id"] for row in pool]
    assert len(pool) == 3
    counts = curator.get(f"/api/v1/projects/skies/images/counts?images={image.pk}").json()
    assert counts == [{"image": image.pk, "n_candidates": 3, "n_kept": 3}]
    assert curator.get("/api/v1/projects/skies/funnel").json()["n_kept"] == 3


def test_no_hit_is_built_of_a_control_and_nothing_in_a_hit_becomes_one(
    curator: APIClient, image: Image, made: dict[str, Any], build: Build
) -> None:
    pair = Candidate.objects.filter(image=image, control=None).first()
    assert pair is not None
    assert curator.post(CONTROLS, {"candidate": pair.pk, **BAD}, format="json").status_code == 201
    build()
    assert not HitItem.objects.filter(candidate=pair, control=None).exists()
    in_hit = HitItem.objects.filter(control=None).first()
    assert HitItem.objects.filter(control=None).count() == 2
    assert in_hit is not None
    refused = curator.post(CONTROLS, {"candidate": in_hit.candidate_id, **BAD}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "pair_in_task")
    same_words = {"image": image.pk, "text": in_hit.candidate.text.upper(), **BAD}
    assert curator.post(CONTROLS, same_words, format="json").json()["code"] == "pair_in_task"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"accepted": ["good"]}, 400),
        ({"candidate": 1, "text": "x", "accepted": ["good"]}, 400),
        ({"image": 10**9, "text": "A tree.", "accepted": ["good"]}, 404),
        ({"candidate": 10**9, "accepted": ["good"]}, 404),
        ({"text": "A tree.", "accepted": ["unsure"]}, 400),
        ({"text": "A tree.", "accepted": ["good", "bad", "unsure"]}, 400),
        ({"text": "A tree.", "accepted": []}, 400),
        ({"text": "\u200b", "accepted": ["bad"]}, 400),
    ],
)
def test_what_makes_no_control_is_refused_with_a_sentence(
    curator: APIClient, image: Image, sent: dict[str, Any], status: int
) -> None:
    whole = sent if set(sent) & {"candidate", "image"} else {"image": image.pk, **sent}
    answer = curator.post(CONTROLS, whole, format="json")
    assert answer.status_code == status, answer.content
    assert answer.json()["message"]
    assert not Control.objects.exists()


def test_a_pair_is_a_control_once(curator: APIClient, image: Image, made: dict[str, Any]) -> None:
    again = curator.post(CONTROLS, {"candidate": made["candidate"], **BAD}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "already_control")
    same = curator.post(CONTROLS, {"image": image.pk, "text": "a dog in the SNOW", **BAD}, format="json")
    assert same.json()["code"] == "already_control"


def test_another_projects_pairs_are_not_found(curator: APIClient, charlie: User, add_image: AddImage) -> None:
    theirs = add_image("lamp", 1, into=Project.objects.get(slug="elsewhere"))
    pair = Candidate.objects.get(image=theirs)
    assert curator.post(CONTROLS, {"candidate": pair.pk, **BAD}, format="json").status_code == 404
    assert curator.post(CONTROLS, {"image": theirs.pk, "text": "A tree.", **BAD}, format="json").status_code == 404


def test_a_control_is_retired_with_a_reason_and_put_back(curator: APIClient, made: dict[str, Any]) -> None:
    one = f"{CONTROLS}/{made['id']}"
    retired = curator.patch(one, {"state": "retired", "reason": "Too easy."}, format="json").json()
    assert (retired["state"], retired["why"]["message"]) == ("retired", "Too easy.")
    assert curator.get(f"{CONTROLS}?state=active").json()["results"] == []
    back = curator.patch(one, {"state": "active", "explanation": "A beach."}, format="json").json()
    assert (back["state"], back["explanation"]) == ("active", "A beach.")


def test_a_control_whose_answer_is_wrong_is_put_out_of_everybodys_score(
    curator: APIClient, bob: User, made: dict[str, Any]
) -> None:
    control = Control.objects.get()
    meet(control, bob, "failed")
    annotator_state = AnnotatorState.objects.create(project=control.project, user=bob, n_graded=1, n_failed=1)
    put_out = curator.patch(f"{CONTROLS}/{made['id']}", {"state": "quarantined"}, format="json").json()
    annotator_state.refresh_from_db()
    assert (put_out["state"], put_out["why"]["code"]) == ("quarantined", ControlNews.WRONG)
    assert (annotator_state.n_graded, annotator_state.n_failed) == (0, 0)


def test_a_control_nobody_met_is_deleted_with_the_pair_written_for_it(
    curator: APIClient, image: Image, made: dict[str, Any]
) -> None:
    assert curator.delete(f"{CONTROLS}/{made['id']}").status_code == 204
    assert Candidate.objects.filter(image=image).count() == 3


def test_a_pair_of_the_pool_is_an_ordinary_one_again_when_its_control_is_deleted(
    curator: APIClient, image: Image, build: Build
) -> None:
    pair = Candidate.objects.filter(image=image).first()
    assert pair is not None
    control = curator.post(CONTROLS, {"candidate": pair.pk, **BAD}, format="json").json()
    curator.delete(f"{CONTROLS}/{control['id']}")
    build()
    assert HitItem.objects.filter(candidate=pair).exists()


def test_a_control_somebody_met_is_not_deleted_and_counts_are_shown(
    curator: APIClient, bob: User, dora: User, made: dict[str, Any]
) -> None:
    control = Control.objects.get()
    meet(control, bob, "failed")
    refused = curator.delete(f"{CONTROLS}/{made['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "already_met")
    row = curator.get(f"{CONTROLS}/{made['id']}").json()
    assert (row["n_met"], row["n_passed"], row["n_failed"], row["n_unsure"]) == (1, 0, 1, 0)


def supply(client: APIClient) -> dict[str, Any]:
    return dict(client.get(f"{CONTROLS}/supply").json())


def test_supply_warns_where_controls_are_asked_for_and_none_is_there(
    curator: APIClient, image: Image, build: Build
) -> None:
    assert supply(curator)["is_short"] is False
    build()
    told = supply(curator)
    assert (told["is_short"], told["n_active"]) == (True, 0)
