"""Controls that show themselves: to who has had their words, or their picture, where these belong, and to who has met
their picture as the control of another query.

Asked of one person who waits for a page (a condition), and of all people at once (to say how long the controls last).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef, Q

from backend.annotation.models import Assignment, Control, ControlMeeting, ControlOrigin, HitItem
from backend.candidates.models import OTHER_IMAGE
from backend.projects.models import Project


def words_seen(project: Any, annotator: Any) -> Q:
    """Borrowed captions that this person has had on the image they belong to."""
    had = Assignment.objects.filter(annotator=annotator, hit__image__project=project)
    return Q(Exists(had.filter(hit__image__key=OuterRef("candidate__source_ref"))), candidate__source=OTHER_IMAGE)


def picture_seen(project: Any, annotator: Any) -> Q:
    """Images that this person has had with the query they belong to, where they belong to one alone, or has met as a
    control before.

    What many queries ask of comes again anyway. What the stage has borrowed is kept from them all the same. A control
    is met once, whatever its query: whoever got one picture with each of twenty queries would know it for one.
    """
    homes = HitItem.objects.filter(candidate__image=OuterRef("candidate__image"), hit__project=project)
    is_of_many = Q(Exists(homes.order_by()[1:2]))
    had = Q(Exists(homes.filter(hit__assignments__annotator=annotator)))
    # Of other controls: so PostgreSQL goes from the image to these, and does not gather all that the person ever met.
    others = ControlMeeting.objects.filter(~Q(control=OuterRef("pk")), annotator=annotator)
    met = others.filter(control__candidate__image=OuterRef("candidate__image"))
    return Q(Exists(met)) | (had & (Q(origin=ControlOrigin.OTHER_IMAGE) | ~is_of_many))


def controls_seen(project: Project, controls: Collection[int]) -> defaultdict[int, set[int]]:
    """By person, which of these controls they may not have for either reason. Five statements."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for seen in (_by_words(project, controls), _by_picture(project, controls)):
        for user, control in seen:
            found[user].add(control)
    return found


def _by_words(project: Project, controls: Collection[int]) -> set[tuple[int, int]]:
    borrowed = Control.objects.filter(pk__in=controls, candidate__source=OTHER_IMAGE, candidate__query=None)
    homes: defaultdict[str, list[int]] = defaultdict(list)
    for control, key in borrowed.values_list("pk", "candidate__source_ref"):
        homes[key].append(control)
    turns = Assignment.objects.filter(project=project, hit__image__key__in=list(homes)).order_by()
    return {(user, one) for user, key in turns.values_list("annotator", "hit__image__key") for one in homes[key]}


def _by_picture(project: Project, controls: Collection[int]) -> set[tuple[int, int]]:
    of_queries = Control.objects.filter(pk__in=controls).exclude(candidate__query=None)
    pictures = list(of_queries.values_list("pk", "candidate__image", "origin"))
    images = {image for _, image, _ in pictures}
    items = HitItem.objects.filter(hit__project=project, candidate__image__in=images)
    homes, had = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for image, item, user in items.order_by().values_list("candidate__image", "pk", "hit__assignments__annotator"):
        homes[image].add(item)
        had[image] |= {user} - {None}
    kept = [(one, image) for one, image, origin in pictures if _is_kept(origin, len(homes[image]))]
    seen = {(user, one) for one, image in kept for user in had[image]}
    met = _met(images)
    return seen | {(user, one) for one, image, _ in pictures for user in met[image]}


def _met(images: Collection[int]) -> defaultdict[int, set[int]]:
    """Who met a control made of these images, by the image."""
    meetings = ControlMeeting.objects.filter(control__candidate__image__in=images).order_by()
    met: defaultdict[int, set[int]] = defaultdict(set)
    for image, user in meetings.values_list("control__candidate__image", "annotator"):
        met[image].add(user)
    return met


def _is_kept(origin: str, n_homes: int) -> bool:
    return origin == ControlOrigin.OTHER_IMAGE or n_homes == 1
