"""Hidden controls: which of them a person gets with a HIT.

A control is told from an ordinary pair only by its `Control` row, which stays on the server. Nor does the length of a
page tell: pages of enough pairs all have as many on top, and on a shorter one a control takes the place of a pair,
which waits for somebody else (drawing.py, settling.py). Whoever sees the same words on two pictures could guess that
one of the two is a control, so a borrowed pair is not drawn for a person who has had its words, or its picture, where
they come from.

People talk. Two who have had a HIT and compare their pages would know for a control what only one of them saw, so the
controls of an image or query are dealt to its HITs, and everybody gets those of the HIT, in whichever order they take
them. What belongs to no HIT stands in for what somebody must not have. Where pages are so short that a control takes
the place of a pair, every HIT draws from all of them; two who compare such pages still see that they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from backend.annotation.coming import standings_of_able
from backend.annotation.controls.seen import picture_seen, words_seen
from backend.annotation.models import Assignment, Control, ControlMeeting, ControlState, Hit
from backend.annotation.qualification.qualifying import good_after, terms_of
from backend.candidates.models import CandidateStatus
from backend.common.compiled import Ask, CompiledRows
from backend.common.counting import count_of
from backend.methods.assignment import (
    SPARE,
    choose_controls,
    control_count,
    controls_on_top,
    deal_controls,
    order_seed,
)
from backend.people.models import User

HIDDEN = Q(state=ControlState.ACTIVE, is_quiz=False)
IN_USE = ExpressionWrapper(HIDDEN & Q(candidate__status=CandidateStatus.KEPT), BooleanField())


class ControlRow(NamedTuple):
    """A control of an image or query, and whether this person may have it; these have `n_parts` HITs."""

    key: str
    control_id: int
    candidate_id: int
    text: str
    accepted: list[str]
    in_use: bool
    may_have: bool
    n_parts: int


Controls = QuerySet[Control, tuple[Any, ...]]


@dataclass(frozen=True)
class DrawnControl:
    """A control for one assignment; `accepted` holds the labels that are right and never leaves the server."""

    control_id: int
    candidate_id: int
    text: str
    accepted: tuple[str, ...]


def hidden_controls() -> QuerySet[Control]:
    """The controls in use, those of the quiz left out."""
    return Control.objects.filter(HIDDEN)


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
    controls = _compiled(_of_query if hit.query_id else _of_image, n_others)
    side = hit.query_id or hit.image_id
    after = good_after(terms_of(project=hit.project))
    found = controls.rows(side=side, project=hit.project_id, annotator=annotator.pk, hit=hit.pk, good_after=after)
    free = (row for row in _in_turn(hit, [ControlRow(*row) for row in found], rate) if row.may_have)
    n = control_count(n_items, rate=rate, seed=seed)
    return [DrawnControl(row.control_id, row.candidate_id, row.text, tuple(row.accepted)) for row in islice(free, n)]


def _in_turn(hit: Hit, rows: Sequence[ControlRow], rate: float) -> Iterator[ControlRow]:
    """Those in use that the HIT may show, its own first."""
    n_of_each = controls_on_top(hit.project.captions_per_hit, rate=rate)
    n_parts = rows[0].n_parts if rows else 0
    seed = order_seed(settings.SECRET_KEY, hit.project.slug, hit.subject, hit.part, "controls")
    for places in deal_controls([row.in_use for row in rows], n=n_of_each, part=hit.part, n_parts=n_parts):
        by_key = {rows[place].key: rows[place] for place in places}
        yield from (by_key[key] for key in choose_controls(tuple(by_key), n=len(by_key), seed=seed))


@cache
def _compiled(controls: Callable[[type[Ask]], Controls], n_others: int) -> CompiledRows[tuple[Any, ...]]:
    """Those to draw from, if so many other people can still be asked for the HIT."""
    return CompiledRows(lambda ask: controls(ask).filter(_has_others(ask, n_others)) if n_others else controls(ask))


def _controls(ask: type[Ask], side: Q, hits: QuerySet[Hit], seen: Q) -> Controls:
    """All that there ever were, in the order they were made."""
    met = ControlMeeting.objects.filter(control=OuterRef("pk"), annotator=ask("annotator"))
    may_have = ExpressionWrapper(~Q(Exists(met)) & ~seen, BooleanField())
    found = Control.objects.filter(side, project=ask("project")).order_by("pk")
    found = found.annotate(in_use=IN_USE, may_have=may_have, n_parts=count_of(hits, "project"))
    pair = ("candidate__key", "pk", "candidate", "candidate__text", "accepted")
    return found.values_list(*pair, "in_use", "may_have", "n_parts")


def _of_image(ask: type[Ask]) -> Controls:
    side, hits = Q(candidate__image=ask("side"), candidate__query=None), Hit.objects.filter(image=ask("side"))
    return _controls(ask, side, hits, words_seen(ask("project"), ask("annotator")))


def _of_query(ask: type[Ask]) -> Controls:
    side, hits = Q(candidate__query=ask("side")), Hit.objects.filter(query=ask("side"))
    return _controls(ask, side, hits, picture_seen(ask("project"), ask("annotator")))


def _has_others(ask: type[Ask], n: int) -> Exists:
    """Whether so many others who work here, and can still come, never met the HIT; no more are looked for."""
    others = standings_of_able(project=ask("project"), good_after=ask("good_after")).filter(
        ~Exists(Assignment.objects.filter(hit=ask("hit"), annotator=OuterRef("user"))),
        ~Q(user=ask("annotator")),
        n_submitted__gt=0,
    )
    return Exists(others[n - 1 : n])
