"""What a policy would change before it changes it: whose state, how many judgments, pairs and labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from backend.annotation.models import AssignmentStatus, Judgment, Standing, StandingState
from backend.annotation.quality.replaying import Judged, View
from backend.annotation.selectors import current_judgments, of_no_control
from backend.methods.consensus import LABELS, Votes, majority
from backend.projects.models import Project


@dataclass(frozen=True)
class Change:
    """One person whose standing would be another. `n_judgments` start to count, or, below zero, stop to."""

    user_id: int
    was: str
    becomes: str
    needs_review: bool
    reasons: tuple[str, ...]
    collectors: tuple[str, ...]
    is_by_hand: bool
    n_judgments: int


@dataclass(frozen=True)
class Effect:
    """What a view would change of today's standings. Pairs are told of those that a changed person judged.

    `n_pairs_reopen` fall below the overlap, `n_pairs_close` reach it again, `n_labels_change` have another majority
    label, or none where they had one, or one where they had none.
    """

    until: int
    digest: str
    n_people: int
    states: dict[str, int]
    changes: tuple[Change, ...]
    n_judgments_stop: int
    n_judgments_start: int
    n_pairs_reopen: int
    n_pairs_close: int
    n_labels_change: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"changes": [_listed(change) for change in self.changes]}


def _listed(change: Change) -> dict[str, Any]:
    told = asdict(change)
    return told | {"reasons": list(change.reasons), "collectors": list(change.collectors)}


@dataclass(frozen=True)
class Flips:
    """Whose judgments stop to count and whose start to, and who is excluded before and after."""

    before: frozenset[int]
    after: frozenset[int]

    @property
    def stop(self) -> frozenset[int]:
        return self.after - self.before

    @property
    def start(self) -> frozenset[int]:
        return self.before - self.after

    @property
    def both(self) -> frozenset[int]:
        return self.before ^ self.after


def count_effect(*, project: Project, view: View) -> Effect:
    """Today's standings held against a view, in four statements however many people there are."""
    standings = {row.user_id: row for row in Standing.objects.filter(project=project)}
    flips = flips_of(standings, view)
    n_by_user = _count_judgments(project, flips.both)
    reopen, close, labels = _count_pairs(project, flips)
    changed = tuple(change for each in view.people if (change := _change(each, standings, flips, n_by_user)))
    becoming = [str(each.outcome.state) for each in view.people]
    return Effect(
        until=view.horizon.until,
        digest=view.digest,
        n_people=len(view.people),
        states={str(state): becoming.count(state.value) for state in StandingState},
        changes=changed,
        n_judgments_stop=sum(n_by_user.get(user, 0) for user in flips.stop),
        n_judgments_start=sum(n_by_user.get(user, 0) for user in flips.start),
        n_pairs_reopen=reopen,
        n_pairs_close=close,
        n_labels_change=labels,
    )


def flips_of(standings: dict[int, Standing], view: View) -> Flips:
    """Who is excluded today, and who would be; somebody the view does not know stays as they are."""
    before = frozenset(user for user, row in standings.items() if row.state == StandingState.EXCLUDED)
    known = {each.user_id for each in view.people}
    return Flips(before, view.excluded | {user for user in before if user not in known})


def countable(*, project: Project) -> QuerySet[Judgment]:
    """What would count if nobody were excluded: the rows that stand, in time, on pairs that are no controls."""
    return current_judgments(project=project).filter(
        of_no_control(), assignment__project=project, assignment__status=AssignmentStatus.SUBMITTED
    )


def is_changed(standing: Standing | None, each: Judged) -> bool:
    """Whether a person's row would be written."""
    outcome = each.outcome
    if standing is None:
        return outcome.state != "active" or outcome.needs_review
    now = (standing.state, standing.needs_review, list(standing.reasons))
    return now != (outcome.state, outcome.needs_review, list(outcome.reasons))


def _change(each: Judged, standings: dict[int, Standing], flips: Flips, n_by_user: dict[int, int]) -> Change | None:
    standing = standings.get(each.user_id)
    if not is_changed(standing, each):
        return None
    n = n_by_user.get(each.user_id, 0)
    return Change(
        user_id=each.user_id,
        was=standing.state if standing else StandingState.ACTIVE.value,
        becomes=each.outcome.state,
        needs_review=each.outcome.needs_review,
        reasons=each.outcome.reasons,
        collectors=tuple(dict.fromkeys(finding.collector for finding in each.findings)),
        is_by_hand=each.is_by_hand,
        n_judgments=-n if each.user_id in flips.stop else n,
    )


def _count_judgments(project: Project, users: Collection[int]) -> dict[int, int]:
    if not users:
        return {}
    rows = countable(project=project).filter(annotator__in=users).order_by()
    return dict(rows.values_list("annotator").annotate(n=Count("pk")))


def _count_pairs(project: Project, flips: Flips) -> tuple[int, int, int]:
    """Pairs that fall below the overlap, that reach it, and whose label is another one."""
    if not flips.both:
        return 0, 0, 0
    reopen = close = labels = 0
    for row in _votes_of_touched(project, flips).iterator(chunk_size=5000):
        before, after = (Votes(*(row[f"{label}_{when}"] for label in LABELS)) for when in ("before", "after"))
        reopen += after.total < project.overlap <= before.total
        close += before.total < project.overlap <= after.total
        labels += majority(before) != majority(after)
    return reopen, close, labels


def _votes_of_touched(project: Project, flips: Flips) -> Any:
    """Votes before and after on each pair that a person concerned has judged, one row for each, counted at once."""
    theirs = countable(project=project).filter(candidate=OuterRef("candidate"), annotator__in=flips.both)
    rows = countable(project=project).filter(Exists(theirs)).order_by().values("candidate")
    counts = {
        f"{label}_{when}": Count("pk", filter=Q(label=label) & ~Q(annotator__in=out))
        for when, out in (("before", flips.before), ("after", flips.after))
        for label in LABELS
    }
    return rows.annotate(**counts)
