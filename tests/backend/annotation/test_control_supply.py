"""What is said of how long the controls last, against what people then really get."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from backend.annotation.building import build_query_hits
from backend.annotation.controls import supply
from backend.annotation.controls.drawing import DrawnControl, draw_controls
from backend.annotation.controls.supply import NOBODY_GOOD, PersonalSupply, read_supply
from backend.annotation.models import Control, ControlMeeting, Hit, HitItem, Standing
from backend.candidates.models import OTHER_IMAGE
from backend.candidates.queries import add_query
from backend.catalogue.models import Image, Query
from backend.methods.assignment import SPARE
from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.runs.models import Run
from world import World

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
RATE = 0.1


@pytest.fixture(autouse=True)
def project(project: Project, bob: User, dora: User, monkeypatch: pytest.MonkeyPatch) -> Project:
    """All that is left is looked at. Two people are at work on it."""
    monkeypatch.setattr(supply, "LOOK_AHEAD", 1.0)
    project.captions_per_hit, project.control_rate, project.overlap = 10, RATE, 1
    project.save()
    begin(project, bob, dora)
    return project


def add_control(image: Image, text: str, **pair: Any) -> Control:
    world = World(image.project)
    return world.control(world.caption(image, text, **pair), "bad")


def begin(project: Project, *people: User) -> None:
    for user in people:
        Membership.objects.update_or_create(project=project, user=user, defaults={"role": "annotator"})
        Standing.objects.update_or_create(project=project, user=user, defaults={"n_submitted": 1})


def of(project: Project, person: User) -> PersonalSupply:
    return next(each for each in read_supply(project=project).annotators if each.user == person)


def take(project: Project, person: User, hits: list[Hit]) -> int:
    """They have each of these HITs; how many controls came with them."""
    n = 0
    for hit in hits:
        whole = Hit.objects.select_related("image", "query", "project__qualification").get(pk=hit.pk)
        n_items = whole.items.count()
        drawn = draw_controls(hit=whole, annotator=person, n_items=n_items, rate=project.control_rate, seed=3)
        turn = World(project).turn(person, hit)
        for each in drawn:
            ControlMeeting.objects.create(control_id=each.control_id, annotator=person, assignment=turn)
        n += len(drawn)
    return n


@pytest.mark.parametrize("seed", range(5))
def test_as_many_come_as_were_said_to_be_there(
    project: Project, bob: User, add_image: AddImage, build: Build, seed: int
) -> None:
    """Images of one to three HITs with none to four controls, some of them out of use; bob has had some of it."""
    draw = random.Random(seed)
    for number in range(12):
        image = add_image(f"image-{number}", draw.choice([5, 9, 14, 20, 27]))
        for text in range(draw.randint(0, 4)):
            made = add_control(image, f"wrong {number} {text}")
            Control.objects.filter(pk=made.pk).update(state=draw.choice(["active", "active", "active", "retired"]))
    hits = build()
    draw.shuffle(hits)
    take(project, bob, hits[:6])
    said = of(project, bob)
    assert said.wanted == len(hits) - 6, "one for each page of five to ten"
    assert said.is_short
    assert take(project, bob, hits[6:]) == said.n_unmet > 0


def test_an_image_of_many_hits_with_one_control_is_short_of_them(
    project: Project, bob: User, add_image: AddImage, build: Build
) -> None:
    add_control(add_image("pier", 40), "wrong")
    build()
    found = read_supply(project=project)
    assert (found.wanted, found.available, found.is_short) == (4, 1, True)
    assert (of(project, bob).n_unmet, of(project, bob).is_short) == (1, True)


def test_what_went_out_of_use_leaves_its_own_hit_short(
    project: Project, bob: User, add_image: AddImage, build: Build
) -> None:
    image = add_image("pier", 20)
    first, _ = (add_control(image, text) for text in ("wrong", "wronger"))
    Control.objects.filter(pk=first.pk).update(state="retired")
    hits = sorted(build(), key=lambda hit: hit.part)
    hits[1].slots.all().delete()
    assert (read_supply(project=project).available, of(project, bob).n_unmet) == (0, 0)
    assert take(project, bob, hits[:1]) == 0


def test_short_pages_may_all_hold_the_same_control(
    project: Project, bob: User, alice: User, add_image: AddImage, build: Build
) -> None:
    Project.objects.filter(pk=project.pk).update(captions_per_hit=1)
    project.refresh_from_db()
    begin(project, alice)
    add_control(add_image("pier", 10), "wrong")
    build()
    assert read_supply(project=project).warning == ""
    assert (of(project, bob).n_unmet, of(project, bob).wanted) == (1, pytest.approx(1))


@pytest.mark.parametrize(("overlap", "confidence", "max_overlap"), [(1, None, 5), (2, None, 5), (1, 0.9, 2)])
def test_a_small_team_is_told_how_many_more_it_takes_until_a_control_comes_with_a_short_page(
    project: Project, bob: User, make_user: Callable[..., User], add_image: AddImage, build: Build,
    overlap: int, confidence: float | None, max_overlap: int,
) -> None:  # fmt: skip
    """As many as the draw asks for: one that takes a pair's place comes with the page of whoever begins the HIT."""
    project.overlap, project.confidence, project.max_overlap = overlap, confidence, max_overlap
    project.save()
    add_control(add_image("pier", 4), "wrong")
    (hit,) = build()
    wanted = read_supply(project=project).people_wanted
    assert wanted == project.most_votes + SPARE - 2 > 0
    for number in range(wanted, 0, -1):
        found = read_supply(project=project)
        assert (found.people_wanted, f"({number} more at least)" in found.warning) == (number, True)
        assert not any(drawn(project, bob, hit, seed) for seed in range(20))
        begin(project, make_user(f"person-{number}"))
    assert (read_supply(project=project).people_wanted, read_supply(project=project).warning) == (0, "")
    assert any(drawn(project, bob, hit, seed) for seed in range(20))


