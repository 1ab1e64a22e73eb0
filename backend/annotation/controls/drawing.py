"""Hidden controls: which of them a person gets with a HIT.

A control is told from an ordinary pair only by its `Control` row, which stays on the server. Nor does the length of a
page tell: pages of enough pairs all have as many on top, and on a shorter one a control takes the place of a pair,
which waits for somebody else (drawing.py, settling.py). Whoever sees the same
words on two pictures could guess that one of the two is a control, so a borrowed pair is not drawn for a person who
has had its words, or its picture, where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotation.models import (
    WORKING,
    Assignment,
    Control,
    ControlMeeting,
    ControlOrigin,
    ControlState,
    Hit,
    HitItem,
    Slot,
    Standing,
)
from backend.candidates.models import OTHER_IMAGE, CandidateStatus
from backend.common.compiled import CompiledRows
from backend.methods.assignment import choose_controls, control_count
from backend.people.models import User
from backend.projects.models import Project

SPARE = 2  # people beyond a HIT's free places
MOST_LOOKED_FOR = 10  # people: nobody needs to know of more


@dataclass(frozen=True)
class DrawnControl:
    """A control for one assignment; `accepted` holds the labels that are right and never leaves the server."""

    control_id: int
    candidate_id: int
    text: str
    accepted: tuple[str, ...]


def hidden_controls() -> QuerySet[Control]:
    """The controls in use, those of the quiz left out."""
    return Control.objects.filter(state=ControlState.ACTIVE, is_quiz=False)


def draw_controls(*, hit: Hit, annotator: User, n_items: int, rate: float, seed: int) -> list[DrawnControl]:
    """Controls of the HIT's image or query that this person never met: as many as the rate asks for, or all there are.

    `n_items` ordinary pairs are shown beside them. One statement; none where the seed asks for no control.
    """
    n = control_count(n_items, rate=rate, seed=seed)
    if not n:
        return []
    unmet, side = (UNMET_OF_QUERY, hit.query_id) if hit.query_id else (UNMET_OF_IMAGE, hit.image_id)
    rows = unmet.rows(side=side, project=hit.project_id, annotator=annotator.pk)
    by_key = {key: DrawnControl(pk, pair, text, tuple(accepted)) for key, pk, pair, text, accepted in rows}
    return [by_key[key] for key in choose_controls(tuple(by_key), n=n, seed=seed)]


def can_others_finish(*, project: Project, hit_id: int, annotator: User) -> bool:
    """Whether people who work here, and never met the HIT, are enough for its free places and SPARE more: one for a
    pair that this person leaves to others, one for what may come between."""
    n_free = len(FREE_OF_HIT.rows(hit=hit_id))
    others = OTHERS_WHO_WORK.rows(project=project.pk, hit=hit_id, annotator=annotator.pk)
    return len(others) >= min(n_free + SPARE, MOST_LOOKED_FOR)


def _unmet(side: Q, project: Any, annotator: Any) -> QuerySet[Control, tuple[str, int, int, str, list[str]]]:
    met = ControlMeeting.objects.filter(control=OuterRef("pk"), annotator=annotator)
    unmet = hidden_controls().filter(side, ~Exists(met), project=project, candidate__status=CandidateStatus.KEPT)
    return unmet.order_by().values_list("candidate__key", "pk", "candidate", "candidate__text", "accepted")


def _words_seen(project: Any, annotator: Any) -> Q:
    """Borrowed captions that this person has had on the image they belong to."""
    home = Assignment.objects.filter(hit__image__project=project, hit__image__key=OuterRef("candidate__source_ref"))
    return Q(Exists(home.filter(annotator=annotator)), candidate__source=OTHER_IMAGE)


def _picture_seen(project: Any, annotator: Any) -> Q:
    """Borrowed images that this person has had with the query they belong to."""
    home = HitItem.objects.filter(candidate__image=OuterRef("candidate__image"), hit__project=project)
    return Q(Exists(home.filter(hit__assignments__annotator=annotator)), origin=ControlOrigin.OTHER_IMAGE)


UNMET_OF_IMAGE = CompiledRows(
    lambda ask: _unmet(
        Q(candidate__image=ask("side"), candidate__query=None), ask("project"), ask("annotator")
    ).exclude(_words_seen(ask("project"), ask("annotator")))
)
UNMET_OF_QUERY = CompiledRows(
    lambda ask: _unmet(Q(candidate__query=ask("side")), ask("project"), ask("annotator")).exclude(
        _picture_seen(ask("project"), ask("annotator"))
    )
)
FREE_OF_HIT = CompiledRows(
    lambda ask: Slot.objects.filter(hit=ask("hit"), assignment=None).order_by().values_list("pk", flat=True)
)
OTHERS_WHO_WORK = CompiledRows(
    lambda ask: (
        Standing.objects.filter(
            ~Exists(Assignment.objects.filter(hit=ask("hit"), annotator=OuterRef("user"))),
            ~Q(user=ask("annotator")),
            project=ask("project"),
            state__in=WORKING,
            n_submitted__gt=0,
        )
        .order_by()
        .values_list("pk", flat=True)[:MOST_LOOKED_FOR]
    )
)
