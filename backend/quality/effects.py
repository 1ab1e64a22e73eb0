"""What a policy would change before it changes it: whose state, how many judgments, pairs and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from backend.annotation.allocation import Votes as SkilledVotes
from backend.annotation.allocation import n_missing
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, HitItem, Judgment
from backend.annotation.selectors import current_judgments
from backend.controls.audit import count_controls, list_quarantined
from backend.methods.aggregation import annotator_skill
from backend.methods.consensus import LABELS, Votes, majority
from backend.projects.models import Project
from backend.quality.replay import Judged, View

AT_ONCE = 1000  # pairs looked at in one go
EVEN = annotator_skill(0, 0)  # of who met no control


@dataclass(frozen=True)
class Change:
    """One person whose annotator state would be another. `n_judgments` start to count, or, below zero, stop to."""

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
    """What a view would change of today's annotator states. Pairs are told of the HITs that a changed person submitted.

    `n_pairs_reopen` want judgments again, below the overlap or by the stop rule; `n_pairs_close` want no more;
    `n_labels_change` have another majority label, or none where they had one, or one where they had none. What changes
    elsewhere by a control that its own audit puts out is not among them: the stage `settle` settles those.
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


@dataclass(frozen=True)
class PairsMoved:
    """What becomes of pairs once the judgments of these people stop to count or start to."""

    flips: Flips
    reopen: int
    close: int
    labels: int


def count_pairs(*, project: Project, view: View) -> PairsMoved:
    """What the view would make of pairs as they are now, and the slow part of an effect: of a million pairs with
    adaptive overlap it takes 20 seconds."""
    annotator_states = _states_of(project)
    return _pairs_moved(project, annotator_states, view, flips_of(annotator_states, view))


def count_effect(*, project: Project, view: View, pairs: PairsMoved | None = None) -> Effect:
    """Compare today's annotator states with a view, in six statements for any number of people. Adaptive overlap adds
    two statements for each AT_ONCE pairs. `pairs` is used instead of a new count if it is about the same people."""
    annotator_states = _states_of(project)
    flips = flips_of(annotator_states, view)
    n_by_user = _count_judgments(project, flips.both)
    moved = pairs if pairs and pairs.flips == flips else _pairs_moved(project, annotator_states, view, flips)
    changed = tuple(change for each in view.people if (change := _change(each, annotator_states, flips, n_by_user)))
    becoming = [str(each.outcome.state) for each in view.people]
    return Effect(
        until=view.horizon.until,
        digest=view.digest,
        n_people=len(view.people),
        states={str(state): becoming.count(state.value) for state in AnnotatorStatus},
        changes=changed,
        n_judgments_stop=sum(n_by_user.get(user, 0) for user in flips.stop),
        n_judgments_start=sum(n_by_user.get(user, 0) for user in flips.start),
        n_pairs_reopen=moved.reopen,
        n_pairs_close=moved.close,
        n_labels_change=moved.labels,
    )


def _states_of(project: Project) -> dict[int, AnnotatorState]:
    return {row.user_id: row for row in AnnotatorState.objects.filter(project=project)}


def flips_of(annotator_states: dict[int, AnnotatorState], view: View) -> Flips:
    """Who is excluded today, and who would be; somebody the view does not know stays as they are."""
    before = frozenset(user for user, row in annotator_states.items() if row.state == AnnotatorStatus.EXCLUDED)
    known = {each.user_id for each in view.people}
    return Flips(before, view.excluded | {user for user in before if user not in known})


def countable(*, project: Project) -> QuerySet[Judgment]:
    """What would count if nobody were excluded: the rows that stand, in time, on pairs that are no controls."""
    return current_judgments(project=project).filter(
        control=None, assignment__project=project, assignment__status=AssignmentStatus.SUBMITTED
    )


