"""Files on their way to the site."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from connote_client.progress import OnProgress, Progress, ignore
from connote_client.rows import Upload
from connote_client.site import Site

MOST_FILES = 1000  # in one request; more are sent as one .zip


def send_files(site: Site, path: str, sources: Sequence[str | Path], *, progress: OnProgress | None = None) -> Upload:
    """One upload of these files. Raises FileNotFoundError, ValueError for two files of one name, and ApiError."""
    paths = [Path(source) for source in sources]
    _check(paths)
    with ExitStack() as opened:
        if any(each.is_dir() for each in paths) or len(paths) > MOST_FILES:
            paths = [opened.enter_context(_packed(paths))]
        total, counter = sum(each.stat().st_size for each in paths), _Counter(progress or ignore)
        counter.total = total
        files = [("files", (each.name, _Counted(opened.enter_context(each.open("rb")), counter))) for each in paths]
        found: Upload = site.ask("POST", path, files=files)
    return found


def _check(paths: Sequence[Path]) -> None:
    if not paths:
        raise ValueError("Name at least one file or folder.")
    for each in paths:
        if not each.exists():
            raise FileNotFoundError(f"There is no file or folder {each}.")
    names = [each.name for each in paths]
    if twice := sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []:
        raise ValueError(f"Two files have the name {twice[0]}. Put them into one folder and send the folder.")


@contextmanager
def _packed(paths: Sequence[Path]) -> Iterator[Path]:
    """A .zip of files and folders for as long as the `with` lasts; pictures are not compressed a second time."""
    with tempfile.TemporaryDirectory(prefix="connote-") as folder:
        packed = Path(folder) / (f"{paths[0].resolve().name}.zip" if len(paths) == 1 else "files.zip")
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED, strict_timestamps=False) as archive:
            for name, file in _members(paths):
                archive.write(file, name)
        yield packed


def _members(paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """A single folder is the root of the archive; of several, each keeps its name. Hidden files are left out."""
    for each in paths:
        if not each.is_dir():
            yield each.name, each
            continue
        for folder, folders, names in os.walk(each):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(name for name in names if not name.startswith(".")):
                file = Path(folder) / name
                yield file.relative_to(each if len(paths) == 1 else each.parent).as_posix(), file


class _Counter:
    def __init__(self, progress: OnProgress) -> None:
        self.total, self._done, self._progress = 0, 0, progress

    def add(self, n: int) -> None:
        self._done += n
        self._progress(Progress("upload", min(self._done, self.total), self.total))


class _Counted:
    """A file that says how much of it was read. httpx reads it in parts, and from the start for a second try."""

    def __init__(self, file: IO[bytes], counter: _Counter) -> None:
        self._file, self._counter = file, counter

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        if data:
            self._counter.add(len(data))
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == 0 and offset == 0 and (read := self._file.tell()):
            self._counter.add(-read)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._file)
