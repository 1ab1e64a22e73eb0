"""Downloads that continue after a break, and whose SHA-256 is checked before the file has its name."""

from __future__ import annotations

import hashlib
import os
import re
import time
from pathlib import Path

from filelock import FileLock

from connote_client.errors import ApiError, ConnoteError, NoAnswer, WrongChecksum
from connote_client.progress import OnProgress, Progress, ignore
from connote_client.site import Site

CHUNK = 1024 * 1024
MOST_BREAKS = 8  # in a row, without one byte between them
PLAIN_NAME = re.compile(r"[^/\\\x00-\x1f:]{1,200}")


def safe_name(name: str) -> str:
    """A name that a site gave, for a file in a folder of ours. Raises ConnoteError where it leads out of the folder."""
    if not PLAIN_NAME.fullmatch(name) or name in (".", "..") or name.startswith("~"):
        raise ConnoteError(f"The site names a file {name!r}, which is no plain file name.", code="odd_file_name")
    return name


def sha256_of(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def download(
    site: Site, link: str, path: Path, *, sha256: str, n_bytes: int | None = None, progress: OnProgress | None = None
) -> Path:
    """The file behind `link` at `path`. A file that is there with this checksum is left as it is.

    The bytes lie in `.NAME.part` until they are complete and checked, so that a killed download goes on where it
    stopped. Two processes of this machine that want the same file take turns.

    Raises WrongChecksum, ApiError and NoAnswer.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with _lock(site.cache, path):
        if path.is_file() and sha256_of(path) == sha256:
            part.unlink(missing_ok=True)
            return path
        for is_last in (False, True):
            _fill(site, link, part, tag=f'"{sha256}"', total=n_bytes, progress=progress or ignore)
            if sha256_of(part) == sha256:
                part.replace(path)
                return path
            part.unlink()  # an old part may be of another file: once more from the start
            if is_last:
                raise WrongChecksum(f"{path.name} does not have the checksum that the site promises.", code="checksum")
    raise AssertionError("The last try returns or raises.")


def _lock(cache: Path, path: Path) -> FileLock:
    """In the cache, because nobody wants lock files between the files of a release."""
    locks = cache / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    return FileLock(locks / f"{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]}.lock")


def _fill(site: Site, link: str, part: Path, *, tag: str, total: int | None, progress: OnProgress) -> None:
    """Read the rest of the file into `part`, over as many connections as it needs."""
    n_breaks = 0
    part.touch()
    while True:
        before = part.stat().st_size
        if total is not None and before >= total:
            return
        try:
            _read_on(site, link, part, tag=tag, total=total, progress=progress)
            return
        except ApiError as error:
            if error.status != 416:  # the part is as long as the file, or longer
                raise
            return
        except NoAnswer:
            n_breaks = 0 if part.stat().st_size > before else n_breaks + 1
            if n_breaks > MOST_BREAKS:
                raise
            time.sleep(min(0.25 * n_breaks, 5))


def _read_on(site: Site, link: str, part: Path, *, tag: str, total: int | None, progress: OnProgress) -> None:
    have = part.stat().st_size
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={have}-", "If-Range": tag} if have else {})}
    with site.stream(link, headers) as answer:
        is_rest = answer.status_code == 206
        done = have if is_rest else 0
        with part.open("ab" if is_rest else "wb") as file:
            for chunk in answer.iter_bytes():
                file.write(chunk)
                done += len(chunk)
                progress(Progress(part.name[1:-5], done, total))
            file.flush()
            os.fsync(file.fileno())
