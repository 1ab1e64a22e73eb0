"""What is left of a project: counted where it can be, estimated with an interval where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.building import build_hits
from backend.annotation.forecast import forecasting
from backend.annotation.forecast.forecasting import get_forecast
from backend.annotation.models import Assignment, Control, ControlMeeting, Hit, HitItem, Judgment, Slot, Standing
from backend.annotation.settling import settle_hits
from backend.candidates.models import Candidate
from backend.methods.budget.left import NOTHING, Span
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
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
    build_hits(project=project, run=run, images=images)
    return list(Hit.objects.filter(project=project, image__in=images))


def add_controls(hits: Iterable[Hit]) -> None:
    """One on each HIT's image."""
    for hit in hits:
        world = World(hit.project)
        world.control(world.caption(hit.image, f"y {hit.pk}"))


def add_people(project: Project, n: int) -> list[User]:
    """Annotators who have begun."""
    people = World(project).people(*(f"reader-{at}" for at in range(n)))
    Standing.objects.bulk_create(Standing(project=project, user=user, n_submitted=4) for user in people)
    return people


def submit(hit: Hit, user: User, labels: Iterable[str], ms: int | None = None) -> None:
    """The person takes the HIT's first free place and says so of its open pairs."""
    items = HitItem.objects.filter(hit=hit, is_open=True).order_by("position")
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
        found = get_forecast(project=project)
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
    found = get_forecast(project=project)
    assert (found.n_places, found.left.n_hits, found.skill) == (3, 2, None)
    assert found.left.judgments == Span(9, 9, 9)
    submit(first, dora, ["good", "bad", "unsure"])
    for user in (bob, dora):
        submit(second, user, ["good"] * 3)
    assert get_forecast(project=project).left.assignments == NOTHING


def test_a_held_place_is_still_to_come_and_what_does_not_count_is_judged_again(
    project: Project, bob: User, dora: User
) -> None:
    (hit,) = fill(project, 1, 3)
    held = World(project).turn(bob, hit)
    Slot.objects.filter(hit=hit, number=1).update(assignment=held)
    assert get_forecast(project=project).left.assignments.mean == 2
    submit(hit, dora, ["good"] * 3)
    assert get_forecast(project=project).left.judgments.mean == 3
    Standing.objects.create(project=project, user=dora, state="excluded")
    assert get_forecast(project=project).left.judgments.mean == 6


def test_pages_that_controls_add_to_short_hits_are_counted_where_there_are_controls_and_people_enough(
    project: Project,
) -> None:
    project = settings(project, control_rate=0.2, pay_per_hit=Decimal("0.10"), pay_fee=0.0)
    hits = fill(project, 3, 1)
    bare = get_forecast(project=project)
    assert bare.left.assignments == Span(6, 6, 6)
    add_controls(hits)
    people = add_people(project, 4)
    found = get_forecast(project=project)
    assert found.left.assignments.mean == pytest.approx(6 / 0.8, rel=0.05)
    assert found.left.judgments == bare.left.judgments
    assert found.cost and bare.cost and found.cost.mean > bare.cost.mean
    Standing.objects.all().delete()
    assert get_forecast(project=project).left.assignments.mean == pytest.approx(6 / 0.8, rel=0.05), "nobody has begun"
    Standing.objects.bulk_create(Standing(project=project, user=user, n_submitted=1) for user in people)
    Standing.objects.filter(user__in=people[:2]).update(state="paused")
    assert get_forecast(project=project).left.assignments == bare.left.assignments


def test_a_pair_gives_way_only_while_people_enough_are_left_for_the_hit(project: Project, bob: User) -> None:
    """Of five one pair of each HIT may be left to others, then too few could come for it: three pages, and one more
    where a draw comes with one of these. Told were 3 / 0.7. So it is where somebody has had the HIT."""
    project = settings(project, control_rate=0.3, overlap=3)
    hits = fill(project, 60, 1)
    add_controls(hits)
    people = add_people(project, 4)
    assert get_forecast(project=project).left.assignments.mean == pytest.approx(60 * (4 - 0.7**3), rel=0.03)
    Membership.objects.filter(user=bob).update(role=Role.CURATOR)
    assert get_forecast(project=project).left.assignments == Span(180, 180, 180)
    for hit in hits:
        submit(hit, people[0], ["good"])
    Membership.objects.filter(user=bob).update(role=Role.ANNOTATOR)
    assert get_forecast(project=project).left.assignments.mean == pytest.approx(60 * (3 - 0.7**2), rel=0.03)


