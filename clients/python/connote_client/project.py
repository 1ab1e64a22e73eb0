"""A project: images, imports, the annotator's work, answers, agreement, runs, exports and releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from connote_client.assignment import Assignment, Judge, NothingLeft, annotate
from connote_client.errors import NoSuchRelease
from connote_client.export import Export
from connote_client.progress import OnProgress
from connote_client.release import Release
from connote_client.rows import (
    Agreement,
    Annotator,
    AnnotatorByPseudonym,
    Counts,
    Image,
    Judgment,
    Upload,
    Withdrawal,
)
from connote_client.run import Run
from connote_client.site import Json, Site
from connote_client.uploads import send_files


class Project:
    """One project, as you may see it. `row` is the answer of the site about it."""

    def __init__(self, site: Site, row: Json) -> None:
        self._site, self.row = site, row
        self._path = f"/projects/{row['slug']}"

    def __repr__(self) -> str:
        return f"<Project {self.slug}>"

    @property
    def slug(self) -> str:
        return str(self.row["slug"])

    @property
    def name(self) -> str:
        return str(self.row["name"])

    @property
    def role(self) -> str:
        """Your role: curator, head_annotator or annotator."""
        return str(self.row["role"])

    @property
    def counts(self) -> Counts:
        found: Counts = self.row["counts"]
        return found

    def refresh(self) -> Project:
        """Ask the site for the newest state."""
        self.row = self._site.get(self._path)
        return self

    def change(self, **settings: Any) -> Project:
        """Change settings, for example `overlap=3`. Raises Conflict where somebody changed the project meanwhile."""
        self.row = self._site.ask("PATCH", self._path, json={"version": self.row["version"], **settings})
        return self

    # --- images and imports ---

    def images(self) -> Iterator[Image]:
        return self._site.rows(f"{self._path}/images")

    def image(self, image_id: int) -> Json:
        """One image with its notes. Curators also get the link of the original file."""
        found: Json = self._site.get(f"{self._path}/images/{image_id}")
        return found

    def upload(self, *sources: str | Path, progress: OnProgress | None = None) -> Upload:
        """Send files: images, or one .zip or .tar. A folder is sent as one .zip."""
        return send_files(self._site, f"{self._path}/uploads", sources, progress=progress)

    def import_images(
        self, *sources: str | Path, licence: str = "", layout: str = "auto", seed: int = 0, wait: bool = True,
        timeout: float | None = None, progress: OnProgress | None = None, **parameters: Any,
    ) -> Run:  # fmt: skip
        """Send files and import their images. `licence` is for images that name none, for example CC-BY-4.0.

        `run.refusals()` lists what was not imported, and why. Raises RunFailed and ApiError.
        """
        given = {"layout": layout, "default_licence": licence, **parameters}
        return self._import("import_images", sources, given, seed, wait, timeout, progress)

    def import_captions(
        self, *sources: str | Path, origin: str = "human", layout: str = "auto", seed: int = 0, wait: bool = True,
        timeout: float | None = None, progress: OnProgress | None = None, **parameters: Any,
    ) -> Run:  # fmt: skip
        """Send files and import their captions. `origin` says where the captions are from: human, web or another name.

        Raises RunFailed and ApiError.
        """
        given = {"layout": layout, "origin": origin, **parameters}
        return self._import("import_candidates", sources, given, seed, wait, timeout, progress)

    def _import(
        self, stage: str, sources: tuple[str | Path, ...], parameters: Json, seed: int, wait: bool,
        timeout: float | None, progress: OnProgress | None,
    ) -> Run:  # fmt: skip
        upload = self.upload(*sources, progress=progress)
        run = self.start(stage, seed=seed, upload=upload["id"], **parameters)
        return run.wait(timeout=timeout, progress=progress) if wait else run

    # --- runs ---

    def pipeline(self) -> list[Json]:
        """All stages with their settings, and whether each can start."""
        found: list[Json] = self._site.get(f"{self._path}/walk")["stages"]
        return found

    def runs(self) -> Iterator[Run]:
        """The runs of the project, newest first."""
        return (Run(self._site, row) for row in self._site.rows(f"{self._path}/runs"))

    def start(self, stage: str, *, seed: int = 0, **parameters: Any) -> Run:
        """Start a stage, for example `start("select", k=5)`. Call `wait()` on the result. For curators."""
        body = {"stage": stage, "seed": seed, "parameters": parameters}
        return Run(self._site, self._site.ask("POST", f"{self._path}/runs", json=body))

    # --- the work of an annotator ---

    def next(self, *, holding: Iterable[Assignment] = ()) -> Assignment | NothingLeft:
        """The assignment that you hold, or else the next one. With `holding` you get another one than these."""
        body = {"holding": [held.id for held in holding]}
        found = self._site.ask("POST", f"{self._path}/assignments/next", json=body, repeatable=True)
        if found["assignment"]:
            return Assignment(self._site, found["assignment"])
        return NothingLeft(str(found["reason"]))

    def annotate(self, judge: Judge) -> Iterator[Assignment]:
        """Take assignments and submit them until nothing is left. `judge(item, assignment)` gives a label, or a dict
        with `label` and more. Each submitted assignment is yielded, so that a loop can count and stop."""
        return annotate(self.next, judge)

    # --- answers and agreement ---

    def judgments(
        self, *, annotator: str | None = None, label: str | None = None, lens: str | None = None,
        image: str | None = None, since: datetime | str | None = None, until: datetime | str | None = None,
        counted: bool | None = None,
    ) -> Iterator[Judgment]:  # fmt: skip
        """Every answer by pseudonym, oldest first, without test questions. `annotator` is a pseudonym and `image` is a
        digest; `since` and `until` are times with a zone. For curators and head annotators."""
        return self._site.rows(
            f"{self._path}/judgments", annotator=annotator, label=label, lens=lens, image=image,
            since=_as_time(since), until=_as_time(until), counted=counted,
        )  # fmt: skip

    def annotators_by_pseudonym(self) -> Iterator[AnnotatorByPseudonym]:
        """The annotators as exports show them. For curators and head annotators."""
        return self._site.rows(f"{self._path}/judgments/annotators")

    def agreement(self, *, scope: str = "overall") -> Agreement:
        """Measures of agreement with intervals, of all pairs or by source, edit or day."""
        found: Agreement = self._site.get(f"{self._path}/agreement", scope=scope)
        return found

    def annotators(self) -> Iterator[Annotator]:
        """The annotators with their state and figures. For curators and head annotators."""
        return self._site.rows(f"{self._path}/annotators")

    # --- exports and releases ---

    def exports(self) -> Iterator[Export]:
        """The exports of the project, newest first."""
        return (Export(self._site, row) for row in self._site.rows(f"{self._path}/exports"))

    def export(
        self, what: str, *, format: str = "jsonl", release: Release | str | None = None,
        filter: Mapping[str, Any] | None = None, leave_out: Iterable[str] | None = None,
    ) -> Export:  # fmt: skip
        """Start an export of judgments, captions, annotators or agreement as jsonl, csv or parquet, of judgments also
        for other tools, or of a release in each of its formats. `download()` waits for it. `filter` has the names of
        the list; `leave_out` is what the rows do not show, by default the times of answers.

        For curators and head annotators. Raises Invalid.
        """
        body: Json = {"what": what, "format": format}
        if release is not None:
            body["release"] = release.id if isinstance(release, Release) else release
        if filter:
            body["filter"] = {
                name: _as_time(value) if isinstance(value, datetime) else value for name, value in filter.items()
            }
        if leave_out is not None:
            body["leave_out"] = list(leave_out)
        return Export(self._site, self._site.ask("POST", f"{self._path}/exports", json=body))

    def checklist(self) -> Json:
        """What to look at before a release: agreement, disputes, licences and more."""
        found: Json = self._site.get(f"{self._path}/releases/checklist")
        return found

    def withdraw(self, image: str, reason: str) -> Withdrawal:
        """Withdraw an image by its digest. Its picture goes, and the next release leaves it out. For curators."""
        body = {"image": image, "reason": reason}
        found: Withdrawal = self._site.ask("POST", f"{self._path}/withdrawals", json=body)
        return found

    def withdrawals(self) -> Iterator[Withdrawal]:
        """The withdrawn images, newest first. For curators and head annotators."""
        return self._site.rows(f"{self._path}/withdrawals")

    def releases(self) -> Iterator[Release]:
        """The releases, newest first."""
        return (Release(self._site, row) for row in self._site.rows(f"{self._path}/releases"))

    def release(self, version: str | int = "latest") -> Release:
        """The newest release, or the one with this version: 2, or "1.1.0". Raises NoSuchRelease."""
        for release in self.releases():
            if version == "latest" or str(version) in (str(release.version), release.label):
                return release
        raise NoSuchRelease(f"{self.slug} has no release {version}.", code="no_such_release")


def _as_time(time: datetime | str | None) -> str | None:
    return time.isoformat() if isinstance(time, datetime) else time
