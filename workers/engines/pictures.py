"""Pictures as they arrive: judged by content, refused with a reason, or drawn anew as two plain thumbnails.

Bytes in, a frozen value out. Nothing of a file's metadata (GPS among it) reaches a thumbnail.
"""

from __future__ import annotations

import hashlib
import io
import threading
import warnings
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageCms, UnidentifiedImageError

from backend.methods.thumbnails import LARGE, SMALL, fit_within
from workers.engines.perceptual_hash import perceptual_hash

# Pixels are counted here, before anything is decoded, against the caller's limit.
Image.init()  # `formats` below finds only plugins that are loaded
Image.MAX_IMAGE_PIXELS = None
warnings.filterwarnings("ignore", module=r"PIL\.")  # of odd metadata, which is left out anyway

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "AVIF", "JPEG2000", "PPM")
NAMES = {"MPO": "JPEG"}  # what phones append to a JPEG: depth, a second eye
WEBP: dict[str, Any] = {"quality": 80, "method": 2}  # method 4 takes twice as long for 2% fewer bytes
GAP = 2.0
HUGE = 25_000_000  # pixels; of pictures this large one is unpacked at a time, however many cores there are
_unpacking_a_huge_one = threading.Lock()
WHITE = (255, 255, 255)
ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
SIDEWAYS = (5, 6, 7, 8)
OTHER_KINDS = {
    b"<html": "a web page",
    b"<!doctype html": "a web page",
    b"%pdf-": "a PDF",
    b"pk\x03\x04": "a zip archive",
    b"rar!": "an archive",
    b"\x1f\x8b": "a compressed file",
}
IS_SVG = "Connote refuses SVG files, because they can have scripts. Export this one as PNG."
IS_HEIC = "Connote cannot read HEIC images. Export this one as JPEG."
NO_IMAGE = "The content is {what}, not an image that Connote reads. Send JPEG, PNG, WebP, AVIF, GIF, TIFF or BMP."
TOO_LARGE = "The image has {w:,} x {h:,} pixels. At most {limit:,} pixels are allowed. Make it smaller."
UNREADABLE = "Connote cannot open the file ({error}). Check that it exists, and check its permissions."
TRUNCATED = "The file is not complete. Copy the original file again."
DAMAGED = "Connote cannot decode the image ({error}). Save it again."
NO_PROFILE = "Connote could not read its colour profile and left it out."


class PictureRefused(Exception):
    """These bytes are no picture for us: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


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


def read_picture(data: bytes, *, max_pixels: int) -> Picture:
    """The picture in `data`, at most `max_pixels` large once unpacked. Raises PictureRefused, and nothing else."""
    try:
        return _read(data, max_pixels)
    except PictureRefused:
        raise
    except Exception as error:  # a hostile file can make a decoder raise anything
        raise _broken(error, data) from error


def read_rgb(source: bytes | Path | Image.Image, *, max_pixels: int) -> Image.Image:
    """The picture as a model is shown it: upright, RGB, on white. Raises PictureRefused, and nothing else.

    Its numbers are taken as they are stored, without its colour profile, as every library does that trained a model.
    """
    data = b""
    try:
        data = source.read_bytes() if isinstance(source, Path) else source if isinstance(source, bytes) else b""
        image = source if isinstance(source, Image.Image) else _open(data, max_pixels)
        with _unpacking_a_huge_one if image.width * image.height > HUGE else nullcontext():
            return _plain_rgb(image)
    except PictureRefused:
        raise
    except Exception as error:
        if isinstance(source, Path) and not data and isinstance(error, OSError):
            raise PictureRefused("unreadable", UNREADABLE.format(error=error.strerror or error)) from error
        raise _broken(error, data) from error


def _plain_rgb(image: Image.Image) -> Image.Image:
    orientation = _orientation_of(image)
    image.load()
    if _is_seen_through(image):
        image = _on_white(image.convert("RGBA"))
    elif image.mode.startswith("I") or image.mode == "F":
        image = _in_eight_bits(image)
    return _turned(image if image.mode == "RGB" else image.convert("RGB"), orientation)


def _read(data: bytes, max_pixels: int) -> Picture:
    image = _open(data, max_pixels)
    orientation = _orientation_of(image)
    width, height = image.size[::-1] if orientation in SIDEWAYS else image.size
    notes = _notes_of(image)
    with _unpacking_a_huge_one if width * height > HUGE else nullcontext():
        large = _plain_large(image, orientation, notes)
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


def _open(data: bytes, max_pixels: int) -> Image.Image:
    """The picture's header read, its pixels counted, nothing decoded yet."""
    if not data:
        raise PictureRefused("empty", "The file has no bytes. Copy the original file again.")
    if _is_svg(data):
        raise PictureRefused("svg", IS_SVG)
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1"):
        raise PictureRefused("not_an_image", IS_HEIC)
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError as error:
        raise PictureRefused("not_an_image", NO_IMAGE.format(what=_kind_of(data))) from error
    if image.width * image.height > max_pixels:
        raise PictureRefused("too_many_pixels", TOO_LARGE.format(w=image.width, h=image.height, limit=max_pixels))
    return image


