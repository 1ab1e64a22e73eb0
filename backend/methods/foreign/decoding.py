"""The text of a file of judgments, packed or not, in UTF-8, or in UTF-16 or UTF-32 with a mark."""

from __future__ import annotations

import codecs
import gzip
import zlib

from backend.methods.foreign.tables import lines_of
from backend.methods.foreign.told import NotJudgmentsError

PACKED = b"\x1f\x8b"
# By their marks; that of UTF-32 begins as that of UTF-16 does.
WIDE = {
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


def decode(raw: bytes) -> str:
    """The text, told by the file's first bytes, not by its name. Raises NotJudgmentsError."""
    if is_packed(raw):
        raw = _unpacked(raw)
    if wide := next((name for name, marks in WIDE.items() if raw.startswith(marks)), None):
        return _text(raw, wide, wide)
    if b"\0" in raw:
        raise NotJudgmentsError("This is not a text, because it has zero bytes. Save it as UTF-8.")
    return _text(raw, "utf-8-sig", "UTF-8")


def is_packed(raw: bytes) -> bool:
    return raw.startswith(PACKED)


def _unpacked(raw: bytes) -> bytes:
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error) as problem:
        raise NotJudgmentsError("This packed file is damaged or not complete. Pack it again.") from problem


def _text(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as problem:
        before = problem.object[: problem.start].decode(encoding, "ignore")
        line = sum(1 for _ in lines_of(f"{before}?"))
        raise NotJudgmentsError(f"Line {line} is not text in {name}. Save the file as UTF-8.") from problem
