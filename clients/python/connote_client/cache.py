"""The folder for what is downloaded once."""

from __future__ import annotations

import os
from pathlib import Path


def default_cache() -> Path:
    """CONNOTE_CACHE, or else `connote` in the user's folder for caches."""
    if named := os.environ.get("CONNOTE_CACHE"):
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "connote"
