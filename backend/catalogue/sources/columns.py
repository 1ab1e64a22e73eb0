"""The names that public datasets give to the same few columns, and what becomes of a record by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from backend.catalogue.sources.container import Finder
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import CaptionRow, ImageRow, MemberRefused, Refused

KEY = ("image_id", "image_key", "key", "ImageID", "imageid", "imgid", "id")
FILE = ("file_name", "file", "path", "filename", "filepath", "image_path", "image", "img")
LICENCE = ("license_url", "licence_url", "license", "licence", "License", "Licence", "license_name", "rights")
SOURCE_URL = (
    "source_url", "OriginalLandingURL", "landing_url", "page_url", "flickr_url", "flickr_static_url", "coco_url",
    "url", "OriginalURL",
)  # fmt: skip
AUTHOR = ("author", "Author", "creator", "photographer", "credit")
TITLE = ("title", "Title")
ATTRIBUTION = ("attribution", "Attribution", "credit_line")
CAPTIONS = ("captions", "caption", "text", "sentences", "raw", "alt_text", "alt", "description")
# The page of a caption. `url` is not among them: in most tables it is the address of the picture.
PAGE_URL = (
    "page_url", "page", "page_address", "webpage_url", "website_url", "source_page", "OriginalLandingURL",
    "landing_url", "page_domain", "domain", "host",
)  # fmt: skip
SITE_NAME = ("site_name", "og:site_name", "og_site_name", "website_name", "page_site_name")
CAPTION_REF = ("caption_id", "sentid", "id")
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
HALF = re.compile("[\ud800-\udfff]")
MAX_KEY = 200
NO_KEY = "The row has no image id and no file. Add a file_name or image_id column."
LONGEST = {"author": 200, "title": 300, "source_url": 500, "attribution": 600}
Record = Mapping[str, Any]


def first_of(record: Record, columns: tuple[str, ...]) -> str:
    """The first of `columns` that holds anything, as one line of text."""
    for column in columns:
        if (text := as_text(record.get(column))) != "":
            return text
    return ""


def as_text(value: object) -> str:
    """A cell as one line of text: numbers as they are written, everything else but text as nothing."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return HALF.sub("\ufffd", CONTROL.sub(" ", str(value))).strip()


def read_key(record: Record, key_folder: str) -> str:
    """The id of the image a record is about; its path where the record has no id. Raises MemberRefused."""
    file = first_of(record, FILE)
    key = first_of(record, KEY) or (f"{key_folder}/{file}" if key_folder and file else file)
    if not key:
        raise MemberRefused("no_key", NO_KEY)
    if len(key) > MAX_KEY:
        raise MemberRefused("key_too_long", f"The id of the image has more than {MAX_KEY} characters. Shorten it.")
    return key


def image_row(line: int, record: Record, finder: Finder, key_folder: str = "") -> ImageRow | Refused:
    """The picture a record describes, found in its container."""
    file = first_of(record, FILE)
    try:
        key = read_key(record, key_folder)
        name = finder.find(file or key)
    except MemberRefused as refused:
        return Refused(line, printable(file or first_of(record, KEY)), refused.code, refused.message)
    return ImageRow(line, key, name, reader(finder.container.read, name), **credits_of(record))


def reader(read: Callable[[str], bytes], name: str) -> Callable[[], bytes]:
    return lambda: read(name)


def credits_of(record: Record) -> dict[str, Any]:
    """Licence wordings and who is to be named, each cut to what the table holds."""
    fields = {
        "author": first_of(record, AUTHOR),
        "title": first_of(record, TITLE),
        "source_url": _web_address(record),
        "attribution": first_of(record, ATTRIBUTION),
    }
    licence = tuple(dict.fromkeys(text for column in LICENCE if (text := as_text(record.get(column)))))
    return {name: text[: LONGEST[name]] for name, text in fields.items()} | {"licence": licence}


def _web_address(record: Record) -> str:
    """The first column that holds an address of the web; a javascript: link must never reach a page."""
    texts = (as_text(record.get(column)) for column in SOURCE_URL)
    fitting = (text for text in texts if text.lower().startswith(("http://", "https://")) and " " not in text)
    return next((text for text in fitting if len(text) <= LONGEST["source_url"]), "")


def caption_rows(line: int, record: Record, key_folder: str = "") -> Iterator[CaptionRow | Refused]:
    """Every caption of a record: one text, a list of texts, or a list of `{text, caption_id}`."""
    try:
        key = read_key(record, key_folder)
    except MemberRefused as refused:
        yield Refused(line, "", refused.code, refused.message)
        return
    column = next((column for column in CAPTIONS if record.get(column) not in (None, "", [])), None)
    if column is None:
        yield Refused(line, printable(key), "no_caption", "The row has no caption. Add a caption or text column.")
        return
    value = record[column]
    items = value if isinstance(value, list) else [value]
    for place, item in enumerate(items):
        yield _caption(line, key, record, item, place if isinstance(value, list) else None)


def _caption(line: int, key: str, record: Record, item: object, place: int | None) -> CaptionRow | Refused:
    own: Record = item if isinstance(item, dict) else {}
    text = next((own[name] for name in ("text", "caption", "raw") if isinstance(own.get(name), str)), item)
    if not isinstance(text, str):
        return Refused(line, printable(key), "no_caption", "A caption of this row is not a text. Write it as text.")
    ref = first_of(own, CAPTION_REF) or (first_of(record, ("caption_id",)) if place is None else "")
    facts = own or record
    source = as_text(facts.get("source")) or None
    page, site = (first_of(own, names) or first_of(record, names) for names in (PAGE_URL, SITE_NAME))
    rank, similarity = _number(facts, "rank", int), _number(facts, "similarity", float)
    return CaptionRow(line, key, text, ref, source, rank, similarity, page, site)


def _number(facts: Record, column: str, kind: type[Any]) -> Any:
    try:
        number = kind(as_text(facts.get(column)))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= abs(number) < 2**31 and (kind is float or number >= 0) else None
