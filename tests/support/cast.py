"""The cast of every test: alice curates, dora heads the annotators, bob annotates, charlie must see nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from backend.people.models import User
from backend.projects.models import Membership, Project, Role

PASSWORD = "correct horse battery"
ROLES = {"alice": Role.CURATOR, "dora": Role.HEAD_ANNOTATOR, "bob": Role.ANNOTATOR}


@pytest.fixture(autouse=True)
def no_tries_counted_yet() -> None:
    """The counters behind the throttles outlive a test; the next one starts from none."""
    cache.clear()


is_kept = False  # whether the people and the project below are there already: see kept_worlds.py


def make_person(username: str, **fields: object) -> User:
    return User.objects.create_user(username, f"{username}@example.org", PASSWORD, **fields)


def make_project(*people: User) -> Project:
    """The project of alice, dora and bob."""
    alice = next(user for user in people if user.username == "alice")
    project = Project.objects.create(slug="skies", name="Skies", created_by=alice, overlap=2, captions_per_hit=3)
    for user in people:
        Membership.objects.create(project=project, user=user, role=ROLES[user.username])
    return project


def bob_and_dora() -> list[User]:
    """The two who judge in a kept world."""
    return [User.objects.get(username=name) for name in ("bob", "dora")]


@pytest.fixture
def make_user(db: None) -> Callable[..., User]:
    def make(username: str, **fields: object) -> User:
        kept = User.objects.filter(username=username).first() if is_kept else None
        return kept or make_person(username, **fields)

    return make


@pytest.fixture
def alice(make_user: Callable[..., User]) -> User:
    return make_user("alice", is_staff=True)


@pytest.fixture
def bob(make_user: Callable[..., User]) -> User:
    return make_user("bob")


@pytest.fixture
def dora(make_user: Callable[..., User]) -> User:
    return make_user("dora")


@pytest.fixture
def charlie(make_user: Callable[..., User], db: None) -> User:
    """Signed in, and curator of a project of his own, which gives him nothing here."""
    charlie = make_user("charlie")
    elsewhere = Project.objects.create(slug="elsewhere", name="Elsewhere", created_by=charlie)
    Membership.objects.create(project=elsewhere, user=charlie, role=Role.CURATOR)
    return charlie


@pytest.fixture
def project(alice: User, bob: User, dora: User) -> Project:
    if is_kept:
        return Project.objects.get(slug="skies")
    return make_project(alice, dora, bob)


@pytest.fixture
def client_of() -> Callable[[User | None], APIClient]:
    """A client signed in as somebody, or as nobody."""

    def make(user: User | None = None) -> APIClient:
        client = APIClient()
        if user is not None:
            client.force_login(user)
        return client

    return make
