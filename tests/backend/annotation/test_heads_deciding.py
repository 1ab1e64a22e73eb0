"""What a head annotator's word comes to: a pause and its end, never over a curator's decision, and never of oneself."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction

from backend.annotation.models import AnnotatorState, DecidedStatus, StatusDecision
from backend.common.errors import Conflict, NotAllowed
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.quality import decisions as deciding
from backend.quality.decisions import decide_status, list_decidable
from policed_world import apply_policy, policy_of, rule, state_of
from world import World

pytest_plugins = ("policed_fixtures",)

ASKS = rule("control_failures", "review", threshold=0.5, min_n=2)


def decide(world: World, user: User, by: User, state: DecidedStatus, *, may_curate: bool = False) -> None:
    decide_status(
        project=world.project, user_id=user.pk, state=state, reason="A word.", decided_by=by, may_curate=may_curate
    )


def make_head(project: Project, user: User) -> None:
    Membership.objects.filter(project=project, user=user).update(role=Role.HEAD_ANNOTATOR)


def written_before(user: User, state: DecidedStatus, by: User) -> None:
    """A decision of a curator who is a head annotator today."""
    annotator_state = AnnotatorState.objects.get(user=user)
    StatusDecision.objects.create(annotator_state=annotator_state, state=state, reason="Once more.", decided_by=by)


def states_written(user: User) -> list[str]:
    return list(
        StatusDecision.objects.filter(annotator_state__user=user).order_by("pk").values_list("state", flat=True)
    )


def test_heads_who_annotate_decide_nothing_of_themselves(judged: World, bob: User, dora: User) -> None:
    make_head(judged.project, bob)
    apply_policy(policy=policy_of(judged.project, ASKS))
    refused = partial(pytest.raises, NotAllowed, match="about yourself")
    with refused():
        decide(judged, bob, bob, DecidedStatus.REVIEWED)
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    with refused():
        decide(judged, bob, bob, DecidedStatus.POLICY)
    assert (state_of(bob), states_written(bob)) == ("paused", ["paused"])


def test_curators_who_annotate_may_decide_of_themselves(judged: World, alice: User) -> None:
    decide(judged, alice, alice, DecidedStatus.PAUSED, may_curate=True)
    assert state_of(alice) == "paused"


@pytest.mark.parametrize("below", [DecidedStatus.PAUSED, DecidedStatus.EXCLUDED])
def test_what_a_curator_decided_below_pauses_of_heads_is_theirs_to_lift(
    judged: World, bob: User, dora: User, alice: User, below: DecidedStatus
) -> None:
    decide(judged, bob, alice, below, may_curate=True)
    written_before(bob, DecidedStatus.PAUSED, dora)
    before = states_written(bob)
    with pytest.raises(NotAllowed, match="Ask a curator"):
        decide(judged, bob, dora, DecidedStatus.POLICY)
    assert (state_of(bob), states_written(bob)) == (below, before)


def test_pausing_twice_or_after_another_head_changes_nothing(judged: World, bob: User, dora: User) -> None:
    other = judged.person("erik", Role.HEAD_ANNOTATOR)
    for head in (dora, dora, other):
        decide(judged, bob, head, DecidedStatus.PAUSED)
    assert (state_of(bob), states_written(bob)) == ("paused", ["paused"])


@pytest.mark.parametrize("below", [None, DecidedStatus.ACTIVE])
def test_taking_a_pause_back_twice_or_after_another_head_changes_nothing(
    judged: World, bob: User, dora: User, alice: User, below: DecidedStatus | None
) -> None:
    if below:
        decide(judged, bob, alice, below, may_curate=True)
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    decide(judged, bob, dora, DecidedStatus.POLICY)
    written = states_written(bob)
    for head in (dora, judged.person("erik", Role.HEAD_ANNOTATOR)):
        decide(judged, bob, head, DecidedStatus.POLICY)
    assert (state_of(bob), states_written(bob)) == ("active", written)


@pytest.mark.nightly
def test_a_look_taken_up_again_by_the_end_of_a_pause_is_an_end_too(judged: World, bob: User, dora: User) -> None:
    apply_policy(policy=policy_of(judged.project, ASKS))
    for state in (DecidedStatus.REVIEWED, DecidedStatus.PAUSED, DecidedStatus.POLICY):
        decide(judged, bob, dora, state)
    written = states_written(bob)
    decide(judged, bob, dora, DecidedStatus.POLICY)
    assert states_written(bob) == written == ["reviewed", "paused", "reviewed"]


@pytest.mark.nightly
def test_who_is_out_by_the_rules_once_a_pause_is_taken_back_is_not_let_in_by_heads(
    judged: World, bob: User, dora: User
) -> None:
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    apply_policy(policy=policy_of(judged.project, rule("control_failures", "pause", threshold=0.5, min_n=2)))
    decide(judged, bob, dora, DecidedStatus.POLICY)
    assert state_of(bob) == "paused"
    with pytest.raises(NotAllowed, match="Ask a curator"):
        decide(judged, bob, dora, DecidedStatus.POLICY)


@pytest.mark.nightly
def test_heads_hand_nobody_back_to_the_rules_whom_no_head_had_paused(
    judged: World, bob: User, dora: User, alice: User
) -> None:
    """A curator's word stands below no pause here, nor does a look that somebody noted."""
    apply_policy(policy=policy_of(judged.project, ASKS))
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    with pytest.raises(NotAllowed, match="Ask a curator"):
        decide(judged, bob, dora, DecidedStatus.POLICY)
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    decide(judged, bob, alice, DecidedStatus.ACTIVE, may_curate=True)
    with pytest.raises(NotAllowed, match="Ask a curator"):
        decide(judged, bob, dora, DecidedStatus.POLICY)


