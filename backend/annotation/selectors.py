"""Reads over HITs and judgments: whose they are, and which of them count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable, NegatedExpression
from django.utils import timezone

from backend.annotation.models import (
    DONE,
    MAY_COME_BACK,
    Assignment,
    AssignmentStatus,
    Control,
    Hit,
    HitItem,
    Judgment,
    Slot,
    Standing,
    StandingState,
)
from backend.common.compiled import CompiledRows
from backend.common.counting import InList, count_of
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project

IS_OPEN = Q(assignment=None) | ~Q(assignment__status=AssignmentStatus.SUBMITTED)  # of a place, held or not
WORKPLACE = CompiledRows(
    lambda ask: Project.objects.select_related("qualification").filter(memberships__user=ask("user"), slug=ask("slug"))
)
OWN_ASSIGNMENT = CompiledRows(
    lambda ask: (
        Assignment.objects.select_related("project__qualification")
        .filter(pk=ask("pk"), annotator=ask("user"), project__memberships__user=ask("user"))
        .annotate(n_pairs=count_of(HitItem.objects.filter(hit=OuterRef("hit")), "hit"))
    )
)


def get_workplace(*, user: User, slug: str) -> Project:
    """The project, with its terms of qualification, for whoever belongs to it. Raises NotFound to everybody else."""
    found = WORKPLACE.first(user=user.pk, slug=slug)
    if found is None:
        raise NotFound()
    return found


def get_assignment(*, user: User, assignment_id: UUID) -> Assignment:
    """The caller's own assignment, while they belong to its project; `n_pairs` says how many pairs its HIT has.

    Raises NotFound for everybody else's.
    """
    found = OWN_ASSIGNMENT.first(pk=assignment_id, user=user.pk)
    if found is None:
        raise NotFound()
    found.annotator = user
    return found


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


def of_no_control() -> NegatedExpression[Combinable]:
    """Of judgments: on a pair that is no hidden control.

    An anti-join, as that of `current_judgments`: for `LEFT JOIN ... IS NULL` on a column that it does not join by,
    PostgreSQL expects one row and then reads the project's pairs one by one.
    """
    return ~Exists(Control.objects.filter(candidate=OuterRef("candidate")))


def counted_judgments(*, project: Project, until: int | None = None) -> QuerySet[Judgment]:
    """The rows that count under the policy in force: those that stand (or stood at judgment `until`), of people who are
    not excluded, submitted in time, on pairs that are no controls. Consensus, agreement, the stop rule and releases
    read nothing else."""
    excluded = Standing.objects.filter(project=project, state=StandingState.EXCLUDED).values("user")
    standing = current_judgments(project=project, until=until).filter(
        of_no_control(), assignment__status=AssignmentStatus.SUBMITTED
    )
    return standing.exclude(annotator__in=excluded)


def has_work_left(*, project_id: int, user: User) -> bool:
    """Whether a place is free, or somebody has a page in hand. That may have run out where it is the user's, theirs to
    submit until somebody else takes it, or where they are one of those who can take it: they have had no turn at the
    HIT, or one that may come back."""
    free, held = list_left(project_id=project_id, user=user)
    gone = Assignment.objects.filter(hit=OuterRef("hit"), annotator=user).exclude(status__in=MAY_COME_BACK)
    in_hand = Q(expires_at__gt=timezone.now()) | Q(annotator=user) | ~Exists(gone)
    return free.exists() or held.filter(in_hand).exists()


def list_left(*, project_id: int, user: User) -> tuple[QuerySet[Slot], QuerySet[Assignment]]:
    """Free places, and pages in people's hands, each found by an index of its own; but those that this person's own
    page or change of mind may have opened for others: who could see that it did would know that a hidden control had
    stood for a pair there, or that what they changed is none. So where there are controls a HIT that they have done
    waits for nobody once as many as the overlap asks for have done every pair that it waits for, or have it in hand.
    What an excluded person has done is none of these; what they hold may still fill a place."""
    excluded = Standing.objects.filter(project=project_id, state=StandingState.EXCLUDED).values("user")
    done = Q(status=AssignmentStatus.SUBMITTED) & ~Q(annotator__in=excluded)
    free = Slot.objects.filter(project=project_id, assignment=None).order_by()
    held = Assignment.objects.filter(project=project_id, status=AssignmentStatus.LEASED).order_by()
    return (
        free.exclude(_has_had_all(user, done | Q(status=AssignmentStatus.LEASED))),
        held.exclude(_has_had_all(user, done)),
    )


def _has_had_all(user: User, turns: Q) -> Q:
    """Of places and pages: this person has done the HIT, and enough `turns` at it had each pair that it waits for. A
    pair that gave way to a control on a page was had like any other."""
    theirs = Assignment.objects.filter(hit=OuterRef("hit"), annotator=user, status__in=DONE)
    had = InList(OuterRef("candidate"), "shown") | InList(OuterRef("candidate"), "gave_way")
    n_had = count_of(Assignment.objects.filter(turns, had, hit=OuterRef("hit")), "hit")
    in_want = HitItem.objects.filter(hit=OuterRef("hit"), is_open=True).alias(n_had=n_had)
    controls = Control.objects.filter(project=OuterRef("project"), is_quiz=False)
    return Q(Exists(theirs), Exists(controls), ~Exists(in_want.filter(n_had__lt=F("hit__project__overlap"))))


def unnamed_voters(*, project: Project) -> QuerySet[Standing, int]:
    """Users who are nobody, as imported votes without names were dealt to them: who says what, of two such votes, is
    chance, so that whatever is said of people leaves them out."""
    return Standing.objects.filter(project=project, is_unnamed=True).order_by().values_list("user", flat=True)


def read_counts(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The gauges of this room, in three queries for any number of projects.

    `places_open` counts the places nobody has submitted yet, held or not. A change of mind does not raise `judgments`.
    """
    counts: dict[int, dict[str, int]] = {
        project_id: {"hits": 0, "judgments": 0, "places": 0, "places_open": 0} for project_id in project_ids
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
    for row in places.annotate(n=Count("pk"), n_open=Count("pk", filter=IS_OPEN)):
        rows["places"][row["project"]], rows["places_open"][row["project"]] = row["n"], row["n_open"]
    return rows


def newest_judgment_id(*, project: Project) -> int:
    """The newest judgment to be seen, 0 where there is none. It is walked to from the table's end: for a maximum over
    the join all of them would be read."""
    rows = Judgment.objects.filter(assignment__project=project).order_by("-pk").values_list("pk", flat=True)
    return rows.first() or 0
