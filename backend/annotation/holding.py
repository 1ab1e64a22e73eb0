"""Locks, and the one order in which everybody takes them.

A run, the project, its policies, standings, the quiz's terms, controls, what it was settled as, HITs, places: whoever
holds several things takes them in this order, and of a kind by id. Everything a person does to their HITs happens while
holding their Standing, so that two tabs, a double click and a repeated request come one after the other. Different
people wait for each other where they submit or give back pages of the same HIT, and for who settles it: an import, a
verdict, changed settings. An assignment is its owner's, who holds their standing; who else reaches for one, or for a
free place or one more HIT, leaves alone what is locked (SKIP LOCKED). Who has taken a place of a HIT that they do not
hold waits for nobody who settles; so who settles may wait for them.

Requests wait for a lock as long as deploy/gunicorn.conf.py says, and workers for as long as it takes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from backend.annotation.models import Hit, Qualification, QualityPolicy, Standing
from backend.common.compiled import Ask, CompiledRows
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Membership, Project

MINE = CompiledRows(
    lambda ask: (
        Standing.objects.filter(
            Exists(Membership.objects.filter(project=OuterRef("project"), user=OuterRef("user"))),
            project=ask("project"),
            user=ask("user"),
        )
        .order_by()
        .select_for_update(of=("self",), no_key=True)
    )
)


def held_hit(hit: Ask) -> QuerySet[Hit]:
    """The HIT, for a compiled statement that holds it by the way: `hit__in=held_hit(ask("hit"))`."""
    return Hit.objects.filter(pk=hit).order_by().select_for_update(no_key=True)


def hold_project(project: Project) -> Project:
    """The project as it is now: until this transaction ends no HIT is built in it, nothing cleaned, and no control
    made."""
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def hold_policies(project: Project) -> None:
    """Until this transaction ends nobody puts a version in force here, nor decides of an annotator by hand."""
    list(QualityPolicy.objects.select_for_update(no_key=True).filter(project=project).order_by("pk").values_list("pk"))


def hold_standing(*, project: Project, annotator: User) -> Standing:
    """The person's row, in nobody else's hands until the transaction ends; made where they begin.

    Raises NotFound when they do not belong to the project (any more).
    """
    found = _mine(project, annotator)
    if found is None:
        if not Membership.objects.filter(project=project, user=annotator).exists():
            raise NotFound()
        Standing.objects.get_or_create(project=project, user=annotator)
        found = _mine(project, annotator)
    if found is None:
        raise NotFound()
    return found


def _mine(project: Project, annotator: User) -> Standing | None:
    return MINE.first(project=project.pk, user=annotator.pk)


def hold_standings(project: Project, users: Collection[int] | None = None) -> list[Standing]:
    """The project's standings, or those of some users, by id; none is made."""
    theirs = Standing.objects.filter(project=project)
    theirs = theirs if users is None else theirs.filter(user__in=users)
    return list(theirs.order_by("pk").select_for_update(no_key=True))


def hold_terms(project: Project) -> Qualification | None:
    """The terms on which people begin, as they are now and stay until this transaction ends; None where there are
    none."""
    return Qualification.objects.select_for_update(no_key=True).filter(project=project).first()


def hold_hits(hits: Sequence[int]) -> None:
    """Wait for whoever is settling one of them; what is read afterwards is as they left it."""
    list(Hit.objects.filter(pk__in=hits).order_by("pk").select_for_update(no_key=True).values_list("pk"))


def hold_idle_hits(hits: Collection[int] | QuerySet[Any, int]) -> list[int]:
    """Hold those that nobody holds at this moment: for who holds another HIT, or places of these. Which they are."""
    idle = Hit.objects.filter(pk__in=hits).order_by("pk").select_for_update(skip_locked=True, no_key=True)
    return list(idle.values_list("pk", flat=True))


def may_hold_hit(hit_id: int) -> bool:
    """The same of one: whether it is held."""
    return bool(hold_idle_hits([hit_id]))
