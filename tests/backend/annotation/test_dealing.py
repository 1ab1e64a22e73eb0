"""Controls are items of HITs, dealt when HITs are built: the same for every annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from backend.annotation.models import Assignment, Hit, HitItem, Slot
from backend.catalogue.models import Image
from backend.controls.services import AlreadyDealt, change_control, delete_control
from backend.controls.supply import read_supply
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState
from pages_in_hand import submit, take
from settled import set_rules
from world import World

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]


@pytest.fixture
def add_controls(project: Project, add_image: AddImage) -> Callable[[str, int], list[Control]]:
    def add(key: str, n: int) -> list[Control]:
        texts = [f"{key} control {number}" for number in range(n)]
        return [World(project).control(pair, "bad") for pair in World(project).captions(add_image(key, 0), *texts)]

    return add


def controls_in(hit: Hit) -> list[int]:
    return sorted(hit.items.filter(control__isnull=False).values_list("control", flat=True))


def test_hits_of_an_image_take_turns_with_its_controls_and_all_annotators_get_the_same(
    project: Project,
    alice: User,
    bob: User,
    add_image: AddImage,
    build: Build,
    add_controls: Callable[..., list[Control]],
) -> None:
    set_rules(project, control_rate=0.2, captions_per_hit=4)
    controls = add_controls("pier", 2)
    add_image("pier", 16)
    hits = build()
    assert [hit.items.count() for hit in hits] == [5] * 4
    dealt = Counter(control for hit in hits for control in controls_in(hit))
    assert dealt == {control.pk: 2 for control in controls}
    Slot.objects.exclude(hit=hits[2]).delete()
    pages = [take(project, bob), take(project, alice)]
    assert pages[0].hit == pages[1].hit
    assert set(pages[0].shown) == set(pages[1].shown)
    assert read_supply(project=project)["hits_per_control"] == 2


def test_short_hits_are_mixed_with_hits_of_controls_alone(
    project: Project, add_image: AddImage, build: Build, add_controls: Callable[..., list[Control]]
) -> None:
    set_rules(project, control_rate=0.2, captions_per_hit=1)
    controls = add_controls("pier", 3) + add_controls("lamp", 3)
    add_image("pier", 10), add_image("lamp", 10)
    hits = build()
    alone = [hit for hit in hits if hit.part is None]
    assert len(hits) - len(alone) == 20
    assert len(alone) == 5, "one of five HITs is one of controls"
    assert {hit.items.count() for hit in hits} == {1}
    assert len({control for hit in alone for control in controls_in(hit)} & {one.pk for one in controls}) == 5
    assert {hit.slots.count() for hit in hits} == {project.overlap}
    assert hits[-5:] != alone, "they are not all at the end"


def test_controls_made_later_reach_hits_that_nobody_began(
    project: Project, bob: User, add_image: AddImage, build: Build, add_controls: Callable[..., list[Control]]
) -> None:
    set_rules(project, control_rate=0.2, captions_per_hit=4)
    add_image("pier", 12)
    build()
    begun = take(project, bob).hit
    [control] = add_controls("pier", 1)
    assert read_supply(project=project)["n_undealt"] == 1
    hits = build()
    assert [controls_in(hit) for hit in hits] == [[] if hit == begun else [control.pk] for hit in hits]
    assert build() == hits
    change_control(control=control, state=ControlState.RETIRED)
    assert [controls_in(hit) for hit in build()] == [[]] * 3


def test_hits_of_controls_alone_follow_what_is_in_use(
    project: Project, add_image: AddImage, build: Build, add_controls: Callable[..., list[Control]]
) -> None:
    set_rules(project, control_rate=0.5, captions_per_hit=1)
    add_controls("pier", 0)
    add_image("pier", 3)
    set_rules(project, control_rate=0.3)
    controls = add_controls("pier", 2)
    assert any(hit.part is None for hit in build())
    for control in controls:
        change_control(control=control, state=ControlState.RETIRED)
    assert not any(hit.part is None for hit in build())


def test_a_control_that_stands_in_a_hit_somebody_began_is_not_deleted(
    project: Project, bob: User, add_image: AddImage, build: Build, add_controls: Callable[..., list[Control]]
) -> None:
    set_rules(project, control_rate=0.2, captions_per_hit=4)
    first, second = add_controls("pier", 2)
    add_image("pier", 8)
    hits = build()
    begun = take(project, bob).hit
    [met] = controls_in(begun)
    for control in (first, second):
        if control.pk == met:
            with pytest.raises(AlreadyDealt):
                delete_control(control=control)
        else:
            delete_control(control=control)
    assert [hit.items.filter(control__isnull=False).count() for hit in hits] == [int(hit == begun) for hit in hits]


def test_a_followup_has_controls_of_its_own(
    project: Project, alice: User, bob: User, dora: User, add_image: AddImage, build: Build,
    add_controls: Callable[..., list[Control]],
) -> None:  # fmt: skip
    set_rules(project, control_rate=0.4, captions_per_hit=3, confidence=0.9, max_overlap=4)
    add_controls("pier", 2)
    add_image("pier", 3)
    build()
    for user in (alice, bob):
        submit(take(project, user))
    page = take(project, dora)
    assert Slot.objects.filter(number=3, assignment=page).exists()
    assert page.hit.items.filter(control__isnull=False).exists()


def test_the_supply_tells_that_controls_are_few(
    project: Project, add_image: AddImage, build: Build, add_controls: Callable[..., list[Control]]
) -> None:
    set_rules(project, control_rate=0.2, captions_per_hit=4)
    add_image("pier", 20), add_image("lamp", 20)
    build()
    supply = read_supply(project=project)
    assert (supply["n_active"], supply["hits_left"], supply["looked_at"], supply["is_short"]) == (0, 10, 2, True)
    add_controls("pier", 1), add_controls("lamp", 1)
    supply = read_supply(project=project)
    assert (supply["n_active"], supply["n_undealt"], supply["is_short"]) == (2, 2, True)
    build()
    supply = read_supply(project=project)
    assert (supply["n_undealt"], supply["is_short"], supply["hits_per_control"]) == (0, False, 5)
    Control.objects.update(state=ControlState.QUARANTINED)
    HitItem.objects.filter(control__isnull=False).delete()
    World(project).control(World(project).caption(add_image("reed", 0), "reed control"))
    control = Control.objects.get(state="active")
    HitItem.objects.create(hit=Hit.objects.all()[9], candidate=control.candidate, position=9, control=control)
    supply = read_supply(project=project)
    assert (supply["n_active"], supply["n_undealt"], supply["looked_at"], supply["is_short"]) == (1, 0, 2, True)
    assert not Assignment.objects.exists()
