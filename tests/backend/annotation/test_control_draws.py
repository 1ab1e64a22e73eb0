"""Which hidden controls come with a HIT: of its image or query, never met, at the set rate, alike on every database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.annotation.controls.drawing import draw_controls
from backend.annotation.models import Assignment, Control, ControlMeeting, Hit
from backend.candidates.models import OTHER_IMAGE, Candidate, candidate_key
from backend.catalogue.models import Image, Query
from backend.people.models import User
from backend.projects.models import Project

AddControl = Callable[..., Control]


@pytest.fixture
def add_control(project: Project) -> AddControl:
    """A control of the image with this text; `query` makes it one of the query."""

    def add(image: Image, text: str, *, accepted: tuple[str, ...] = ("bad",), **fields: Any) -> Control:
        pair = {"source": fields.pop("source", "human"), "source_ref": fields.pop("source_ref", "")}
        pair["key"] = candidate_key(digest=image.digest, source=pair["source"], raw_text=text)
        candidate = Candidate.objects.create(
            project=image.project,
            image=image,
            raw_text=text,
            text=text,
            status="kept",
            query=fields.pop("query", None),
            **pair,
        )
        return Control.objects.create(project=image.project, candidate=candidate, accepted=list(accepted), **fields)

    return add


@pytest.fixture
def crowd(django_user_model: type[User]) -> Callable[[int], list[User]]:
    return lambda n: [django_user_model.objects.create(username=f"person-{number}") for number in range(n)]


def lease(hit: Hit, annotator: User) -> Assignment:
    now = timezone.now()
    return Assignment.objects.create(
        project=hit.project, hit=hit, annotator=annotator, seed=1, shown=[], leased_at=now, expires_at=now
    )


def test_a_hit_of_ten_gets_what_the_rate_asks_for_and_the_right_answers(
    hit: Hit, bob: User, add_control: AddControl
) -> None:
    made = {add_control(hit.image, f"wrong {n}", accepted=("bad", "unsure")).pk for n in range(5)}
    drawn = draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.2, seed=3)
    assert len(drawn) == 3  # nearest to 2.5
    assert {each.control_id for each in drawn} <= made
    assert {each.accepted for each in drawn} == {("bad", "unsure")}


def test_what_a_person_met_never_comes_back_to_them_and_runs_out(hit: Hit, bob: User, add_control: AddControl) -> None:
    controls = [add_control(hit.image, f"wrong {n}") for n in range(3)]
    assignment = lease(hit, bob)
    ControlMeeting.objects.create(control=controls[0], annotator=bob, assignment=assignment)
    drawn = draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.5, seed=3)
    assert {each.control_id for each in drawn} == {controls[1].pk, controls[2].pk}


@pytest.mark.parametrize("fields", [{"is_quiz": True}, {"state": "retired"}, {"state": "quarantined"}])
def test_quiz_items_and_what_is_not_active_are_not_hidden(
    hit: Hit, bob: User, add_control: AddControl, fields: dict[str, Any]
) -> None:
    add_control(hit.image, "wrong", **fields)
    assert draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.5, seed=3) == []


def test_another_images_controls_stay_away(
    hit: Hit, bob: User, add_control: AddControl, add_image: Callable[..., Image]
) -> None:
    add_control(add_image("lamp", 1), "wrong")
    assert draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.5, seed=3) == []


def test_a_query_gets_its_own_controls_and_an_image_none_of_a_query(
    hit: Hit, bob: User, project: Project, add_control: AddControl, add_image: Callable[..., Image]
) -> None:
    query = Query.objects.create(project=project, text="solitude")
    asked = Hit.objects.create(project=project, query=query)
    control = add_control(hit.image, "solitude", query=query)
    drawn = draw_controls(hit=asked, annotator=bob, n_items=5, rate=0.5, seed=3)
    assert [each.control_id for each in drawn] == [control.pk]
    assert draw_controls(hit=hit, annotator=bob, n_items=5, rate=0.5, seed=3) == []


def test_borrowed_words_do_not_come_to_who_has_had_them_where_they_belong(
    hit: Hit, bob: User, dora: User, add_control: AddControl, add_image: Callable[..., Image]
) -> None:
    home = add_image("lamp", 1)
    add_control(hit.image, "lamp caption 1", source=OTHER_IMAGE, source_ref="lamp")
    lease(Hit.objects.create(project=hit.project, image=home), bob)
    assert draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.5, seed=3) == []
    assert len(draw_controls(hit=hit, annotator=dora, n_items=10, rate=0.5, seed=3)) == 1


def test_the_draw_is_the_hits_and_the_same_on_every_database(hit: Hit, bob: User, add_control: AddControl) -> None:
    for number in range(8):
        add_control(hit.image, f"wrong {number}")
    picked = []
    for hit.part in range(20):
        drawn = draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.2, seed=3)
        keys = dict(Candidate.objects.values_list("pk", "key"))
        picked.append([keys[each.candidate_id] for each in drawn])
    assert len({tuple(keys) for keys in picked}) > 10
    assert hashlib.sha256(repr(picked).encode()).hexdigest()[:16] == "ee16764053be6cb3"


def test_everybody_gets_the_same_so_that_no_two_can_compare_their_pages(
    hit: Hit, crowd: Callable[[int], list[User]], add_control: AddControl
) -> None:
    for number in range(8):
        add_control(hit.image, f"wrong {number}")
    pages = [
        draw_controls(hit=hit, annotator=person, n_items=10, rate=0.1, seed=seed)
        for seed, person in enumerate(crowd(12))
    ]
    assert len(pages[0]) == 1
    assert all(page == pages[0] for page in pages)


@pytest.mark.parametrize(("rate", "n_statements"), [(0.0, 0), (0.1, 1), (0.5, 1)])
def test_one_statement_whatever_the_seed_draws_and_none_without_controls(
    hit: Hit, bob: User, add_control: AddControl, rate: float, n_statements: int
) -> None:
    add_control(hit.image, "wrong")
    hit = Hit.objects.select_related("project__qualification", "image").get(pk=hit.pk)  # as `next` has them at hand
    for seed in range(8):
        with CaptureQueriesContext(connection) as seen:
            draw_controls(hit=hit, annotator=bob, n_items=4, rate=rate, seed=seed)
        assert len(seen) == n_statements
