"""Reads of results: for every member who may see the release that they are of."""

from __future__ import annotations

from uuid import UUID

import pyarrow as pa
from django.core.files.storage import default_storage
from django.db.models import QuerySet

from backend.benchmarks.models import Evaluation, PublishedTable
from backend.common.errors import Conflict, NotFound
from backend.methods.benchmarks.per_query import read_table
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import belonging, check_standing
from backend.releases import selectors as releases
from backend.releases.models import Release


class NoRanks(Conflict):
    """This result has no ranks of its queries. Import it again with its per_query.parquet."""

    code = "no_ranks"


def get_release(*, user: User, slug: str, release_id: UUID) -> Release:
    """A release of the project that the user may see. Raises NotFound, or StillJudged to those who may be judging."""
    project = belonging(user=user, slug=slug)
    release = releases.get_release(user=user, release_id=release_id)
    if release.project_id != project.pk:
        raise NotFound()
    return release


def list_evaluations(*, release: Release, task: str) -> QuerySet[Evaluation]:
    """The results of a task on a release, oldest first."""
    found = Evaluation.objects.filter(release=release, task=task).select_related("created_by")
    return found.order_by("created_at", "id")


def get_evaluation(*, user: User, evaluation_id: UUID, may_change: bool = False) -> Evaluation:
    """A result on a release that the user may see; with `may_change`, for curators alone.

    Raises NotFound, NotAllowed, or StillJudged to those who may be judging.
    """
    found = Evaluation.objects.select_related("created_by").filter(pk=evaluation_id).first()
    if found is None:
        raise NotFound()
    found.release = releases.get_release(user=user, release_id=found.release_id)
    if may_change:
        check_standing(user=user, project_id=found.release.project_id, may_change=True)
    return found


def get_table(*, evaluation: Evaluation) -> pa.Table:
    """The ranks or scores of a result, by query. Raises NoRanks where there are none."""
    if not evaluation.stored_as:
        raise NoRanks()
    with default_storage.open(evaluation.stored_as) as file:
        return read_table(file, evaluation.task)


def list_published(*, project: Project) -> QuerySet[PublishedTable]:
    """The published tables of a project, by name."""
    return PublishedTable.objects.filter(project=project).order_by("name", "id")


def get_published(*, user: User, table_id: UUID) -> PublishedTable:
    """A published table of a project that the user curates. Raises NotFound, NotAllowed."""
    found: PublishedTable | None = PublishedTable.objects.select_related("project").filter(pk=table_id).first()
    if found is None:
        raise NotFound()
    check_standing(user=user, project_id=found.project_id, may_change=True)
    return found