def drawn(project: Project, person: User, hit: Hit, seed: int) -> list[DrawnControl]:
    whole = Hit.objects.select_related("image", "query", "project__qualification").get(pk=hit.pk)
    n_to_come = project.most_votes - 1
    return draw_controls(hit=whole, annotator=person, n_items=4, rate=RATE, seed=seed, n_to_come=n_to_come)


def test_members_who_have_not_begun_are_counted_on_and_others_not(
    project: Project, make_user: Callable[..., User], add_image: AddImage, build: Build
) -> None:
    project.overlap = 3
    project.save()
    add_control(add_image("pier", 4), "wrong")
    build()
    new, paused, shut, head = (make_user(name) for name in ("new", "paused", "shut", "head"))
    begin(project, paused)
    Standing.objects.filter(user=paused).update(state="paused")
    User.objects.filter(pk=shut.pk).update(is_active=False)
    for user, role in ((new, "annotator"), (shut, "annotator"), (head, "head_annotator")):
        Membership.objects.create(project=project, user=user, role=role)
    assert read_supply(project=project).people_wanted == 5 - 3


def test_long_pages_have_their_controls_whoever_is_there(project: Project, add_image: AddImage, build: Build) -> None:
    for number in range(12):
        add_control(add_image(f"long-{number}", 10), f"wrong {number}")
    add_image("short", 4)
    build()
    HitItem.objects.filter(position__gt=3).update(is_open=False)  # what is left of a long page
    assert read_supply(project=project).people_wanted == 0


UNGRADED = supply.UNGRADED


@pytest.mark.parametrize(
    ("rate", "n_controls", "n_captions", "settings", "said"),
    [
        (0, 0, 10, {"confidence": 0.9, "max_overlap": 5}, f"^{UNGRADED}$"),
        (0, 1, 10, {"confidence": 0.9, "max_overlap": 5}, f"^{UNGRADED}$"),
        (RATE, 0, 10, {"confidence": 0.9, "max_overlap": 5}, f"has none in use: .* {UNGRADED}$"),
        (RATE, 1, 4, {"confidence": 0.9, "max_overlap": 5}, f"^Short pages get no .* {UNGRADED}$"),
        (RATE, 1, 10, {"confidence": 0.9, "max_overlap": 5}, "^$"),
        (0, 0, 10, {"confidence": None, "max_overlap": 5}, "^$"),
        (0, 0, 10, {"confidence": 0.9, "max_overlap": 1}, "^$"),
    ],
)
def test_an_adaptive_overlap_without_controls_is_told_what_it_costs(
    project: Project, add_image: AddImage, build: Build,
    rate: float, n_controls: int, n_captions: int, settings: dict[str, Any], said: str,
) -> None:  # fmt: skip
    Project.objects.filter(pk=project.pk).update(control_rate=rate, **settings)
    project.refresh_from_db()
    image = add_image("pier", n_captions)
    for number in range(n_controls):
        add_control(image, f"wrong {number}")
    assert read_supply(project=project).warning == "", "nobody works there yet"
    build()
    found = read_supply(project=project)
    assert re.search(said, found.warning), found.warning
    assert found.is_ungraded == (UNGRADED in found.warning)


