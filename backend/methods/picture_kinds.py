"""What a file is by its content: a kind of picture that is read, another kind of picture, or no picture at all.

The first bytes alone mislead. A camera's raw file begins as a TIFF, an AVIF may have the brand of any HEIF file, and
an Office file is a zip.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

RAW_ENDINGS = (
    ".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dcr", ".dng", ".erf", ".fff", ".iiq", ".k25", ".kdc", ".mef", ".mos",
    ".mrw", ".nef", ".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f",
)  # fmt: skip
RAW, SVG, UNKNOWN, ZEROS, LFS = "camera raw", "SVG", "", "zero bytes", "Git LFS pointer"
HEVC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs")
AVIF = (b"avif", b"avis")
OTHER_HEIF = (b"mif1", b"mif2", b"msf1", b"miaf", b"avci", b"avcs", b"jpeg", b"jpgs")
LOOKED_AT = 4096

# Names of formats are the same in every language.
# What Connote reads: a file that begins so and cannot be opened is damaged.
READ = (
    (0, b"\xff\xd8\xff", "JPEG"), (0, b"\x89PNG", "PNG"), (0, b"GIF8", "GIF"), (8, b"WEBP", "WebP"),
    (0, b"II*\0", "TIFF"), (0, b"MM\0*", "TIFF"), (0, b"II+\0", "TIFF"), (0, b"MM\0+", "TIFF"),
    (0, b"\0\0\0\x0cjP  ", "JPEG 2000"), (0, b"\xffO\xffQ", "JPEG 2000"),
)  # fmt: skip
PICTURES = (
    (0, b"\xff\x0a", "JPEG XL (JXL)"), (0, b"\0\0\0\x0cJXL ", "JPEG XL (JXL)"), (0, b"8BPS", "Photoshop (PSD)"),
    (0, b"gimp xcf", "GIMP (XCF)"), (0, b"II\xbc", "JPEG XR"), (0, b"%!PS", "PostScript (EPS)"),
    (0, b"\xc5\xd0\xd3\xc6", "PostScript (EPS)"), (0, b"\0\0\1\0", "ICO"), (0, b"icns", "ICNS"), (0, b"DDS ", "DDS"),
    (0, b"qoif", "QOI"), (0, b"v/1\x01", "OpenEXR"), (0, b"#?RADIANCE", "Radiance HDR"), (0, b"SIMPLE  =", "FITS"),
    (0, b"FLIF", "FLIF"), (0, b"BPG\xfb", "BPG"), (0, b"AT&TFORM", "DjVu"), (0, b"\xd7\xcd\xc6\x9a", "WMF"),
    (40, b" EMF", "EMF"), (128, b"DICM", "DICOM"), (0, b"FUJIFILMCCD-RAW", RAW), (0, b"FOVb", RAW),
    (0, b"\0MRM", RAW), (6, b"HEAPCCDR", RAW), (0, b"IIRO", RAW), (0, b"IIRS", RAW), (0, b"MMOR", RAW),
    (0, b"IIU\0", RAW),
)  # fmt: skip
WRITTEN = ((0, b"{\\rtf", "RTF"), (0, b"version https://git-lfs", LFS))
OTHERS = (
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office (DOC, XLS, PPT)"), (0, b"Rar!", "RAR"), (0, b"7z\xbc\xaf", "7z"),
    (257, b"ustar", "tar"), (0, b"\x1f\x8b", "gzip"), (0, b"BZh", "bzip2"), (0, b"\xfd7zXZ", "xz"),
    (0, b"(\xb5/\xfd", "Zstandard"), (8, b"AVI ", "AVI video"), (0, b"\x1aE\xdf\xa3", "Matroska video"),
    (0, b"FLV\x01", "FLV video"), (0, b"\0\0\1\xba", "MPEG video"), (0, b"\0\0\1\xb3", "MPEG video"),
    (8, b"WAVE", "WAV"), (0, b"ID3", "MP3"), (0, b"fLaC", "FLAC"), (0, b"OggS", "Ogg"),
    (0, b"MZ", "EXE"), (0, b"\x7fELF", "ELF"),
    (0, b"\0\x05\x16\x07", "AppleDouble"), (0, b"SQLite format 3", "SQLite"), (0, b"PAR1", "Parquet"),
    (0, b"\x93NUMPY", "NumPy"),
)  # fmt: skip
PACKED = (
    (b"word/document", "Word (DOCX)"), (b"xl/workbook", "Excel (XLSX)"), (b"ppt/presentation", "PowerPoint (PPTX)"),
    (b"application/vnd.oasis.opendocument", "OpenDocument"), (b"application/epub+zip", "EPUB"),
    (b"[Content_Types].xml", "Office"),
)  # fmt: skip

# TIFF tags
SUBFILE, COMPRESSION, PHOTOMETRIC, MAKE, SUB_IFDS, DNG_VERSION = 254, 259, 262, 271, 330, 50706
CFA, LINEAR_RAW = 32803, 34892
RAW_COMPRESSIONS = (32767, 32769, 32770, 32867, 34316, 34713, 65000, 65535)  # Sony, Epson, Samsung, Kodak, Panasonic...
MOST_IFDS, MOST_ENTRIES = 16, 1000


@dataclass(frozen=True)
class Kind:
    """The name of a format: `is_picture` for one of pictures, `is_read` for one that Connote reads."""

    name: str
    is_picture: bool = False
    is_read: bool = False


def kind_of(data: bytes, name: str = "") -> Kind:
    """What `data` is. `name` decides only whether a TIFF is a camera's raw file, which can look like any TIFF."""
    if (heif := _heif(data)) is not None:
        return heif
    if is_raw(data, name):
        return Kind(RAW, is_picture=True)
    if _is_svg(data):
        return Kind(SVG, is_picture=True)
    if found := _listed(data, READ):
        return Kind(found, is_picture=True, is_read=True)
    if found := _listed(data, PICTURES):
        return Kind(found, is_picture=True)
    words = _listed(data, WRITTEN) or _packed(data) or _document(data) or _text(data)
    if not words and data.startswith(b"BM"):
        return Kind("BMP", is_picture=True, is_read=True)
    return Kind(words or _listed(data, OTHERS) or UNKNOWN)


