"""The names that public datasets give to the same few columns, and what becomes of a record by them.

Tables give the names of their columns without capitals. Facts beside a picture have them as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from backend.catalogue.sources.annotated import annotations_of
from backend.catalogue.sources.container import Finder
from backend.catalogue.sources.conversations import answers, turns_of, with_one_image, without_image
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import CaptionRow, ImageRow, MemberRefused, Picture, Refused
from backend.catalogue.sources.withdrawn import withdrawal_of
from backend.methods.export_rows import unguard
from backend.methods.tables import as_text, values_by_name, values_of

# `id` is the last: it can be the row's own.
KEY = (
    "image_id", "image_key", "image/key", "key", "ImageID", "imageid", "imagekey", "cocoid", "imgid", "img_id", "id",
)  # fmt: skip
ROW_ID = "id"
FILE = ("file_name", "file", "path", "filename", "filepath", "image_path", "image_file", "image_name", "imagename",
        "image", "img", "painting")  # fmt: skip
PICTURE = ("jpg", "jpeg", "png", "webp", "image_bytes", "bytes")  # the picture itself
IMAGE_URL = ("image_url", "url")  # of rows with neither a file nor an id: an image is known by its address, too
LICENCE = ("license_url", "licence_url", "license", "licence", "License", "Licence", "license_name", "rights")
SOURCE_URL = (
    "source_url", "OriginalLandingURL", "landing_url", "page_url", "flickr_url", "flickr_static_url", "coco_url",
    "url", "image_url", "OriginalURL", "originallandingurl", "originalurl",
)  # fmt: skip
AUTHOR = ("author", "Author", "creator", "photographer", "credit")
TITLE = ("title", "Title")
ATTRIBUTION = ("attribution", "Attribution", "credit_line")
WIT = ("caption_reference_description", "caption_attribution_description", "caption_alt_text_description")
CAPTIONS = (
    "captions", "caption", "text", "sentences", "raw", "caption_str", "alt_text", "alt", "description", "utterance",
    "phrase", "regions", *WIT, "taskanswers",
)  # fmt: skip
TEXTS = tuple(name for name in CAPTIONS if name != "regions")  # annotation tools call boxes so
LANGUAGE = re.compile("[a-z]{2,3}(?:[-_][a-z0-9]{2,8})?")  # of a column that holds captions in this language
# The page of a caption. `url` is not among them: in most tables it is the address of the picture.
PAGE_URL = (
    "page_url", "page", "page_address", "webpage_url", "website_url", "source_page", "OriginalLandingURL",
    "originallandingurl", "landing_url", "page_domain", "domain", "host",
)  # fmt: skip
SITE_NAME = ("site_name", "og:site_name", "og_site_name", "website_name", "page_site_name")
CAPTION_REF = ("caption_id", "sentid", "region_id", "id")
RELEASED = frozenset({"image", "key", "text", "raw_text", "source_ref", "n_good", "n_bad", "n_unsure"})
DIGEST = re.compile("[0-9a-f]{64}")
MAX_KEY = 200
KEY_TOO_LONG = "The id of the image has more than {most} characters. Shorten it."
NOT_DOWNLOADED = "The row names an address of the web. Download the images first, for example with img2dataset."
OTHER_COLUMN = "The column {column} has a text too. Connote takes the captions of one column, {taken}."
OTHER_COLUMN = "The column {column} has a text, too. Connote takes the captions of one column: {taken}."
NO_KEY = "The row has no image id and no file. Add a file_name or image_id column."
LONGEST = {"author": 200, "title": 300, "source_url": 500, "attribution": 600}
Record = Mapping[str, Any]


def first_of(record: Record, columns: tuple[str, ...]) -> str:
    """The first of `columns` that holds anything, as one line of text."""
    for column in columns:
        if (text := as_text(record.get(column))) != "":
            return text
    return ""


@dataclass(frozen=True)
class Naming:
    """How the rows of a table name their images.

    `key_folder` is put before the file names that stand in for missing ids, and `row_folder` before the number of a row
    that does. With `has_row_ids`, the column `id` numbers the rows and names no image.
    """

    key_folder: str = ""
    has_row_ids: bool = False
    row_folder: str = ""

    def path_of(self, record: Record) -> str:
        """The file of the row as the source calls it, empty where the row names none."""
        file = file_of(record)
        return f"{self.key_folder}/{file}" if self.key_folder and file else file

    def id_of(self, record: Record) -> str:
        """The id of the image, empty where the row has none."""
        return first_of(record, KEY[:-1] if self.has_row_ids else KEY)


def file_of(record: Record) -> str:
    """The file that a row names. Karpathy's `filepath` is the folder of its `filename`."""
    name, folder = as_text(record.get("filename")), as_text(record.get("filepath"))
    if name and folder and not PurePosixPath(folder).suffix and not first_of(record, FILE[:3]):
        return f"{folder}/{name}"
    return first_of(record, FILE) or next((as_text(packed.get("path")) for packed in packed_of(record)), "")


