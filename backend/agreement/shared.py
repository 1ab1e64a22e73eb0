"""The pairs that two annotators both judged, read from the rows of now: what stands behind one cell of the matrix."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from backend.agreement.hooks import read_verdicts
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, Judgment
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.people.models import User
from backend.projects.models import Project


class NoSuchAnnotator(NotFound):
    """No annotator with this id worked on this project."""

    code = "no_such_annotator_ever"


@dataclass(frozen=True)
class Shared:
    """One pair with the judgments of both, and the label of the head annotator's decision if there is one."""

    candidate: Candidate
    first: Judgment
    second: Judgment
    verdict: str | None


def get_one(*, project: Project, user_id: int) -> User:
    """An annotator who stands for themself. Raises NoSuchAnnotator."""
    return _get(project, user_id)[user_id]


def get_two(*, project: Project, first: int, second: int) -> tuple[User, User]:
    """Two of them, who differ. Raises NoSuchAnnotator."""
    if first == second:
        raise NoSuchAnnotator()
    people = _get(project, first, second)
    return people[first], people[second]


def _get(project: Project, *users: int) -> dict[int, User]:
    known = [user for user in users if user <= LARGEST_ID]
    states = AnnotatorState.objects.filter(project=project, is_unnamed=False, user__in=known).select_related("user")
    people = {state.user_id: state.user for state in states}
    if len(people) != len(users):
        raise NoSuchAnnotator()
    return people


def list_people(*, project: Project, most: int) -> list[User]:
    """Those who stand for themselves, the busiest first."""
    states = AnnotatorState.objects.filter(project=project, is_unnamed=False).select_related("user")
    return [state.user for state in states.order_by("-n_judgments", "user_id")[:most]]


def read_skips(*, project: Project, users: Collection[int]) -> dict[int, tuple[int, int]]:
    """(assignments submitted or skipped, skipped ones) of each of the users with at least one, by user id.

    The index `assignment_gone_by` holds what was skipped; what was submitted is a counter.
    """
    rows = Assignment.objects.filter(project=project, annotator__in=users, status=AssignmentStatus.SKIPPED).order_by()
    skipped = dict(rows.values_list("annotator").annotate(Count("pk")))
    submitted = AnnotatorState.objects.filter(project=project, user__in=users).values_list("user", "n_submitted")
    met = {user: (n + skipped.get(user, 0), skipped.get(user, 0)) for user, n in submitted}
    return {user: told for user, told in met.items() if told[0]}


def list_shared(
    *, project: Project, first: User, second: User, first_label: str = "", second_label: str = ""
) -> QuerySet[Judgment]:
    """The first judgments of `first` on pairs where judgments of both count, in the order of the pairs; the labels are
    those of today.

    The unique index of first judgments finds both, however many judgments others made.
    """
    out = AnnotatorState.objects.filter(project=project, user__in=[first, second], state=AnnotatorStatus.EXCLUDED)
    if out.exists():
        return Judgment.objects.none()
    theirs = _first_judgments(project, second, second_label).filter(candidate=OuterRef("candidate"))
    return _first_judgments(project, first, first_label).filter(Exists(theirs)).order_by("candidate_id")


def _first_judgments(project: Project, annotator: User, label: str) -> QuerySet[Judgment]:
    """What one annotator first said of pairs, in time; with a label only of pairs of which they say that today."""
    submitted = Q(assignment__project=project, assignment__status=AssignmentStatus.SUBMITTED)
    begun = Judgment.objects.filter(submitted, annotator=annotator, supersedes=None, control=None)
    if not label:
        return begun
    revised = Judgment.objects.filter(
        annotator=annotator, supersedes__isnull=False, superseded_by=None, label=label, assignment__project=project
    )
    now = list(revised.values_list("candidate_id", flat=True))  # few, and read by the index of revised judgments
    return begun.filter(Q(superseded_by=None, label=label) | Q(candidate__in=now))


def describe_shared(*, project: Project, first: User, second: User, begun: Sequence[Judgment]) -> list[Shared]:
    """What both say of these pairs today, in two statements."""
    pairs = [judgment.candidate_id for judgment in begun]
    counted = counted_judgments(project=project).filter(candidate__in=pairs, annotator__in=[first, second])
    said = {(row.candidate_id, row.annotator_id): row for row in counted.select_related("candidate__image")}
    verdicts = read_verdicts(pairs)
    both = ((said.get((pair, first.pk)), said.get((pair, second.pk))) for pair in pairs)
    return [Shared(one.candidate, one, other, verdicts.get(one.candidate_id)) for one, other in both if one and other]
