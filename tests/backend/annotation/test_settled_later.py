"""Who judged more HITs than are settled along with a verdict: what counts changes at once, places follow in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.annotation import resettling
from backend.annotation.models import DecidedState, HitItem, Judgment, SettledAs, Slot, Standing
from backend.annotation.quality import policies
from backend.annotation.quality.deciding import decide_standing
from backend.annotation.quality.policies import apply_policy, preview_policy
from backend.annotation.resettling import settle_changed
from backend.people.models import User
from backend.projects.models import Project
from judged_project import PulledPlug
from mid_batch import settle_all_while
from pages_in_hand import submit, take
from policed_world import EXCLUDE, counted, policy_of
from world import World

pytest_plugins = ("policed_fixtures",)
Verdict = Callable[[World, User], None]


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """bob has judged two HITs: one too many. A batch is one HIT."""
    monkeypatch.setattr(policies, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(resettling, "BATCH", 1)


@pytest.fixture
def settled(judged: World) -> World:
    """Gone through before: the two HITs that two people judged are finished, two more wait for anybody."""
    settle_changed()
    Judgment.objects.update(is_dirty=False)
    assert (n_open(judged), free_of(judged, 2)) == (0, 0)
    return judged


def n_open(world: World) -> int:
    return HitItem.objects.filter(hit__in=world.hits[:2], is_open=True).count()


def free_of(world: World, n_hits: int) -> int:
    return Slot.objects.filter(hit__in=world.hits[:n_hits], assignment=None).count()


def by_policy(world: World, user: User) -> None:
    apply_policy(policy=policy_of(world.project, EXCLUDE))


def by_hand(world: World, user: User, state: DecidedState = DecidedState.EXCLUDED) -> None:
    decide_standing(project=world.project, user_id=user.pk, state=state, reason="Clicks blindly.", decided_by=user)


@pytest.fixture(params=[by_policy, by_hand])
def exclude(request: pytest.FixtureRequest) -> Verdict:
    verdict: Verdict = request.param
    return verdict


@pytest.mark.parametrize("confidence", [None, 0.8])
def test_what_counts_changes_at_once_and_pairs_open_by_the_chore(
    settled: World, bob: User, exclude: Verdict, confidence: float | None
) -> None:
    Project.objects.update(confidence=confidence)
    settle_changed()
    effect = preview_policy(policy=policy_of(settled.project, EXCLUDE))[1]
    exclude(settled, bob)
    assert not Judgment.objects.filter(pk__in=counted(settled.project), annotator=bob).exists()
    assert Judgment.objects.filter(annotator=bob, is_dirty=True).count() == effect.n_judgments_stop == 6
    assert (n_open(settled), free_of(settled, 2)) == (0, 0)
    assert settle_changed() > 0
    assert (n_open(settled), free_of(settled, 2)) == (effect.n_pairs_reopen, 2) == (6, 2)
    assert settle_changed() == 0


def test_what_the_stop_rule_has_finished_elsewhere_is_not_looked_at_again(
    settled: World, bob: User, exclude: Verdict
) -> None:
    """Two people finished a third HIT when they were believed: at .86 each two are sure to .974."""
    Project.objects.update(confidence=0.9, max_overlap=4)
    eve, finn = settled.people("eve", "finn")
    for user in (eve, finn):
        settled.submit(user, 2, ["good"] * 3)
    Standing.objects.filter(user__in=[eve, finn]).update(n_graded=10, n_failed=1)
    settle_changed()
    Standing.objects.filter(user=finn).update(n_failed=6)
    exclude(settled, bob)
    settle_changed()
    assert n_open(settled) == 6
    assert not HitItem.objects.filter(hit=settled.hits[2], is_open=True).exists()


def test_as_many_as_are_settled_at_once_leave_nothing_to_the_chore(
    settled: World, bob: User, exclude: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "MOST_AT_ONCE", 2)
    exclude(settled, bob)
    assert (n_open(settled), free_of(settled, 2)) == (6, 2)
    assert settle_changed() == 0


def test_a_chore_that_is_killed_in_the_middle_goes_on_from_there(
    settled: World, bob: User, exclude: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    exclude(settled, bob)
    kill_after(1, monkeypatch)
    with pytest.raises(PulledPlug):
        settle_changed()
    assert n_open(settled) == 3
    settle_changed()
    assert (n_open(settled), free_of(settled, 2)) == (6, 2)


def kill_after(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chore, once, before it settles one batch more."""
    real, calls = resettling.settle_hits, list[Any]()

    def settle_or_die(**given: Any) -> None:
        calls.append(given)
        if len(calls) == n + 1:
            raise PulledPlug
        real(**given)

    monkeypatch.setattr(resettling, "settle_hits", settle_or_die)


