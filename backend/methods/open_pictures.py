"""Pictures from anywhere, judged by their content: opened within bounds, upright, in plain RGB, or refused in words."""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms, UnidentifiedImageError

from backend.methods.picture_kinds import AVIF, LFS, RAW, SVG, UNKNOWN, ZEROS, Kind, brands_of, is_avif, is_raw, kind_of
from backend.methods.said import Value, fill

# Pixels are counted here, before anything is decoded, against the caller's limit.
Image.init()  # `formats` below finds only plugins that are loaded
Image.MAX_IMAGE_PIXELS = None
warnings.filterwarnings("ignore", module=r"PIL\.")  # of odd metadata, which is left out anyway

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "AVIF", "JPEG2000", "PPM")  # none that is a program, as SVG is
HUGE = 25_000_000  # pixels; of pictures this large one is unpacked at a time, however many cores there are
unpacking_a_huge_one = threading.Lock()
WHITE = (255, 255, 255)
ORIENTATION, WHITE_IS_ZERO = 0x0112, 0
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
EMPTY = "The file has no bytes. Copy the original file again."
IS_SVG = "Connote refuses SVG files, because they can have scripts. Export this one as PNG."
IS_RAW = "The file is a raw file of a camera. Connote does not read raw files. Export it as JPEG."
OTHER_KIND = "The image has the format {kind}, which Connote does not read. Export it as JPEG or PNG."
NO_IMAGE = "The file has the format {kind} and is not an image. Send JPEG, PNG, WebP, AVIF, GIF, TIFF or BMP."
UNKNOWN_FORMAT = "The file has an unknown format. Send JPEG, PNG, WebP, AVIF, GIF, TIFF or BMP."
ZERO_BYTES = "The file has only zero bytes. Copy the original file again."
LFS_POINTER = "The file only points to an image in Git LFS. Get the image itself with git lfs pull."
NOT_OPENED = "The file starts like {kind}, but it is damaged or not complete. Copy the original file again."
TOO_LARGE = "The image has {w} x {h} pixels. At most {limit} pixels are allowed. Make it smaller."
UNREADABLE = "Connote cannot open the file ({error}). Check that it exists, and check its permissions."
TRUNCATED = "The file is not complete. Copy the original file again."
DAMAGED = "Connote cannot decode the image ({error}). Copy the original file again, or save it again."


class PictureRefused(Exception):
    """These bytes are no picture for us: `code` for programs, a template with its values for people."""

    def __init__(self, code: str, template: str, params: Mapping[str, Value] | None = None) -> None:
        self.code, self.template, self.params = code, template, dict(params or {})
        self.message = fill(template, self.params)
        super().__init__(self.message)


def read_rgb(source: bytes | Path | Image.Image, *, max_pixels: int, at_least: int = 0) -> Image.Image:
    """The picture as a model is shown it: upright, RGB, on white. Raises PictureRefused, and nothing else.

    Its numbers are taken as they are stored, without its colour profile, as every library does that trained a model.
    With `at_least` a JPEG may come out smaller, with no side under that many pixels: a thumbnail needs no more.
    """
    data = b""
    try:
        data = source.read_bytes() if isinstance(source, Path) else source if isinstance(source, bytes) else b""
        image = source if isinstance(source, Image.Image) else open_picture(data, max_pixels=max_pixels)
        with unpacking_a_huge_one if image.width * image.height > HUGE else nullcontext():
            return _plain_rgb(image, at_least)
    except PictureRefused:
        raise
    except Exception as error:  # a hostile file can make a decoder raise anything
        if isinstance(source, Path) and not data and isinstance(error, OSError):
            raise PictureRefused("file_not_opened", UNREADABLE, {"error": str(error.strerror or error)}) from error
        raise broken(error, data) from error


def _plain_rgb(image: Image.Image, at_least: int) -> Image.Image:
    orientation = orientation_of(image)
    if at_least:
        image.draft(None, (at_least, at_least))
    image = loaded(image)
    if is_seen_through(image):
        image = on_white(image.convert("RGBA"))
    return turned(image if image.mode == "RGB" else image.convert("RGB"), orientation)


