"""Controls in HITs: dealt when a HIT is made, the same for every annotator.

About `control_rate` of all items are controls; docs/annotation-engine.md has the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db.models import Q

from backend.annotation.models import Hit, HitItem, Slot, Subject
from backend.candidates.models import CandidateStatus
from backend.methods.assignment import controls_on_top, deal_controls, draw_share, order_seed
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState

USABLE = Q(state=ControlState.ACTIVE, is_quiz=False, candidate__status=CandidateStatus.KEPT)


def is_short(n_pairs: int, *, project: Project) -> bool:
    """Whether a HIT of so many pairs is too short for a control, in a project that wants some."""
    return project.control_rate > 0 and not controls_on_top(n_pairs, rate=project.control_rate)


def share_alone(project: Project) -> float:
    """How many HITs of controls alone there are for each HIT that is too short for one."""
    return project.control_rate / (1 - project.control_rate)


def controls_of(project: Project, hits: Iterable[Hit]) -> dict[Subject, list[Control]]:
    """The controls in use of the images and queries of these HITs."""
    images = {hit.image_id for hit in hits}
    queries = {hit.query_id for hit in hits}
    here = Q(candidate__query__in=queries) | Q(candidate__image__in=images, candidate__query=None)
    found: dict[Subject, list[Control]] = defaultdict(list)
    controls = Control.objects.filter(here, USABLE, project=project).select_related("candidate").order_by("pk")
    for control in controls if project.control_rate else ():
        query = control.candidate.query_id
        found[(None, query) if query else (control.candidate.image_id, None)].append(control)
    return found


def deal(hit: Hit, n: int, *, project: Project, there: Sequence[Control]) -> list[Control]:
    """`n` controls for a HIT. HITs of one subject take turns, so that each control comes as often."""
    by_key = {control.candidate.key: control for control in there}
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, "controls")
    turn = (hit.part or 0) + hit.round
    return [by_key[key] for key in deal_controls(list(by_key), n=n, turn=turn, seed=seed)]


def items_of(hit: Hit, pairs: Sequence[int], controls: Sequence[Control]) -> list[HitItem]:
    """The items of a HIT, not stored yet; in which order annotators see them is drawn for each."""
    sides = [*((pair, None) for pair in pairs), *((control.candidate_id, control) for control in controls)]
    return [
        HitItem(hit=hit, candidate_id=pair, control=control, position=at)
        for at, (pair, control) in enumerate(sides, start=1)
    ]


def add_followup(*, project: Project, after: Hit, pairs: Sequence[int], numbers: Sequence[int], priority: int) -> None:
    """Make the next HIT of the root, with controls of its own. The caller holds the root.

    Where it is too short for a control, one of controls alone comes with it as often as the rate asks for.
    """
    of_subject = {"project": project, "image": after.image, "query": after.query, "run_id": after.run_id}
    made = Hit.objects.create(part=after.part, root_id=after.first_id, round=after.round + 1, **of_subject)
    there, n = controls_of(project, [made])[made.side], len(pairs)
    n_controls = controls_on_top(n, rate=project.control_rate)
    items = items_of(made, pairs, deal(made, n_controls, project=project, there=there))
    hits = [made]
    # As often as control HITs stand between HITs that are too short for a control.
    seed = order_seed(settings.SECRET_KEY, project.slug, made.subject, made.part, made.round, "companion")
    is_accompanied = is_short(n, project=project) and draw_share(seed) < share_alone(project)
    if is_accompanied and len(there) >= n:
        hits.append(Hit.objects.create(part=None, **of_subject))
        items += items_of(hits[1], [], deal(made, n, project=project, there=there))
    HitItem.objects.bulk_create(items)
    Slot.objects.bulk_create(
        Slot(project=project, hit=hit, root_id=hit.first_id, number=number, priority=priority)
        for hit in hits
        for number in numbers
    )
