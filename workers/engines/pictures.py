"""Pictures as they arrive: judged by content, refused with a reason, or turned upright into two plain thumbnails.

Bytes in, a frozen value out. Metadata (GPS among it) is not carried over: thumbnails are drawn anew.
"""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, UnidentifiedImageError

# Pixels are counted here, before anything is decoded, against a limit of our own.
Image.MAX_IMAGE_PIXELS = None
Image.init()  # `formats` below only finds plugins that are loaded

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "AVIF", "JPEG2000")
LARGE, SMALL = 1280, 320
WEBP = {"quality": 80, "method": 4}
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
SRGB = ImageCms.createProfile("sRGB")
SIXTEEN_BITS = 65535.0
HASH_SIDE, HASH_BASE = 8, 32


@dataclass(frozen=True)
class Picture:
    """A picture that was taken. `width` and `height` in pixels as a person sees it, upright."""

    digest: str
    perceptual_hash: str
    format: str
    width: int
    height: int
    n_bytes: int
    small: bytes = field(repr=False)
    large: bytes = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unfit:
    """Why bytes are no picture for us: a code for programs, a sentence for people."""

    code: str
    message: str


class UnfitError(Exception):
    """Carries the verdict out of the depth of decoding."""

    def __init__(self, code: str, message: str) -> None:
        self.verdict = Unfit(code, message)
        super().__init__(message)


def read_picture(data: bytes, *, max_pixels: int) -> Picture | Unfit:
    """The picture in `data`, or why it is none. `max_pixels` bounds what is decoded, in pixels of the first frame."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of odd metadata, which we drop anyway
            return _read(data, max_pixels)
    except UnfitError as error:
        return error.verdict


def thumbnail_size(width: int, height: int, longest: int) -> tuple[int, int]:
    """The size of a thumbnail whose longest side is at most `longest`; small pictures are not blown up."""
    scale = min(1.0, longest / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _read(data: bytes, max_pixels: int) -> Picture:
    image = _open(data, max_pixels)
    notes = list(_notes_of(image))
    orientation = _orientation(image)
    width, height = image.size[::-1] if orientation in SIDEWAYS else image.size
    format_ = image.format or ""
    plain = _upright(_plain(_scaled(image), notes), orientation)
    large = _fitted(plain, LARGE)
    small = _fitted(large, SMALL)
    return Picture(
        digest=hashlib.sha256(data).hexdigest(),
        perceptual_hash=perceptual_hash(small),
        format="JPEG" if format_ == "MPO" else format_,
        width=width,
        height=height,
        n_bytes=len(data),
        small=_webp(small),
        large=_webp(large),
        notes=tuple(notes),
    )


def _open(data: bytes, max_pixels: int) -> Image.Image:
    if not data:
        raise UnfitError("empty", "The file has no bytes.")
    if _looks_like_svg(data):
        raise UnfitError("svg", "SVG files are not taken, since they can carry scripts. Send a PNG instead.")
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError as error:
        raise UnfitError("not_an_image", "The content is no picture that Connote reads.") from error
    except (OSError, SyntaxError, ValueError, struct.error, OverflowError, MemoryError) as error:
        raise UnfitError("damaged", f"The picture's header is damaged ({type(error).__name__}).") from error
    if image.width * image.height > max_pixels:
        size = f"{image.width:,} x {image.height:,}"
        raise UnfitError("too_many_pixels", f"It would unpack to {size} pixels, more than the {max_pixels:,} allowed.")
    return image


def _looks_like_svg(data: bytes) -> bool:
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<svg", b"<?xml", b"<!doctype svg")) and b"<svg" in data[:65536].lower()


def _notes_of(image: Image.Image) -> list[str]:
    notes = []
    n_frames = getattr(image, "n_frames", 1)
    if n_frames > 1 and image.format != "MPO":  # a phone's depth map is no animation
        notes.append(f"An animation of {n_frames} frames: the first is kept.")
    if image.mode not in ("RGB", "L"):
        notes.append(f"Converted from {image.mode} to RGB.")
    return notes


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ORIENTATION, 1)
    except (OSError, SyntaxError, ValueError, struct.error, TypeError):
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _scaled(image: Image.Image) -> Image.Image:
    """Decoded, a JPEG at the smallest size that still fills the large thumbnail. Raises UnfitError."""
    try:
        image.draft(None, (LARGE, LARGE))
        image.load()
    except (OSError, EOFError, SyntaxError, ValueError, IndexError, struct.error, MemoryError) as error:
        truncated = "truncated" in str(error).lower() or isinstance(error, EOFError)
        if truncated:
            raise UnfitError("truncated", "The file ends before the picture does.") from error
        raise UnfitError("damaged", f"The picture cannot be decoded ({type(error).__name__}).") from error
    return image


def _plain(image: Image.Image, notes: list[str]) -> Image.Image:
    """Eight-bit sRGB without transparency, at most as large as the large thumbnail needs."""
    profile = image.info.get("icc_profile")
    if image.mode.startswith("I") or image.mode == "F":
        return _eight_bits(image)
    if image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info:
        return _on_white(image)
    if max(image.size) > LARGE and image.mode in ("RGB", "L", "CMYK", "YCbCr", "LAB"):
        image = _fitted(image, LARGE)
    return _in_srgb(image, profile, notes)


def _fitted(image: Image.Image, longest: int) -> Image.Image:
    size = thumbnail_size(*image.size, longest)
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _eight_bits(image: Image.Image) -> Image.Image:
    """Sixteen-bit greys scaled, not clipped; anything wider is spread over what it holds."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float64))
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= SIXTEEN_BITS:
        low, high = 0.0, 255.0 if high <= 255 and not image.mode.startswith("I;16") else SIXTEEN_BITS
    spread = (values - low) * (255.0 / max(high - low, 1e-9))
    return Image.fromarray(spread.astype(np.uint8), "L").convert("RGB")