def is_changed(annotator_state: AnnotatorState | None, each: Judged) -> bool:
    """Whether a person's row would be written."""
    outcome = each.outcome
    if annotator_state is None:
        return outcome.state != "active" or outcome.needs_review
    now = (annotator_state.state, annotator_state.needs_review, list(annotator_state.reasons))
    return now != (outcome.state, outcome.needs_review, list(outcome.reasons))


def _change(
    each: Judged, annotator_states: dict[int, AnnotatorState], flips: Flips, n_by_user: dict[int, int]
) -> Change | None:
    annotator_state = annotator_states.get(each.user_id)
    if not is_changed(annotator_state, each):
        return None
    n = n_by_user.get(each.user_id, 0)
    return Change(
        user_id=each.user_id,
        was=annotator_state.state if annotator_state else AnnotatorStatus.ACTIVE.value,
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


@dataclass(frozen=True)
class _Side:
    """Before or after: who is excluded then, and how likely everybody's answers are right."""

    name: str
    out: frozenset[int]
    skills: dict[int, float]

    def votes(self, row: dict[str, Any]) -> Votes:
        return Votes(*(row[f"{label}_{self.name}"] for label in LABELS))


def _pairs_moved(project: Project, annotator_states: dict[int, AnnotatorState], view: View, flips: Flips) -> PairsMoved:
    return PairsMoved(flips, *_count_pairs(project, *_sides(project, annotator_states, view, flips)))


def _count_pairs(project: Project, before: _Side, after: _Side) -> tuple[int, int, int]:
    """Pairs that want judgments again, that want no more, and whose label is another one.

    Of each pair of the HITs that applying settles, settling is asked what it wants on either side. A pair that a head
    annotator decided keeps its label.
    """
    if before.out == after.out:
        return 0, 0, 0
    current = Project.objects.get(pk=project.pk)  # as settling reads it, not as the caller remembers it
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
    """The pairs among these that want more judgments. Who gave them is read only where the stop rule asks."""
    counts = {row["candidate"]: side.votes(row) for row in rows if not row["is_decided"]}
    told = {pair: _alike(votes) for pair, votes in counts.items()}
    if project.confidence is not None:
        asked = [pair for pair, votes in counts.items() if project.overlap <= votes.total < project.max_overlap]
        told |= _read_skilled(project, side, asked)
    return {pair for pair, votes in told.items() if n_missing(project, votes)}


def _alike(votes: Votes) -> SkilledVotes:
    """For where only their number matters."""
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
    """Applying lets controls audit themselves first, and counts everybody's anew where that puts one out."""
    known = {user: (row.n_graded, row.n_failed) for user, row in annotator_states.items()}
    is_new = not set(view.horizon.quarantined) <= set(list_quarantined(project=project))
    later = count_controls(project=project, without=view.horizon.quarantined) if is_new else known
    return _Side("before", flips.before, _skills(known)), _Side("after", flips.after, _skills(later))


def _skills(counts: dict[int, tuple[int, int]]) -> dict[int, float]:
    return {user: annotator_skill(n_graded - n_failed, n_graded) for user, (n_graded, n_failed) in counts.items()}


def _votes_of_touched(project: Project, before: _Side, after: _Side) -> Any:
    """Votes before and after on each pair of the HITs that a person concerned has submitted, one row for each."""
    theirs = Assignment.objects.filter(project=project, annotator__in=before.out ^ after.out)
    roots = theirs.filter(status=AssignmentStatus.SUBMITTED).order_by().values("root")
    decided = Exists(HitItem.objects.filter(candidate=OuterRef("candidate"), is_decided=True))
    counts = {
        f"{label}_{side.name}": Count("pk", filter=Q(label=label) & ~Q(annotator__in=side.out))
        for side in (before, after)
        for label in LABELS
    }
    rows = countable(project=project).filter(assignment__root__in=roots).annotate(is_decided=decided).order_by()
    return rows.values("candidate", "is_decided").annotate(**counts)