def test_borrowed_words_are_not_counted_on_for_who_has_had_them(
    project: Project, bob: User, dora: User, add_image: AddImage, build: Build
) -> None:
    homes = [add_image(f"home-{number}", 5) for number in range(5)]
    for number, home in enumerate(homes):
        image = add_image(f"image-{number}", 5)
        add_control(image, f"wrong {number}", source=OTHER_IMAGE, source_ref=home.key)
    build()
    take(project, bob, list(Hit.objects.filter(image__in=homes)))
    Control.objects.filter(candidate__image__key="image-4").update(state="retired")
    assert (of(project, dora).n_unmet, of(project, bob).n_unmet) == (4, 0)
    assert take(project, bob, list(Hit.objects.exclude(image__in=homes))) == 0


@pytest.mark.parametrize(("origin", "n_homes", "n_there"), [("person", 1, 0), ("person", 2, 1), ("other_image", 2, 0)])
def test_a_picture_is_not_counted_on_for_who_has_had_it_with_its_one_query(
    project: Project, bob: User, dora: User, add_image: AddImage, origin: str, n_homes: int, n_there: int
) -> None:
    Project.objects.filter(pk=project.pk).update(direction="images_of_query")
    project.refresh_from_db()
    keys = [add_image(f"image-{number}", 0).key for number in range(6)]
    for number in range(n_homes):
        add_query(project=project, text=f"home {number}", images=keys[:5])
    add_query(project=project, text="asked", images=keys[1:6])
    made = add_control(Image.objects.get(key=keys[0]), "asked", source="query", query=Query.objects.get(text="asked"))
    Control.objects.filter(pk=made.pk).update(origin=origin)
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_query_hits(project=project, run=run, queries=list(Query.objects.order_by("pk")))
    take(project, bob, list(Hit.objects.filter(query__text="home 0")))
    assert (of(project, dora).n_unmet, of(project, bob).n_unmet) == (1, n_there)
    assert take(project, bob, list(Hit.objects.filter(query__text="asked"))) == n_there


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_each", [1, 4])
def test_a_picture_that_is_the_control_of_several_queries_is_counted_once(
    project: Project, bob: User, dora: User, add_image: AddImage, n_each: int, seed: int
) -> None:
    """Eight queries share four pictures, one of them or all to each, and their pages hold one."""
    Project.objects.filter(pk=project.pk).update(direction="images_of_query")
    project.refresh_from_db()
    draw, shared = random.Random(seed), [add_image(f"shared-{number}", 0) for number in range(4)]
    for number in range(8):
        text, own = f"query {number}", [add_image(f"image-{number}-{place}", 0).key for place in range(5)]
        add_query(project=project, text=text, images=own)
        for image in draw.sample(shared, n_each):
            add_control(image, text, source="query", query=Query.objects.get(text=text))
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_query_hits(project=project, run=run, queries=list(Query.objects.order_by("pk")))
    hits = list(Hit.objects.order_by("pk"))
    draw.shuffle(hits)
    pictures = set(Control.objects.values_list("candidate__image", flat=True))
    assert of(project, dora).n_unmet == len(pictures)
    n = take(project, bob, hits[:2])
    said = of(project, bob)
    assert (said.n_unmet, said.wanted, said.is_short) == (len(pictures) - n, 6, True)
    assert take(project, bob, hits[2:]) == said.n_unmet


@pytest.mark.parametrize(
    ("n_fail", "n_quarantined", "said"),
    [
        (2, 0, NOBODY_GOOD),
        (1, 0, ""),
        (2, 1, ""),
    ],
)
def test_an_audit_that_cannot_tell_wrong_controls_says_so(
    project: Project, make_user: Callable[..., User], add_image: AddImage, build: Build,
    n_fail: int, n_quarantined: int, said: str,
) -> None:  # fmt: skip
    Project.objects.filter(pk=project.pk).update(control_rate=0)
    project.refresh_from_db()
    image = add_image("pier", 9)
    controls = [add_control(image, f"wrong {number}") for number in range(8)]
    (hit,) = build()
    people = [make_user(f"person-{number}") for number in range(3)]
    for user in people:
        assert read_supply(project=project).warning == "", "too few people have met them"
        meet(hit, user, controls, n_fail)
    Control.objects.filter(pk__in=[control.pk for control in controls[:n_quarantined]]).update(state="quarantined")
    found = read_supply(project=project)
    assert (found.warning, found.sight.n_people) == (said, 3)


def meet(hit: Hit, user: User, controls: list[Control], n_fail: int) -> None:
    """They fail the first `n_fail` of them and pass the others."""
    turn = World(hit.project).turn(user, hit)
    ControlMeeting.objects.bulk_create(
        ControlMeeting(
            control=control, annotator=user, assignment=turn, outcome="failed" if number < n_fail else "passed"
        )
        for number, control in enumerate(controls)
    )
