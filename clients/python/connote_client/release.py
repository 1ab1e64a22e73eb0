"""A release: its files, its entries, and the same as a table, as `datasets` or for torch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from connote_client.errors import NotAllowed, NotFound
from connote_client.export import Export
from connote_client.files import download, safe_name
from connote_client.pictures import SIZES, fetch_pictures, picture_path, unpack_originals
from connote_client.progress import OnProgress
from connote_client.rows import Entry, ReleaseFile
from connote_client.site import Json, Site

if TYPE_CHECKING:
    import datasets
    import pandas

    from connote_client.torch_images import ReleaseImages

SPLITS = ("train", "validation", "test")
IMAGES = "images.jsonl"


class Release:
    """A fixed version of the dataset. It never changes, so that a file is downloaded once and kept in the cache."""

    def __init__(self, site: Site, row: Json, *, path: str = "") -> None:
        self._site, self.row = site, row
        self._path = path or f"/releases/{row['id']}"
        self._checked: dict[str, Path] = {}  # files of the cache whose checksum was right

    def __repr__(self) -> str:
        return f"<Release {self.label}: {self.n_images} images, {self.n_captions} captions>"

    def __enter__(self) -> Release:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, where no `Client` does: for a release of `Client.public`."""
        self._site.close()

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def version(self) -> int:
        """1 for the first release of the project, 2 for the next."""
        return int(self.row["version"])

    @property
    def label(self) -> str:
        """The semantic version, for example 1.2.0."""
        return str(self.row["label"])

    @property
    def digest(self) -> str:
        """The SHA-256 over the checksums of all files: the same for the same content."""
        return str(self.row["digest"])

    @property
    def n_images(self) -> int:
        return int(self.row["n_images"])

    @property
    def n_captions(self) -> int:
        return int(self.row["n_captions"])

    @property
    def files(self) -> list[ReleaseFile]:
        found: list[ReleaseFile] = self.row["files"]
        return found

    @property
    def manifest(self) -> dict[str, Any]:
        """Settings, seeds, models and counts."""
        if "manifest" not in self.row:
            self.refresh()
        return dict(self.row["manifest"])

    def refresh(self) -> Release:
        """Ask the site for the whole row: with the manifest, and what is public."""
        self.row = self._site.get(self._path)
        return self

    def publish(self, *, is_indexable: bool = False, despite_work: bool = False) -> str:
        """Open the public page and return its link. `is_indexable` lets search engines list it. For curators.

        Raises Conflict while annotators have tasks, because the release shows them test questions. With
        `despite_work` the page opens nevertheless.
        """
        body = {"is_indexable": is_indexable, "despite_work": despite_work}
        return str(self._site.ask("POST", f"{self._path}/link", json=body, repeatable=True)["url"])

    def unpublish(self) -> None:
        """Close the public page for ever. For curators."""
        self._site.ask("DELETE", f"{self._path}/link")

    def figures(self) -> Json:
        """Counts of labels, sources, difficulty, agreement and more."""
        found: Json = self._site.get(f"{self._path}/figures")
        return found

    def changes(self, against: Release | str | None = None) -> Json:
        """The difference to another release of the project, without one to the release before."""
        other = against.id if isinstance(against, Release) else against
        found: Json = self._site.get(f"{self._path}/changes", against=other)
        return found

    def caption(self, key: str) -> Json:
        """Where a caption is from, what was done to it, and each answer on it. `key` is as in captions.jsonl."""
        found: Json = self._site.get(f"{self._path}/captions/{key}")
        return found

    def image(self, digest: str) -> Json:
        """One image with its captions."""
        found: Json = self._site.get(f"{self._path}/images/{digest}")
        return found

    def entries(
        self, *, difficulty: str | None = None, lens: str | None = None, source: str | None = None,
        split: str | None = None, min_agreement: float | None = None,
    ) -> Iterator[Entry]:  # fmt: skip
        """The images of the release, each with its captions and links to its thumbnails. A filter finds images with at
        least one caption that fits."""
        return self._site.rows(
            f"{self._path}/entries", difficulty=difficulty, lens=lens, source=source, split=split,
            min_agreement=min_agreement,
        )  # fmt: skip

    def file(self, name: str, *, progress: OnProgress | None = None) -> Path:
        """One file of the release, from the cache where it is there. Raises NotFound, WrongChecksum and NoAnswer."""
        if name not in self._checked or not self._checked[name].exists():
            self._checked[name] = self._download(name, self._cached / safe_name(name), progress)
        return self._checked[name]

    def download(
        self, folder: str | Path, *, names: list[str] | None = None, progress: OnProgress | None = None
    ) -> list[Path]:
        """All files of the release, or those with these names, in a folder. A broken download goes on where it stopped;
        files that are there with the right SHA-256 stay. Raises NotFound, WrongChecksum and NoAnswer."""
        wanted = [file["name"] for file in self.files] if names is None else names
        return [self._download(name, Path(folder) / safe_name(name), progress) for name in wanted]

    def _download(self, name: str, path: Path, progress: OnProgress | None) -> Path:
        file = next((file for file in self.files if file["name"] == name), None)
        if file is None:
            raise NotFound(f"Release {self.label} has no file {name}.", code="not_found", status=404)
        link = self._site.api(f"{self._path}/files/{name}")
        return download(self._site, link, path, sha256=file["sha256"], n_bytes=file["n_bytes"], progress=progress)

    @property
    def cache(self) -> Path:
        """The folder of downloads."""
        return self._site.cache

    @property
    def _cached(self) -> Path:
        return self.cache / "releases" / safe_name(self.digest)

    def rows(self, name: str = IMAGES, *, split: str | None = None) -> Iterator[Json]:
        """The lines of a JSONL file of the release: images.jsonl, captions.jsonl or negatives.jsonl."""
        if split is not None and split not in SPLITS:
            raise ValueError(f"A split is {', '.join(SPLITS)}, not {split!r}.")
        with self.file(name).open(encoding="utf-8") as lines:
            for line in lines:
                row: Json = json.loads(line)
                if split is None or row["split"] == split:
                    yield row

    def pictures(self, *, size: str = "large", workers: int = 8, progress: OnProgress | None = None) -> dict[str, Path]:
        """The images on this disk, by their digest. What is in the cache is not fetched again.

        `size` is small or large for thumbnails, or original. Originals are for curators and head annotators; images
        whose licence does not allow copies are not among them. An image that was withdrawn is not in the result.
        """
        if size not in SIZES:
            raise ValueError(f"The size is {', '.join(SIZES)}, not {size!r}.")
        wanted = {row["digest"]: picture_path(self._site.cache, row["digest"], size=size) for row in self.rows()}
        if all(path.exists() for path in wanted.values()):
            return wanted
        if size == "original":
            export = self._start_export("webdataset")
            unpack_originals(export, self._cached, cache=self.cache, progress=progress)
            export.delete()
        else:
            fetch_pictures(
                self._site, self.entries(), size=size, cache=self._site.cache, total=len(wanted), workers=workers,
                progress=progress,
            )  # fmt: skip
        return {digest: path for digest, path in wanted.items() if path.exists()}

    def _start_export(self, format: str) -> Export:
        if "id" not in self.row:
            raise NotAllowed("A public link gives no original images.", code="not_allowed", status=403)
        if "project" not in self.row:
            self.refresh()
        body = {"what": "release", "format": format, "release": self.id}
        return Export(self._site, self._site.ask("POST", f"/projects/{self.row['project']}/exports", json=body))

    def to_pandas(self, table: str = "captions") -> pandas.DataFrame:
        """A table of the release: captions, images, negatives, judgments, candidates, annotators or difficulty."""
        from connote_client.tables import read_table

        return read_table(self, table)

    def to_datasets(self, *, images: str | None = None, progress: OnProgress | None = None) -> datasets.DatasetDict:
        """The splits of the release, one row for each image with its captions. `images` adds a column with the images
        of a size of `pictures`."""
        from connote_client.hub import read_splits

        return read_splits(self, images=images, progress=progress)

    def to_torch(
        self, *, split: str | None = None, size: str = "large", transform: Any = None,
        progress: OnProgress | None = None,
    ) -> ReleaseImages:  # fmt: skip
        """A map-style dataset: each item has an image and its captions. The images are fetched once and then read from
        the disk, so that workers of a DataLoader need no connection. `size` is one of `pictures`."""
        from connote_client.torch_images import ReleaseImages

        pictures = self.pictures(size=size, progress=progress)
        rows = [row for row in self.rows(split=split) if row["digest"] in pictures]
        return ReleaseImages(rows, [str(pictures[row["digest"]]) for row in rows], transform)
