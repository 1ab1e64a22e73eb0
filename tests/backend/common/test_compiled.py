from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.annotation.models import Assignment
from backend.common.compiled import Compiled
from backend.people.models import User
from backend.projects.models import Membership, Project
from world import World, make_world

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

# The SQL asks for the name first, then for the project, and for the name again.
OTHERS = Compiled(
    lambda given: (
        User.objects.annotate(is_asked=Exists(User.objects.filter(username=given("name"), pk=OuterRef("pk"))))
        .filter(memberships__project=given("project"))
        .exclude(username=given("name"))
        .order_by("-username")
    )
)
ROLES = Compiled(
    lambda given: (
        Membership.objects.filter(user__in=given("users", many=True), project=given("project"))
        .exclude(role="100%")
        .order_by("user__username")
        .values_list("user__username", "role", "created_at")
    )
)
HELD = Compiled(
    lambda given: Assignment.objects.select_related("project__created_by", "hit__query").filter(
        pk=given("id"), leased_at__lte=given("now")
    )
)
SLUG = Compiled(lambda given: Project.objects.filter(pk=given("pk")).values_list("slug", flat=True))


def test_a_compiled_read_gives_what_its_queryset_gives(project: Project) -> None:
    World(project).people("ann", "ben")
    for name in ("ann", "ben", "nobody"):
        found = OTHERS.rows(project=project.pk, name=name)
        assert found == list(
            User.objects.filter(memberships__project=project).exclude(username=name).order_by("-username")
        )
        assert not any(vars(person)["is_asked"] for person in found)
    assert SLUG.rows(pk=project.pk) == [project.slug]
    assert SLUG.first(pk=0) is None
    with pytest.raises(KeyError):
        SLUG.rows()


def test_lists_come_as_one_value(project: Project) -> None:
    people = World(project).people("ann", "ben", "cleo")
    for some in ([], people[:1], people):
        same = Membership.objects.filter(user__in=some, project=project).order_by("user__username")
        ids = [person.pk for person in some]
        assert ROLES.rows(project=project.pk, users=ids) == list(
            same.values_list("user__username", "role", "created_at")
        )


def test_uuids_times_json_and_what_a_row_refers_to_come_as_in_the_queryset(project: Project, bob: User) -> None:
    world = make_world(project, images=1)
    assignment = world.turn(bob, 0, shown=[3, 1, 2])
    now = timezone.now()
    with CaptureQueriesContext(connection) as queries:
        found = HELD.first(id=assignment.pk, now=now)
        assert found is not None
        assert vars(found).keys() == vars(Assignment.objects.get(pk=assignment.pk)).keys()
        assert (found.pk, found.shown, found.leased_at) == (assignment.pk, [3, 1, 2], assignment.leased_at)
        assert (found.project.created_by, found.hit.query) == (project.created_by, None)
    assert len(queries) == 2
    assert HELD.rows(id=uuid4(), now=now) == HELD.rows(id=assignment.pk, now=now - timedelta(days=1)) == []


def test_it_is_compiled_once_and_sends_its_values_apart(project: Project) -> None:
    """Some hundred runs in a row also use the statement that PostgreSQL prepared."""
    SLUG.rows(pk=project.pk)
    compiled = SLUG.statements[connection.vendor]
    assert compiled.sql.count("%s") == len(compiled.values) == 1
    with transaction.atomic():
        assert {SLUG.first(pk=pk) for pk in (project.pk, 2**40, 1_000_000, 0) for _ in range(25)} == {
            project.slug,
            None,
        }
    assert SLUG.statements[connection.vendor] is compiled
