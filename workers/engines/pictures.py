"""Pictures as they arrive: judged by content, refused with a reason, or drawn anew as two plain thumbnails.

Bytes in, a frozen value out. Nothing of a file's metadata (GPS among it) reaches a thumbnail.
"""

from __future__ import annotations

import hashlib
import io
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from PIL import Image, ImageCms

from backend.methods import open_pictures
from backend.methods.open_pictures import (
    SIDEWAYS,
    broken,
    is_seen_through,
    loaded,
    on_white,
    open_picture,
    orientation_of,
    turned,
    unpacking_a_huge_one,
)
from backend.methods.open_pictures import PictureRefused as PictureRefused
from backend.methods.open_pictures import read_rgb as read_rgb
from backend.methods.picture_kinds import is_preview
from backend.methods.thumbnails import LARGE, SMALL, fit_within
from workers.engines.perceptual_hash import perceptual_hash

NAMES = {"MPO": "JPEG"}  # what phones append to a JPEG: depth, a second eye
WEBP: dict[str, Any] = {"quality": 80, "method": 2}  # method 4 takes twice as long for 2% fewer bytes
GAP = 2.0
MODES = {"I;16": "16-bit grey", "I;16B": "16-bit grey", "I": "32-bit grey", "F": "32-bit float", "LAB": "Lab"}
TRANSPARENT = "It has transparent parts. Its thumbnails show them in white."
NO_PROFILE = "Connote could not read its colour profile and left it out."
IS_PREVIEW = "The file says that this is a smaller copy of another image."


@dataclass(frozen=True)
class Picture:
    """A picture that was taken. `width` and `height` in pixels as a person sees it, upright; thumbnails are WebP."""

    digest: str
    perceptual_hash: str
    format: str
    width: int
    height: int
    n_bytes: int
    small: bytes = field(repr=False)
    large: bytes = field(repr=False)
    notes: tuple[str, ...] = ()


def read_picture(data: bytes, *, max_pixels: int, name: str = "") -> Picture:
    """The picture in `data`, at most `max_pixels` large once unpacked. Raises PictureRefused, and nothing else.

    `name` is the file's: a camera's raw file is told from a TIFF by it where its content does not say so.
    """
    try:
        return _read(data, max_pixels, name)
    except PictureRefused:
        raise
    except Exception as error:  # a hostile file can make a decoder raise anything
        raise broken(error, data) from error


def _read(data: bytes, max_pixels: int, name: str) -> Picture:
    image = open_picture(data, max_pixels=max_pixels, name=name)
    stored = image.size
    with unpacking_a_huge_one if image.width * image.height > open_pictures.HUGE else nullcontext():
        orientation = orientation_of(image)  # a PNG is decoded to find it
        notes = _notes_of(image, data)
        large = _plain_large(image, orientation, notes)
    width, height = stored[::-1] if orientation in SIDEWAYS else stored
    small = fitted(large, SMALL)
    return Picture(
        digest=hashlib.sha256(data).hexdigest(),
        perceptual_hash=perceptual_hash(small),
        format=NAMES.get(image.format or "", image.format or ""),
        width=width,
        height=height,
        n_bytes=len(data),
        small=_as_webp(small),
        large=_as_webp(large),
        notes=tuple(notes),
    )


def _notes_of(image: Image.Image, data: bytes) -> list[str]:
    notes = [IS_PREVIEW] if is_preview(data) else []
    n_frames = getattr(image, "n_frames", 1)
    if n_frames > 1 and image.format != "MPO":
        notes.append(f"It has {n_frames} frames. Connote kept the first one.")
    if image.mode not in ("RGB", "RGBA", "L", "LA", "P", "PA", "1"):
        notes.append(f"Its colours are {MODES.get(image.mode, image.mode)}. Its thumbnails show them as RGB.")
    return notes


def _plain_large(image: Image.Image, orientation: int, notes: list[str]) -> Image.Image:
    """The large thumbnail: eight-bit sRGB, opaque, upright. Everything dear is done after it was made small."""
    profile = None if image.mode == "LAB" else image.info.get("icc_profile")  # `loaded` takes Lab to sRGB
    image.draft(None, (round(LARGE * GAP), round(LARGE * GAP)))  # a JPEG can be decoded at half, quarter, eighth size
    image = loaded(image)
    if is_seen_through(image):
        image = image.convert("RGBA")
    elif image.mode in ("P", "1", "HSV"):
        image = image.convert("RGB")
    upright = turned(_in_srgb(fitted(image, LARGE), profile, notes), orientation)
    if upright.mode != "RGBA":
        return upright
    if upright.getchannel("A").getextrema() != (255, 255):
        notes.append(TRANSPARENT)
    return on_white(upright)


def fitted(image: Image.Image, longest: int) -> Image.Image:
    """The picture scaled down to have no side longer than `longest` pixels."""
    size = fit_within(*image.size, longest)
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=GAP)


def _in_srgb(image: Image.Image, profile: bytes | None, notes: list[str]) -> Image.Image:
    """Colours as a browser shows them: by the picture's own profile where it has one, RGB or RGBA out."""
    plain = "RGBA" if image.mode == "RGBA" else "RGB"
    if not profile:
        return image.convert(plain)
    try:
        transform = _transform_of(profile, image.mode, plain)
        return image.convert(plain) if transform is None else ImageCms.applyTransform(image, transform) or image
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        notes.append(NO_PROFILE)
        return image.convert(plain)


@lru_cache(maxsize=32)
def _transform_of(profile: bytes, mode: str, plain: str) -> ImageCms.ImageCmsTransform | None:
    """How to turn colours under `profile` into sRGB; None where they are sRGB already. Photographs share a few."""
    given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    if mode == plain and "srgb" in ImageCms.getProfileDescription(given).lower():
        return None
    return ImageCms.buildTransform(given, ImageCms.createProfile("sRGB"), mode, plain)


def _as_webp(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", **WEBP, exif=b"", icc_profile=b"", xmp=b"")
    return out.getvalue()