@pytest.mark.parametrize("n_batches", [0, 1])
def test_an_exclusion_that_is_taken_back_before_the_chore_was_through_leaves_everything_as_it_was(
    settled: World, bob: User, monkeypatch: pytest.MonkeyPatch, n_batches: int
) -> None:
    places = set(Slot.objects.values_list("hit", "number", "assignment"))
    by_hand(settled, bob)
    with monkeypatch.context() as patched:
        patched.setattr(resettling, "MOST_BATCHES", n_batches)
        settle_changed()
    assert n_open(settled) == 3 * n_batches
    by_hand(settled, bob, DecidedState.ACTIVE)
    settle_changed()
    assert (n_open(settled), set(Slot.objects.values_list("hit", "number", "assignment"))) == (0, places)


def test_one_that_is_taken_back_is_previewed_by_the_pairs_that_have_opened_by_then(settled: World, bob: User) -> None:
    by_policy(settled, bob)
    lenient = policy_of(settled.project)
    assert preview_policy(policy=lenient)[1].n_pairs_close == 0
    settle_changed()
    assert preview_policy(policy=lenient)[1].n_pairs_close == 6


@pytest.fixture
def carl(settled: World) -> User:
    """Of the last two HITs."""
    carl = settled.person("carl")
    for at in (2, 3):
        settled.submit(carl, at, ["good"] * 3)
    return carl


def test_a_going_through_of_all_that_is_under_way_stays_one_of_all(settled: World, bob: User) -> None:
    SettledAs.objects.update(last_hit=settled.hits[0].pk)
    by_hand(settled, bob)
    assert SettledAs.objects.values_list("last_hit", "of_users").get() == (0, None)


def test_verdicts_on_two_people_are_gone_through_together(settled: World, bob: User, carl: User) -> None:
    by_hand(settled, bob)
    settle_some = resettling._settle_some(Project.objects.get())
    by_hand(settled, carl)
    assert settle_some
    assert SettledAs.objects.values_list("last_hit", "of_users").get() == (0, sorted([bob.pk, carl.pk]))
    settle_changed()
    assert (n_open(settled), SettledAs.objects.get().last_hit) == (6, None)


def test_hits_that_nobody_concerned_has_submitted_are_left_alone(settled: World, carl: User) -> None:
    Slot.objects.filter(hit=settled.hits[0]).exclude(number=1).delete()
    HitItem.objects.filter(hit=settled.hits[0]).update(is_open=True)
    by_hand(settled, carl)
    assert settle_changed() == 3  # his two, and none behind them
    assert n_open(settled) == 3


@pytest.mark.parametrize(("confidence", "control_rate"), [(None, 0), (None, 0.1), (0.9, 0)])
def test_a_page_that_is_submitted_meanwhile_finishes_nothing_that_wants_more(
    settled: World, carl: User, confidence: float | None, control_rate: float
) -> None:
    Project.objects.update(confidence=confidence, max_overlap=2, control_rate=control_rate)
    settled.project.refresh_from_db()
    settle_changed()
    page = take(settled.project, settled.person("eve"))
    by_hand(settled, carl)
    submit(page)
    settle_changed()
    items = HitItem.objects.filter(hit=page.hit)
    assert [n_counted(settled, item) for item in items.filter(is_open=True)] == [1] * 3
    finn = settled.person("finn")
    for key in ("of the other HIT", "of this one"):
        submit(take(settled.project, finn), idempotency_key=key)
    settle_changed()
    assert not page.hit.slots.filter(assignment=None).exists()
    assert [n_counted(settled, item) for item in items] == [2] * 3


def n_counted(world: World, item: HitItem) -> int:
    return Judgment.objects.filter(pk__in=counted(world.project), candidate=item.candidate_id).count()


def test_another_worker_that_came_to_the_end_first_leaves_nothing_to_do(
    settled: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its word may come between a look at the project and the lock."""
    monkeypatch.setattr(resettling, "_is_due", lambda *_: True)
    assert settle_changed() == 0
    assert SettledAs.objects.get().last_hit is None


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_was_settled_by_the_standings_of_before_is_settled_again(
    settled: World, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle_all_while(lambda: by_hand(settled, bob), monkeypatch)
    assert (n_open(settled), SettledAs.objects.get().last_hit) == (6, None)
