"""Hidden controls: which of them a person gets with a HIT.

A control is told from an ordinary pair only by its `Control` row, which stays on the server. Whoever sees the same
words on two pictures could guess that one of the two is a control, so a borrowed pair is not drawn for a person who
has had its words, or its picture, where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotation.models import Assignment, Control, ControlMeeting, ControlOrigin, ControlState, Hit, HitItem
from backend.candidates.models import OTHER_IMAGE, CandidateStatus
from backend.methods.assignment import choose_controls, control_count
from backend.people.models import User


@dataclass(frozen=True)
class DrawnControl:
    """A control for one assignment; `accepted` holds the labels that are right and never leaves the server."""

    control_id: int
    candidate_id: int
    accepted: tuple[str, ...]


def has_controls(project: str = "project") -> Exists:
    """Whether the project, by the outer query's column of that name, has controls to hide.

    For the statement that a caller sends anyway: where it says no, `draw_controls` need not be asked.
    """
    return Exists(hidden_controls().filter(project=OuterRef(project)))


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
    rows = _unmet(hit, annotator).values_list("candidate__key", "pk", "candidate", "accepted")
    by_key = {key: rest for key, *rest in rows.order_by()}
    chosen = (by_key[key] for key in choose_controls(tuple(by_key), n=n, seed=seed))
    return [DrawnControl(control_id, candidate_id, tuple(accepted)) for control_id, candidate_id, accepted in chosen]


def _unmet(hit: Hit, annotator: User) -> QuerySet[Control]:
    met = ControlMeeting.objects.filter(control=OuterRef("pk"), annotator=annotator)
    side = Q(candidate__query=hit.query_id) if hit.query_id else Q(candidate__image=hit.image_id, candidate__query=None)
    unmet = hidden_controls().filter(side, ~Exists(met), project=hit.project_id, candidate__status=CandidateStatus.KEPT)
    return unmet.exclude(_seen_elsewhere(hit, annotator))


def _seen_elsewhere(hit: Hit, annotator: User) -> Q:
    """Borrowed pairs whose words (their image, where a query is held still) this person has had where they belong."""
    if hit.query_id:
        items = HitItem.objects.filter(candidate__image=OuterRef("candidate__image"), hit__project=hit.project_id)
        return Q(Exists(items.filter(hit__assignments__annotator=annotator)), origin=ControlOrigin.OTHER_IMAGE)
    home = Assignment.objects.filter(
        hit__image__project=hit.project_id, hit__image__key=OuterRef("candidate__source_ref")
    )
    return Q(Exists(home.filter(annotator=annotator)), candidate__source=OTHER_IMAGE)
