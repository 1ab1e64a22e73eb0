"""What a policy would change before it changes it: whose state, how many judgments, pairs and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, Q

from backend.annotation.allocation import EVEN, SkilledVotes, n_missing
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, HitItem
from backend.annotation.selectors import timely_judgments
from backend.controls.audit import count_controls, list_quarantined
from backend.methods.aggregation import annotator_skill
from backend.methods.consensus import LABELS, Votes, majority
from backend.projects.models import Project
from backend.quality.replay import AnnotatorView, PolicyView


@dataclass(frozen=True)
class PolicyEffect:
    """What a view would change in today's annotator states, and in the HITs that the changed annotators submitted.

    Each of `changes` has `n_judgments` that start to count; below zero, that stop to count. `n_pairs_reopen` need
    judgments again, `n_pairs_close` need no more, `n_labels_change` get or lose a majority label, or get another one.
    """

    until: int
    digest: str
    n_people: int
    states: dict[str, int]
    changes: list[dict[str, Any]]
    n_judgments_stop: int
    n_judgments_start: int
    n_pairs_reopen: int
    n_pairs_close: int
    n_labels_change: int


def states_of(project: Project) -> dict[int, AnnotatorState]:
    """The state of each annotator, by user id."""
    return {row.user_id: row for row in AnnotatorState.objects.filter(project=project)}


def is_changed(annotator_state: AnnotatorState | None, each: AnnotatorView) -> bool:
    """Whether the annotator's row would change."""
    row, outcome = annotator_state or AnnotatorState(), each.outcome
    was = (row.state, row.needs_review, row.reasons)
    return was != (outcome.state, outcome.needs_review, list(outcome.reasons))


def flips_of(states: Mapping[int, AnnotatorState], view: PolicyView) -> tuple[set[int], set[int]]:
    """The annotators whose judgments stop, and those whose judgments start to count. Annotators that the view does not
    know keep their status."""
    before = {user for user, row in states.items() if row.state == AnnotatorStatus.EXCLUDED}
    known = {each.user_id for each in view.people}
    return set(view.excluded - before), (before & known) - view.excluded


def count_effect(*, project: Project, view: PolicyView) -> PolicyEffect:
    """Compare today's annotator states with a view. It locks nothing: a million pairs take 20 seconds."""
    states = states_of(project)
    stop, start = flips_of(states, view)
    rows = timely_judgments(project=project).filter(annotator__in=stop | start).order_by().values_list("annotator")
    n_by_user: dict[int, int] = dict(rows.annotate(n=Count("pk"))) if stop | start else {}
    reopen, close, labels = count_pairs(project, view, states, stop | start) if stop | start else (0, 0, 0)
    becoming = [str(each.outcome.state) for each in view.people]
    return PolicyEffect(
        until=view.horizon.until,
        digest=view.digest,
        n_people=len(view.people),
        states={str(state): becoming.count(state.value) for state in AnnotatorStatus},
        changes=[
            {
                "user_id": each.user_id,
                "was": states[each.user_id].state if each.user_id in states else AnnotatorStatus.ACTIVE.value,
                "becomes": each.outcome.state,
                "needs_review": each.outcome.needs_review,
                "reasons": list(each.outcome.reasons),
                "collectors": list(dict.fromkeys(finding.collector for finding in each.findings)),
                "is_by_hand": each.is_by_hand,
                "n_judgments": n_by_user.get(each.user_id, 0) * (-1 if each.user_id in stop else 1),
            }
            for each in view.people
            if is_changed(states.get(each.user_id), each)
        ],
        n_judgments_stop=sum(n_by_user.get(user, 0) for user in stop),
        n_judgments_start=sum(n_by_user.get(user, 0) for user in start),
        n_pairs_reopen=reopen,
        n_pairs_close=close,
        n_labels_change=labels,
    )


def count_pairs(
    project: Project, view: PolicyView, states: Mapping[int, AnnotatorState], flipped: set[int]
) -> tuple[int, int, int]:
    """Ask the rule of settling about each pair of the HITs that the flipped annotators submitted, before and after.

    How many pairs need judgments again, need no more, and change their majority label. A pair with a decision keeps
    its label.
    """
    current = Project.objects.get(pk=project.pk)  # as settling reads it
    skills = {user: annotator_skill(row.n_graded - row.n_failed, row.n_graded) for user, row in states.items()}
    skills_after = skills
    if not set(view.horizon.quarantined) <= set(list_quarantined(project=project)):
        # Applying audits the controls first, which changes the counts of controls.
        counts = count_controls(project=project, without=view.horizon.quarantined)
        skills_after = {user: annotator_skill(n - n_failed, n) for user, (n, n_failed) in counts.items()}
    excluded = {user for user, row in states.items() if row.state == AnnotatorStatus.EXCLUDED}
    before, after = (excluded, skills), (excluded ^ flipped, skills_after)
    theirs = Assignment.objects.filter(project=project, annotator__in=flipped, status=AssignmentStatus.SUBMITTED)
    roots = theirs.order_by().values("root")
    noted = HitItem.objects.filter(Q(is_decided=True) | Q(asked__gt=0), hit__in=roots, control=None).order_by()
    asked = {pair: None if decided else n for pair, decided, n in noted.values_list("candidate", "is_decided", "asked")}
    rows = timely_judgments(project=project).filter(assignment__root__in=roots).order_by("candidate")
    told = rows.values_list("candidate", "label", "annotator").iterator(chunk_size=5000)
    reopen = close = labels = 0
    for pair, said in groupby(told, key=itemgetter(0)):
        if (n_asked := asked.get(pair, 0)) is None:
            continue
        each = [(label, user) for _, label, user in said]
        was, becomes = _skilled(each, *before), _skilled(each, *after)
        is_wanted, is_wanting = (n_missing(current, votes, asked=n_asked) > 0 for votes in (was, becomes))
        reopen += is_wanting and not is_wanted
        close += is_wanted and not is_wanting
        labels += _majority(was) != _majority(becomes)
    return reopen, close, labels


def _skilled(said: Iterable[tuple[str, int]], excluded: Collection[int], skills: Mapping[int, float]) -> SkilledVotes:
    votes: SkilledVotes = {label: [] for label in LABELS}
    for label, user in said:
        if user not in excluded:
            votes[label].append(skills.get(user, EVEN))
    return votes


def _majority(votes: SkilledVotes) -> str | None:
    return majority(Votes(*(len(votes[label]) for label in LABELS)))
