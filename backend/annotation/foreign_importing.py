"""Judgments made elsewhere as judgments of a project: of its own pairs, by people who cannot sign in.

A foreign worker becomes a user without password and membership, named after project and worker, so that a second file
of the same worker finds them again and every table that knows annotators knows them too. What a worker said of the
pairs of a HIT is one assignment on a place of its own; what then is missing, or over, the HIT's settling sees to.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from backend.annotation.holding import hold_project, hold_standings
from backend.annotation.models import Assignment, AssignmentStatus, HitItem, Judgment, Label, Slot, Standing
from backend.annotation.settling import settle_hits
from backend.methods.assignment import order_seed
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Project

LABELS: dict[str, str] = {
    "good": "good", "bad": "bad", "unsure": "unsure", "relevant": "good", "non-relevant": "bad", "irrelevant": "bad",
    "yes": "good", "no": "bad", "true": "good", "false": "bad", "1": "good", "0": "bad",
}  # fmt: skip
BATCH = 1000
UPLOADED = 9  # Label Studio puts eight characters and a hyphen before the name of an uploaded file


@dataclass(frozen=True)
class Refused:
    """A judgment that was not taken, by its place in the file, and why."""

    where: str
    why: str


@dataclass
class Imported:
    """What a file came to: judgments stored, those that were there, by how many people, and those refused."""

    n_new: int = 0
    n_there: int = 0
    n_people: int = 0
    refused: list[Refused] = field(default_factory=list)


@dataclass(frozen=True)
class Found:
    """A judgment whose pair is known."""

    told: Told
    label: str
    item: HitItem


@transaction.atomic
def import_judgments(*, project: Project, told: Sequence[Told], labels: Mapping[str, str] | None = None) -> Imported:
    """Store what people said elsewhere of pairs that are in HITs. Importing the same again adds nothing.

    `labels` says which of ours theirs are, in small letters; by default `LABELS`. Pairs are found by their key, given
    as the task, or by image and text.
    """
    hold_project(project)
    outcome = Imported()
    usable = [each for each in told if _keep(each, labels or LABELS, outcome)]
    found = _found(project, usable, labels or LABELS, outcome)
    people = {worker: _person(project, worker) for worker in sorted({each.told.worker for each in found})}
    _hold(project, people.values())
    fresh = _fresh(found, people, outcome)
    hits: dict[tuple[int, str], list[Found]] = defaultdict(list)
    for each in fresh:
        hits[each.item.hit_id, each.told.worker].append(each)
    for (hit_id, worker), said in hits.items():
        _store(project, hit_id, people[worker], said)
    settle_hits(project=project, hits={hit_id for hit_id, _ in hits})
    outcome.n_new, outcome.n_people = len(fresh), len(people)
    return outcome


def _keep(told: Told, labels: Mapping[str, str], outcome: Imported) -> bool:
    why = told.why_not
    if told.is_gold:
        why = "It is marked as ground truth: make it a control instead."
    elif not why and not told.worker:
        why = "It does not say who judged."
    elif not why and _plain(told.label) not in labels:
        why = f"The label {told.label!r} is none of {', '.join(sorted(labels))}."
    if why:
        outcome.refused.append(Refused(told.where, why))
    return not why


def _plain(label: str) -> str:
    return label.strip().casefold()


def _found(project: Project, told: Sequence[Told], labels: Mapping[str, str], outcome: Imported) -> list[Found]:
    """Each judgment's pair, in a HIT. Two by one person on one pair: the first is taken."""
    by_key = _items_by_key(project, {each.task for each in told})
    by_text = _items_by_text(project, {name for each in told for name in _names(each.image)})
    found: list[Found] = []
    first: dict[tuple[int, str], str] = {}
    for each in told:
        item = by_key.get(each.task) or next(
            filter(None, (by_text.get((n, each.text)) for n in _names(each.image))), None
        )
        if item is None:
            why = "No pair that stands in a HIT of this project has this key, or this image and text."
        elif (item.candidate_id, each.worker) in first:
            why = f"This person judged the pair before, at {first[item.candidate_id, each.worker]}."
        else:
            first[item.candidate_id, each.worker] = each.where
            found.append(Found(each, labels[_plain(each.label)], item))
            continue
        outcome.refused.append(Refused(each.where, why))
    return found


