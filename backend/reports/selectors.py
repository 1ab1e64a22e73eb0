"""Reads over diversity reports, and over what can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from backend.annotation.selectors import has_work_left
from backend.common.errors import NotFound
from backend.curation.selectors import list_image_digests
from backend.methods.diversity import MEASURES
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.projects.selectors import projects_of
from backend.releases.models import Release
from backend.reports.dataset_names import RELEASE, SELECTION
from backend.reports.models import DiversityPart, DiversityReport
from backend.runs.models import Run

STAGE = "diversity"
COLUMNS = (
    "measure", "dataset", "name", "n", "n_missing", "mean", "low", "high", "deviation",
    "model", "model_digest", "layer",
)  # fmt: skip
IMAGE_COLUMNS = ("dataset", "name", "image", "n_captions", *MEASURES)


class NoReportYet(NotFound):
    """The run of this report is not finished. Wait until it ends."""

    code = "no_report_yet"


def list_reports(*, project: Project) -> QuerySet[Run]:
    """The runs of the stage, newest first; one that is over without an error has its report. There are few."""
    runs = Run.objects.filter(project=project, stage=STAGE).order_by("-created_at", "-id")
    return runs.select_related("diversity", "project", "started_by").defer("cursor", "log_tail")


def get_run(*, project: Project, run_id: UUID) -> Run:
    """One of them. Raises NotFound."""
    found = list_reports(project=project).filter(pk=run_id).first()
    if found is None:
        raise NotFound()
    return found


def get_body(*, project: Project, run_id: UUID) -> dict[str, Any]:
    """What a finished report says. Raises NotFound, and NoReportYet while it is not finished."""
    report: DiversityReport | None = getattr(get_run(project=project, run_id=run_id), "diversity", None)
    if report is None:
        raise NoReportYet()
    body: dict[str, Any] = report.body
    return body


def report_rows(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each measure and dataset, and one for each difference."""
    for measure in body["measures"]:
        told = {"measure": measure["measure"], "model": measure["model"], "model_digest": measure["digest"]}
        told["layer"] = measure["layer"]
        for at, (dataset, found) in enumerate(zip(body["datasets"], measure["datasets"], strict=True), start=1):
            yield told | {"dataset": at, "name": dataset["name"]} | found
        if found := measure["difference"]:
            empty = dict.fromkeys(("n_missing", "deviation"))
            values = {"mean": found["value"], "low": found["low"], "high": found["high"], "n": found["n"]}
            yield told | empty | {"dataset": "difference", "name": "first minus second"} | values


def image_rows(*, project: Project, run_id: UUID) -> Iterator[dict[str, Any]]:
    """A row for each image of each dataset, with all its values. Raises NotFound and NoReportYet at once."""
    datasets = get_body(project=project, run_id=run_id)["datasets"]
    parts = DiversityPart.objects.filter(run=run_id).order_by("dataset", "position")
    return (
        {"dataset": dataset + 1, "name": datasets[dataset]["name"]} | dict(zip(IMAGE_COLUMNS[2:], row, strict=True))
        for dataset, values in parts.values_list("dataset", "values").iterator()
        for row in values
    )


def list_datasets(*, user: User, project: Project) -> list[dict[str, Any]]:
    """What the user can compare without a file: the selection of this project, and releases of their projects."""
    n_selected = len(list_image_digests(project=project, status="selected"))
    found: list[dict[str, Any]] = []
    if n_selected:
        found.append({"name": SELECTION, "kind": SELECTION, "project": project.name, "version": None, "n": n_selected})
    as_annotator = Membership.objects.filter(project=OuterRef("project"), user=user, role=Role.ANNOTATOR)
    releases = Release.objects.filter(project__in=projects_of(user=user)).annotate(is_annotator=Exists(as_annotator))
    for release in releases.select_related("project").order_by("project__name", "-version"):
        if release.is_annotator and has_work_left(project_id=release.project_id):
            continue
        name = f"{RELEASE}:{release.pk}"
        shown = {"project": release.project.name, "version": release.version, "n": release.n_images}
        found.append({"name": name, "kind": RELEASE} | shown)
    return found
