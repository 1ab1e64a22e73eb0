"""Controls over HTTP: made, listed, retired, deleted, imported, how long they last; nothing of it for annotators."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.controls import importing
from backend.annotation.controls.keeping import QUARANTINED_BY_HAND
from backend.annotation.models import Assignment, Control, ControlMeeting, Hit, HitItem, Standing
from backend.candidates.models import Candidate, candidate_key
from backend.candidates.services import HUMAN
from backend.catalogue.models import Image, Query
from backend.people.models import User
from backend.projects.models import Direction, Project

ADDRESS = "/api/v1/projects/skies/controls"
AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
Clients = Callable[..., APIClient]
BAD = {"accepted": ["bad"]}


@pytest.fixture
def curator(client_of: Clients, alice: User) -> APIClient:
    return client_of(alice)


@pytest.fixture
def image(add_image: AddImage) -> Image:
    return add_image("pier", 3)


@pytest.fixture
def made(curator: APIClient, image: Image) -> dict[str, Any]:
    sent = {"image": image.pk, "text": "A dog in the snow.", "accepted": ["bad", "unsure"], "explanation": "No dog."}
    answer = curator.post(ADDRESS, sent, format="json")
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def meet(control: Control, user: User, outcome: str = "passed") -> None:
    hit = Hit.objects.create(project=control.project, image=control.candidate.image, part=99)
    now = timezone.now()
    turn = Assignment.objects.create(
        project=control.project, hit=hit, annotator=user, seed=1, shown=[], leased_at=now, expires_at=now
    )
    ControlMeeting.objects.create(control=control, annotator=user, assignment=turn, outcome=outcome)


def send(client: APIClient, content: str, name: str = "controls.csv") -> Any:
    return client.post(f"{ADDRESS}/import", {"file": SimpleUploadedFile(name, content.encode())}, format="multipart")


@pytest.mark.parametrize(
    ("who", "reads", "writes"),
    [("alice", 200, 201), ("dora", 200, 403), ("bob", 403, 403), ("charlie", 404, 404), (None, 401, 401)],
)
def test_curators_write_reviewers_read_and_annotators_see_nothing(
    request: pytest.FixtureRequest, client_of: Clients, image: Image, who: str | None, reads: int, writes: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    pair = Candidate.objects.filter(image=image).first()
    control = Control.objects.create(project=image.project, candidate=pair, accepted=["good"])
    one = f"{ADDRESS}/{control.pk}"
    answers = [client.get(address) for address in (ADDRESS, one, f"{ADDRESS}/supply")]
    assert {answer.status_code for answer in answers} == {reads}
    written = client.post(ADDRESS, {"image": image.pk, "text": "A cat.", **BAD}, format="json")
    assert written.status_code == writes
    rest = [send(client, "image,text,accepted\n"), client.patch(one, {"state": "retired"}, format="json")]
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
    listed = curator.get(ADDRESS).json()["results"]
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
    assert curator.post(ADDRESS, {"candidate": pair.pk, **BAD}, format="json").status_code == 201
    build()
    assert HitItem.objects.filter(candidate__control__isnull=False).count() == 0
    assert HitItem.objects.count() == 2
    in_hit = HitItem.objects.first()
    assert in_hit is not None
    refused = curator.post(ADDRESS, {"candidate": in_hit.candidate_id, **BAD}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "in_hit")
    same_words = {"image": image.pk, "text": in_hit.candidate.text.upper(), **BAD}
    assert curator.post(ADDRESS, same_words, format="json").json()["code"] == "in_hit"


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
    answer = curator.post(ADDRESS, whole, format="json")
    assert answer.status_code == status, answer.content
    assert answer.json()["message"]
    assert not Control.objects.exists()


def test_a_pair_is_a_control_once(curator: APIClient, image: Image, made: dict[str, Any]) -> None:
    again = curator.post(ADDRESS, {"candidate": made["candidate"], **BAD}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "already_control")
    same = curator.post(ADDRESS, {"image": image.pk, "text": "a dog in the SNOW", **BAD}, format="json")
    assert same.json()["code"] == "already_control"


def test_another_projects_pairs_are_not_found(curator: APIClient, charlie: User, add_image: AddImage) -> None:
    theirs = add_image("lamp", 1, into=Project.objects.get(slug="elsewhere"))
    pair = Candidate.objects.get(image=theirs)
    assert curator.post(ADDRESS, {"candidate": pair.pk, **BAD}, format="json").status_code == 404
    assert curator.post(ADDRESS, {"image": theirs.pk, "text": "A tree.", **BAD}, format="json").status_code == 404


def test_a_control_is_retired_with_a_reason_and_put_back(curator: APIClient, made: dict[str, Any]) -> None:
    one = f"{ADDRESS}/{made['id']}"
    retired = curator.patch(one, {"state": "retired", "reason": "Too easy."}, format="json").json()
    assert (retired["state"], retired["state_detail"]) == ("retired", "Too easy.")
    assert curator.get(f"{ADDRESS}?state=active").json()["results"] == []
    back = curator.patch(one, {"state": "active", "explanation": "A beach."}, format="json").json()
    assert (back["state"], back["explanation"]) == ("active", "A beach.")


def test_a_control_whose_answer_is_wrong_is_put_out_of_everybodys_score(
    curator: APIClient, bob: User, made: dict[str, Any]
) -> None:
    control = Control.objects.get()
    meet(control, bob, "failed")
    standing = Standing.objects.create(project=control.project, user=bob, n_graded=1, n_failed=1)
    put_out = curator.patch(f"{ADDRESS}/{made['id']}", {"state": "quarantined"}, format="json").json()
    standing.refresh_from_db()
    assert (put_out["state"], put_out["state_detail"]) == ("quarantined", QUARANTINED_BY_HAND)
    assert (standing.n_graded, standing.n_failed) == (0, 0)


def test_a_control_nobody_met_is_deleted_with_the_pair_written_for_it(
    curator: APIClient, image: Image, made: dict[str, Any]
) -> None:
    assert curator.delete(f"{ADDRESS}/{made['id']}").status_code == 204
    assert Candidate.objects.filter(image=image).count() == 3


def test_a_pair_of_the_pool_is_an_ordinary_one_again_when_its_control_is_deleted(
    curator: APIClient, image: Image, build: Build
) -> None:
    pair = Candidate.objects.filter(image=image).first()
    assert pair is not None
    control = curator.post(ADDRESS, {"candidate": pair.pk, **BAD}, format="json").json()
    curator.delete(f"{ADDRESS}/{control['id']}")
    build()
    assert HitItem.objects.filter(candidate=pair).exists()


def test_a_control_somebody_met_is_not_deleted_and_counts_are_shown(
    curator: APIClient, bob: User, dora: User, made: dict[str, Any]
) -> None:
    control = Control.objects.get()
    meet(control, bob, "failed")
    refused = curator.delete(f"{ADDRESS}/{made['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "already_met")
    row = curator.get(f"{ADDRESS}/{made['id']}").json()
    assert (row["n_met"], row["n_passed"], row["n_failed"], row["n_unsure"]) == (1, 0, 1, 0)


def test_a_file_makes_controls_and_its_refused_rows_come_back_with_line_and_reason(
    curator: APIClient, image: Image
) -> None:
    content = (
        "image,text,accepted,explanation,quiz\n"
        'pier,A dog.,"bad,unsure",There is none.,\n'
        "pier,A quiz question.,good,,yes\n"
        "moon,A dog.,bad,,\n"
        "pier,A cat.,,,\n"
        "pier,A cow.,perhaps,,\n"
        "pier,A cow.,bad,,maybe\n"
        "pier,pier caption 1,good,,\n"
    )
    answer = send(curator, content).json()
    assert (answer["n_new"], answer["n_known"]) == (3, 0)
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [
        (4, "unknown_image"), (5, "invalid"), (6, "unknown_label"), (7, "unfit_quiz"),
    ]  # fmt: skip
    made = {control.candidate.text: control for control in Control.objects.select_related("candidate")}
    assert (made["A dog."].accepted, made["A dog."].explanation) == (["bad", "unsure"], "There is none.")
    assert (made["A quiz question."].is_quiz, made["A dog."].is_quiz) == (True, False)
    assert {control.origin for control in made.values()} == {"import"}
    assert Candidate.objects.filter(image=image).count() == 5


def test_importing_a_file_again_changes_nothing_and_another_answer_is_refused(curator: APIClient, image: Image) -> None:
    content = '{"image": "pier", "text": "A dog.", "accepted": ["bad"]}\n'
    assert send(curator, content, "controls.jsonl").json()["n_new"] == 1
    again = send(curator, content, "controls.jsonl").json()
    assert (again["n_new"], again["n_known"], again["refused"]) == (0, 1, [])
    other = send(curator, content.replace("bad", "good"), "controls.jsonl").json()
    assert [(row["line"], row["code"]) for row in other["refused"]] == [(1, "already_control")]
    assert Control.objects.get().accepted == ["bad"]


def test_rows_of_one_file_that_say_the_same_are_one_control(curator: APIClient, image: Image) -> None:
    content = "image,text,accepted\npier,A dog.,bad\npier,a DOG,bad\npier,A dog.,good\npier,PIER caption 1,good\n"
    answer = send(curator, content).json()
    assert (answer["n_new"], answer["n_known"]) == (2, 1)
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [(4, "already_control")]
    assert sorted(Control.objects.values_list("candidate__text", flat=True)) == ["A dog.", "pier caption 1"]


def test_rows_about_a_dropped_caption_or_one_in_a_hit_are_refused_and_the_others_taken(
    curator: APIClient, image: Image, add_image: AddImage, build: Build
) -> None:
    build()
    lamp = add_image("lamp", 0)
    key = candidate_key(digest=lamp.digest, source=HUMAN, raw_text="A dog.")
    Candidate.objects.create(
        project=lamp.project,
        image=lamp,
        key=key,
        raw_text="A dog.",
        source=HUMAN,
        status="dropped",
        drop_rule="by_hand",
    )
    answer = send(curator, "image,text,accepted\npier,pier caption 1,good\nlamp,A dog.,bad\nlamp,A cat.,bad\n").json()
    assert answer["n_new"] == 1
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [(2, "in_hit"), (3, "invalid")]


def test_no_two_images_get_the_same_words_as_hidden_controls(
    curator: APIClient, image: Image, add_image: AddImage
) -> None:
    """Who meets words again, on another picture, knows the second for a control at least. A quiz may repeat itself."""
    lamp, moon = add_image("lamp", 0), add_image("moon", 0)
    content = "image,text,accepted,quiz\npier,A dog.,bad,\nlamp,A dog.,bad,\nlamp,A dog.,bad,yes\npier,A dog.,bad,\n"
    answer = send(curator, content).json()
    assert (answer["n_new"], answer["n_known"]) == (2, 1)
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [(3, "said_elsewhere")]
    Control.objects.filter(candidate__image=image).update(state="retired")
    again = send(curator, "image,text,accepted\nmoon,a DOG,bad\n").json()
    assert [row["code"] for row in again["refused"]] == ["said_elsewhere"]
    written = curator.post(ADDRESS, {"image": moon.pk, "text": "A dog.", **BAD}, format="json")
    assert (written.status_code, written.json()["code"]) == (400, "said_elsewhere")
    assert not Candidate.objects.filter(image=moon).exists()
    assert Control.objects.get(candidate__image=lamp).is_quiz


@pytest.mark.parametrize(("is_quiz", "status"), [(False, 400), (True, 201)])
def test_nor_do_captions_that_two_images_have_anyway(
    curator: APIClient, image: Image, add_image: AddImage, is_quiz: bool, status: int
) -> None:
    lamp = add_image("lamp", 1)
    Candidate.objects.filter(image__in=(image, lamp)).update(text="Two  dogs!")
    first, second = (Candidate.objects.filter(image=each).first() for each in (image, lamp))
    assert first and second
    assert curator.post(ADDRESS, {"candidate": first.pk, **BAD}, format="json").status_code == 201
    answer = curator.post(ADDRESS, {"candidate": second.pk, "is_quiz": is_quiz, **BAD}, format="json")
    assert (answer.status_code, answer.json().get("code")) == (status, None if is_quiz else "said_elsewhere")
    named = send(curator, "image,text,accepted\nlamp,two dogs,bad\n").json()
    assert [row["code"] for row in named["refused"]] == ([] if is_quiz else ["said_elsewhere"])


def test_a_written_control_that_says_what_another_image_does_is_borrowed_from_it(
    curator: APIClient, image: Image, add_image: AddImage
) -> None:
    """It comes to nobody who has had the words where they belong, and goes with its control."""
    lamp = add_image("lamp", 1)
    assert send(curator, "image,text,accepted\nlamp,  pier  caption 2,bad\n").json()["n_new"] == 1
    control = Control.objects.select_related("candidate").get()
    assert (control.candidate.source, control.candidate.source_ref) == ("other_image", "pier")
    assert (control.origin, control.candidate.text) == ("other_image", "pier caption 2")
    assert curator.delete(f"{ADDRESS}/{control.pk}").status_code == 204
    assert Candidate.objects.filter(image=lamp).count() == 1


def test_words_that_were_borrowed_and_dropped_before_are_refused_and_the_others_taken(
    curator: APIClient, image: Image, add_image: AddImage
) -> None:
    lamp, text = add_image("lamp", 0), "pier caption 2"
    key = candidate_key(digest=lamp.digest, source="other_image", raw_text=text)
    Candidate.objects.create(
        project=lamp.project,
        image=lamp,
        key=key,
        raw_text=text,
        text=text,
        source="other_image",
        status="dropped",
        drop_rule="near_copy",
    )
    answer = send(curator, f"image,text,accepted\nlamp,{text},bad\nlamp,A dog.,bad\n").json()
    assert (answer["n_new"], [(row["line"], row["code"]) for row in answer["refused"]]) == (1, [(2, "invalid")])


@pytest.mark.parametrize("direction", Direction.values)
def test_a_file_of_many_rows_takes_as_many_statements_as_one_of_few(
    curator: APIClient, project: Project, add_image: AddImage, direction: str
) -> None:
    Project.objects.filter(pk=project.pk).update(direction=direction)
    for number in range(12):
        add_image(f"image-{number}", 4)
    rows = [f"image-{n % 12},A dog number {n}.,bad\n" for n in range(72)]
    counted = []
    for part in (rows[:12], rows[12:]):
        with CaptureQueriesContext(connection) as statements:
            assert send(curator, "image,text,accepted\n" + "".join(part)).json()["n_new"] == len(part)
        counted.append(len(statements))
    assert counted[0] == counted[1]


def test_a_query_that_no_database_can_hold_is_refused(curator: APIClient, image: Image, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    told = [{"image": "pier", "query": query, "accepted": "bad"} for query in ("so\0lid", "joy")]
    answer = send(curator, "\n".join(map(json.dumps, told)), "controls.jsonl").json()
    assert (answer["n_new"], [row["code"] for row in answer["refused"]]) == (1, ["not_text"])


@pytest.mark.parametrize(("name", "status"), [("controls.png", 400), ("controls.csv", 200)])
def test_only_tables_are_read(curator: APIClient, image: Image, name: str, status: int) -> None:
    assert send(curator, "", name).status_code == status


def test_a_query_gets_controls_of_its_own(curator: APIClient, image: Image, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    query = Query.objects.create(project=project, text="solitude")
    made = curator.post(ADDRESS, {"image": image.pk, "query": query.pk, "accepted": ["good"]}, format="json")
    assert made.status_code == 201, made.content
    assert (made.json()["query"]["text"], made.json()["text"]) == ("solitude", "solitude")
    caption = curator.post(ADDRESS, {"image": image.pk, "text": "A dog.", **BAD}, format="json")
    assert caption.json()["code"] == "wrong_direction"
    sent = send(curator, "image,query,accepted\npier,solitude,good\npier,joy,bad\n").json()
    assert (sent["n_new"], sent["n_known"], sent["refused"]) == (1, 1, [])


def supply(client: APIClient) -> dict[str, Any]:
    return dict(client.get(f"{ADDRESS}/supply").json())


def test_no_control_is_deleted_once_somebody_has_begun_on_its_image(
    curator: APIClient, made: dict[str, Any], image: Image, build: Build, bob: User
) -> None:
    """Those made after it would move to other HITs, and who had these before would see it."""
    hit, now = build()[0], timezone.now()
    Assignment.objects.create(
        project=hit.project, hit=hit, annotator=bob, seed=1, shown=[], leased_at=now, expires_at=now
    )
    answer = curator.delete(f"{ADDRESS}/{made['id']}")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_dealt")
    Assignment.objects.all().delete()
    assert curator.delete(f"{ADDRESS}/{made['id']}").status_code == 204


def test_a_row_that_is_refused_for_itself_says_nothing_of_another_image(
    curator: APIClient, image: Image, add_image: AddImage, build: Build
) -> None:
    build()
    add_image("lamp", 0)
    sent = send(curator, "image,text,accepted\npier,pier caption 1,bad\nlamp,pier caption 1,bad\n").json()
    assert [(row["line"], row["code"]) for row in sent["refused"]] == [(2, "in_hit")]
    assert sent["n_new"] == 1


def test_what_a_file_has_said_is_known_in_its_later_rows(
    curator: APIClient, image: Image, add_image: AddImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "AT_ONCE", 2)
    add_image("lamp", 0)
    lines = [f"pier,Words {number}.,bad" for number in range(5)] + [f"lamp,words {number},bad" for number in range(5)]
    sent = send(curator, "\n".join(["image,text,accepted", *lines])).json()
    assert (sent["n_new"], [row["code"] for row in sent["refused"]]) == (5, ["said_elsewhere"] * 5)


def test_supply_warns_where_controls_are_asked_for_and_none_is_there(
    curator: APIClient, image: Image, build: Build
) -> None:
    assert supply(curator)["warning"] == ""
    build()
    assert "has none in use" in supply(curator)["warning"]


def test_supply_counts_the_controls_where_people_work_next(
    curator: APIClient, project: Project, add_image: AddImage, build: Build
) -> None:
    Project.objects.filter(pk=project.pk).update(control_rate=0.25)
    images = [add_image(f"image-{number}", 3) for number in range(10)]
    build()
    next_images = list(Hit.objects.order_by("pk").values_list("image", flat=True)[:4])
    spare = next(image for image in images if image.pk not in next_images)
    for number in range(9):
        curator.post(ADDRESS, {"image": spare.pk, "text": f"A dog number {number}.", **BAD}, format="json")
    found = supply(curator)
    assert (found["n_active"], found["places_left"], found["looked_at"]) == (9, 20, 4)
    assert (found["wanted"], found["available"], found["is_short"]) == (4.0, 0, True)
    assert "running low" in found["warning"]
    for image_id in next_images:
        curator.post(ADDRESS, {"image": image_id, "text": f"A dog of {image_id}.", **BAD}, format="json")
    assert (supply(curator)["available"], supply(curator)["warning"]) == (4, "")
