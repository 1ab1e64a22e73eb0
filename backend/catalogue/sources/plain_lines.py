"""Lines of an image and a caption without a header, as Flickr30k's .token and Conceptual Captions' .tsv are published.

    1000092795.jpg#0 <tab> Two young guys with shaggy hair look at their hands.
    a very typical bus station <tab> http://site.org/a.jpg

    image_name| comment_number| comment

Quotes mean nothing between tabs and bars. A .txt may have the header `image,caption`, and captions with bare commas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from backend.catalogue.sources.container import Container
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import refused_of
from backend.catalogue.sources.rows import Refused
from backend.methods.image_names import ENDINGS
from backend.methods.tables import Fault, read_lines

Records = Callable[[], Iterator[tuple[int, dict[str, Any]] | Refused]]
LOOKED_FOR = (".txt", ".token")  # of the other endings, the table reader knows those with a header
ALSO = (".tsv", ".tab", ".csv")
NAME = re.compile(rf"\S[^\t,|]*(?:{'|'.join(map(re.escape, ENDINGS))})(?:#\d+)?", re.IGNORECASE)
ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
NUMBERED = re.compile(r"(.+)#(\d+)")
HEADERS = ("image", "image_name", "file_name", "filename", "file", "img")
NO_CAPTION = "The line names an image but has no caption. Add one."
QUOTED = re.compile(r'"((?:[^"]|"")*+)"')


def is_plain_text(name: str) -> bool:
    """Whether the file may hold such lines, and no other reader knows it."""
    return name.lower().endswith(LOOKED_FOR)


def plain_lines(container: Container, name: str) -> Records | None:
    """What reads the lines of the file; None where its first line is not one of an image and a caption."""
    if not name.lower().endswith((*LOOKED_FOR, *ALSO)):
        return None
    with container.open(name) as file:
        found = next(read_lines(file, name), None)
    first = found[1] if isinstance(found, tuple) else ""
    separator = next((sign for sign in ("\t", "|") if sign in first), ",")
    fields = [field.strip().lower() for field in first.split(separator)]
    has_header = fields[0] in HEADERS and ((is_plain_text(name) and len(fields) == 2) or fields[-1] == "comment")
    if len(fields) < 2 or not (has_header or any(map(_is_image, fields))):
        return None
    return partial(_read, container, name, separator, has_header)


def _is_image(field: str) -> bool:
    return bool(NAME.fullmatch(field) or ADDRESS.fullmatch(field))


def _read(
    container: Container, name: str, separator: str, has_header: bool
) -> Iterator[tuple[int, dict[str, Any]] | Refused]:
    with container.open(name) as file:
        for found in read_lines(file, name):
            if isinstance(found, Fault):
                yield refused_of(found)
                continue
            line, text = found
            if text.strip() and not (has_header and line == 1):
                yield _row_of(line, _fields(text, separator))


def _fields(text: str, separator: str) -> list[str]:
    if separator != ",":
        return [field.strip() for field in text.split(separator)]
    name, rest = (part.strip() for part in (*text.partition(",")[::2],))
    quoted = QUOTED.fullmatch(rest)
    return [name, quoted[1].replace('""', '"') if quoted else rest]


def _row_of(line: int, fields: list[str]) -> tuple[int, dict[str, Any]] | Refused:
    """The image is the field that looks like one, else the first. A number between them counts the captions."""
    place = next((place for place, field in enumerate(fields) if _is_image(field)), 0)
    others = [field for at, field in enumerate(fields) if at != place]
    caption = next((field for field in others if field and not field.isdecimal()), "")
    if not caption:
        return Refused(line, printable(fields[place]), "line_without_caption", NO_CAPTION)
    numbered = NUMBERED.fullmatch(fields[place])
    image = numbered[1] if numbered else fields[place]
    address = {"url": image} if ADDRESS.fullmatch(image) else {}
    ref = {"caption_id": fields[place]} if numbered else {}
    return line, {"image": image, "caption": caption} | address | ref
