"""What a policy would change before it changes it: whose state, how many judgments, pairs and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from backend.annotation.allocation import EVEN, SkilledVotes, n_missing
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, HitItem, Judgment
from backend.annotation.selectors import current_judgments
from backend.controls.audit import count_controls, list_quarantined
from backend.methods.aggregation import annotator_skill
from backend.methods.consensus import LABELS, Votes, majority
from backend.projects.models import Project
from backend.quality.replay import Judged, View

AT_ONCE = 1000  # pairs looked at in one go


@dataclass(frozen=True)
class Effect:
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

    def as_json(self) -> dict[str, Any]:
        """The effect as a replay stores it."""
        return asdict(self)


@dataclass(frozen=True)
class Flips:
    """Who is excluded before and after; so whose judgments stop and start to count."""

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


@dataclass(frozen=True)
class PairsMoved:
    """What happens to pairs when the judgments of these people stop or start to count."""

    flips: Flips
    reopen: int
    close: int
    labels: int


def count_pairs(*, project: Project, view: View) -> PairsMoved:
    """The slow part of an effect: with a million pairs and adaptive overlap it takes 20 seconds."""
    annotator_states = _states_of(project)
    return _pairs_moved(project, annotator_states, view, flips_of(annotator_states, view))


def count_effect(*, project: Project, view: View, pairs: PairsMoved | None = None) -> Effect:
    """Compare today's annotator states with a view, in six statements for any number of people. Adaptive overlap adds
    two statements for each AT_ONCE pairs. `pairs` is used instead of a new count if it is about the same people."""
    annotator_states = _states_of(project)
    flips = flips_of(annotator_states, view)
    n_by_user = _count_judgments(project, flips.both)
    moved = pairs if pairs and pairs.flips == flips else _pairs_moved(project, annotator_states, view, flips)
    changes = [
        _change(
            each,
            was=getattr(annotator_states.get(each.user_id), "state", AnnotatorStatus.ACTIVE.value),
            n_judgments=n_by_user.get(each.user_id, 0) * (-1 if each.user_id in flips.stop else 1),
        )
        for each in view.people
        if is_changed(annotator_states.get(each.user_id), each)
    ]
    becoming = [str(each.outcome.state) for each in view.people]
    return Effect(
        until=view.horizon.until,
        digest=view.digest,
        n_people=len(view.people),
        states={str(state): becoming.count(state.value) for state in AnnotatorStatus},
        changes=changes,
        n_judgments_stop=sum(n_by_user.get(user, 0) for user in flips.stop),
        n_judgments_start=sum(n_by_user.get(user, 0) for user in flips.start),
        n_pairs_reopen=moved.reopen,
        n_pairs_close=moved.close,
        n_labels_change=moved.labels,
    )


def _states_of(project: Project) -> dict[int, AnnotatorState]:
    return {row.user_id: row for row in AnnotatorState.objects.filter(project=project)}


def flips_of(annotator_states: dict[int, AnnotatorState], view: View) -> Flips:
    """Who is excluded today, and who would be. Annotators that the view does not know keep their status."""
    before = frozenset(user for user, row in annotator_states.items() if row.state == AnnotatorStatus.EXCLUDED)
    known = {each.user_id for each in view.people}
    return Flips(before, view.excluded | {user for user in before if user not in known})


def countable(*, project: Project) -> QuerySet[Judgment]:
    """The judgments that count if nobody is excluded: the newest ones, in time, on pairs that are not controls."""
    return current_judgments(project=project).filter(
        control=None, assignment__project=project, assignment__status=AssignmentStatus.SUBMITTED
    )


def is_changed(annotator_state: AnnotatorState | None, each: Judged) -> bool:
    """Whether the annotator's row would change."""
    outcome = each.outcome
    if annotator_state is None:
        return outcome.state != "active" or outcome.needs_review
    now = (annotator_state.state, annotator_state.needs_review, list(annotator_state.reasons))
    return now != (outcome.state, outcome.needs_review, list(outcome.reasons))


def _change(each: Judged, was: str, n_judgments: int) -> dict[str, Any]:
    outcome = each.outcome
    return {
        "user_id": each.user_id,
        "was": was,
        "becomes": outcome.state,
        "needs_review": outcome.needs_review,
        "reasons": list(outcome.reasons),
        "collectors": list(dict.fromkeys(finding.collector for finding in each.findings)),
        "is_by_hand": each.is_by_hand,
        "n_judgments": n_judgments,
    }


def _count_judgments(project: Project, users: Collection[int]) -> dict[int, int]:
    if not users:
        return {}
    rows = countable(project=project).filter(annotator__in=users).order_by()
    return dict(rows.values_list("annotator").annotate(n=Count("pk")))