def open_picture(data: bytes, *, max_pixels: int, name: str = "") -> Image.Image:
    """The picture's header read, its pixels counted, nothing decoded yet. Raises PictureRefused."""
    if not data:
        raise PictureRefused("no_bytes", EMPTY)
    if is_raw(data, name):
        raise PictureRefused("raw_photo", IS_RAW)
    if brands_of(data) and not is_avif(data):
        raise _of_other_kind(kind_of(data))
    if is_avif(data) and not data.startswith(AVIF, 8):  # Pillow goes by the major brand alone
        data = data[:8] + AVIF[0] + data[12:]
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except (
        Exception
    ) as error:  # not only UnidentifiedImageError: "BM" is enough for a decoder, as in "BMX is a bicycle"
        kind = kind_of(data, name)
        is_begun = kind.is_read and not isinstance(error, UnidentifiedImageError)
        raise (broken(error, data) if is_begun else _of_other_kind(kind)) from error
    if image.width * image.height > max_pixels:
        raise PictureRefused("too_many_pixels", TOO_LARGE, {"w": image.width, "h": image.height, "limit": max_pixels})
    return image


def _of_other_kind(kind: Kind) -> PictureRefused:
    for name, refused in (
        (RAW, PictureRefused("raw_photo", IS_RAW)),
        (SVG, PictureRefused("svg", IS_SVG)),
        (UNKNOWN, PictureRefused("unknown_format", UNKNOWN_FORMAT)),
        (ZEROS, PictureRefused("zero_bytes", ZERO_BYTES)),
        (LFS, PictureRefused("lfs_pointer", LFS_POINTER)),
    ):
        if kind.name == name:
            return refused
    if kind.is_read:
        return PictureRefused("image_not_opened", NOT_OPENED, {"kind": kind.name})
    if kind.is_picture:
        return PictureRefused("kind_not_read", OTHER_KIND, {"kind": kind.name})
    return PictureRefused("not_an_image", NO_IMAGE, {"kind": kind.name})


def broken(error: Exception, data: bytes) -> PictureRefused:
    """The refusal for what a decoder raised."""
    said = str(error).lower()
    if isinstance(error, EOFError) or any(words in said for words in ("truncated", "no more data")) or _is_cut(data):
        return PictureRefused("truncated", TRUNCATED)
    return PictureRefused("damaged_image", DAMAGED, {"error": f"{type(error).__name__}: {str(error)[:120]}"})


def _is_cut(data: bytes) -> bool:
    """Whether a RIFF file is shorter than its header says; its decoder only says that it failed."""
    return data.startswith(b"RIFF") and int.from_bytes(data[4:8], "little") + 8 > len(data)


def orientation_of(image: Image.Image) -> int:
    """How the picture is turned after decoding, from 1 to 8. Pillow turns a TIFF itself, size included."""
    if image.format == "TIFF":
        return 1
    try:
        value = image.getexif().get(ORIENTATION, 1)
    except Exception:  # damaged metadata does not make a damaged picture
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def turned(image: Image.Image, orientation: int) -> Image.Image:
    """The picture upright."""
    turn = TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


def loaded(image: Image.Image) -> Image.Image:
    """The picture decoded, in a mode that Pillow can convert: deep greys in eight bits, Lab as RGB."""
    image.load()
    if image.mode.startswith("I") or image.mode == "F":
        return _in_eight_bits(image)
    if image.mode == "LAB":
        lab, srgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        return ImageCms.applyTransform(image, ImageCms.buildTransform(lab, srgb, "LAB", "RGB")) or image
    if image.mode == "La":
        return image.convert("LA")
    clear = image.info.get("transparency")
    if isinstance(clear, tuple) and max(clear) > 255:  # of sixteen bits, as the file stores its colours
        image.info["transparency"] = tuple(value >> 8 for value in clear)
    return image


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Deep greys scaled, not clipped: sixteen bits by their range, anything wider by what it holds."""
    stored = np.asarray(image)
    values = np.nan_to_num(stored.astype(np.float32))
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 65535 and image.mode != "F":
        low, high = 0.0, 255.0 if high <= 255 and image.mode == "I" else 65535.0
    spread = (values - low) * (255.0 / max(high - low, 1e-9))
    if image.format == "TIFF" and getattr(image, "tag_v2", {}).get(262) == WHITE_IS_ZERO:
        spread = 255 - spread
    grey = Image.fromarray(np.rint(spread).astype(np.uint8))
    if isinstance(clear := image.info.get("transparency"), int):
        grey.putalpha(Image.fromarray(np.where(stored == clear, 0, 255).astype(np.uint8)))
    return grey


def is_seen_through(image: Image.Image) -> bool:
    """Whether parts of the picture may be transparent."""
    return image.mode in ("RGBA", "RGBa", "LA", "La", "PA") or "transparency" in image.info


def on_white(image: Image.Image) -> Image.Image:
    """An RGBA picture as it looks on white paper."""
    paper = Image.new("RGB", image.size, WHITE)
    paper.paste(image, mask=image.getchannel("A"))
    return paper
