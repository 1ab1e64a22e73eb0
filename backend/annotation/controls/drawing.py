"""Hidden controls: which of them a person gets with a HIT.

A control is told from an ordinary pair only by its `Control` row, which stays on the server. Nor does the length of a
page tell: pages of enough pairs all have as many on top, and on a shorter one a control takes the place of a pair,
which waits for somebody else (drawing.py, settling.py). Whoever sees the same
words on two pictures could guess that one of the two is a control, so a borrowed pair is not drawn for a person who
has had its words, or its picture, where they come from.

People talk. Two who have had a HIT and compare their pages would know for a control what only one of them saw, so the
HIT draws which of its subject's controls come with it, and everybody gets those, as far as they have met none of them.
On a page so short that a control takes the place of a pair they still see that the two differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotation.coming import standings_of_able
from backend.annotation.models import (
    Assignment,
    Control,
    ControlMeeting,
    ControlOrigin,
    ControlState,
    Hit,
    HitItem,
)
from backend.annotation.qualification.qualifying import good_after, terms_of
from backend.candidates.models import OTHER_IMAGE, CandidateStatus
from backend.common.compiled import Ask, CompiledRows
from backend.methods.assignment import choose_controls, control_count, controls_on_top, order_seed
from backend.people.models import User

UnmetRow = tuple[str, int, int, str, list[str]]  # key of the pair; ids of control and pair; its text; what is right
Unmet = QuerySet[Control, UnmetRow]
SPARE = 2  # people beyond those to come: one for a pair left to others, one for what may come between


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


def draw_controls(
    *, hit: Hit, annotator: User, n_items: int, rate: float, seed: int, n_to_come: int = 0
) -> list[DrawnControl]:
    """Controls of the HIT's image or query that this person never met: as many as the rate asks for, or all there are.

    How many is drawn by `seed`, the person's own, where it is not the same for all; which, by the HIT and the secret.
    `n_items` ordinary pairs are shown beside them, or one fewer, which is left to others: then people who can come and
    never met the HIT must be enough for the `n_to_come` whom its pairs may still want, and SPARE more.

    One statement, and the same whether the seed asks for a control or not: a page that came sooner would tell that it
    has none. No statement where the rate is 0. The project comes with its qualification at hand.
    """
    if not rate:
        return []
    n_others = 0 if controls_on_top(n_items, rate=rate) else n_to_come + SPARE
    unmet = _compiled(_unmet_of_query if hit.query_id else _unmet_of_image, n_others)
    side = hit.query_id or hit.image_id
    after = good_after(terms_of(project=hit.project))
    rows = unmet.rows(side=side, project=hit.project_id, annotator=annotator.pk, hit=hit.pk, good_after=after)
    by_key = {key: DrawnControl(pk, pair, text, tuple(accepted)) for key, pk, pair, text, accepted in rows}
    n = control_count(n_items, rate=rate, seed=seed)
    for_all = order_seed(settings.SECRET_KEY, hit.project.slug, hit.subject, hit.part, "controls")
    return [by_key[key] for key in choose_controls(tuple(by_key), n=n, seed=for_all)]


@cache
def _compiled(unmet: Callable[[type[Ask]], Unmet], n_others: int) -> CompiledRows[UnmetRow]:
    """Those to draw from, if so many other people can still be asked for the HIT."""
    return CompiledRows(lambda ask: unmet(ask).filter(_has_others(ask, n_others)) if n_others else unmet(ask))


def _unmet(side: Q, project: Any, annotator: Any) -> Unmet:
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


def _unmet_of_image(ask: type[Ask]) -> Unmet:
    side = Q(candidate__image=ask("side"), candidate__query=None)
    unmet = _unmet(side, ask("project"), ask("annotator"))
    return unmet.exclude(_words_seen(ask("project"), ask("annotator")))


def _unmet_of_query(ask: type[Ask]) -> Unmet:
    unmet = _unmet(Q(candidate__query=ask("side")), ask("project"), ask("annotator"))
    return unmet.exclude(_picture_seen(ask("project"), ask("annotator")))


def _has_others(ask: type[Ask], n: int) -> Exists:
    """Whether so many others who work here, and can still come, never met the HIT; no more are looked for."""
    others = standings_of_able(project=ask("project"), good_after=ask("good_after")).filter(
        ~Exists(Assignment.objects.filter(hit=ask("hit"), annotator=OuterRef("user"))),
        ~Q(user=ask("annotator")),
        n_submitted__gt=0,
    )
    return Exists(others[n - 1 : n])