def _items_by_key(project: Project, keys: Iterable[str]) -> dict[str, HitItem]:
    items = HitItem.objects.filter(hit__project=project).select_related("candidate")
    return {item.candidate.key: item for part in _parts(keys) for item in items.filter(candidate__key__in=part)}


def _items_by_text(project: Project, images: Iterable[str]) -> dict[tuple[str, str], HitItem]:
    """By the image's key with the text as cleaned, and as imported where that is another."""
    items = HitItem.objects.filter(hit__project=project).select_related("candidate__image").order_by("pk")
    found: dict[tuple[str, str], HitItem] = {}
    for part in _parts(images):
        for item in items.filter(candidate__image__key__in=part):
            pair = item.candidate
            for text in (pair.text, pair.raw_text):
                found.setdefault((pair.image.key, text), item)
    return found


def _parts(names: Iterable[str]) -> list[list[str]]:
    told = sorted(name for name in set(names) if name)
    return [told[first : first + BATCH] for first in range(0, len(told), BATCH)]


def _names(image: str) -> tuple[str, ...]:
    """What the image may be called here: as told, its file's name, and that without Label Studio's prefix."""
    name = PurePosixPath(unquote(urlsplit(image).path)).name
    return (image, name, name[UPLOADED:] if name[UPLOADED - 1 : UPLOADED] == "-" else name)


def _person(project: Project, worker: str) -> User:
    """A user who stands for the worker and cannot sign in."""
    digest = hashlib.sha256(f"{project.slug}\n{worker}".encode()).hexdigest()
    user, is_new = User.objects.get_or_create(
        username=f"foreign-{digest[:20]}", defaults={"display_name": worker[:80], "is_active": False}
    )
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def _hold(project: Project, people: Iterable[User]) -> None:
    """Their standings, made in one order and held by id, not in that of the file."""
    users = sorted(user.pk for user in people)
    new = [Standing(project=project, user_id=user) for user in users]
    Standing.objects.bulk_create(new, ignore_conflicts=True, batch_size=1000)
    hold_standings(project, users)


def _fresh(found: Sequence[Found], people: Mapping[str, User], outcome: Imported) -> list[Found]:
    """Those that are not there yet; what is there with another label is refused, as judgments never change."""
    mine = Judgment.objects.filter(annotator__in=[user.pk for user in people.values()], supersedes=None).order_by()
    there = {(user, pair): label for user, pair, label in mine.values_list("annotator", "candidate", "label")}
    fresh = []
    for each in found:
        before = there.get((people[each.told.worker].pk, each.item.candidate_id))
        if before is None:
            fresh.append(each)
        elif before == each.label:
            outcome.n_there += 1
        else:
            outcome.refused.append(Refused(each.told.where, f"It was imported before as {before}, and that stands."))
    return fresh


def _store(project: Project, hit_id: int, person: User, said: Sequence[Found]) -> None:
    turn = _turn(project, hit_id, person)
    first = len(turn.shown) + 1
    turn.shown = [*turn.shown, *(each.item.candidate_id for each in said)]
    turn.save(update_fields=["shown"])
    Judgment.objects.bulk_create(
        Judgment(
            assignment=turn,
            candidate_id=each.item.candidate_id,
            annotator=person,
            label=Label(each.label),
            position=position,
        )
        for position, each in enumerate(said, start=first)
    )


def _turn(project: Project, hit_id: int, person: User) -> Assignment:
    """The person's turn at the HIT; a new one gets a place beside those there are."""
    now = timezone.now()
    values = {"seed": order_seed("foreign", project.slug, hit_id, person.username), "shown": [], "submitted_at": now}
    turn, is_new = Assignment.objects.get_or_create(
        hit_id=hit_id,
        annotator=person,
        defaults={
            **values, "project": project, "status": AssignmentStatus.SUBMITTED, "leased_at": now, "expires_at": now,
        },
    )  # fmt: skip
    if is_new:
        last = Slot.objects.filter(hit=hit_id).aggregate(last=Max("number"))["last"] or 0
        Slot.objects.create(project=project, hit_id=hit_id, number=last + 1, assignment=turn)
        Standing.objects.filter(project=project, user=person).update(n_submitted=F("n_submitted") + 1)
    return turn
