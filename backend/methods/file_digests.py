"""The digest of a file: the same in releases, exports, benchmarks and the files of the workers."""

from __future__ import annotations

import hashlib
from pathlib import Path


def sha256_of_file(path: Path) -> str:
    """SHA-256 of a file, 64 hex digits, without reading it into memory. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