def test_controls_are_met_by_those_as_well_who_have_not_begun(project: Project) -> None:
    """They were dealt among the few who had, as though each would be known by far more of them."""
    project = settings(project, confidence=0.9, max_overlap=6, control_rate=0.1)
    add_controls(fill(project, 40, 5))
    people = add_people(project, 40)
    begun = get_forecast(project=project).left.judgments.mean
    Standing.objects.filter(user__in=people[4:]).delete()
    assert get_forecast(project=project).left.judgments.mean == pytest.approx(begun, rel=0.03)


def test_pages_that_controls_add_end_where_nobody_has_one_to_meet(project: Project) -> None:
    """With controls at a third of the images the full rate was told of all, and still where everybody had met them."""
    project = settings(project, control_rate=0.2)
    hits = fill(project, 60, 1)
    add_controls(hits[:20])
    people = add_people(project, 6)
    assert get_forecast(project=project).left.assignments.mean == pytest.approx(120 / (1 - 0.2 / 3), rel=0.03)
    for user in people:
        turn = World(project).turn(user, hits[-1], status="expired")
        ControlMeeting.objects.bulk_create(
            ControlMeeting(control=control, annotator=user, assignment=turn) for control in Control.objects.all()
        )
    assert get_forecast(project=project).left.assignments.mean < 122, "bob has not begun, and would meet some"
    Membership.objects.exclude(user__in=people).update(role=Role.CURATOR)
    assert get_forecast(project=project).left.assignments == Span(120, 120, 120)


def test_adaptive_overlap_asks_more_of_pairs_that_people_disagree_on(
    project: Project, alice: User, bob: User, dora: User
) -> None:
    project = settings(project, confidence=0.9, max_overlap=5)
    for user in (alice, bob, dora):
        Standing.objects.create(project=project, user=user, n_graded=50, n_failed=5, n_submitted=9)
    hits = fill(project, 20, 3)
    fresh = get_forecast(project=project)
    assert (fresh.n_places, fresh.skill and fresh.skill.source) == (40, "controls")
    assert 40 <= fresh.left.assignments.low < fresh.left.assignments.mean < fresh.left.assignments.high <= 100
    for hit in hits:
        submit(hit, bob, ["good"] * 3)
        submit(hit, dora, ["good", "good", "bad"])
    settle_hits(project=project, hits=[hit.pk for hit in hits])
    now = get_forecast(project=project)
    assert now.n_places == 20 <= now.left.judgments.low < 24
    assert 20 < now.left.judgments.mean < 60
    assert now.left.judgments.mean == pytest.approx(now.left.assignments.mean)


def test_a_hit_that_everybody_had_waits_for_somebody_new(
    client_of: Clients, project: Project, alice: User, bob: User, dora: User
) -> None:
    project = settings(project, confidence=0.9, max_overlap=5)
    disputed, _ = fill(project, 2, 1)
    submit(disputed, bob, ["good"])
    submit(disputed, dora, ["bad"])
    settle_hits(project=project, hits=[disputed.pk])
    assert get_forecast(project=project).n_waiting == 0, "nobody works here as far as anybody knows"
    Standing.objects.bulk_create(Standing(project=project, user=user, n_submitted=1) for user in (bob, dora))
    assert client_of(alice).get(FORECAST).json()["hits_waiting"] == 1
    Standing.objects.create(project=project, user=alice, n_submitted=1)
    assert get_forecast(project=project).n_waiting == 0, "there is a third who can take it"
    Standing.objects.filter(user=alice).update(state="paused")
    assert get_forecast(project=project).n_waiting == 1
    Assignment.objects.filter(hit=disputed, annotator=bob).update(status="returned")
    assert get_forecast(project=project).n_waiting == 0, "what bob gave back may come to him again"


def test_skill_comes_from_agreement_without_controls(project: Project, bob: User, dora: User) -> None:
    project = settings(project, confidence=0.9, max_overlap=5)
    hits = fill(project, 10, 3)
    first = get_forecast(project=project).skill
    assert first is not None
    assert first.source == "assumed"
    for hit in hits:
        submit(hit, bob, ["good"] * 3)
        submit(hit, dora, ["good", "good", "bad"])
    skill = get_forecast(project=project).skill
    assert skill is not None
    assert (skill.source, skill.n) == ("agreement", 30)
    assert skill.value == pytest.approx((1 + (6 * 2 / 3 - 2) ** 0.5) / 3, abs=0.001)
    assert skill.low < skill.value < skill.high