@dataclass(frozen=True)
class _Side:
    """Before or after: who is excluded, and the skill of each annotator."""

    name: str
    out: frozenset[int]
    skills: dict[int, float]

    def votes(self, row: dict[str, Any]) -> Votes:
        return Votes(*(row[f"{label}_{self.name}"] for label in LABELS))


def _pairs_moved(project: Project, annotator_states: dict[int, AnnotatorState], view: View, flips: Flips) -> PairsMoved:
    return PairsMoved(flips, *_count_pairs(project, *_sides(project, annotator_states, view, flips)))


def _count_pairs(project: Project, before: _Side, after: _Side) -> tuple[int, int, int]:
    """Pairs that need judgments again, that need no more, and whose label changes.

    It asks the rule of settling for each pair before and after. A pair with a decision keeps its label.
    """
    if before.out == after.out:
        return 0, 0, 0
    current = Project.objects.get(pk=project.pk)  # as settling reads it
    reopen = close = labels = 0
    for rows in _in_batches(_votes_of_touched(project, before, after).iterator(chunk_size=AT_ONCE)):
        wanted = _wanting(current, before, rows)
        wanting = _wanting(current, after, rows)
        reopen += len(wanting - wanted)
        close += len(wanted - wanting)
        undecided = [row for row in rows if not row["is_decided"]]
        labels += sum(majority(before.votes(row)) != majority(after.votes(row)) for row in undecided)
    return reopen, close, labels


def _in_batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while batch := list(islice(rows, AT_ONCE)):
        yield batch


def _wanting(project: Project, side: _Side, rows: Sequence[dict[str, Any]]) -> set[int]:
    """The pairs that need more judgments. Annotators are read only for pairs that the stop rule looks at."""
    counts = {row["candidate"]: side.votes(row) for row in rows if not row["is_decided"]}
    told = {pair: _alike(votes) for pair, votes in counts.items()}
    if project.confidence is not None:
        asked = [pair for pair, votes in counts.items() if project.overlap <= votes.total < project.max_overlap]
        told |= _read_skilled(project, side, asked)
    wanted = {row["candidate"]: row["n_asked"] for row in rows}
    return {pair for pair, votes in told.items() if n_missing(project, votes, asked=wanted[pair])}


def _alike(votes: Votes) -> SkilledVotes:
    """Votes of equal skill, where only their number matters."""
    return {label: [EVEN] * votes.of(label) for label in LABELS}


def _read_skilled(project: Project, side: _Side, pairs: Sequence[int]) -> dict[int, SkilledVotes]:
    votes: dict[int, SkilledVotes] = {pair: {label: [] for label in LABELS} for pair in pairs}
    rows = countable(project=project).filter(candidate__in=pairs).exclude(annotator__in=side.out).order_by()
    for pair, label, user in rows.values_list("candidate", "label", "annotator") if pairs else ():
        votes[pair][label].append(side.skills.get(user, EVEN))
    return votes


def _sides(
    project: Project, annotator_states: dict[int, AnnotatorState], view: View, flips: Flips
) -> tuple[_Side, _Side]:
    """Applying audits the controls first, which may change the counts of controls."""
    known = {user: (row.n_graded, row.n_failed) for user, row in annotator_states.items()}
    is_new = not set(view.horizon.quarantined) <= set(list_quarantined(project=project))
    later = count_controls(project=project, without=view.horizon.quarantined) if is_new else known
    return _Side("before", flips.before, _skills(known)), _Side("after", flips.after, _skills(later))


def _skills(counts: dict[int, tuple[int, int]]) -> dict[int, float]:
    return {user: annotator_skill(n_graded - n_failed, n_graded) for user, (n_graded, n_failed) in counts.items()}


def _votes_of_touched(project: Project, before: _Side, after: _Side) -> Any:
    """Votes before and after, one row for each pair of the HITs that the changed annotators submitted."""
    theirs = Assignment.objects.filter(project=project, annotator__in=before.out ^ after.out)
    roots = theirs.filter(status=AssignmentStatus.SUBMITTED).order_by().values("root")
    items = HitItem.objects.filter(candidate=OuterRef("candidate"), control=None).order_by()
    decided = Exists(items.filter(is_decided=True))
    n_asked = Coalesce(Subquery(items.values("candidate").annotate(most=Max("asked")).values("most")), 0)
    counts = {
        f"{label}_{side.name}": Count("pk", filter=Q(label=label) & ~Q(annotator__in=side.out))
        for side in (before, after)
        for label in LABELS
    }
    rows = countable(project=project).filter(assignment__root__in=roots).order_by()
    rows = rows.annotate(is_decided=decided, n_asked=n_asked)
    return rows.values("candidate", "is_decided", "n_asked").annotate(**counts)
