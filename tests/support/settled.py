"""What makes a project settle its HITs anew, and what its places, pairs and votes are then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backend.annotation.allocation import n_missing, read_votes, settle
from backend.annotation.leases import lease_next
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, Hit, Slot
from backend.annotation.selectors import counted_judgments, pairs_in_hits
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit

Judge = Callable[..., Assignment]


def set_rules(project: Project, **changes: object) -> None:
    Project.objects.filter(pk=project.pk).update(**changes)
    project.refresh_from_db()


def exclude(project: Project, user: User, state: str = AnnotatorStatus.EXCLUDED) -> None:
    AnnotatorState.objects.filter(project=project, user=user).update(state=state)
    settle_all(project)


def finish(project: Project, users: Sequence[User]) -> None:
    """Everybody judges whatever they are given, until there is nothing."""
    for _ in range(2):
        for user in users:
            while (found := lease_next(project=project, annotator=user)).shown is not None:
                submit(found.shown.assignment)


def votes_of(hit: Hit) -> list[int]:
    """How many judgments of each pair count, in the pairs' order."""
    counted = list(counted_judgments(project=hit.project).values_list("candidate", flat=True))
    return [counted.count(pair) for pair in hit.items.order_by("position").values_list("candidate", flat=True)]


def places() -> list[tuple[int, bool]]:
    """(number, is it taken) of every place."""
    return [(slot.number, slot.assignment_id is not None) for slot in Slot.objects.order_by("number")]


def wanting(project: Project) -> set[int]:
    """The pairs of HITs that need more judgments, by the votes that count and the settings in force."""
    current = Project.objects.get(pk=project.pk)
    undecided = pairs_in_hits(project=current).filter(is_decided=False)
    votes = read_votes(current, list(undecided.values_list("hit", flat=True)))
    asked = undecided.values_list("candidate", "asked")
    return {pair for pair, n in asked if n_missing(current, votes[pair], asked=n)}


def settle_all(project: Project) -> None:
    roots = Hit.objects.filter(project=project, root=None)
    settle(project=project, roots=roots.values_list("pk", flat=True), anew=True)
