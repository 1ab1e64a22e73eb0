"""What a person may compare: this project's selection, a release of one of their projects, a file, or an upload."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from backend.catalogue.selectors import get_upload
from backend.common.errors import InvalidInput, NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.selectors import get_release
from backend.runs.import_roots import allowed_source

SELECTION, RELEASE, FILE, UPLOAD = "selection", "release", "file", "upload"
NO_DATASET = "{name} is not a dataset. Write selection, release:ID, file:PATH or upload:ID."
NO_RELEASE = "There is no release {name} in your projects. Choose another release."
NO_UPLOAD = "This upload does not exist in this project."


class DatasetName(NamedTuple):
    """`kind` is selection, release, file or upload; `place` is an ID or a path, empty for the selection."""

    kind: str
    place: str


def read_name(name: str) -> DatasetName:
    """Raises InvalidInput where `name` is none."""
    kind, _, place = name.strip().partition(":")
    if (kind == SELECTION and not place) or (kind == FILE and place):
        return DatasetName(kind, place)
    if kind in (RELEASE, UPLOAD):
        try:
            return DatasetName(kind, str(UUID(place)))
        except ValueError:
            pass
    raise InvalidInput(NO_DATASET, code="no_dataset", params={"name": name[:200]})


def allowed_dataset(name: str, project: Project, user: User) -> str:
    """The name as a run keeps it, for a person who may read that dataset. Raises InvalidInput."""
    kind, place = read_name(name)
    if kind == SELECTION:
        return SELECTION
    if kind == FILE:
        return f"{FILE}:{allowed_source(place, project.slug)}"
    try:
        if kind == RELEASE:
            get_release(user=user, release_id=UUID(place))
        else:
            get_upload(project=project, upload_id=UUID(place))
    except NotFound as error:
        if kind == RELEASE:
            raise InvalidInput(NO_RELEASE, code="no_such_release", params={"name": place}) from error
        raise InvalidInput(NO_UPLOAD, code="unknown_upload") from error
    return f"{kind}:{place}"