def _on_white(image: Image.Image) -> Image.Image:
    coloured = image.convert("RGBA")
    paper = Image.new("RGBA", coloured.size, (*WHITE, 255))
    return Image.alpha_composite(paper, coloured).convert("RGB")


def _in_srgb(image: Image.Image, profile: bytes | None, notes: list[str]) -> Image.Image:
    if profile and image.mode in ("RGB", "CMYK", "L", "LAB"):
        try:
            given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            if "srgb" in ImageCms.getProfileDescription(given).lower():
                return image.convert("RGB")
            turned = ImageCms.profileToProfile(image, given, SRGB, outputMode="RGB")
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            notes.append("Its colour profile cannot be read and was left out.")
        else:
            return turned if turned is not None else image.convert("RGB")
    return image.convert("RGB")


def _upright(image: Image.Image, orientation: int) -> Image.Image:
    turn = TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


def _webp(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", **WEBP, exif=b"", icc_profile=b"")
    return out.getvalue()


def _dct_basis() -> NDArray[np.float64]:
    """The lowest HASH_SIDE rows of the type-II DCT over HASH_BASE samples, shape (8, 32)."""
    k, n = np.arange(HASH_SIDE)[:, None], np.arange(HASH_BASE)[None, :]
    return np.asarray(np.cos(np.pi * k * (2 * n + 1) / (2 * HASH_BASE)))


BASIS = _dct_basis()


def perceptual_hash(image: Image.Image) -> str:
    """64 bits, hex: the signs of the lowest DCT coefficients about their median (pHash; Zauner 2010, section 3.2.1)."""
    grey = np.asarray(image.convert("L").resize((HASH_BASE, HASH_BASE), Image.Resampling.LANCZOS), dtype=np.float64)
    low = (BASIS @ grey @ BASIS.T).ravel()
    bits = low > np.median(low)
    return f"{int(''.join('1' if bit else '0' for bit in bits), 2):016x}"