def brands_of(data: bytes) -> list[bytes]:
    """The brands of an ISO media file (HEIF, AVIF, MP4, CR3), the major one first; none of any other file."""
    if data[4:8] != b"ftyp":
        return []
    end = min(int.from_bytes(data[:4], "big"), len(data), LOOKED_AT)
    return [data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))]


def is_avif(data: bytes) -> bool:
    """Whether it says anywhere among its brands that it is an AVIF: the major brand may be that of any HEIF file."""
    return any(brand in AVIF for brand in brands_of(data))


def is_raw(data: bytes, name: str = "") -> bool:
    """Whether a TIFF is a camera's raw file. Its first picture is a small preview, not the photo."""
    if not data.startswith((b"II*\0", b"MM\0*")):
        return False
    if data[8:10] == b"CR" or data[8:12] in (b"IIII", b"MMMM") or name.lower().endswith(RAW_ENDINGS):
        return True
    first, *others = list(_directories(data)) or [{}]
    if DNG_VERSION in first or any(_has_sensor_values(tags) for tags in (first, *others)):
        return True
    return bool(first.get(SUBFILE, 0) & 1) and (MAKE in first or SUB_IFDS in first)


def is_preview(data: bytes) -> bool:
    """Whether the first picture of a TIFF says that it is a smaller copy of another one."""
    if not data.startswith((b"II*\0", b"MM\0*")):
        return False
    return bool(next(_directories(data), {}).get(SUBFILE, 0) & 1)


def _has_sensor_values(tags: dict[int, int]) -> bool:
    return tags.get(PHOTOMETRIC) in (CFA, LINEAR_RAW) or tags.get(COMPRESSION) in RAW_COMPRESSIONS


def _directories(data: bytes) -> Iterator[dict[int, int]]:
    """The tags of a TIFF's directories, each with its first value or its offset; what is damaged is left out."""
    order = "<" if data.startswith(b"II") else ">"
    todo, seen = [_number(data, 4, order + "I")], set[int]()
    while todo and len(seen) < MOST_IFDS:
        at = todo.pop(0)
        if at in seen or not 8 <= at < len(data) - 2:
            continue
        seen.add(at)
        tags: dict[int, int] = {}
        n = min(_number(data, at, order + "H"), MOST_ENTRIES)
        for entry in range(at + 2, min(at + 2 + 12 * n, len(data) - 11), 12):
            tag, kind, count = struct.unpack_from(order + "HHI", data, entry)
            value = _number(data, entry + 8, order + ("H" if kind == 3 and count <= 2 else "I"))
            tags[tag] = value
            if tag == SUB_IFDS and count == 1:
                todo.append(value)
            elif tag == SUB_IFDS:
                todo += [_number(data, value + 4 * n, order + "I") for n in range(min(count, MOST_IFDS))]
        todo.append(_number(data, at + 2 + 12 * n, order + "I"))
        yield tags


def _number(data: bytes, at: int, format: str) -> int:
    """The number at `at`; 0 behind the end."""
    found: int = struct.unpack_from(format, data, at)[0] if at + struct.calcsize(format) <= len(data) else 0
    return found


def _listed(data: bytes, table: tuple[tuple[int, bytes, str], ...]) -> str:
    return next((words for at, magic, words in table if data.startswith(magic, at)), "")


def _heif(data: bytes) -> Kind | None:
    brands = brands_of(data)
    if not brands:
        return None
    if is_avif(data):
        return Kind("AVIF", is_picture=True, is_read=True)
    if any(brand in HEVC for brand in brands):
        return Kind("HEIC (HEVC)", is_picture=True)
    if b"crx " in brands:
        return Kind(RAW, is_picture=True)
    if any(brand in OTHER_HEIF for brand in brands):
        return Kind("HEIF", is_picture=True)
    return Kind("MP4 video")


def _is_svg(data: bytes) -> bool:
    start = data[:LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in data[:65536].lower()


def _packed(data: bytes) -> str:
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return ""
    return next((words for name, words in PACKED if name in data), "ZIP")


def _document(data: bytes) -> str:
    start = data[:LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"%pdf-" in start[:1024]:
        return "PDF"
    is_page = start.startswith(b"<") and any(tag in start for tag in (b"<html", b"<!doctype html", b"<head", b"<body"))
    return "HTML" if is_page else ""


def _text(data: bytes) -> str:
    start = data[:LOOKED_AT]
    if not start.strip(b"\0"):
        return ZEROS
    try:
        text = start.decode() if len(data) <= LOOKED_AT else start.decode(errors="ignore")
    except UnicodeDecodeError:
        return ""
    if any(letter < " " and letter not in "\t\r\n\f" for letter in text):
        return ""
    return "JSON" if text.lstrip("\ufeff \t\r\n").startswith(("{", "[")) else "TXT"
