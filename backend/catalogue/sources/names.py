"""Names of files inside a source: which are safe to follow, and which are nobody's business."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from backend.catalogue.sources.rows import MemberRefused
from backend.methods.tables import is_table_name

MAX_NAME = 1000
UNPRINTABLE = re.compile("[\x00\ud800-\udfff]")
DRIVE = re.compile(r"^[A-Za-z]:")
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".7z", ".rar")
TEXTS = (".txt", ".md", ".html", ".pdf", ".xml", ".yaml", ".yml", ".py", ".sha256", ".parquet", ".npy", ".cls")
DESKTOP = ("thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r")  # what Windows and macOS leave in a folder of pictures
SPREADSHEETS = (".ods", ".xls", ".xlsb", ".numbers")  # which no reader knows
CLIMBS = "The path {name} is outside the source. Use paths below it, without .. and without / at the start."


def safe_name(name: str) -> str:
    """`name` as a plain relative path with forward slashes. Raises MemberRefused where it leads out or is no text."""
    if not name or len(name) > MAX_NAME or "\x00" in name or not _is_text(name):
        raise MemberRefused(
            "file_name_unfit", "The file has a name that Connote cannot use. Use UTF-8 and at most 1,000 characters."
        )
    slashed = name.replace("\\", "/")
    parts = PurePosixPath(slashed).parts
    if slashed.startswith("/") or DRIVE.match(slashed) or ".." in parts:
        raise MemberRefused("climbs_out", CLIMBS, {"name": printable(name)})
    return str(PurePosixPath(slashed))


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_hidden(name: str) -> bool:
    """Whether a desktop left this behind (.DS_Store, ._photo.jpg, Thumbs.db): no row, and no refusal either."""
    parts = name.split("/")
    is_left = any(part.startswith(".") or part == "__MACOSX" for part in parts if part != ".")
    return is_left or parts[-1].lower() in DESKTOP


def is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVES)


def is_table(name: str) -> bool:
    return is_table_name(name)


def is_beside(name: str) -> bool:
    """Whether the file says by its name that it describes pictures instead of being one: README.md, credits.csv."""
    return is_table(name) or name.lower().endswith(TEXTS)


def printable(text: object, length: int = 300) -> str:
    """`text` fit for a refusal's row: half characters and NULs replaced, not too long."""
    return UNPRINTABLE.sub("\ufffd", str(text))[:length]
