"""Kept pairs become HITs, a batch of images or queries at a time. Repeating a batch adds nothing.

A repeated batch deals controls again to HITs that nobody began: so controls made later, and a changed rate, reach them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from backend.annotation.control_items import controls_of, deal, is_short, items_of, share_alone
from backend.annotation.locks import lock_idle_hits
from backend.annotation.models import Assignment, Hit, HitItem, Slot, Subject
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image, Query
from backend.catalogue.selectors import target_images
from backend.methods.assignment import controls_on_top, cut_pool, draw_share, order_seed
from backend.projects.models import Project
from backend.projects.services import lock_project
from backend.qualification.models import Control
from backend.runs.models import Run

WAITING = Q(status=CandidateStatus.KEPT, hit_items=None, control=None)  # of a pair: it is in no HIT yet


@dataclass(frozen=True)
class Built:
    """What one batch came to: pairs that had no HIT yet, and the HITs they are in now."""

    n_pairs: int
    n_hits: int


@dataclass
class NewHit:
    """A HIT that is not stored, with its pairs and its controls."""

    hit: Hit
    pairs: list[int] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)


def images_to_judge(*, project: Project) -> QuerySet[Image]:
    """The images that HITs are built for, by digest: those later stages work on, and those that are in HITs already.

    A new sample takes no image away from annotators.
    """
    targets = target_images(project=project).order_by()
    in_hits = Exists(Hit.objects.filter(image=OuterRef("pk")))
    return Image.objects.filter(Q(pk__in=targets) | Q(in_hits), project=project).order_by("digest")


def queries_to_judge(*, project: Project) -> QuerySet[Query]:
    """The queries that HITs are built for, by id: each database sorts texts in another way."""
    return Query.objects.filter(project=project).order_by("id")


@transaction.atomic
def build_hits(*, project: Project, run: Run, subjects: Sequence[Image | Query]) -> Built:
    """Put the kept pairs of these images, or of these queries, that are in no HIT yet into new HITs, each with the
    project's number of slots.

    Parts go on after those that a subject already has; HITs come in the order of `subjects`, so that equal pools make
    equal HITs on every database.
    """
    # Cleaning and making controls lock the project too. So a caption that is read here cannot be dropped, or become a
    # control, before it is in a HIT.
    project = lock_project(project)
    side = "query" if isinstance(subjects[0], Query) else "image"
    there = Hit.objects.filter(**{f"{side}__in": subjects}, project=project, root=None)
    new = _cut(project, run, side, subjects, there)
    idle = _lock_idle(there)
    controls = controls_of(project, [*(each.hit for each in new), *idle])
    for each in new:
        n_controls = controls_on_top(len(each.pairs), rate=project.control_rate)
        each.controls = deal(each.hit, n_controls, project=project, there=controls[each.hit.side])
    short, n_alone = _deal_again(project, idle, controls)
    short += [len(each.pairs) for each in new if is_short(len(each.pairs), project=project)]
    random = Random(order_seed(settings.SECRET_KEY, project.slug, run.seed, *map(_name_of, subjects)))
    alone = _control_hits(project, run, short, n_alone, controls, random)
    mixed = list(new)
    for each in alone:
        mixed.insert(random.randint(0, len(mixed)), each)
    Hit.objects.bulk_create([each.hit for each in mixed], batch_size=1000)
    items = [item for each in mixed for item in items_of(each.hit, each.pairs, each.controls)]
    HitItem.objects.bulk_create(items, batch_size=1000)
    of_run = {"project": project, "priority": run.parameters.get("priority", 0)}
    numbers = range(1, project.overlap + 1)
    slots = [Slot(hit=each.hit, root=each.hit, number=number, **of_run) for each in mixed for number in numbers]
    Slot.objects.bulk_create(slots, batch_size=1000)
    return Built(n_pairs=sum(len(each.pairs) for each in new), n_hits=len(new))


def _cut(
    project: Project, run: Run, side: str, subjects: Sequence[Image | Query], there: QuerySet[Hit]
) -> list[NewHit]:
    """The kept pairs that are in no HIT, in new HITs. Controls are not among them."""
    taken: dict[int, int] = dict(there.exclude(part=None).order_by().values_list(side).annotate(last=Max("part")))
    waiting = Candidate.objects.filter(WAITING)
    waiting = waiting.filter(query=None) if side == "image" else waiting
    pools: dict[int, dict[str, int]] = defaultdict(dict)
    for subject_id, key, pair in waiting.filter(**{f"{side}__in": subjects}).values_list(side, "key", "pk"):
        pools[subject_id][key] = pair
    new: list[NewHit] = []
    for subject in subjects:
        pool = pools[subject.pk]
        parts = cut_pool(sorted(pool), k=project.captions_per_hit, seed=run.seed, subject=_name_of(subject))
        for part, keys in enumerate(parts, start=taken.get(subject.pk, -1) + 1):
            hit = Hit(project=project, part=part, run=run, **{side: subject})
            new.append(NewHit(hit, [pool[key] for key in keys]))
    return new


def _name_of(subject: Image | Query) -> str:
    """The same in every database."""
    return subject.digest if isinstance(subject, Image) else subject.text


def _lock_idle(there: QuerySet[Hit]) -> list[Hit]:
    """Those of these HITs that nobody began or is just taking, with all of their slots locked."""
    unbegun = ~Exists(Assignment.objects.filter(root=OuterRef("pk")))
    locked = lock_idle_hits(there.filter(unbegun).order_by().values_list("pk", flat=True))
    n_slots = Counter(Slot.objects.filter(hit__in=locked).order_by().values_list("hit", flat=True))
    free = Slot.objects.filter(hit__in=locked, assignment=None).order_by("pk").select_for_update(skip_locked=True)
    n_free = Counter(free.values_list("hit", flat=True))
    idle = [hit for hit, n in n_slots.items() if n_free[hit] == n]
    return list(Hit.objects.filter(unbegun, pk__in=idle).select_related("image", "query").order_by("pk"))


def _deal_again(project: Project, hits: Sequence[Hit], controls: dict[Subject, list[Control]]) -> tuple[list[int], int]:
    """Other controls for HITs that nobody began; one of controls alone goes where a control is out of use.

    Gives the lengths of those that are too short for a control, and how many of controls alone are left.
    """
    short: list[int] = []
    n_alone = 0
    prefetch_related_objects(hits, Prefetch("items", HitItem.objects.order_by("position")))
    for hit in hits:
        pairs = [item.candidate_id for item in hit.items.all() if item.control_id is None]
        dealt = {item.control_id for item in hit.items.all()} - {None}
        there, n = controls[hit.side], len(pairs)
        if not n:
            is_usable = bool(project.control_rate) and dealt <= {control.pk for control in there}
            n_alone += is_usable
            if not is_usable:
                hit.delete()
            continue
        short += [n] if is_short(n, project=project) else []
        wanted = deal(hit, controls_on_top(n, rate=project.control_rate), project=project, there=there)
        if {control.pk for control in wanted} != dealt:
            HitItem.objects.filter(hit=hit, control__isnull=False).delete()
            HitItem.objects.bulk_create(items_of(hit, pairs, wanted)[n:])
    return short, n_alone


def _control_hits(
    project: Project,
    run: Run,
    short: Sequence[int],
    n_there: int,
    controls: dict[Subject, list[Control]],
    random: Random,
) -> list[NewHit]:
    """HITs of controls alone beside HITs of these lengths, so that `control_rate` of all are such. Each control stands
    in one of them; they are as long as the others, as far as an image or query has so many controls."""
    n_wanted = int(len(short) * share_alone(project) + draw_share(random.getrandbits(60))) - n_there
    here = [control for there in controls.values() for control in there]
    alone = HitItem.objects.filter(hit__project=project, hit__part=None, control__in=here)
    used = set(alone.order_by().values_list("control", flat=True))
    made: list[NewHit] = []
    subjects = sorted(controls, key=lambda subject: [each.candidate.key for each in controls[subject]])
    random.shuffle(subjects)
    for image, query in subjects if n_wanted > 0 else ():
        fresh = [control for control in controls[image, query] if control.pk not in used]
        while len(made) < n_wanted and (fitting := [size for size in short if size <= len(fresh)]):
            size = random.choice(fitting)
            hit = Hit(project=project, part=None, run=run, image_id=image, query_id=query)
            made.append(NewHit(hit, controls=fresh[:size]))
            fresh = fresh[size:]
    return made
