"""Reads over HITs and judgments: whose they are, and which of them count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from backend.annotation.models import (
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    AssignmentStatus,
    Hit,
    HitItem,
    Judgment,
    Slot,
)
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project

IS_AHEAD = Q(assignment=None) | ~Q(assignment__status=AssignmentStatus.SUBMITTED)  # of a slot: free, or leased


def get_workplace(*, user: User, slug: str) -> Project:
    """The project, with its terms of qualification, for whoever belongs to it. Raises NotFound to everybody else."""
    found = Project.objects.select_related("qualification").filter(memberships__user=user, slug=slug).first()
    if found is None:
        raise NotFound()
    return found


def get_assignment(*, user: User, assignment_id: UUID) -> Assignment:
    """The caller's own assignment, while they belong to its project. Raises NotFound for everybody else's."""
    mine = Assignment.objects.select_related("project__qualification", "hit__image", "hit__query")
    found = mine.filter(pk=assignment_id, annotator=user, project__memberships__user=user).first()
    if found is None:
        raise NotFound()
    found.annotator = user
    return found


def annotator_state_of(*, project: Project, user: User) -> AnnotatorState:
    """The annotator's state, for reading; a row that is not stored if they did not begin."""
    found = AnnotatorState.objects.filter(project=project, user=user).first() or AnnotatorState()
    found.project, found.user = project, user
    return found


def pairs_in_hits(*, project: Project) -> QuerySet[HitItem]:
    """The first item of each pair that people are asked about: no control, and no follow-up."""
    return HitItem.objects.filter(hit__project=project, hit__root=None, control=None)


def get_judgment(*, assignment: Assignment, position: int) -> Judgment:
    """The judgment that stands at a position of a submitted assignment. Raises NotFound where there is none."""
    found = Judgment.objects.filter(assignment=assignment, position=position, superseded_by=None).first()
    if found is None:
        raise NotFound("This item has no answer yet. Submit the whole task first.", code="no_answer_yet")
    return found


def current_judgments(*, project: Project, until: int | None = None) -> QuerySet[Judgment]:
    """The project's judgments that no later row supersedes: what each person says of each pair today, or said when
    `until` was the newest judgment."""
    later = Judgment.objects.filter(supersedes=OuterRef("pk"))
    if until is None:
        return Judgment.objects.filter(~Exists(later), candidate__project=project)
    return Judgment.objects.filter(~Exists(later.filter(pk__lte=until)), candidate__project=project, pk__lte=until)


def counted_judgments(*, project: Project, until: int | None = None) -> QuerySet[Judgment]:
    """The rows that count under the policy in force: those that stand (or stood at judgment `until`), of people who are
    not excluded, submitted in time, on pairs that are no controls. Consensus, agreement, the stop rule and releases
    read nothing else."""
    return current_judgments(project=project, until=until).filter(is_counted(project=project))


def is_counted(*, project: Project) -> Q:
    """Of a judgment that no later one replaces: whether it counts today."""
    excluded = AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED).values("user")
    return Q(control=None, assignment__status=AssignmentStatus.SUBMITTED) & ~Q(annotator__in=excluded)


def has_work_left(*, project_id: int) -> bool:
    """Whether a slot is free, or an assignment leased."""
    return Slot.objects.filter(IS_AHEAD, project=project_id).exists()


def unnamed_voters(*, project: Project) -> QuerySet[AnnotatorState, int]:
    """Users who are nobody, as imported votes without names were dealt to them: who says what, of two such votes, is
    chance, so that whatever is said of people leaves them out."""
    return AnnotatorState.objects.filter(project=project, is_unnamed=True).order_by().values_list("user", flat=True)


def read_counts(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The counters of this room, in three queries for any number of projects.

    `slots_open` counts the slots that nobody has submitted yet. A change of mind does not raise `judgments`.
    """
    counts: dict[int, dict[str, int]] = {
        project_id: {"hits": 0, "judgments": 0, "slots": 0, "slots_open": 0} for project_id in project_ids
    }
    for name, rows in _count_rows(project_ids).items():
        for project_id, n in rows.items():
            counts[project_id][name] = n
    return counts


def _count_rows(project_ids: Sequence[int]) -> dict[str, dict[int, int]]:
    hits = Hit.objects.filter(project__in=project_ids).order_by().values_list("project")
    judged = Judgment.objects.filter(candidate__project__in=project_ids, supersedes=None).order_by()
    places = Slot.objects.filter(project__in=project_ids).order_by().values("project")
    rows: dict[str, dict[int, int]] = defaultdict(dict)
    rows["hits"] = dict(hits.annotate(n=Count("pk")))
    rows["judgments"] = dict(judged.values_list("candidate__project").annotate(n=Count("pk")))
    for row in places.annotate(n=Count("pk"), n_open=Count("pk", filter=IS_AHEAD)):
        rows["slots"][row["project"]], rows["slots_open"][row["project"]] = row["n"], row["n_open"]
    return rows


def newest_judgment_id(*, project: Project) -> int:
    """The newest judgment to be seen, 0 where there is none. It is walked to from the table's end: for a maximum over
    the join all of them would be read."""
    rows = Judgment.objects.filter(assignment__project=project).order_by("-pk").values_list("pk", flat=True)
    return rows.first() or 0


@transaction.atomic
def last_settled_judgment(*, project: Project) -> int:
    """The newest judgment, once no submit is under way whose judgments have smaller ids.

    Every submit locks its annotator's state, so all are locked for as long as the caller's transaction lasts.
    """
    list(AnnotatorState.objects.filter(project=project).order_by("pk").select_for_update(no_key=True).values_list("pk"))
    return newest_judgment_id(project=project)
