"""What a preview counts is what applying does, with adaptive overlap, a head's word, controls that audit themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotation.allocation import mark_pairs
from backend.annotation.models import AnnotatorState, HitItem
from backend.annotation.selectors import counted_judgments
from backend.methods.consensus import LABELS, Votes, majority
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.effects import PolicyEffect
from backend.quality.services import create_policy, preview_policy
from nightly import examples
from policed_world import apply_policy
from settled import settle_all, wanting
from world import make_world

STRICT = {"collector": "control_failures", "condition": {"threshold": 0.5, "min_n": 1}, "action": "exclude"}
N_PEOPLE, N_HITS, N_PAIRS, N_CONTROLS = 6, 3, 2, 6
LABEL = st.sampled_from(["good", "good", "bad", "unsure"])
PAGE = st.tuples(
    st.integers(0, N_PEOPLE - 1),
    st.integers(0, N_HITS - 1),
    st.lists(LABEL, min_size=N_PAIRS, max_size=N_PAIRS),
)
OVERLAP = st.tuples(st.integers(1, 3), st.integers(0, 3), st.sampled_from([None, 0.6, 0.8, 0.9, 0.99]))


def set_overlap(project: Project, overlap: int, more: int, confidence: float | None) -> None:
    told: dict[str, Any] = {"overlap": overlap, "max_overlap": overlap + more, "confidence": confidence}
    Project.objects.filter(pk=project.pk).update(**told)  # the caller's own copy stays as it was


def majorities(project: Project) -> dict[int, str | None]:
    """Of the pairs of which only votes speak."""
    labels: dict[int, list[str]] = {pair: [] for pair in pairs_of_votes(project)}
    for pair, label in counted_judgments(project=project).values_list("candidate", "label"):
        if pair in labels:
            labels[pair].append(label)
    return {pair: majority(Votes(*map(said.count, LABELS))) for pair, said in labels.items()}


def pairs_of_votes(project: Project) -> list[int]:
    return list(HitItem.objects.filter(hit__project=project, is_decided=False).values_list("candidate", flat=True))


def check_that_it_holds(project: Project, *rules: dict[str, Any]) -> PolicyEffect:
    """Preview the rules, apply them, and hold what was told against what was done."""
    policy = create_policy(project=project, rules=list(rules), created_by=None)
    wanted, labels, n_before = wanting(project), majorities(project), counted_judgments(project=project).count()
    effect = preview_policy(policy=policy)[1]
    assert apply_policy(policy=policy).effect == asdict(effect)
    changed = [pair for pair, label in majorities(project).items() if label != labels[pair]]
    wants, n_after = wanting(project), counted_judgments(project=project).count()
    assert (effect.n_pairs_reopen, effect.n_pairs_close) == (len(wants - wanted), len(wanted - wants))
    assert effect.n_labels_change == len(changed)
    assert effect.n_judgments_start - effect.n_judgments_stop == n_after - n_before
    return effect


def fill(project: Project, pages: Sequence[tuple[int, int, list[str]]], answers: Sequence[str]) -> list[User]:
    """People who judged these pages; each meets his controls on the first of his own."""
    world = make_world(project, images=N_HITS, captions=N_PAIRS, controls=N_CONTROLS)
    people = world.people(*(f"person-{at}" for at in range(N_PEOPLE)))
    met: set[int] = set()
    for who, at, labels in pages:
        said = dict(enumerate(answers[who * N_CONTROLS : (who + 1) * N_CONTROLS])) if who not in met else {}
        met.add(who)
        world.submit(people[who], at, labels, controls=said)
    return people


@pytest.mark.nightly
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(PAGE, max_size=16, unique_by=lambda page: page[:2]),
    st.lists(LABEL, min_size=N_PEOPLE * N_CONTROLS, max_size=N_PEOPLE * N_CONTROLS),
    OVERLAP,
    st.sets(st.integers(0, N_HITS * N_PAIRS - 1), max_size=2),
)
def test_a_preview_counts_what_applying_does_and_what_taking_it_back_does(
    project: Project, pages: list[Any], answers: list[str], overlap: tuple[int, int, float | None], decided: set[int]
) -> None:
    with transaction.atomic():
        set_overlap(project, *overlap)
        fill(project, pages, answers)
        for at in decided:
            pair = HitItem.objects.filter(hit__project=project).order_by("pk")[at].candidate_id
            mark_pairs(project=project, decided={pair: True})
        settle_all(project)
        check_that_it_holds(project, STRICT)
        check_that_it_holds(project)
        transaction.set_rollback(True)


@pytest.mark.nightly
def test_votes_that_no_longer_convince_are_told_of_though_the_overlap_is_reached(project: Project) -> None:
    """Three alike make .8, two make .67 where .75 is asked for and two are enough."""
    set_overlap(project, 2, 3, 0.75)
    pages = [(who, at, ["good"] * N_PAIRS) for who in range(3) for at in range(N_HITS)]
    unknown = ["unsure"] * N_CONTROLS
    fill(project, pages, [*["good", "bad"] * (N_CONTROLS // 2), *5 * unknown])
    settle_all(project)
    assert not wanting(project)
    assert check_that_it_holds(project, STRICT).n_pairs_reopen == N_HITS * N_PAIRS
    assert check_that_it_holds(project).n_pairs_close == N_HITS * N_PAIRS


@pytest.mark.nightly
def test_more_judgments_that_a_head_asked_for_are_missing_once_one_of_them_counts_no_more(project: Project) -> None:
    """Each pair has the two votes of the overlap left; of one pair three were asked for."""
    set_overlap(project, 2, 0, None)
    pages = [(who, at, ["good"] * N_PAIRS) for who in range(3) for at in range(N_HITS)]
    unknown = ["unsure"] * N_CONTROLS
    fill(project, pages, [*["bad"] * N_CONTROLS, *5 * unknown])
    pair = HitItem.objects.filter(hit__project=project, control=None).order_by("pk")[0].candidate_id
    mark_pairs(project=project, asked={pair: 3})
    settle_all(project)
    assert check_that_it_holds(project, STRICT).n_pairs_reopen == 1
    assert wanting(project) == {pair}
    assert check_that_it_holds(project).n_pairs_close == 1


def test_a_control_that_its_audit_will_put_out_counts_for_no_skill_in_the_preview(project: Project) -> None:
    """All fail one control of six. Without it they are surer, and pairs that one of them leaves need nobody else."""
    set_overlap(project, 3, 3, 0.99)
    fails_one, fails_all = ["bad"] + ["good"] * (N_CONTROLS - 1), ["bad"] * N_CONTROLS
    pages = [(who, at, ["good"] * N_PAIRS) for who in range(N_PEOPLE) for at in range(N_HITS)]
    fill(project, pages, 5 * fails_one + fails_all)
    settle_all(project)
    check_that_it_holds(project, STRICT)
    assert set(AnnotatorState.objects.filter(state="active").values_list("n_graded", "n_failed")) == {(5, 0)}