def test_what_controls_will_tell_of_people_is_in_the_interval(project: Project) -> None:
    """Who has met no control counts with even odds, at which nearly every pair is asked about to the last. After some
    that are right two who agree are enough: it said so many judgments more that no interval held what was needed."""
    project = settings(project, confidence=0.9, max_overlap=6)
    hits = fill(project, 40, 5)
    add_people(project, 8)
    without = get_forecast(project=project).left.judgments
    add_controls(hits)
    found = get_forecast(project=settings(project, control_rate=0.1)).left.judgments
    assert without.low > 4.5 * 200
    assert found.mean < 0.9 * without.mean
    assert found.low < 4 * 200 < found.high


def test_hours_come_from_focus_time_and_are_not_guessed(project: Project, bob: User) -> None:
    hits = fill(project, 30, 3)
    Standing.objects.create(project=project, user=bob, n_submitted=20)
    for hit in hits[:19]:
        submit(hit, bob, ["good"] * 3, ms=10_000)
    submit(hits[19], bob, ["good"] * 3)
    assert get_forecast(project=project).hours is None
    submit(hits[20], bob, ["good"] * 3, ms=10_000)
    found = get_forecast(project=project)
    assert found.pace is not None
    assert (found.pace.n, found.pace.median_assignment, found.left.judgments.mean) == (20, 30, 39 * 3)
    assert found.hours == Span(*[pytest.approx(39 * 3 * 10 / 3600)] * 3)


def test_a_draw_comes_near_the_whole(project: Project, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    hits = fill(project, 400, 2)
    for hit in hits[::3]:
        submit(hit, bob, ["good", "bad"])
    monkeypatch.setattr(forecasting, "DRAWN", 400)
    whole = get_forecast(project=project)
    monkeypatch.setattr(forecasting, "DRAWN", 100)
    drawn = get_forecast(project=project)
    assert whole.n_drawn == 400
    assert drawn.n_drawn == 100
    assert drawn.left.n_hits == pytest.approx(400, rel=0.2)
    assert drawn.left.assignments.mean == pytest.approx(whole.left.assignments.mean)
    low, high = drawn.left.judgments.low, drawn.left.judgments.high
    assert low * (1 - 1e-9) <= whole.left.judgments.mean <= high * (1 + 1e-9)  # nothing is uncertain here: one point


def test_the_answer_says_where_its_figures_are_from(client_of: Clients, project: Project, alice: User) -> None:
    fill(project, 2, 3)
    body = client_of(alice).get(FORECAST).json()
    assert (body["overlap"], body["places_open"], body["is_drawn"]) == ("fixed", 4, False)
    assert body["assignments"] == {"mean": 4.0, "low": 4.0, "high": 4.0}
    assert (body["cost"], body["hours"], body["skill"]) == (None, None, None)
    assert body["cost_reason"]["code"] == "forecast_no_pay"
    assert "after 20 of them" in body["hours_reason"]["message"]
    settings(project, confidence=0.9, pay_per_hit=Decimal("0.125"), pay_fee=0.2)
    adaptive = client_of(alice).get(FORECAST).json()
    assert (adaptive["overlap"], adaptive["skill"]["source"]) == ("adaptive", "assumed")
    assert "assumed" in adaptive["skill"]["detail"]
    assert Decimal(adaptive["cost"]["low"]) >= Decimal("0.60")


def test_a_project_without_hits_has_nothing_left(client_of: Clients, project: Project, dora: User) -> None:
    body = client_of(dora).get(FORECAST).json()
    assert (body["places_open"], body["judgments"]["mean"]) == (0, 0)


def test_the_last_place_may_close_while_it_is_counted(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasting, "_count_open_places", lambda project: 1)
    assert get_forecast(project=project).left.assignments == NOTHING


@pytest.mark.parametrize(("who", "status"), [("bob", 403), ("charlie", 404), (None, 401)])
def test_only_who_leads_sees_it(
    client_of: Clients, project: Project, bob: User, charlie: User, who: str | None, status: int
) -> None:
    user = {"bob": bob, "charlie": charlie}.get(who or "")
    assert client_of(user).get(FORECAST).status_code == status
