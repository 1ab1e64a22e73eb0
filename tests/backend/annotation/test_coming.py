"""Who is counted on to come for a page: nobody who left, cannot sign in, or may do no more."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from backend.annotation.coming import list_able, list_new
from backend.annotation.controls.drawing import draw_controls
from backend.annotation.controls.supply import read_supply
from backend.annotation.drawing import draw_page
from backend.annotation.forecast.forecasting import get_forecast
from backend.annotation.foreign.importing import import_judgments
from backend.annotation.leasing import lease_next
from backend.annotation.models import (
    Assignment,
    Hit,
    HitItem,
    Qualification,
    QuizAttempt,
    Standing,
)
from backend.catalogue.models import Image
from backend.methods.assignment import control_count, order_seed
from backend.methods.foreign.reading import tell_judgments
from backend.people.models import User
from backend.projects.models import Membership, Project
from world import World

Make = Callable[..., User]
N_OTHERS = 4
RATE = 0.15
SEED = next(seed for seed in range(99) if control_count(1, rate=RATE, seed=seed))


@pytest.fixture
def others(project: Project) -> list[User]:
    """Members who have submitted something."""
    people = World(project).people(*(f"other-{n}" for n in range(N_OTHERS)))
    Standing.objects.bulk_create(
        Standing(project=project, user=user, n_submitted=3, quiz_passed_at=timezone.now()) for user in people
    )
    return people


@pytest.fixture
def short_hit(project: Project, add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> Hit:
    """A HIT of one pair whose image has a control."""
    image, world = add_image("pier", 1), World(project)
    found = build()[0]
    world.control(world.caption(image, "pier caption 2"), "bad")
    Project.objects.filter(pk=project.pk).update(control_rate=RATE)
    return found


def leave(project: Project) -> None:
    Membership.objects.filter(project=project, user__username__startswith="other").delete()


def are_shut_out(project: Project) -> None:
    User.objects.filter(username__startswith="other").update(is_active=False)


def are_paused(project: Project) -> None:
    Standing.objects.filter(user__username__startswith="other").update(state="paused")


def are_excluded(project: Project) -> None:
    Standing.objects.filter(user__username__startswith="other").update(state="excluded")


def have_done_all_they_may(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(hits_per_annotator=3)


def hold_the_last_they_may(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(hits_per_annotator=4)
    world = World(project)
    elsewhere = world.hit(Image.objects.get(key="pier"), part=9)
    for user in User.objects.filter(username__startswith="other"):
        world.turn(user, elsewhere)


def passed_too_long_ago(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=2, valid_days=7)
    Standing.objects.update(quiz_passed_at=timezone.now() - timedelta(days=7))


def are_asked_anew(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=2, passes_since=timezone.now() + timedelta(seconds=1))


def never_passed(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=2)
    Standing.objects.update(quiz_passed_at=None)


def have_failed_for_good(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=2, max_attempts=1)
    Standing.objects.update(quiz_passed_at=None)
    fail_the_quiz(project)


def fail_the_quiz(project: Project) -> None:
    QuizAttempt.objects.bulk_create(
        QuizAttempt(
            project=project, user=user, number=1, seed=1, questions=[], pass_mark=1, is_passed=False,
            ended_at=timezone.now(),
        )
        for user in User.objects.filter(pk__in=Standing.objects.values("user"))
    )  # fmt: skip


def failed_before_they_were_asked_anew(project: Project) -> None:
    fail_the_quiz(project)
    Qualification.objects.create(project=project, n_questions=2, max_attempts=1, passes_since=timezone.now())


def failed_before_they_passed(project: Project) -> None:
    fail_the_quiz(project)
    Qualification.objects.create(project=project, n_questions=2, max_attempts=1, valid_days=7)
    long_ago = timezone.now() - timedelta(days=8)
    Standing.objects.update(quiz_passed_at=long_ago)
    QuizAttempt.objects.update(ended_at=long_ago - timedelta(hours=1))


GONE_FOR_GOOD = [
    leave, are_shut_out, are_paused, are_excluded, have_done_all_they_may, hold_the_last_they_may, have_failed_for_good,
]  # fmt: skip
TO_PASS_AGAIN = [
    passed_too_long_ago, are_asked_anew, never_passed, failed_before_they_were_asked_anew, failed_before_they_passed,
]  # fmt: skip
GONE = [*GONE_FOR_GOOD, *TO_PASS_AGAIN]


def stay(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(hits_per_annotator=4)


def passed_in_time(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=2, valid_days=7)
    Standing.objects.update(quiz_passed_at=timezone.now() - timedelta(days=6))


def are_asked_no_quiz(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=0, valid_days=7)
    Standing.objects.update(quiz_passed_at=None)


def read_guidelines_that_changed(project: Project) -> None:
    Qualification.objects.create(project=project, n_questions=0, asks_guidelines=True)
    Project.objects.filter(pk=project.pk).update(guidelines="Look again.")


HERE = [stay, passed_in_time, are_asked_no_quiz, read_guidelines_that_changed]


def as_read(hit: Hit) -> Hit:
    return Hit.objects.select_related("image", "query", "project__qualification").get(pk=hit.pk)


def controls_of(hit: Hit, bob: User) -> int:
    return len(draw_controls(hit=as_read(hit), annotator=bob, n_items=1, rate=RATE, seed=SEED, n_to_come=1))


@pytest.mark.parametrize("happens", GONE)
def test_nobody_waits_for_who_cannot_come(
    project: Project, bob: User, others: list[User], short_hit: Hit, happens: Callable[[Project], None]
) -> None:
    assert controls_of(short_hit, bob) == 1
    happens(project)
    assert controls_of(short_hit, bob) == 0, "the pair would give way to a control, and wait for ever"
    project = Project.objects.get(pk=project.pk)
    assert not list_able(project=project).filter(user__in=others).exists()
    assert not {each.user for each in read_supply(project=project).annotators} & set(others)


@pytest.mark.parametrize(
    ("confidence", "most", "voter", "n_shown"),
    [(None, 9, "", 1), (0.9, 3, "", 1), (0.9, 4, "", 0), (0.9, 4, "active", 1), (0.9, 4, "excluded", 0)],
)
@pytest.mark.parametrize("captions_per_hit", [1, 10])
def test_a_pair_gives_way_only_where_enough_can_come_for_all_it_may_want(
    project: Project, bob: User, others: list[User], short_hit: Hit, confidence: float | None, most: int, voter: str,
    n_shown: int, captions_per_hit: int,
) -> None:  # fmt: skip
    """Four others. A pair of overlap 2, or of three votes at most, that gives way at the first place wants all but one
    of them; one that may come to want four votes would need five, unless it has one that counts."""
    wanted = {"confidence": confidence, "max_overlap": most, "overlap": 2, "captions_per_hit": captions_per_hit}
    Project.objects.filter(pk=project.pk).update(**wanted)
    project = Project.objects.select_related("qualification").get(pk=project.pk)
    if voter:
        pair = HitItem.objects.get(hit=short_hit).candidate
        import_judgments(project=project, told=tell_judgments(f"task,worker,label\n{pair.key},w,good"))
        Standing.objects.filter(user__display_name="w").update(state=voter)
    page = draw_page(hit_id=short_hit.pk, project=project, annotator=with_a_control(project, short_hit, bob))
    assert page is not None
    assert len(page.controls) == n_shown


def with_a_control(project: Project, hit: Hit, person: User) -> User:
    """The person under a name for which the seed asks for a control on this HIT."""
    for n in range(200):
        person.username = f"reader-{n}"
        seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, hit.part, person.username)
        if control_count(1, rate=RATE, seed=seed):
            break
    person.save()
    return person


@pytest.mark.parametrize("happens", HERE)
def test_who_can_come_is_counted_on(
    project: Project, bob: User, others: list[User], short_hit: Hit, happens: Callable[[Project], None]
) -> None:
    happens(project)
    assert controls_of(short_hit, bob) == 1
    assert list_able(project=Project.objects.get(pk=project.pk)).filter(user__in=others).count() == N_OTHERS


def test_workers_of_a_file_finish_nothing(project: Project, bob: User, short_hit: Hit) -> None:
    pair = HitItem.objects.get(hit=short_hit).candidate
    Project.objects.filter(pk=project.pk).update(overlap=9)
    lines = (f"{pair.key},w{n},good" for n in range(N_OTHERS))
    import_judgments(project=project, told=tell_judgments("\n".join(["task,worker,label", *lines])))
    assert Standing.objects.filter(n_submitted__gt=0).count() == N_OTHERS
    assert controls_of(short_hit, bob) == 0
    project = Project.objects.get(pk=project.pk)
    assert get_forecast(project=project).n_waiting == 0, "no member has begun: they are to come"
    assert read_supply(project=project).annotators == []


@pytest.mark.parametrize("happens", GONE_FOR_GOOD)
def test_what_waits_for_people_who_are_gone_is_told_as_waiting(
    project: Project, bob: User, others: list[User], short_hit: Hit, happens: Callable[[Project], None]
) -> None:
    assert lease_next(project=Project.objects.get(pk=project.pk), annotator=bob).shown
    Assignment.objects.filter(annotator=bob).update(status="submitted", submitted_at=timezone.now())
    Standing.objects.filter(user=bob).update(n_submitted=1)
    assert get_forecast(project=Project.objects.get(pk=project.pk)).n_waiting == 0
    happens(project)
    assert get_forecast(project=Project.objects.get(pk=project.pk)).n_waiting == 1


@pytest.mark.parametrize("happens", TO_PASS_AGAIN)
def test_what_waits_for_people_who_are_to_pass_again_waits_for_nobody_new(
    project: Project, others: list[User], short_hit: Hit, happens: Callable[[Project], None]
) -> None:
    happens(project)
    assert get_forecast(project=Project.objects.get(pk=project.pk)).n_waiting == 0
    had_by(others, short_hit)
    assert get_forecast(project=Project.objects.get(pk=project.pk)).n_waiting == 1


def had_by(people: list[User], hit: Hit) -> None:
    """They have sent the page; a place is still free."""
    for user in people:
        World(hit.project).turn(user, hit, status="submitted", submitted_at=timezone.now())


@pytest.mark.parametrize("happens", [leave, are_shut_out, are_paused, are_excluded, have_failed_for_good])
def test_who_is_gone_before_their_first_page_is_not_to_come(
    project: Project, others: list[User], short_hit: Hit, happens: Callable[[Project], None]
) -> None:
    Standing.objects.update(n_submitted=0)
    assert list_new(project=project).filter(user__in=others).count() == N_OTHERS
    happens(project)
    assert not list_new(project=Project.objects.get(pk=project.pk)).filter(user__in=others).exists()


@pytest.mark.parametrize("happens", [*HERE, *TO_PASS_AGAIN])
def test_who_may_try_the_quiz_is_to_come(
    project: Project, others: list[User], happens: Callable[[Project], None]
) -> None:
    happens(project)
    Standing.objects.update(n_submitted=0)
    assert list_new(project=Project.objects.get(pk=project.pk)).filter(user__in=others).count() == N_OTHERS


def test_where_nobody_can_begin_everything_waits_for_somebody_new(
    project: Project, bob: User, others: list[User], short_hit: Hit
) -> None:
    Standing.objects.update(n_submitted=0)
    assert get_forecast(project=project).n_waiting == 0
    Standing.objects.update(state="paused")
    Membership.objects.filter(project=project).exclude(user__in=others).delete()
    assert get_forecast(project=project).n_waiting == 1
    Membership.objects.filter(project=project).delete()
    assert get_forecast(project=project).n_waiting == 0, "nobody was invited yet"
