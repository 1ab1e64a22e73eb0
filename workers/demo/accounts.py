"""The people of the demo: three accounts for visitors, and the simulated readers, who hold tokens and no password."""

from __future__ import annotations

from django.db import transaction

from backend.people.models import User
from backend.people.services import create_token
from backend.projects.models import Membership, Project, Role
from workers.training.postcards.annotators import Profile

SLUG = "postcards"
VISITORS = {"curator": Role.CURATOR, "head": Role.HEAD_ANNOTATOR, "annotator": Role.ANNOTATOR}
READERS = {
    "reader-1": Profile.CAREFUL,
    "reader-2": Profile.CAREFUL,
    "reader-3": Profile.HASTY,
    "reader-4": Profile.TURNS_BAD,
}
OVERLAP = len(READERS) + 1  # one place of each HIT is left for whoever signs in as annotator
GUIDELINES = """\
Look at the picture first, then read the sentence.

* **Good**: a person could say this of the picture, literally or not.
* **Bad**: something in it is wrong, or it belongs to another picture.
* **Unsure**: you would have to guess.

A small mistake of spelling does not make a sentence bad; a wrong animal, colour or number does.
"""


@transaction.atomic
def make_accounts(*, password: str) -> Project:
    """The demo's people and their project, empty at first; the visitors' password is `password` from now on."""
    people = {name: _person(name, password) for name in (*VISITORS, *READERS)}
    details = {"name": "Postcards", "guidelines": GUIDELINES, "overlap": OVERLAP, "created_by": people["curator"]}
    project, _ = Project.objects.get_or_create(slug=SLUG, defaults=details)
    for name, user in people.items():
        role = VISITORS.get(name, Role.ANNOTATOR)
        Membership.objects.get_or_create(project=project, user=user, defaults={"role": role})
    return project


def _person(name: str, password: str) -> User:
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": name == "curator"})
    if name in VISITORS:
        user.set_password(password)
    else:
        user.set_unusable_password()  # a simulated reader signs in nowhere
    user.save(update_fields=["password"])
    return user


def token_of(name: str) -> str:
    """A fresh token of the person called `name`, good for a day; earlier ones of the demo end."""
    user = User.objects.get(username=name)
    user.api_tokens.filter(name="demo").delete()
    _, secret = create_token(user=user, name="demo", expires_in_days=1)
    return secret
