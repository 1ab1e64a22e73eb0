from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Exists, F, OuterRef
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.common.compiled import CompiledRows, CompiledUpdate
from backend.people.models import ApiToken, User
from backend.projects.models import Membership, Project, Role
from backend.runs.models import Run
from world import World

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

MEMBERS = CompiledRows(
    lambda ask: (
        Membership.objects.filter(project=ask("project"), user__username=ask("name"))
        .order_by("id")
        .values_list("user__username", "role", "project__created_at")
    )
)
PEOPLE = CompiledRows(
    lambda ask: User.objects.filter(
        Exists(Membership.objects.filter(user=OuterRef("pk"), project=ask("project"), role="annotator")),
        is_active=True,
    ).order_by("-username")[:2]
)
OWN = CompiledRows(
    lambda ask: Membership.objects.select_related("user", "project__created_by").filter(user__username=ask("name"))
)
RUN = CompiledRows(lambda ask: Run.objects.filter(pk=ask("pk"), created_at__lt=ask("before")))
RENAME = CompiledUpdate(
    lambda ask: (Project.objects.filter(slug=ask("slug")), {"name": ask("name"), "version": F("version") + 1})
)
GIVEN_UP = CompiledUpdate(
    lambda ask: (Membership.objects.filter(project=ask("project"), role=ask("role")), {"role": Role.CURATOR}),
    returning=Exists(
        Membership.objects.filter(project=OuterRef("project"), role=Role.ANNOTATOR).exclude(user=OuterRef("user"))
    ),
)


def _people(project: Project, *names: str) -> None:
    for name in names:
        World(project).person(name)


def test_a_compiled_queryset_gives_what_the_queryset_gives(project: Project) -> None:
    _people(project, "ann", "ben")
    for name in ("ann", "ben", "nobody"):
        same = Membership.objects.filter(project=project, user__username=name)
        wanted = list(same.values_list("user__username", "role", "project__created_at"))
        assert MEMBERS.rows(project=project.pk, name=name) == wanted


def test_without_a_list_of_columns_rows_are_instances_that_can_be_saved(project: Project) -> None:
    _people(project, "ann", "zoe")
    found = PEOPLE.rows(project=project.pk)
    assert [person.username for person in found] == ["zoe", "bob"]
    found[0].display_name = "Zoë"
    found[0].save()
    assert User.objects.get(username="zoe").display_name == "Zoë"


def test_what_a_row_refers_to_comes_with_it(project: Project) -> None:
    _people(project, "ann")
    with CaptureQueriesContext(connection) as queries:
        found = OWN.first(name="ann")
        assert found is not None
        assert (found.user.username, found.project.slug) == ("ann", project.slug)
        assert found.project.created_by.username == "alice"
    assert len(queries) == 1


def test_uuids_moments_and_json_come_and_go_as_in_the_queryset(project: Project) -> None:
    run = Run.objects.create(project=project, stage="clean", parameters={"min_words": 3}, seed=1)
    later = timezone.now() + timedelta(hours=1)
    found = RUN.first(pk=run.pk, before=later)
    assert found is not None and found.pk == run.pk
    assert found.parameters == {"min_words": 3} and found.created_at == run.created_at
    assert RUN.first(pk=uuid4(), before=later) is None
    assert RUN.first(pk=run.pk, before=run.created_at) is None


def test_an_update_says_how_many_rows_it_changed(project: Project) -> None:
    assert RENAME.run(slug=project.slug, name="Anew") == 1
    assert RENAME.run(slug="no-such-project", name="Anew") == 0
    project.refresh_from_db()
    assert (project.name, project.version) == ("Anew", 2)


def test_an_update_gives_back_what_it_is_asked_of_each_row_it_changed(project: Project) -> None:
    Membership.objects.filter(project=project).delete()
    assert GIVEN_UP.returned(project=project.pk, role="annotator") == []
    _people(project, "ann")
    assert GIVEN_UP.returned(project=project.pk, role="annotator") == [False]
    assert set(Membership.objects.filter(project=project).values_list("role", flat=True)) == {Role.CURATOR}
    _people(project, "ben")
    assert GIVEN_UP.returned(project=project.pk, role="curator") == [True]
    assert GIVEN_UP.run(project=project.pk, role="annotator") == 1


def test_a_value_that_is_not_given_is_an_error(project: Project) -> None:
    with pytest.raises(KeyError):
        MEMBERS.rows(project=project.pk)


def test_quotes_and_percent_signs_in_values_stay_values(project: Project) -> None:
    RENAME.run(slug=project.slug, name="50% of 'it' %s")
    project.refresh_from_db()
    assert project.name == "50% of 'it' %s"


def test_a_statement_is_compiled_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def write(ask):  # type: ignore[no-untyped-def]
        written.append(1)
        return ApiToken.objects.filter(digest=ask("digest"))

    tokens = CompiledRows(write)
    with CaptureQueriesContext(connection) as queries:
        assert tokens.rows(digest="a") == tokens.rows(digest="b") == []
    assert len(written) == 1 and len(queries) == 2


@pytest.mark.postgres
def test_postgresql_plans_a_statement_once_and_constants_stand_in_its_text(project: Project) -> None:
    people = CompiledRows(lambda ask: Membership.objects.filter(role="annotator", project=ask("project")))
    for _ in range(3):
        people.rows(project=project.pk)
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        prepared = [statement for (statement,) in cursor.fetchall() if "projects_membership" in statement]
    assert len(prepared) == 1 and "'annotator'" in prepared[0] and "$1" in prepared[0]
