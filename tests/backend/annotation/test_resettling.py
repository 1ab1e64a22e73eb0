"""Another overlap reaches the HITs that are there already, once, and from where a killed worker stopped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings

from backend.annotation import resettling
from backend.annotation.models import Hit, SettledAs, Slot
from backend.annotation.resettling import settle_changed
from backend.annotation.returning import return_assignment
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.services import update_project
from backend.runs import embedded
from backend.runs.queue import SETTLE, app
from judged_project import PulledPlug
from pages_in_hand import take


@pytest.fixture
def hits(
    project: Project, add_image: Callable[..., Image], build: Callable[..., list[Hit]], monkeypatch: pytest.MonkeyPatch
) -> list[Hit]:
    """Five HITs of a project that was looked at before, two to a batch."""
    monkeypatch.setattr(resettling, "BATCH", 2)
    settle_changed()
    add_image("pier", 15)
    return build()


def change(project: Project, **settings: object) -> None:
    Project.objects.filter(pk=project.pk).update(**settings)


def n_places() -> list[int]:
    return [hit.slots.count() for hit in Hit.objects.order_by("pk")]


def test_a_raised_overlap_adds_places_and_a_lowered_one_takes_free_ones_away(project: Project, hits: list[Hit]) -> None:
    change(project, overlap=4)
    assert settle_changed() == 3
    assert n_places() == [4] * 5
    change(project, overlap=1)
    settle_changed()
    assert n_places() == [1] * 5


def test_nothing_is_done_twice(project: Project, hits: list[Hit]) -> None:
    change(project, overlap=4)
    settle_changed()
    assert settle_changed() == 0


def test_other_settings_ask_for_nothing(project: Project, hits: list[Hit]) -> None:
    change(project, lease_minutes=7, control_rate=0.3)
    assert settle_changed() == 0


def test_pairs_that_gave_way_to_controls_get_their_places_when_controls_end(project: Project, hits: list[Hit]) -> None:
    change(project, control_rate=0.1)
    settle_changed()
    Slot.objects.filter(hit=hits[0], number=2).delete()
    change(project, control_rate=0)
    assert settle_changed() > 0
    assert n_places() == [2] * 5


def test_a_killed_worker_costs_one_batch(project: Project, hits: list[Hit], monkeypatch: pytest.MonkeyPatch) -> None:
    change(project, overlap=3)
    real, calls = resettling.settle_hits, []

    def settle_then_die(**given: object) -> None:
        calls.append(given["hits"])
        real(**given)  # type: ignore[arg-type]
        if len(calls) == 2:
            raise PulledPlug

    monkeypatch.setattr(resettling, "settle_hits", settle_then_die)
    with pytest.raises(PulledPlug):
        settle_changed()
    assert n_places() == [3, 3, 2, 2, 2]
    assert settle_changed() == 2
    assert n_places() == [3] * 5


def test_a_change_in_the_middle_starts_over(project: Project, hits: list[Hit], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resettling, "MOST_BATCHES", 1)
    change(project, overlap=3)
    settle_changed()
    change(project, overlap=5)
    while settle_changed():
        pass
    assert n_places() == [5] * 5
    assert SettledAs.objects.get(project=project).last_hit is None


def put(project: Project, **settings: object) -> None:
    """As a curator does."""
    project.refresh_from_db()
    update_project(project=project, version=project.version, changes=settings)


@pytest.mark.parametrize("meanwhile", [1, 4])
def test_what_was_settled_by_an_overlap_that_was_soon_put_back_is_settled_anew(
    project: Project, bob: User, hits: list[Hit], meanwhile: int
) -> None:
    """Between two looks, where the settings are those of the look before: a HIT was left without places, for good."""
    settle_changed()
    page = take(project, bob)
    put(project, overlap=meanwhile)
    return_assignment(assignment=page)
    assert page.hit.slots.count() == meanwhile
    put(project, overlap=2)
    assert settle_changed() > 0
    assert n_places() == [2] * 5
    assert settle_changed() == 0


def test_hits_that_were_built_for_an_overlap_that_was_soon_put_back_get_their_places(
    project: Project, hits: list[Hit], add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    settle_changed()
    put(project, overlap=1)
    add_image("lamp", 3)
    build()
    put(project, overlap=2)
    settle_changed()
    assert n_places() == [2] * 6


def test_the_same_settings_once_more_ask_for_nothing(project: Project, hits: list[Hit]) -> None:
    put(project, name="Skies over piers", overlap=2, control_rate=0.2)
    put(project, control_rate=0.3)
    assert settle_changed() == 0


def test_a_change_that_is_undone_between_two_batches_starts_over(
    project: Project, hits: list[Hit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resettling, "MOST_BATCHES", 1)
    put(project, overlap=3)
    settle_changed()
    put(project, overlap=5)
    put(project, overlap=3)
    assert [settle_changed() for _ in range(4)] == [1, 1, 1, 0]


def test_hits_of_a_project_that_nobody_looked_at_yet_are_gone_through(project: Project, hits: list[Hit]) -> None:
    SettledAs.objects.all().delete()
    Slot.objects.filter(number=2).delete()
    settle_changed()
    assert n_places() == [2] * 5


def test_beat_and_the_embedded_site_both_do_it() -> None:
    app.loader.import_default_modules()
    assert SETTLE in app.tasks
    assert SETTLE in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert settle_changed in embedded._chores
