"""Which hidden controls come with a HIT: of its image or query, never met, at the set rate, alike on every database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from backend.annotation.controls.drawing import draw_controls
from backend.annotation.models import Assignment, Control, ControlMeeting, Hit, Standing
from backend.candidates.models import OTHER_IMAGE, Candidate
from backend.catalogue.models import Image
from backend.methods.assignment import control_count
from backend.people.models import User
from backend.projects.models import Membership, Project
from world import World

AddControl = Callable[..., Control]


@pytest.fixture(autouse=True)
def project(project: Project) -> Project:
    """Its pages are long enough for a control on top."""
    project.captions_per_hit = 10
    project.save()
    return project


@pytest.fixture
def add_control(project: Project) -> AddControl:
    """A control of the image with this text; `query` makes it one of the query."""

    def add(image: Image, text: str, *, accepted: tuple[str, ...] = ("bad",), **fields: Any) -> Control:
        of_pair = {name: fields.pop(name) for name in ("source", "source_ref", "query") if name in fields}
        return World(project).control(World(project).caption(image, text, **of_pair), *accepted, **fields)

    return add


@pytest.fixture
def crowd(django_user_model: type[User]) -> Callable[[int], list[User]]:
    return lambda n: [django_user_model.objects.create(username=f"person-{number}") for number in range(n)]


def lease(hit: Hit, annotator: User) -> Assignment:
    return World(hit.project).turn(annotator, hit)


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
    hit: Hit, bob: User, project: Project, add_control: AddControl
) -> None:
    asked = World(project).hit(*World(project).query("solitude"))
    control = add_control(hit.image, "solitude", query=asked.query)
    drawn = draw_controls(hit=asked, annotator=bob, n_items=5, rate=0.5, seed=3)
    assert [each.control_id for each in drawn] == [control.pk]
    assert draw_controls(hit=hit, annotator=bob, n_items=5, rate=0.5, seed=3) == []


def test_borrowed_words_do_not_come_to_who_has_had_them_where_they_belong(
    hit: Hit, bob: User, dora: User, add_control: AddControl, add_image: Callable[..., Image]
) -> None:
    home = add_image("lamp", 1)
    add_control(hit.image, "lamp caption 1", source=OTHER_IMAGE, source_ref="lamp")
    lease(World(hit.project).hit(home), bob)
    assert draw_controls(hit=hit, annotator=bob, n_items=10, rate=0.5, seed=3) == []
    assert len(draw_controls(hit=hit, annotator=dora, n_items=10, rate=0.5, seed=3)) == 1


def parts_of(hit: Hit, n: int) -> list[Hit]:
    """The image's HITs, this one first, as `next` has them at hand."""
    for part in range(1, n):
        World(hit.project).hit(hit.image, part=part)
    return list(hit.image.hits.select_related("project__qualification", "image").order_by("part"))


def test_the_draw_is_the_hits_and_the_same_on_every_database(hit: Hit, bob: User, add_control: AddControl) -> None:
    for number in range(24):
        add_control(hit.image, f"wrong {number}")
    keys = dict(Candidate.objects.values_list("pk", "key"))
    picked = [
        [keys[each.candidate_id] for each in draw_controls(hit=part, annotator=bob, n_items=6, rate=0.2, seed=3)]
        for part in parts_of(hit, 6)
    ]
    assert [len(page) for page in picked] == [2] * 6, "each HIT chooses among the three that it would want when full"
    assert len({key for page in picked for key in page}) == 12
    assert hashlib.sha256(repr(picked).encode()).hexdigest()[:16] == "82eb45aba2e196d5"


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


def had_by(person: User, hits: list[Hit], order: list[int], *, rate: float) -> dict[int, set[int]]:
    """The controls of each part, for who takes them in this order."""
    had = {}
    for place in order:
        drawn = draw_controls(hit=hits[place], annotator=person, n_items=10, rate=rate, seed=3)
        had[place] = {each.control_id for each in drawn}
        turn = lease(hits[place], person)
        for control_id in had[place]:
            ControlMeeting.objects.create(control_id=control_id, annotator=person, assignment=turn)
    return had


