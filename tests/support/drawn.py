"""Small pictures drawn on the spot, and the same ones wrapped the way people send them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

BY = "https://creativecommons.org/licenses/by/4.0/"


def draw(n: int = 0, *, size: tuple[int, int] = (40, 30), format: str = "PNG", **how: Any) -> bytes:
    """A picture in file format `format`; another `n` gives other pixels."""
    picture = Image.new("RGB", size, (n % 256, n // 256 % 256, 90))
    picture.putpixel((n % size[0], 3), (255, 255, 255))
    return saved(picture, format, **how)


def saved(picture: Image.Image, format: str, **how: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, format, **how)
    return out.getvalue()


def write_tar(path: Path, members: Mapping[str, bytes | tarfile.TarInfo], mode: str = "w") -> Path:
    """A tar of files; a TarInfo instead of bytes is a member without content, such as a link."""
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                content.name = name
                tar.addfile(content)
            else:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return path


def write_zip(path: Path, members: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return path
