"""The people of the demo: three accounts for visitors, and the simulated readers. None of them has a password."""

from __future__ import annotations

from django.db import transaction

from backend.common.errors import Conflict
from backend.people.demo import VISITORS
from backend.people.models import User
from backend.people.services import create_token
from backend.projects.models import Membership, Project, Role
from workers.demo.guidelines import TEXT
from workers.training.postcards.annotators import Profile

SLUG = "postcards"
READERS = {
    "reader-1": Profile.CAREFUL,
    "reader-2": Profile.CAREFUL,
    "reader-3": Profile.HASTY,
    "reader-4": Profile.TURNS_BAD,
}
NAMES_TAKEN = "People of this site have the names {names}. Set CONNOTE_DATA_DIR to a new folder for the demo."
OVERLAP = len(READERS) + 1  # one assignment of each task is left for the person who signs in as annotator


@transaction.atomic
def make_accounts() -> Project:
    """The demo's people and their project, empty at first.

    Raises Conflict where a name belongs to a person with a password, and the demo is not there yet.
    """
    roles = {name: Role(role) for role, name in VISITORS.items()} | dict.fromkeys(READERS, Role.ANNOTATOR)
    if not Project.objects.filter(slug=SLUG, memberships__user__username__in=READERS).exists():
        _refuse_taken(list(roles))
    people = {name: _person(name) for name in roles}
    details = {"name": "Postcards", "guidelines": TEXT, "overlap": OVERLAP, "created_by": people["curator"]}
    project, _ = Project.objects.get_or_create(slug=SLUG, defaults=details)
    for name, user in people.items():
        Membership.objects.get_or_create(project=project, user=user, defaults={"role": roles[name]})
    return project


def _refuse_taken(names: list[str]) -> None:
    taken = [user.username for user in User.objects.filter(username__in=names) if user.has_usable_password()]
    if taken:
        raise Conflict(NAMES_TAKEN.format(names=", ".join(sorted(taken))), code="names_taken")


def _person(name: str) -> User:
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": name == VISITORS["curator"]})
    if user.has_usable_password():  # an earlier demo gave its accounts one
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def token_of(name: str) -> str:
    """A fresh token of the person called `name`, good for a day; earlier ones of the demo end."""
    user = User.objects.get(username=name)
    user.api_tokens.filter(name="demo").delete()
    _, secret = create_token(user=user, name="demo", expires_in_days=1)
    return secret
