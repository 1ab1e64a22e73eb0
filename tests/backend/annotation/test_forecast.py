"""What is left of a project: counted where it can be, estimated with an interval where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.allocation import settle
from backend.annotation.hits import build_hits
from backend.annotation.models import AnnotatorState, Assignment, Hit, HitItem, Judgment, Slot
from backend.candidates.models import Candidate
from backend.forecast import services
from backend.forecast.models import KeptForecast
from backend.forecast.services import look
from backend.methods.budget.left import NOTHING, Span
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from world import World, new_caption

pytestmark = pytest.mark.django_db
Clients = Callable[..., APIClient]
FORECAST = "/api/v1/projects/skies/forecast"


def fill(project: Project, n_images: int, n_captions: int) -> list[Hit]:
    """Images with so many kept captions each, and their HITs."""
    images = World(project).photos(n_images)
    Candidate.objects.bulk_create(new_caption(image, f"x {n}") for image in images for n in range(n_captions))
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, subjects=images)
    return list(Hit.objects.filter(project=project, image__in=images))


def submit(hit: Hit, user: User, labels: Iterable[str], ms: int | None = None) -> None:
    """The person takes the HIT's first free place and says so of its pairs."""
    items = HitItem.objects.filter(hit=hit).order_by("position")
    shown = [item.candidate_id for item in items]
    turn = World(hit.project).turn(user, hit, status="submitted", submitted_at=timezone.now(), shown=shown)
    Judgment.objects.bulk_create(
        Judgment(assignment=turn, candidate_id=item.candidate_id, annotator=user, label=label, position=n, ms=ms)
        for n, (item, label) in enumerate(zip(items, labels, strict=False), start=1)
    )
    place = Slot.objects.filter(hit=hit, assignment=None).order_by("number").first()
    assert place
    Slot.objects.filter(pk=place.pk).update(assignment=turn)


def settings(project: Project, **changes: Any) -> Project:
    Project.objects.filter(pk=project.pk).update(**changes)
    return Project.objects.get(pk=project.pk)


@pytest.mark.nightly
def test_conqa_costs_what_its_paper_says(alice: User) -> None:
    """50 queries of 100 images in HITs of five, 30 in HITs of four and a control: 5,250 at $0.20 and 10% are $1,155."""
    paid = {"overlap": 3, "pay_per_hit": Decimal("0.20"), "pay_fee": 0.1, "created_by": alice}
    kinds = (("conceptual", 50, 5, 0.0), ("descriptive", 30, 4, 0.2))
    total = Decimal(0)
    for slug, n_queries, items_a_hit, control_rate in kinds:
        project = Project.objects.create(
            slug=slug, name=slug, captions_per_hit=items_a_hit, control_rate=control_rate, **paid
        )
        fill(project, n_queries, 100)
        found = look(project=project)
        turns = n_queries * {5: 60, 4: 75}[items_a_hit]
        assert found.left.assignments == Span(turns, turns, turns)
        assert found.left.judgments == Span(n_queries * 300, n_queries * 300, n_queries * 300)
        assert found.cost is not None
        assert found.cost.low == found.cost.mean == found.cost.high
        total += found.cost.mean
    assert total == Decimal("1155.00")


def test_fixed_overlap_is_counted_as_work_goes_on(project: Project, bob: User, dora: User) -> None:
    first, second = fill(project, 2, 3)
    submit(first, bob, ["good", "bad", "good"])
    found = look(project=project)
    assert (found.n_open, found.left.n_hits) == (3, 2)
    assert found.left.judgments == Span(9, 9, 9)
    submit(first, dora, ["good", "bad", "unsure"])
    for user in (bob, dora):
        submit(second, user, ["good"] * 3)
    assert look(project=project).left.assignments == NOTHING


def test_a_held_place_is_still_to_come_and_what_does_not_count_is_judged_again(
    project: Project, bob: User, dora: User
) -> None:
    (hit,) = fill(project, 1, 3)
    held = World(project).turn(bob, hit)
    Slot.objects.filter(hit=hit, number=1).update(assignment=held)
    assert look(project=project).left.assignments.mean == 2
    submit(hit, dora, ["good"] * 3)
    assert look(project=project).left.judgments.mean == 3


@pytest.mark.nightly
def test_adaptive_overlap_asks_more_where_finished_hits_did(project: Project, bob: User, dora: User) -> None:
    """Twenty of forty HITs are full, and ten of these have a follow-up of one pair."""
    project = settings(project, confidence=0.9, max_overlap=5)
    for user in (bob, dora):
        AnnotatorState.objects.create(project=project, user=user, n_graded=50, n_failed=5, n_submitted=9)
    hits = fill(project, 40, 3)
    fresh = look(project=project)
    assert fresh.n_open == 80
    assert 80 <= fresh.left.assignments.low < fresh.left.assignments.mean < fresh.left.assignments.high <= 200
    for n, hit in enumerate(hits[:20]):
        submit(hit, bob, ["good"] * 3)
        submit(hit, dora, ["good", "good", "bad" if n % 2 else "good"])
    settle(project=project, roots=[hit.pk for hit in hits])
    now = look(project=project)
    assert (now.n_open, now.left.n_hits) == (50, 30)
    assert now.left.judgments.mean < fresh.left.judgments.mean
    assert now.left.judgments.low >= 20 * 2 * 3 + 10


