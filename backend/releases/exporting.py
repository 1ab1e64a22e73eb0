"""Exports: a release in the layout of another tool, made from its frozen entries and files.

An export is written beside its place and moved there when it is complete, so that a killed export leaves no half one
under its name.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.storage import default_storage

from backend.catalogue.models import Image
from backend.common.errors import Conflict, InvalidInput
from backend.methods.exports.coco import write_coco
from backend.methods.exports.croissant import describe_parquet
from backend.methods.exports.hub_card import head_of_card, write_benchmark
from backend.methods.exports.hub_parquet import write_hub_parquet
from backend.methods.exports.judged import (
    Judged,
    read_judged,
    write_conqa,
    write_crowd_kit,
    write_label_studio,
)
from backend.methods.exports.karpathy import write_karpathy
from backend.methods.exports.pictures import Picture
from backend.methods.exports.webdataset import describe_samples, write_webdataset
from backend.methods.licences import parse_licence
from backend.releases import selectors, store
from backend.releases.bundle import write_sums
from backend.releases.card import write_card
from backend.releases.entries import EVERYTHING, EntryFilter, list_entries, list_fitting
from backend.releases.models import Release, ReleaseEntry

BATCH = 200
TABLES = ("candidates.parquet", "judgments.parquet")
CARRIED = ("README.md", "ATTRIBUTION.csv", "manifest.json", "CITATION.cff")  # beside the files of every format


class NotEmpty(Conflict):
    """The folder {folder} is there already. Choose a new folder."""

    code = "folder_not_empty"


class NoJudgments(Conflict):
    """Version {version} is older than this format. Make a new release first."""

    code = "no_judgments_in_release"


class UnfitFilter(InvalidInput):
    """This format has all captions and all answers. Remove the filter, or choose another format."""

    code = "unfit_filter"


@dataclass(frozen=True)
class Source:
    """The release that an export is of, the captions that it has, and what is called for each image or caption."""

    release: Release
    asked: EntryFilter = EVERYTHING
    tick: Callable[[], object] = int

    def list_lines(self) -> Iterator[ReleaseEntry]:
        """The images in their order, each with its captions that fit the filter alone."""
        entries = list_entries(release=self.release, asked=self.asked).iterator(chunk_size=BATCH)
        while batch := list(islice(entries, BATCH)):
            fitting = list_fitting(release=self.release, entries=batch, asked=self.asked)
            for entry in batch:
                self.tick()
                if fitting is not None:
                    captions = [one for one in entry.body["captions"] if (entry.position, one["key"]) in fitting]
                    entry.body = entry.body | {"captions": captions}
                yield entry

    def list_pictures(self) -> Iterator[Picture]:
        """The same with their bytes. An image that left the project has no bytes any more."""
        lines = self.list_lines()
        while batch := list(islice(lines, BATCH)):
            digests = [entry.digest for entry in batch]
            there = selectors.get_images_by_digest(project_id=self.release.project_id, digests=digests)
            yield from (_picture(entry, there.get(entry.digest)) for entry in batch)


def _picture(entry: ReleaseEntry, image: Image | None) -> Picture:
    def read() -> bytes | None:
        try:
            if image is None:
                return None
            with default_storage.open(image.original) as file:
                data: bytes = file.read()
                return data
        except FileNotFoundError:
            return None

    return Picture(entry.body, read)


def _files(source: Source, folder: Path) -> None:
    for file in source.release.files.all():
        source.tick()
        store.copy_file(file.stored_as, folder / file.name)


def _parquet(source: Source, folder: Path) -> None:
    release = source.release
    paths = write_hub_parquet(folder, source.list_pictures())
    splits = dict.fromkeys(path.name.partition("-")[0] for path in paths)
    if "test" in splits:
        (folder / "eval.yaml").write_text(write_benchmark(release.manifest), encoding="utf-8", newline="")
    card = head_of_card(release.manifest, splits) + write_card(release.manifest)
    (folder / "README.md").write_text(card, encoding="utf-8", newline="")
    told = describe_parquet(release.manifest, version=release.label, published=release.created_at.date().isoformat())
    text = json.dumps(told, ensure_ascii=False, indent=2) + "\n"
    (folder / "croissant.json").write_text(text, encoding="utf-8", newline="")


def _webdataset(source: Source, folder: Path) -> None:
    """The tar files, and a card whose head tells `datasets` their columns: images of several kinds are several."""
    manifest, endings = source.release.manifest, set[str]()

    def pictures() -> Iterator[Picture]:
        for picture in source.list_pictures():
            endings.add(picture.ending)
            yield picture

    paths = write_webdataset(folder, pictures())
    splits = dict.fromkeys(path.name.partition("-")[0] for path in paths if path.suffix == ".tar")
    head = head_of_card(manifest, splits, files="{split}-*.tar", features=describe_samples(endings))
    (folder / "README.md").write_text(head + write_card(manifest), encoding="utf-8", newline="")


def _coco(source: Source, folder: Path) -> None:
    release = source.release
    codes = release.manifest["licences"]
    licences = [(code, known.url if (known := parse_licence(code)) else "") for code in codes]
    write_coco(folder, source.list_pictures(), name=_name(release), version=release.label, licences=licences)


def _karpathy(source: Source, folder: Path) -> None:
    write_karpathy(folder, source.list_pictures(), name=_name(source.release))


def _label_studio(source: Source, folder: Path) -> None:
    with _judged(source) as judged:
        write_label_studio(folder, judged)


def _crowd_kit(source: Source, folder: Path) -> None:
    with _judged(source) as judged:
        write_crowd_kit(folder, judged)


def _conqa(source: Source, folder: Path) -> None:
    with _judged(source) as judged:
        write_conqa(folder, judged)


@contextmanager
def _judged(source: Source) -> Iterator[Iterator[Judged]]:
    """Every caption with its judgments. Raises NoJudgments."""
    release = source.release
    stored = {file.name: file.stored_as for file in release.files.filter(name__in=TABLES)}
    if set(stored) != set(TABLES):
        raise NoJudgments(params={"version": release.label})
    with TemporaryDirectory(prefix="connote-export-") as copies:
        for name in TABLES:
            store.copy_file(stored[name], Path(copies) / name)
        yield _ticking(source.tick, read_judged(*(Path(copies) / name for name in TABLES)))


def _ticking(tick: Callable[[], object], judged: Iterable[Judged]) -> Iterator[Judged]:
    for each in judged:
        tick()
        yield each


def _name(release: Release) -> str:
    return str(release.manifest["project"]["name"])


FORMATS: dict[str, Callable[[Source, Path], None]] = {
    "files": _files,
    "parquet": _parquet,
    "webdataset": _webdataset,
    "coco": _coco,
    "karpathy": _karpathy,
    "label-studio": _label_studio,
    "crowd-kit": _crowd_kit,
    "conqa": _conqa,
}
WITH_FILTER = ("parquet", "webdataset", "coco", "karpathy")


def export_release(
    *,
    release: Release,
    format: str,
    folder: Path,
    asked: EntryFilter = EVERYTHING,
    tick: Callable[[], object] = int,
) -> Sequence[Path]:
    """Write the release in `format` into the new `folder`, or what the filter leaves of it. Returns its files by name.

    `tick` is called for each image, caption or file, and may raise to stop. Raises InvalidInput for an unknown format,
    UnfitFilter for one that takes no filter, NotEmpty where the folder is there.
    """
    if format not in FORMATS:
        raise InvalidInput(
            "The format must be one of: {formats}.", code="unknown_export", params={"formats": ", ".join(FORMATS)}
        )
    if asked.condition() and format not in WITH_FILTER:
        raise UnfitFilter()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotEmpty(params={"folder": folder.name})
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        FORMATS[format](Source(release, asked, tick), part)
        if format != "files":
            _carry(release, part)
        if folder.is_dir():
            folder.rmdir()
        part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _carry(release: Release, folder: Path) -> None:
    """What a copy of the data needs beside it: the card, the credits, and checksums of everything."""
    for file in release.files.filter(name__in=CARRIED):
        if not (folder / file.name).exists():
            store.copy_file(file.stored_as, folder / file.name)
    write_sums(folder)
