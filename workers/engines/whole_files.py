"""Files that are either whole or not there, and locks that a killed process cannot leave behind.

A file is written under a hidden name, forced to the disk, and renamed: whoever looks sees the old one or the new one.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PART, LOCK = ".part", ".lock"


def hidden(path: Path) -> Path:
    """The name that `path` has while it is being written."""
    return path.with_name(f".{path.name}{PART}")


def publish(path: Path) -> None:
    """Let what was written to `hidden(path)` be `path`, on the disk before it has the name."""
    with hidden(path).open("rb") as file:
        os.fsync(file.fileno())
    hidden(path).replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force new, renamed and removed names of `folder` to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: Any) -> None:
    """`value` as JSON at `path`, whole or not at all. The caller holds the lock on `path`'s stem."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """`text` as UTF-8 at `path`, whole or not at all. The caller holds the lock on `path`'s stem."""
    hidden(path).write_text(text, encoding="utf-8")
    publish(path)


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold `path` against every other process and thread; False where another has it and `wait` is off.

    The kernel takes the lock back from a process that dies, so there is nothing to clean up after one.
    """
    lock = path.with_name(f".{path.name}{LOCK}")
    descriptor = _take(lock, wait)
    try:
        yield descriptor is not None
    finally:
        if descriptor is not None:
            lock.unlink(missing_ok=True)
            os.close(descriptor)


def _take(lock: Path, wait: bool) -> int | None:
    while True:
        descriptor = os.open(lock, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(descriptor)
            return None
        if _is_still(descriptor, lock):
            return descriptor
        os.close(descriptor)  # its last holder removed the name while we waited


def _is_still(descriptor: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), lock.stat())
    except FileNotFoundError:
        return False


def sweep(folder: Path) -> list[str]:
    """Remove what killed writers left in `folder`; names of the files. What somebody is writing now stays."""
    swept = []
    for part in sorted(folder.glob(f".*{PART}")):
        with locked(folder / part.name[1:].split(".")[0], wait=False) as mine:
            if mine and part.exists():
                part.unlink()
                swept.append(part.name)
    return swept