@pytest.mark.nightly
@pytest.mark.parametrize("state", [DecidedStatus.PAUSED, DecidedStatus.EXCLUDED])
def test_who_is_out_by_a_curator_is_not_paused_by_heads(
    judged: World, bob: User, dora: User, alice: User, state: DecidedStatus
) -> None:
    decide(judged, bob, alice, state, may_curate=True)
    with pytest.raises(NotAllowed, match="The rules or a curator already"):
        decide(judged, bob, dora, DecidedStatus.PAUSED)
    assert states_written(bob) == [state]


def test_who_is_paused_by_the_rules_is_not_paused_by_heads(judged: World, bob: User, dora: User) -> None:
    apply_policy(policy=policy_of(judged.project, rule("control_failures", "pause", threshold=0.5, min_n=2)))
    with pytest.raises(NotAllowed, match="The rules or a curator already"):
        decide(judged, bob, dora, DecidedStatus.PAUSED)
    with pytest.raises(deciding.OnlyPause):
        decide(judged, bob, dora, DecidedStatus.ACTIVE)


PAUSED, EXCLUDED, ACTIVE, POLICY = (DecidedStatus(state) for state in ("paused", "excluded", "active", "policy"))
Made = list[tuple[str, DecidedStatus]]
BY_HAND: list[tuple[Made, str, list[DecidedStatus]]] = [
    ([], "curator", [ACTIVE, PAUSED, EXCLUDED, POLICY]),
    ([], "head", [PAUSED]),
    ([("curator", ACTIVE)], "head", [PAUSED]),
    ([("curator", PAUSED)], "head", []),
    ([("curator", EXCLUDED)], "head", []),
    ([("head", PAUSED)], "head", [POLICY]),
    ([("curator", ACTIVE), ("head", PAUSED)], "head", [POLICY]),
    ([("head", PAUSED), ("head", POLICY)], "head", [PAUSED]),
    ([("curator", ACTIVE), ("head", PAUSED), ("head", POLICY)], "head", [PAUSED]),
    ([("head", PAUSED)], "bob", []),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("made", "who", "open_to"), BY_HAND)
def test_what_is_offered_is_what_is_taken(
    judged: World, bob: User, dora: User, alice: User, made: Made, who: str, open_to: list[DecidedStatus]
) -> None:
    people = {"curator": alice, "head": dora, "bob": bob}
    make_head(judged.project, bob)
    for by, state in made:
        decide(judged, bob, people[by], state, may_curate=by == "curator")
    annotator_state = AnnotatorState.objects.get(user=bob)
    offered = list_decidable(annotator_state=annotator_state, decided_by=people[who], may_curate=who == "curator")
    assert offered == open_to == [state for state in DecidedStatus if _is_taken(judged, bob, people[who], state)]


def _is_taken(world: World, user: User, by: User, state: DecidedStatus) -> bool:
    """Whether a decision is written; it is taken back at once."""
    before = len(states_written(user))
    with transaction.atomic():
        try:
            with transaction.atomic():
                decide(world, user, by, state, may_curate=by.username == "alice")
        except (NotAllowed, Conflict):
            return False
        finally:
            is_written = len(states_written(user)) > before
            transaction.set_rollback(True)
    return is_written


def test_a_look_is_offered_where_the_rules_ask_for_it(judged: World, bob: User, dora: User) -> None:
    apply_policy(policy=policy_of(judged.project, ASKS))
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert list_decidable(annotator_state=annotator_state, decided_by=dora, may_curate=False) == [
        PAUSED,
        DecidedStatus.REVIEWED,
    ]