def packed_of(record: Record) -> list[dict[str, Any]]:
    """Pictures that lie in the table itself: `{bytes, path}` in Hugging Face's Parquet, bytes in img2dataset's."""
    values = (record.get(column) for column in (*FILE, *PICTURE))
    found = ({"bytes": value} if isinstance(value, bytes) and not as_text(value) else value for value in values)
    return [value for value in found if isinstance(value, dict) and isinstance(value.get("bytes"), bytes)]


def read_key(record: Record, naming: Naming) -> str:
    """The id of the image a record is about; its path where the record has no id. Raises MemberRefused."""
    key = naming.id_of(record) or naming.path_of(record) or first_of(record, IMAGE_URL)
    if not key:
        raise MemberRefused("no_key", NO_KEY)
    if len(key) > MAX_KEY:
        raise MemberRefused("key_too_long", KEY_TOO_LONG, {"most": MAX_KEY})
    return key


def _find(finder: Finder, file: str, key: str) -> str:
    name = file or key
    try:
        return finder.find(name)
    except MemberRefused as refused:
        if name.lower().startswith(("http://", "https://")) and refused.code in ("missing_file", "climbs_out"):
            raise MemberRefused("not_downloaded", NOT_DOWNLOADED) from refused
        raise


def image_row(line: int, record: Record, finder: Finder, naming: Naming) -> ImageRow | Refused:
    """The picture a record describes, found in its container."""
    file, packed = "", packed_of(record)
    try:
        if turns_of(record) is not None:
            record = with_one_image(record)
            if not _names_image(record):
                return without_image(line, record)
        file = file_of(record)
        key = _key_of(line, record, naming)
        name = (file or key) if packed else _find(finder, file, key)
    except MemberRefused as refused:
        return refused.at(line, printable(file or first_of(record, KEY)))
    facts = credits_of(record)
    if packed:
        data: bytes = packed[0]["bytes"]
        return ImageRow(line, key, name, lambda: data, **facts)
    names = dict.fromkeys((naming.path_of(record), name, facts["source_url"]))
    others = tuple(one for one in names if one and one != key)
    return ImageRow(line, key, name, reader(finder.container.read, name), names=others, **facts)


def _key_of(line: int, record: Record, naming: Naming) -> str:
    """The id of the image; of a picture in the table that has none, the number of its row. Raises MemberRefused."""
    try:
        return read_key(record, naming)
    except MemberRefused as refused:
        if refused.code == "no_key" and packed_of(record):
            return f"{naming.row_folder}/{line:09d}" if naming.row_folder else f"{line:09d}"
        raise


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


def caption_rows(
    line: int, record: Record, naming: Naming, picture: Picture | None = None
) -> Iterator[CaptionRow | Refused]:
    """Every caption of a record: one text, a list of texts or of `{text, caption_id}`, or several columns; the
    answers of a conversation; or the texts that people wrote in an annotation tool."""
    if gone := withdrawal_of(line, first_of(record, (*FILE, *KEY, *IMAGE_URL)), record):
        yield gone
    else:
        yield from _rows_of(line, record, naming, picture)


def _rows_of(line: int, record: Record, naming: Naming, picture: Picture | None) -> Iterator[CaptionRow | Refused]:
    turns = turns_of(record)
    try:
        record = record if turns is None else with_one_image(record)
        if turns is not None and not _names_image(record):
            yield without_image(line, record)
            return
        about = _about(line, record, naming)
    except MemberRefused as refused:
        yield refused.at(line, "" if turns is None else printable(as_text(record.get(ROW_ID))))
        return
    key = about.key
    told = annotations_of(line, key, record, CAPTIONS)
    columns = CAPTIONS if told is None else TEXTS
    said = answers(line, key, as_text(record.get(ROW_ID)), turns or [])
    items: list[Any] = []
    for each in [*_by_column(line, key, record, columns), *said, *(told or ())]:
        if isinstance(each, Refused):
            yield each
        else:
            items.append(each)
    if not items and (turns or told):  # each turn or annotation was told
        return
    if not items:
        yield Refused(line, printable(key), "no_caption", "The row has no caption. Add a caption or text column.")
        return
    for place, item in enumerate(items):
        row = _caption(line, about, record, item, place if len(items) > 1 else None)
        yield replace(row, picture=picture) if picture and isinstance(row, CaptionRow) else row


