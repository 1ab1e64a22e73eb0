"""Files of results as a browser sends them."""

from __future__ import annotations

import io


def upload(name: str, content: bytes) -> io.BytesIO:
    """A file with a name."""
    file = io.BytesIO(content)
    file.name = name
    return file
