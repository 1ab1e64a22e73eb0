"""Controls in HITs: dealt when a HIT is made, the same for every annotator.

A HIT of enough pairs has controls of its own image or query on top, so that about `control_rate` of all items are
controls. HITs too short for one are mixed with HITs of controls alone, of the same lengths. When an image or query has
few controls, one stands in several HITs; the first answer of each annotator is graded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q

from backend.annotation.models import Hit, HitItem, Slot
from backend.candidates.models import CandidateStatus
from backend.methods.assignment import controls_on_top, deal_controls, draw_share, order_seed
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState

HIDDEN = Q(state=ControlState.ACTIVE, is_quiz=False)
USABLE = HIDDEN & Q(candidate__status=CandidateStatus.KEPT)
Subject = tuple[int | None, int | None]  # ids of an image and a query, one of them None


class Dealt(NamedTuple):
    """A control by its id, with its pair; `key` is the same in every database."""

    control: int
    candidate: int
    key: str


def subject_of(hit: Hit) -> Subject:
    """What the HIT holds still, by its ids."""
    return hit.image_id, hit.query_id


def is_short(n_pairs: int, *, project: Project) -> bool:
    """Whether a HIT of so many pairs is too short for a control, in a project that wants some."""
    return project.control_rate > 0 and not controls_on_top(n_pairs, rate=project.control_rate)


def controls_of(project: Project, hits: Iterable[Hit]) -> dict[Subject, list[Dealt]]:
    """The controls in use of the images and queries of these HITs."""
    subjects = {subject_of(hit) for hit in hits}
    images = {image for image, _ in subjects if image}
    queries = {query for _, query in subjects if query}
    here = Q(candidate__query__in=queries) | Q(candidate__image__in=images, candidate__query=None)
    found: dict[Subject, list[Dealt]] = defaultdict(list)
    rows = Control.objects.filter(here, USABLE, project=project).order_by("pk")
    told = ("pk", "candidate", "candidate__key", "candidate__image", "candidate__query")
    for control, candidate, key, image, query in rows.values_list(*told) if project.control_rate else ():
        found[(None, query) if query else (image, None)].append(Dealt(control, candidate, key))
    return found


def controls_on(hit: Hit, n_pairs: int, *, project: Project, there: Sequence[Dealt]) -> list[Dealt]:
    """The controls of a HIT of so many pairs. HITs of one subject take turns, so that each control comes as often."""
    n = controls_on_top(n_pairs, rate=project.control_rate)
    return _in_turn(hit, n, project=project, there=there)


def _in_turn(hit: Hit, n: int, *, project: Project, there: Sequence[Dealt]) -> list[Dealt]:
    by_key = {each.key: each for each in there}
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, "controls")
    turn = (hit.part or 0) + hit.round
    return [by_key[key] for key in deal_controls(list(by_key), n=n, turn=turn, seed=seed)]


def items_of(hit: Hit, pairs: Sequence[int], controls: Sequence[Dealt]) -> list[HitItem]:
    """The items of a HIT, not stored yet; in which order annotators see them is drawn for each."""
    items = [HitItem(hit=hit, candidate_id=pair, position=at) for at, pair in enumerate(pairs, start=1)]
    first = len(items) + 1
    return items + [
        HitItem(hit=hit, candidate_id=each.candidate, control_id=each.control, position=at)
        for at, each in enumerate(controls, start=first)
    ]


def add_followup(*, project: Project, after: Hit, pairs: Sequence[int], numbers: Iterable[int], priority: int) -> None:
    """Make the next HIT of the root, with controls of its own. The caller holds the root.

    Where it is too short for a control, one of controls alone comes with it as often as the rate asks for.
    """
    made = Hit.objects.create(
        project=project, image_id=after.image_id, query_id=after.query_id, part=after.part, root_id=after.first_id,
        round=after.round + 1, run_id=after.run_id,
    )  # fmt: skip
    made.image, made.query = after.image, after.query
    there = controls_of(project, [made])[subject_of(made)]
    items = items_of(made, pairs, controls_on(made, len(pairs), project=project, there=there))
    asked = list(numbers)
    slots = [Slot(project=project, hit=made, root_id=made.first_id, number=n, priority=priority) for n in asked]
    if wants_companion(made, len(pairs), project=project) and len(there) >= len(pairs):
        alone = Hit.objects.create(
            project=project, image_id=after.image_id, query_id=after.query_id, part=None, run_id=after.run_id
        )
        items += items_of(alone, [], _in_turn(made, len(pairs), project=project, there=there))
        slots += [Slot(project=project, hit=alone, root=alone, number=n, priority=priority) for n in asked]
    HitItem.objects.bulk_create(items)
    Slot.objects.bulk_create(slots)


def wants_companion(hit: Hit, n_pairs: int, *, project: Project) -> bool:
    """Whether a HIT of controls alone comes with this one, which is too short for a control."""
    if not is_short(n_pairs, project=project):
        return False
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, hit.part, hit.round, "companion")
    return draw_share(seed) < project.control_rate / (1 - project.control_rate)
