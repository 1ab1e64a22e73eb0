"""The pictures of a release on this disk, one file for each, found by the digest of the image."""

from __future__ import annotations

import hashlib
import os
import re
import tarfile
import threading
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from connote_client.errors import ConnoteError, NotFound
from connote_client.export import Export
from connote_client.progress import OnProgress, Progress, ignore
from connote_client.rows import Entry
from connote_client.site import Site

SIZES = ("small", "large", "original")
DIGEST = re.compile(r"[0-9a-f]{64}")


class Wanted(NamedTuple):
    digest: str
    link: str


def picture_path(cache: Path, digest: str, *, size: str) -> Path:
    """Where the picture of this image is kept. Raises ConnoteError where the digest is none."""
    if not DIGEST.fullmatch(digest):
        raise ConnoteError(f"The site names an image by {digest!r}, which is no SHA-256.", code="odd_digest")
    return cache / "images" / size / digest[:2] / (digest if size == "original" else f"{digest}.webp")


def fetch_pictures(
    site: Site, entries: Iterable[Entry], *, size: str, cache: Path, total: int, workers: int,
    progress: OnProgress | None = None,
) -> None:  # fmt: skip
    """Save the picture of each entry that is not there yet. An image without a picture is left out."""
    tell, n_done = progress or ignore, 0
    with ThreadPoolExecutor(max_workers=workers) as threads:
        for batch in _batches(_wanted(entries, size=size, cache=cache), workers * 8):
            jobs = [threads.submit(_save, site, each, picture_path(cache, each.digest, size=size)) for each in batch]
            for job in as_completed(jobs):
                job.result()
                n_done += 1
                tell(Progress("images", n_done, total, "images"))


def _wanted(entries: Iterable[Entry], *, size: str, cache: Path) -> Iterator[Wanted]:
    for entry in entries:
        image = entry["image"]
        thumbnail = image["thumbnail"]
        if thumbnail and not picture_path(cache, image["digest"], size=size).exists():
            link = thumbnail["small"]["url"] if size == "small" else thumbnail["large"]["url"]
            yield Wanted(image["digest"], link)


def _batches(wanted: Iterator[Wanted], n: int) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    for each in wanted:
        batch.append(each)
        if len(batch) == n:
            yield batch
            batch = []
    yield batch


def _save(site: Site, wanted: Wanted, path: Path) -> None:
    try:
        _write(site.read(wanted.link), path)
    except NotFound:  # withdrawn a moment ago
        return


def unpack_originals(export: Export, folder: Path, *, cache: Path, progress: OnProgress | None = None) -> None:
    """Download an export in WebDataset and keep its images. An image is what its digest says, or it is left out."""
    packed = export.download(folder / "originals.zip", progress=progress)
    with zipfile.ZipFile(packed) as archive:
        for name in (name for name in archive.namelist() if name.endswith(".tar")):
            with archive.open(name) as shard, tarfile.open(fileobj=shard, mode="r|") as members:
                for member in members:
                    digest, _, ending = member.name.partition(".")
                    content = members.extractfile(member)
                    if content is None or ending == "json":
                        continue
                    data = content.read()
                    if hashlib.sha256(data).hexdigest() == digest:
                        _write(data, picture_path(cache, digest, size="original"))
    packed.unlink()


def _write(data: bytes, path: Path) -> None:
    """Whole or not at all: another process may read the folder meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    part.write_bytes(data)
    part.replace(path)
