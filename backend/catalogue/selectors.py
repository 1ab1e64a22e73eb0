"""Reads over images and uploads; those over samples are in sampling.py, over corpora in corpora_reads.py."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, QuerySet

from backend.catalogue.models import Image, Sample, SamplePoint, Upload
from backend.catalogue.sources import Source, open_source
from backend.catalogue.storage import WITHDRAWN
from backend.common.errors import InvalidInput, NotFound
from backend.projects.models import Project
from backend.runs.models import Run

ONE_OF_TWO = "Choose either a source on the server or an upload."


def list_images(*, project: Project) -> QuerySet[Image]:
    """A project's images, oldest first."""
    return Image.objects.filter(project=project).order_by("id")


def get_image(*, project: Project, image_id: int) -> Image:
    """One image of the project. Raises NotFound for ids that are not in it."""
    found = list_images(project=project).filter(pk=image_id).first()
    if found is None:
        raise NotFound()
    return found


def target_images(*, project: Project) -> QuerySet[Image]:
    """The images that later stages work on: those picked by the sample in force, or all where none is. By digest.

    An image that is in a HIT stays in it, picked or not; who builds on HITs adds those.
    """
    in_force = Sample.objects.filter(project=project, in_force_since__isnull=False)
    picked = SamplePoint.objects.filter(sample__in=in_force, image=OuterRef("pk"), position__isnull=False)
    images = Image.objects.filter(~Exists(in_force) | Exists(picked), project=project)
    return images.exclude(original__startswith=WITHDRAWN).order_by("digest")


def all_targets(project_ids: Collection[int]) -> QuerySet[Image]:
    """The target images of several projects, in no order."""
    in_force = Sample.objects.filter(project=OuterRef("project"), in_force_since__isnull=False)
    picked = SamplePoint.objects.filter(
        sample__project=OuterRef("project"),
        sample__in_force_since__isnull=False,
        image=OuterRef("pk"),
        position__isnull=False,
    )
    images = Image.objects.filter(~Exists(in_force) | Exists(picked), project__in=project_ids)
    return images.exclude(original__startswith=WITHDRAWN).order_by()


def get_digests(*, project: Project, keys: Collection[str]) -> dict[str, str]:
    """Digests of the project's images by the ids their sources gave them."""
    return dict(Image.objects.filter(project=project, key__in=keys).values_list("key", "digest"))


def count_images(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The counter `images` of each project."""
    rows = Image.objects.filter(project__in=project_ids).values_list("project").annotate(n=Count("id"))
    counted = dict(rows)
    return {project_id: {"images": counted.get(project_id, 0)} for project_id in project_ids}


def get_upload(*, project: Project, upload_id: UUID) -> Upload:
    """One upload of the project. Raises NotFound for ids that are not in it."""
    found = Upload.objects.filter(project=project, pk=upload_id).first()
    if found is None:
        raise NotFound()
    return found


def upload_folder(upload_id: UUID | str) -> Path:
    """Where an upload's files lie."""
    return Path(settings.DATA_DIR) / "uploads" / str(upload_id)


def open_source_of(*, run: Run) -> Source:
    """What an import run reads: its `source` or its `upload`, in the layout it names.

    Raises InvalidInput where it names neither or both, or an upload that is not the project's, and SourceUnreadable
    where nothing can be read there.
    """
    return open_source(
        source_path(run=run),
        run.parameters.get("layout", "auto"),
        columns=columns_of(run.parameters.get("columns", "")),
    )


def columns_of(names: str) -> tuple[str, ...]:
    """The names of the columns of a table without a header, as people write them: with commas between them."""
    return tuple(name.strip() for name in names.split(",")) if names.strip() else ()


def source_path(*, run: Run) -> Path:
    """Where an import run reads. Raises InvalidInput as `open_source_of`."""
    source, upload = run.parameters.get("source", ""), run.parameters.get("upload", "")
    if bool(source) == bool(upload):
        raise InvalidInput(ONE_OF_TWO, code="source_or_upload")
    return Path(source) if source else _folder_of(run.project, upload)


def _folder_of(project: Project, upload: str) -> Path:
    try:
        found = Upload.objects.filter(project=project, pk=UUID(upload)).first()
    except ValueError:
        found = None
    if found is None:
        raise InvalidInput("This upload does not exist in this project.", code="unknown_upload")
    return upload_folder(found.pk)
