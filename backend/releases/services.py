"""Cutting a release: draft the files in a folder, keep them under their content's name, then make the rows at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction

from backend.common.errors import Conflict
from backend.methods.exports.changes import (
    FIRST,
    Side,
    compare_releases,
    larger_step,
    next_label,
    step_of,
    write_changelog,
)
from backend.projects.models import Project
from backend.releases import entries, full_reads, selectors, store
from backend.releases.bundle import Bundle, Difficulties, Draft, Panel
from backend.releases.manifest import describe_difficulty, make_manifest
from backend.releases.models import Release, ReleaseEntry, ReleaseFile
from backend.runs.models import Run
from backend.webhooks.models import WebhookEvent
from backend.webhooks.services import emit

ENTRIES = 500


class NothingChanged(Conflict):
    """Nothing changed. Version {version} has the same files."""

    code = "nothing_changed"


class Overtaken(Conflict):
    """Another release was made at the same time. Make the release again."""

    code = "release_overtaken"


class NothingToRelease(Conflict):
    """No image has selected captions yet. Run Select first."""

    code = "nothing_to_release"


def add_images(*, bundle: Bundle, project: Project, digests: Sequence[str], splits: Mapping[str, str]) -> None:
    """Write these images into the bundle, each with its split. Raises Outdated."""
    for image in selectors.list_released_images(project=project, digests=digests):
        bundle.add(replace(image, split=splits[image.digest]))


def add_everything(*, bundle: Bundle, project: Project, splits: Mapping[str, str]) -> None:
    """Write every caption and every judgment of the project into the bundle, but for what the curator leaves out."""
    bundle.add_everything(
        captions=full_reads.iterate_captions(project=project, splits=splits),
        standings=full_reads.read_standings(project=project),
    )


@dataclass
class Naming:
    """Names the version of a draft: what changed since the newest release, and the version that follows from it.

    `bump` can make the step larger: auto, patch, minor or major. `notes` are the curator's own words.
    """

    project: Project
    bump: str = "auto"
    notes: str = ""
    label: str = ""
    changes: dict[str, Any] = field(default_factory=dict)
    previous: Release | None = None

    def name(self, content: str, manifest: Mapping[str, Any], images: Path) -> tuple[str, str]:
        """The version and CHANGELOG.md. Raises NothingChanged where a release has this content."""
        refuse_twin(self.project, content)
        self.previous = selectors.get_newest(project=self.project)
        before = selectors.get_side(release=self.previous) if self.previous else None
        with images.open(encoding="utf-8") as lines:
            self.changes = compare_releases(before, Side("", "", manifest, map(json.loads, lines)))
        if self.previous is None:
            step, self.label = "first", FIRST
        else:
            step = larger_step(step_of(self.changes), self.bump)
            self.label = next_label(self.previous.label, step)
        self.changes |= {"step": step, "notes": self.notes}
        earlier = Release.objects.filter(project=self.project).order_by("-version").values_list("label", "changelog")
        return self.label, write_changelog([(self.label, self.changes), *earlier])


def finish_draft(*, bundle: Bundle, project: Project, naming: Naming) -> Draft:
    """The bundle closed, named and described. Raises NothingToRelease where it is empty, NothingChanged where it is a
    twin, MixedPanels where not all difficulties come from one panel."""
    if not bundle.counts["images"]:
        raise NothingToRelease()
    makers, difficulty = selectors.get_makers(project=project), _describe_difficulty(bundle)
    if difficulty is None:  # the last Difficulty run made nothing that is in here
        makers.pop("difficulty", None)
    choices = bundle.describe_choices()
    return bundle.finish(partial(_describe, project, makers, difficulty, choices, bundle.variants), naming.name)


def _describe_difficulty(bundle: Bundle) -> dict[str, Any] | None:
    found = bundle.difficulties
    asked = _panel_of(found)
    if asked is None:
        return None
    policy, panel = asked
    calibrations = selectors.get_calibrations(panel=panel)
    return describe_difficulty(
        policy=policy, panel=panel, calibrations=calibrations, categories=found.categories,
        n_images=bundle.counts["images"], n_drawn=bundle.n_drawn,
    )  # fmt: skip


def _panel_of(found: Difficulties) -> Panel | None:
    """The panel behind all rated captions; the unrated may lack some of its votes. Raises MixedPanels."""
    asked = found.panels or found.of_unrated
    if not asked:
        return None
    policy, panel = max(asked, key=lambda one: len(one[1]))
    are_parts = all(other == policy and set(members) <= set(panel) for other, members in found.of_unrated)
    if len(found.panels) > 1 or not are_parts:
        raise selectors.MixedPanels()
    return policy, panel


def _describe(
    project: Project,
    makers: Mapping[str, Run],
    difficulty: dict[str, Any] | None,
    choices: dict[str, Any] | None,
    variants: Counter[str],
    counts: Counter[str],
    licences: Counter[str],
) -> dict[str, object]:
    return make_manifest(
        project=project, makers=makers, counts=counts, licences=licences, difficulty=difficulty,
        quality_policy=selectors.get_quality_policy(project=project), choices=choices, variants=variants,
    )  # fmt: skip


def refuse_twin(project: Project, content: str) -> None:
    """Raises NothingChanged where a release of the project has this content."""
    twin = Release.objects.filter(project=project, content=content).first()
    if twin:
        raise NothingChanged(params={"version": twin.label}, details={"release": str(twin.pk)})


def keep_files(*, draft: Draft) -> dict[str, str]:
    """Store every file of the draft; storage name by file name. Doing it again stores nothing new."""
    return {made.name: store.keep_file(made) for made in draft.files}


@transaction.atomic
def publish_release(
    *, run: Run, draft: Draft, naming: Naming, stored: Mapping[str, str], formed_by: frozenset[UUID]
) -> Release:
    """Make the release with its files and entries, under the project's next version.

    Raises StillForming where a stage changed the content while it was read (`formed_by` are the runs before),
    Overtaken where another run was faster.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=run.project_id)
    if selectors.get_forming_runs(project=project) != formed_by:
        raise selectors.StillForming()
    newest = selectors.get_newest(project=project)
    if newest != naming.previous:
        raise Overtaken()
    release = Release(project=project, run=run, version=newest.version + 1 if newest else 1, created_by=run.started_by)
    release.label, release.changelog = naming.label, naming.changes
    release.digest, release.content, release.manifest = draft.digest, draft.content, draft.manifest
    for name in ("images", "captions", "judgments"):
        setattr(release, f"n_{name}", draft.counts[name])
    release.save(force_insert=True)
    ReleaseFile.objects.bulk_create(_files(release, draft, stored))
    for batch in _entries(release, draft.images):
        ReleaseEntry.objects.bulk_create(batch)
    entries.keep_captions(entries=chain.from_iterable(_entries(release, draft.images)), judgments=draft.judgments)
    emit(project=project, event=WebhookEvent.RELEASE_CREATED, data=_told(release))
    return release


def _told(release: Release) -> dict[str, Any]:
    counts = {name: getattr(release, name) for name in ("n_images", "n_captions", "n_judgments")}
    return {
        "release": release.pk,
        "version": release.version,
        "label": release.label,
        "digest": release.digest,
        **counts,
    }


def _files(release: Release, draft: Draft, stored: Mapping[str, str]) -> list[ReleaseFile]:
    return [
        ReleaseFile(
            release=release, name=made.name, n_bytes=made.n_bytes, sha256=made.sha256, stored_as=stored[made.name]
        )
        for made in draft.files
    ]


def _entries(release: Release, images: Path) -> Iterator[list[ReleaseEntry]]:
    """The lines of images.jsonl as rows, a few hundred at a time."""
    with images.open(encoding="utf-8") as lines:
        bodies = enumerate(map(json.loads, lines), start=1)
        rows = (ReleaseEntry(release=release, position=n, digest=body["digest"], body=body) for n, body in bodies)
        while batch := list(islice(rows, ENTRIES)):
            yield batch