@pytest.mark.parametrize("n_controls", [0, 2, 4, 5, 9])
def test_an_images_hits_hold_the_same_controls_in_whichever_order_they_are_taken(
    hit: Hit, bob: User, dora: User, add_control: AddControl, n_controls: int
) -> None:
    for number in range(n_controls):
        add_control(hit.image, f"wrong {number}")
    hits = parts_of(hit, 4)
    there, back = (had_by(who, hits, order, rate=0.1) for who, order in ((bob, [0, 1, 2, 3]), (dora, [3, 1, 0, 2])))
    assert there == back
    assert sum(map(len, there.values())) == min(n_controls, 4)


def test_a_control_that_is_retired_moves_those_of_its_own_hit_alone(
    hit: Hit, crowd: Callable[[int], list[User]], add_control: AddControl
) -> None:
    """One after the other, in every HIT: who had the others before sees them as they were."""
    for number in range(12):
        add_control(hit.image, f"wrong {number}")
    hits, people = parts_of(hit, 3), iter(crowd(9))
    before = had_by(next(people), hits, [0, 1, 2], rate=0.1)
    for retired in (1, 0, 1, 2):
        Control.objects.filter(pk__in=before[retired]).update(state="retired")
        after = had_by(next(people), hits, [2, 1, 0], rate=0.1)
        assert [part for part in range(3) if before[part] != after[part]] == [retired]
        assert len(after[retired]) == 1
        before = after


def test_where_pages_are_short_each_of_them_draws_from_all_controls(
    hit: Hit, bob: User, crowd: Callable[[int], list[User]], add_control: AddControl, project: Project
) -> None:
    """Two for twenty pages of one pair: dealt out, eighteen of them would never hold one."""
    Project.objects.filter(pk=project.pk).update(captions_per_hit=1)
    people = crowd(9)
    Membership.objects.bulk_create(Membership(project=project, user=user) for user in people)
    Standing.objects.bulk_create(Standing(project=project, user=user, n_submitted=1) for user in people)
    for number in range(2):
        add_control(hit.image, f"wrong {number}")
    seed = next(seed for seed in range(99) if control_count(1, rate=0.1, seed=seed))
    pages = [draw_controls(hit=each, annotator=bob, n_items=1, rate=0.1, seed=seed) for each in parts_of(hit, 20)]
    assert [len(page) for page in pages] == [1] * 20


@pytest.mark.parametrize(("n_homes", "n_drawn"), [(0, 1), (1, 0), (2, 1)])
@pytest.mark.parametrize("origin", ["person", "other_image"])
def test_a_picture_comes_to_nobody_twice_for_a_control_unless_it_comes_again_anyway(
    project: Project, add_image: Callable[..., Image], bob: User, dora: User, add_control: AddControl, origin: str,
    n_homes: int, n_drawn: int,
) -> None:  # fmt: skip
    picture = add_image("lamp")
    world = World(project)
    asked = world.hit(*world.query("solitude"))
    add_control(picture, "solitude", query=asked.query, origin=origin)
    for number in range(n_homes):
        home = world.hit(*world.query(f"home {number}", [picture]))
        lease(home, bob) if number == 0 else None
    n_of_bob = n_drawn if origin == "person" else int(not n_homes)
    assert len(draw_controls(hit=asked, annotator=bob, n_items=5, rate=0.5, seed=3)) == n_of_bob
    assert len(draw_controls(hit=asked, annotator=dora, n_items=5, rate=0.5, seed=3)) == 1


@pytest.mark.parametrize("n_homes", [0, 2])
@pytest.mark.parametrize("state", ["active", "retired"])
def test_a_picture_that_was_met_as_a_control_of_one_query_comes_as_none_of_another(
    project: Project, add_image: Callable[..., Image], bob: User, dora: User, add_control: AddControl, state: str,
    n_homes: int,
) -> None:  # fmt: skip
    """Who meets it once with each of twenty queries knows it. Of many queries or not, in use still or not."""
    picture = add_image("lamp", 0)
    world = World(project)
    first, asked = (world.hit(*world.query(text)) for text in ("solitude", "joy"))
    met, _ = (add_control(picture, hit.query.text, query=hit.query) for hit in (first, asked) if hit.query)
    for number in range(n_homes):
        world.hit(*world.query(f"home {number}", [picture]))
    ControlMeeting.objects.create(control=met, annotator=bob, assignment=lease(first, bob))
    Control.objects.filter(pk=met.pk).update(state=state)
    assert draw_controls(hit=asked, annotator=bob, n_items=5, rate=0.5, seed=3) == []
    assert len(draw_controls(hit=asked, annotator=dora, n_items=5, rate=0.5, seed=3)) == 1