def _by_column(line: int, key: str, record: Record, columns: tuple[str, ...]) -> list[Any]:
    """The captions of the first column that has any, and each further one as ignored. The three columns of WIT are
    different texts about one image."""
    found = list(values_by_name(record, columns))
    n_taken = len(found) if all(column in WIT for column, _ in found) else 1
    told = ({"column": column, "taken": found[0][0]} for column, _ in found[n_taken:])
    others = [Refused(line, printable(key), "other_column", OTHER_COLUMN, says, is_ignored=True) for says in told]
    return [*(text for _, texts in found[:n_taken] for text in texts), *others] or _by_language(record)


def _names_image(record: Record) -> bool:
    """Whether a record says which image it is about; an `id` alone may be the row's own."""
    return bool(file_of(record) or packed_of(record) or first_of(record, (*KEY[:-1], *IMAGE_URL)))


def _by_language(record: Record) -> list[Any]:
    """Captions of `{"en": {"caption": [...]}}`, as in Crossmodal-3600. The id of each names its language."""
    columns = (column for column, value in record.items() if isinstance(value, dict) and LANGUAGE.fullmatch(column))
    return [
        {"text": text, "caption_id": f"{column}#{n}"}
        for column in columns
        for n, text in enumerate(values_of(record[column], CAPTIONS), start=1)
    ]


def _is_released(record: Record) -> bool:
    """Whether it is a row of captions.csv or captions.jsonl of a release: its `key` is the caption's, and `image` is a
    digest. Texts are guarded in the CSV alone, which tells the decision in columns."""
    return record.keys() >= RELEASED and DIGEST.fullmatch(as_text(record["image"])) is not None


class _About(NamedTuple):
    """Which image a row is about: a name, further names, and an id that may be the row's own."""

    key: str
    names: tuple[str, ...]
    weak_key: str


def _about(line: int, record: Record, naming: Naming) -> _About:
    """The names of the image. An `id` beside a file or another id may be the caption's own. Raises MemberRefused."""
    if _is_released(record):
        return _About(as_text(record["image"]), (), "")
    key = _key_of(line, record, naming)
    sure_id, path, row_id = first_of(record, KEY[:-1]), naming.path_of(record), as_text(record.get(ROW_ID))
    if sure_id:
        return _About(sure_id, (path,) if path else (), "")
    if path and row_id:
        return _About(path, (), "" if naming.has_row_ids else row_id)
    return _About(key, (), "")


def _caption(line: int, about: _About, record: Record, item: object, place: int | None) -> CaptionRow | Refused:
    key = about.key
    own: Record = item if isinstance(item, dict) else {}
    text = next((own[name] for name in ("text", "caption", "raw", "phrase") if isinstance(own.get(name), str)), item)
    if not isinstance(text, str):
        return Refused(line, printable(key), "no_caption", "A caption of this row is not a text. Write it as text.")
    if _is_released(record):
        text = unguard(text) if "decided_by" in record else text
        return CaptionRow(line, key, text, as_text(record.get("source_ref")), as_text(record.get("source")) or None)
    ref = first_of(own, CAPTION_REF) or (first_of(record, ("caption_id",)) if place is None else "")
    facts = own or record
    source = as_text(facts.get("source")) or None
    page, site = (first_of(own, names) or first_of(record, names) for names in (PAGE_URL, SITE_NAME))
    rank, similarity = _number(facts, "rank", int), _number(facts, "similarity", float)
    return CaptionRow(
        line, key, text, ref, source, rank, similarity, page, site, names=about.names, weak_key=about.weak_key
    )


def _number(facts: Record, column: str, kind: type[Any]) -> Any:
    try:
        number = kind(as_text(facts.get(column)))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= abs(number) < 2**31 and (kind is float or number >= 0) else None
