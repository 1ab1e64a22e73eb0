"""Controls by the file: what is made of its rows, and which are refused with their line and reason."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Hit
from backend.candidates.models import Candidate
from backend.candidates.services import HUMAN
from backend.catalogue.models import Image, Query
from backend.controls import imports as importing
from backend.controls import pool
from backend.controls import services as keeping
from backend.projects.models import Direction, Project
from backend.qualification.models import Control
from control_files import CONTROLS, send_file
from world import World

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
BAD = {"accepted": ["bad"]}


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
    answer = send_file(curator, content).json()
    assert (answer["n_new"], answer["n_known"]) == (3, 0)
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [
        (4, "unknown_image"), (5, "no_accepted"), (6, "unknown_label"), (7, "unfit_quiz"),
    ]  # fmt: skip
    made = {control.candidate.text: control for control in Control.objects.select_related("candidate")}
    assert (made["A dog."].accepted, made["A dog."].explanation) == (["bad", "unsure"], "There is none.")
    assert (made["A quiz question."].is_quiz, made["A dog."].is_quiz) == (True, False)
    assert {control.origin for control in made.values()} == {"import"}
    assert Candidate.objects.filter(image=image).count() == 5


def test_importing_a_file_again_changes_nothing_and_another_answer_is_refused(curator: APIClient, image: Image) -> None:
    content = '{"image": "pier", "text": "A dog.", "accepted": ["bad"]}\n'
    assert send_file(curator, content, "controls.jsonl").json()["n_new"] == 1
    again = send_file(curator, content, "controls.jsonl").json()
    assert (again["n_new"], again["n_known"], again["refused"]) == (0, 1, [])
    other = send_file(curator, content.replace("bad", "good"), "controls.jsonl").json()
    assert [(row["line"], row["code"]) for row in other["refused"]] == [(1, "control_answers_differ")]
    assert Control.objects.get().accepted == ["bad"]


def test_rows_of_one_file_that_say_the_same_are_one_control(curator: APIClient, image: Image) -> None:
    content = "image,text,accepted\npier,A dog.,bad\npier,a DOG,bad\npier,A dog.,good\npier,PIER caption 1,good\n"
    answer = send_file(curator, content).json()
    assert (answer["n_new"], answer["n_known"]) == (2, 1)
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [(4, "control_answers_differ")]
    assert sorted(Control.objects.values_list("candidate__text", flat=True)) == ["A dog.", "pier caption 1"]


def test_rows_about_a_dropped_caption_or_one_in_a_hit_are_refused_and_the_others_taken(
    curator: APIClient, image: Image, add_image: AddImage, build: Build
) -> None:
    build()
    lamp = add_image("lamp", 0)
    World(lamp.project).caption(lamp, "A dog.", source=HUMAN, status="dropped", drop_rule="by_hand")
    answer = send_file(
        curator, "image,text,accepted\npier,pier caption 1,good\nlamp,A dog.,bad\nlamp,A cat.,bad\n"
    ).json()
    assert answer["n_new"] == 1
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [(2, "pair_in_task"), (3, "caption_dropped")]


def test_no_two_images_get_the_same_words_as_hidden_controls(
    curator: APIClient, image: Image, add_image: AddImage
) -> None:
    """Who meets words again, on another picture, knows the second for a control at least."""
    add_image("lamp", 0)
    moon = add_image("moon", 0)
    answer = send_file(curator, "image,text,accepted\npier,A dog.,bad\nlamp,A dog.,bad\npier,A dog.,bad\n").json()
    assert (answer["n_new"], answer["n_known"]) == (1, 1)
    assert [(row["line"], row["code"]) for row in answer["refused"]] == [(3, "said_elsewhere")]
    Control.objects.filter(candidate__image=image).update(state="retired")
    again = send_file(curator, "image,text,accepted\nmoon,a DOG,bad\n").json()
    assert [row["code"] for row in again["refused"]] == ["said_elsewhere"]
    written = curator.post(CONTROLS, {"image": moon.pk, "text": "A dog.", **BAD}, format="json")
    assert (written.status_code, written.json()["code"]) == (400, "said_elsewhere")
    assert not Candidate.objects.filter(image=moon).exists()


@pytest.mark.nightly
@pytest.mark.parametrize(("first", "then"), [("yes", "no"), ("no", "yes")])
@pytest.mark.parametrize("state", ["active", "retired"])
def test_no_hidden_control_has_the_words_of_the_quiz_and_the_quiz_may_repeat_itself(
    curator: APIClient, image: Image, add_image: AddImage, first: str, then: str, state: str
) -> None:
    """Who has passed the quiz knows words and answer. Of one image or two, in one file or in a later one."""
    lamp = add_image("lamp", 0)
    rows = [f"pier,A dog.,bad,{first}", f"lamp,a DOG,bad,{then}", f"pier,A cat.,bad,{first}"]
    again = ["lamp,A cow.,bad,yes", "pier,a cow,bad,yes"]
    sent = send_file(curator, "\n".join(["image,text,accepted,quiz", *rows, *again])).json()
    assert (sent["n_new"], [(row["line"], row["code"]) for row in sent["refused"]]) == (4, [(3, "said_elsewhere")])
    Control.objects.update(state=state)
    later = send_file(curator, f"image,text,accepted,quiz\nlamp,A DOG!,bad,{then}\n").json()
    assert [row["code"] for row in later["refused"]] == ["said_elsewhere"]
    body = {"image": lamp.pk, "text": "A cat.", "is_quiz": then == "yes", **BAD}
    written = curator.post(CONTROLS, body, format="json")
    assert (written.status_code, written.json()["code"]) == (400, "said_elsewhere")


@pytest.mark.nightly
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("then", [False, True])
def test_nor_has_a_caption_that_the_image_has_twice(curator: APIClient, image: Image, first: bool, then: bool) -> None:
    """Cleaning leaves one of them; until then the answer to one tells that of the other."""
    pairs = list(Candidate.objects.filter(image=image).order_by("pk")[:2])
    Candidate.objects.filter(image=image).update(text="Two  dogs!")
    for pair, is_quiz, status in ((pairs[0], first, 201), (pairs[1], then, 201 if first == then else 400)):
        answer = curator.post(CONTROLS, {"candidate": pair.pk, "is_quiz": is_quiz, **BAD}, format="json")
        assert (answer.status_code, answer.json().get("code")) == (status, "said_elsewhere" if status == 400 else None)


@pytest.mark.nightly
@pytest.mark.parametrize("is_quiz", [False, True])
def test_nor_do_captions_that_two_images_have_anyway(
    curator: APIClient, image: Image, add_image: AddImage, is_quiz: bool
) -> None:
    lamp = add_image("lamp", 1)
    Candidate.objects.filter(image__in=(image, lamp)).update(text="Two  dogs!")
    first, second = (Candidate.objects.filter(image=each).first() for each in (image, lamp))
    assert first and second
    assert curator.post(CONTROLS, {"candidate": first.pk, **BAD}, format="json").status_code == 201
    answer = curator.post(CONTROLS, {"candidate": second.pk, "is_quiz": is_quiz, **BAD}, format="json")
    assert (answer.status_code, answer.json().get("code")) == (400, "said_elsewhere")
    named = send_file(curator, "image,text,accepted\nlamp,two dogs,bad\n").json()
    assert [row["code"] for row in named["refused"]] == ["said_elsewhere"]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("own", "written", "is_known"),
    [
        ("A dog’s ball - at the “old pier”, in Málaga.", "a DOGS ball at the OLD PIER in málaga", True),
        ("Ｄｏｇｓ on the ﬁeld…", "dogs on the field", True),
        ("Hunde auf der Straße", "HUNDE AUF DER STRASSE", True),
        ("Dogs at 1.5 km, 3:10 to go", "dogs at 1.5 km; 3:10 to go!", True),
        ("Dogs at 1.5 km to go", "dogs at 15 km to go", False),
        ("Dogs + cats", "dogs cats", False),
    ],
)
def test_however_it_is_written(
    curator: APIClient, image: Image, add_image: AddImage, own: str, written: str, is_known: bool
) -> None:
    """People know words again without their capitals and stops."""
    lamp = add_image("lamp", 1)
    assert curator.post(CONTROLS, {"image": image.pk, "text": own, **BAD}, format="json").status_code == 201
    again = curator.post(CONTROLS, {"image": lamp.pk, "text": written, **BAD}, format="json")
    assert (again.status_code, again.json().get("code")) == ((400, "said_elsewhere") if is_known else (201, None))
    Control.objects.all().delete()
    Candidate.objects.filter(text=own).delete()
    Candidate.objects.filter(text="pier caption 2").update(text=own)
    made = curator.post(CONTROLS, {"image": image.pk, "text": written, **BAD}, format="json").json()
    assert (made["text"] == own) is is_known


@pytest.mark.nightly
@pytest.mark.parametrize("is_written", [True, False])
def test_the_controls_of_the_project_are_read_before_one_control_holds_it(
    curator: APIClient, image: Image, add_image: AddImage, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    """Of many controls that takes long, and nobody who builds or cleans waits for it."""
    lamp = add_image("lamp", 1)
    curator.post(CONTROLS, {"image": lamp.pk, "text": "A hidden dog.", **BAD}, format="json")
    folded_while_held: list[str] = []
    real_hold, fold = keeping.lock_project, pool.comparison_form

    def hold(project: Project) -> Project:
        monkeypatch.setattr(pool, "comparison_form", lambda text: (folded_while_held.append(text), fold(text))[1])
        return real_hold(project)

    monkeypatch.setattr(keeping, "lock_project", hold)
    pair = Candidate.objects.get(text="pier caption 1")
    named = {"image": image.pk, "text": "lamp caption 1"} if is_written else {"candidate": pair.pk}
    made = curator.post(CONTROLS, {**named, **BAD}, format="json")
    assert made.status_code == 201
    mine = set(Candidate.objects.filter(image=image).values_list("text", flat=True))
    assert set(folded_while_held) <= mine


@pytest.mark.nightly
@pytest.mark.parametrize("is_written", [True, False])
def test_words_that_become_a_control_just_before_the_project_is_held_are_seen(
    curator: APIClient, image: Image, add_image: AddImage, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    lamp = add_image("lamp", 0)
    hold, others = keeping.lock_project, iter([{"image": lamp.pk, "text": "Pier caption 1.", **BAD}])

    def hold_late(project: Project) -> Project:
        for other in others:
            assert curator.post(CONTROLS, other, format="json").status_code == 201
        return hold(project)

    monkeypatch.setattr(keeping, "lock_project", hold_late)
    pair = Candidate.objects.get(text="pier caption 1")
    named = {"image": image.pk, "text": pair.text} if is_written else {"candidate": pair.pk}
    late = curator.post(CONTROLS, {**named, **BAD}, format="json")
    assert (late.status_code, late.json()["code"]) == (400, "said_elsewhere")


def test_words_that_were_borrowed_and_dropped_before_are_refused_and_the_others_taken(
    curator: APIClient, image: Image, add_image: AddImage
) -> None:
    lamp, text = add_image("lamp", 0), "pier caption 2"
    World(lamp.project).caption(lamp, text, source="other_image", status="dropped", drop_rule="near_copy")
    answer = send_file(curator, f"image,text,accepted\nlamp,{text},bad\nlamp,A dog.,bad\n").json()
    assert (answer["n_new"], [(row["line"], row["code"]) for row in answer["refused"]]) == (1, [(2, "caption_dropped")])


def test_a_query_that_no_database_can_hold_is_refused(curator: APIClient, image: Image, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    told = [{"image": "pier", "query": query, "accepted": "bad"} for query in ("so\0lid", "joy")]
    answer = send_file(curator, "\n".join(map(json.dumps, told)), "controls.jsonl").json()
    assert (answer["n_new"], [row["code"] for row in answer["refused"]]) == (1, ["query_not_text"])


@pytest.mark.parametrize(("name", "status"), [("controls.png", 400), ("controls.csv", 200)])
def test_only_tables_are_read(curator: APIClient, image: Image, name: str, status: int) -> None:
    assert send_file(curator, "", name).status_code == status


def test_a_query_gets_controls_of_its_own(curator: APIClient, image: Image, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    query = Query.objects.create(project=project, text="solitude")
    made = curator.post(CONTROLS, {"image": image.pk, "query": query.pk, "accepted": ["good"]}, format="json")
    assert made.status_code == 201, made.content
    assert (made.json()["query"]["text"], made.json()["text"]) == ("solitude", "solitude")
    caption = curator.post(CONTROLS, {"image": image.pk, "text": "A dog.", **BAD}, format="json")
    assert caption.json()["code"] == "wants_query"
    sent = send_file(curator, "image,query,accepted\npier,solitude,good\npier,joy,bad\n").json()
    assert (sent["n_new"], sent["n_known"], sent["refused"]) == (1, 1, [])


def test_a_row_that_is_refused_for_itself_says_nothing_of_another_image(
    curator: APIClient, image: Image, add_image: AddImage, build: Build
) -> None:
    build()
    add_image("lamp", 0)
    sent = send_file(curator, "image,text,accepted\npier,pier caption 1,bad\nlamp,pier caption 1,bad\n").json()
    assert [(row["line"], row["code"]) for row in sent["refused"]] == [(2, "pair_in_task")]
    assert sent["n_new"] == 1


def test_what_a_file_has_said_is_known_in_its_later_rows(
    curator: APIClient, image: Image, add_image: AddImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "AT_ONCE", 2)
    add_image("lamp", 0)
    lines = [f"pier,Words {number}.,bad" for number in range(5)] + [f"lamp,words {number},bad" for number in range(5)]
    sent = send_file(curator, "\n".join(["image,text,accepted", *lines])).json()
    assert (sent["n_new"], [row["code"] for row in sent["refused"]]) == (5, ["said_elsewhere"] * 5)