def _is_svg(data: bytes) -> bool:
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in data[:65536].lower()


def _kind_of(data: bytes) -> str:
    start = data[:64].lstrip().lower()
    return next((kind for magic, kind in OTHER_KINDS.items() if start.startswith(magic)), "something else")


def _broken(error: Exception, data: bytes) -> PictureRefused:
    said = str(error).lower()
    if (
        isinstance(error, EOFError)
        or any(words in said for words in ("truncated", "no more data"))
        or _is_cut_webp(data)
    ):
        return PictureRefused("truncated", TRUNCATED)
    return PictureRefused("damaged", DAMAGED.format(error=f"{type(error).__name__}: {str(error)[:120]}"))


def _is_cut_webp(data: bytes) -> bool:
    """Whether a RIFF file is shorter than its header says; its decoder only says that it failed."""
    return data.startswith(b"RIFF") and int.from_bytes(data[4:8], "little") + 8 > len(data)


def _orientation_of(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ORIENTATION, 1)
    except Exception:  # damaged metadata does not make a damaged picture
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _notes_of(image: Image.Image) -> list[str]:
    notes = []
    n_frames = getattr(image, "n_frames", 1)
    if n_frames > 1 and image.format != "MPO":
        notes.append(f"It has {n_frames} frames. Connote kept the first one.")
    if _is_seen_through(image):
        notes.append("It has transparent parts. Its thumbnails show them in white.")
    elif image.mode not in ("RGB", "L", "P", "1"):
        notes.append(f"Its colours are {image.mode}. Its thumbnails show them as RGB.")
    return notes


def _is_seen_through(image: Image.Image) -> bool:
    return image.mode in ("RGBA", "RGBa", "LA", "La", "PA") or "transparency" in image.info


def _plain_large(image: Image.Image, orientation: int, notes: list[str]) -> Image.Image:
    """The large thumbnail: eight-bit sRGB, opaque, upright. Everything dear is done after it was made small."""
    profile = image.info.get("icc_profile")
    image.draft(None, (round(LARGE * GAP), round(LARGE * GAP)))  # a JPEG can be decoded at half, quarter, eighth size
    image.load()
    if _is_seen_through(image):
        image = image.convert("RGBA")
    elif image.mode in ("P", "1", "HSV"):
        image = image.convert("RGB")
    elif image.mode.startswith("I") or image.mode == "F":
        image = _in_eight_bits(image)
    upright = _turned(_in_srgb(fitted(image, LARGE), profile, notes), orientation)
    return _on_white(upright) if upright.mode == "RGBA" else upright


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Deep greys scaled, not clipped: sixteen bits by their range, anything wider by what it holds."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float32))
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 65535 and image.mode != "F":
        low, high = 0.0, 255.0 if high <= 255 and image.mode == "I" else 65535.0
    spread = (values - low) * (255.0 / max(high - low, 1e-9))
    return Image.fromarray(np.rint(spread).astype(np.uint8))


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


def _turned(image: Image.Image, orientation: int) -> Image.Image:
    turn = TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


def _on_white(image: Image.Image) -> Image.Image:
    paper = Image.new("RGB", image.size, WHITE)
    paper.paste(image, mask=image.getchannel("A"))
    return paper


def _as_webp(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", **WEBP, exif=b"", icc_profile=b"", xmp=b"")
    return out.getvalue()