@pytest.mark.nightly
def test_a_hit_that_everybody_had_waits_for_somebody_new(
    client_of: Clients, project: Project, alice: User, bob: User, dora: User
) -> None:
    project = settings(project, confidence=0.9, max_overlap=5)
    disputed, _ = fill(project, 2, 1)
    submit(disputed, bob, ["good"])
    submit(disputed, dora, ["bad"])
    settle(project=project, roots=[disputed.pk])
    assert look(project=project).n_waiting == 0, "nobody works here as far as anybody knows"
    AnnotatorState.objects.bulk_create(
        AnnotatorState(project=project, user=user, n_submitted=1) for user in (bob, dora)
    )
    assert client_of(alice).get(FORECAST).json()["hits_waiting"] == 1
    AnnotatorState.objects.create(project=project, user=alice, n_submitted=1)
    assert look(project=project).n_waiting == 0, "there is a third who can take it"
    AnnotatorState.objects.filter(user=alice).update(state="paused")
    assert look(project=project).n_waiting == 1
    Assignment.objects.filter(hit=disputed, annotator=bob).update(status="returned")
    assert look(project=project).n_waiting == 0, "what bob gave back may come to him again"


@pytest.mark.nightly
def test_hours_come_from_focus_time_and_are_not_guessed(project: Project, bob: User) -> None:
    hits = fill(project, 30, 3)
    AnnotatorState.objects.create(project=project, user=bob, n_submitted=20)
    for hit in hits[:19]:
        submit(hit, bob, ["good"] * 3, ms=10_000)
    submit(hits[19], bob, ["good"] * 3)
    assert look(project=project).hours is None
    submit(hits[20], bob, ["good"] * 3, ms=10_000)
    found = look(project=project)
    assert found.pace is not None
    assert (found.pace.n, found.pace.median_assignment, found.left.judgments.mean) == (20, 30, 39 * 3)
    assert found.hours == Span(*[pytest.approx(39 * 3 * 10 / 3600)] * 3)


def test_the_forecast_of_a_large_project_is_kept_and_made_again_by_a_chore(
    client_of: Clients, project: Project, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader gets the kept one, with its time. Its cost follows the settings of now. A small project keeps none."""
    first, _ = fill(project, 2, 3)
    monkeypatch.setattr(services, "LARGE", 12)
    before = client_of(alice).get(FORECAST).json()
    assert before["as_of"] is None
    submit(first, bob, ["good"] * 3)
    settings(project, pay_per_hit=Decimal("0.5"), pay_fee=0)
    kept = client_of(alice).get(FORECAST).json()
    assert (kept["slots_open"], kept["judgments"]) == (4, before["judgments"])
    assert kept["cost"]["mean"] == "2.00"
    assert services.keep_up() == 0, "it is not old enough"
    KeptForecast.objects.update(as_of=timezone.now() - services.AT_LEAST - timedelta(seconds=services.REST * 60))
    AnnotatorState.objects.create(project=project, user=bob, n_submitted=1, n_judgments=3)
    assert services.keep_up() == 1
    again = client_of(alice).get(FORECAST).json()
    assert (again["slots_open"], again["judgments"]["mean"]) == (3, 9)
    assert again["as_of"] > kept["as_of"]
    monkeypatch.setattr(services, "LARGE", 13)
    services.renew(project=project)
    assert not KeptForecast.objects.exists()


def test_a_kept_forecast_has_the_pace_and_the_hours(
    project: Project, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "LARGE", 1)
    AnnotatorState.objects.create(project=project, user=bob, n_submitted=20)
    for hit in fill(project, 20, 3):
        submit(hit, bob, ["good"] * 3, ms=10_000)
    fresh, kept = look(project=project), look(project=project)
    assert kept.hours is not None
    assert kept == replace(fresh, as_of=kept.as_of)


def test_the_answer_says_where_its_figures_are_from(client_of: Clients, project: Project, alice: User) -> None:
    fill(project, 2, 3)
    body = client_of(alice).get(FORECAST).json()
    assert (body["overlap"], body["slots_open"], body["hits_unfinished"]) == ("fixed", 4, 2)
    assert body["assignments"] == {"mean": 4.0, "low": 4.0, "high": 4.0}
    assert (body["cost"], body["hours"]) == (None, None)
    assert body["cost_reason"]["code"] == "forecast_no_pay"
    assert "after 20 of them" in body["hours_reason"]["message"]
    settings(project, confidence=0.9, pay_per_hit=Decimal("0.125"), pay_fee=0.2)
    adaptive = client_of(alice).get(FORECAST).json()
    assert adaptive["overlap"] == "adaptive"
    assert Decimal(adaptive["cost"]["low"]) >= Decimal("0.60")


def test_a_project_without_hits_has_nothing_left(client_of: Clients, project: Project, dora: User) -> None:
    body = client_of(dora).get(FORECAST).json()
    assert (body["slots_open"], body["judgments"]["mean"]) == (0, 0)


@pytest.mark.parametrize(("who", "status"), [("bob", 403), ("charlie", 404), (None, 401)])
def test_only_who_leads_sees_it(
    client_of: Clients, project: Project, bob: User, charlie: User, who: str | None, status: int
) -> None:
    user = {"bob": bob, "charlie": charlie}.get(who or "")
    assert client_of(user).get(FORECAST).status_code == status
