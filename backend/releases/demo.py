"""The demo project: sixteen photographs walked to a release, with three HITs left for whoever comes to look.

The readers are simulated: they know which captions people wrote for a picture and which were borrowed from another, and
now and then they are unsure. They go through the same services as anybody's browser.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from backend.annotation.models import Hit, Label
from backend.annotation.services import Judged, lease_next, return_assignment, submit_assignment
from backend.candidates.models import Candidate
from backend.people.models import User
from backend.projects.models import Membership, Project, Role

SLUG = "photographs"
PHOTOGRAPHS = settings.BASE_DIR / "tests" / "data" / "photographs" / "photos.json"
ACCOUNTS = {"curator": Role.CURATOR, "head": Role.HEAD_ANNOTATOR, "annotator": Role.ANNOTATOR}
READERS = ("reader-1", "reader-2", "reader-3")
LEFT_FOR_VISITORS = 3
CHANCE_OF_UNSURE = 0.06
GUIDELINES = """\
Look at the photograph first, then read the sentence.

* **Good**: a person could say this of the picture, literally or not.
* **Bad**: something in it is wrong, or it belongs to another picture.
* **Unsure**: you would have to guess.

A small mistake of spelling does not make a sentence bad; a wrong animal, colour or number does.
"""


def make_accounts(*, password: str) -> Project:
    """The demo's people and their empty project; their password is `password` from now on."""
    people = {name: _person(name, password) for name in (*ACCOUNTS, *READERS)}
    details = {
        "name": "Photographs",
        "guidelines": GUIDELINES,
        "overlap": len(READERS),
        "created_by": people["curator"],
    }
    project, _ = Project.objects.get_or_create(slug=SLUG, defaults=details)
    for name, user in people.items():
        role = ACCOUNTS.get(name, Role.ANNOTATOR)
        Membership.objects.get_or_create(project=project, user=user, defaults={"role": role})
    return project


def _person(name: str, password: str) -> User:
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": name == "curator"})
    if name in ACCOUNTS:
        user.set_password(password)
    else:
        user.set_unusable_password()  # a simulated reader signs in nowhere
    user.save(update_fields=["password"])
    return user


def judge(*, project: Project, seed: int) -> Iterator[int]:
    """Let every reader judge every HIT but the last few. Yields how many captions each HIT held."""
    kept_back = set(
        Hit.objects.filter(project=project).order_by("-id").values_list("id", flat=True)[:LEFT_FOR_VISITORS]
    )
    for name in READERS:
        yield from _judge_as(User.objects.get(username=name), project, kept_back, random.Random(f"{seed} {name}"))


def _judge_as(reader: User, project: Project, kept_back: set[int], dice: random.Random) -> Iterator[int]:
    handed_back: set[int] = set()
    while shown := lease_next(project=project, annotator=reader).shown:
        assignment = shown.assignment
        if assignment.hit_id in kept_back:
            return_assignment(assignment=assignment)
            if assignment.hit_id in handed_back:
                return
            handed_back.add(assignment.hit_id)
            continue
        sources = Candidate.objects.in_bulk(assignment.shown)
        judged = [
            Judged(position, _opinion(sources[candidate_id].source, dice), ms=dice.randint(1200, 6000))
            for position, candidate_id in enumerate(assignment.shown, start=1)
        ]
        submit_assignment(assignment=assignment, judgments=judged, idempotency_key=str(assignment.pk))
        yield len(judged)


def _opinion(source: str, dice: random.Random) -> Label:
    if dice.random() < CHANCE_OF_UNSURE:
        return Label.UNSURE
    return Label.GOOD if source == "human" else Label.BAD


def photographs() -> Path:
    """The description of the pictures that the repository carries."""
    return Path(PHOTOGRAPHS)
