"""What kind of data one JSON object is: COCO, a list of rows under a name, columns, or captions by image.

{"images": [...], "annotations": [...]}                      COCO
{"images": [{"filename": ..., "sentences": [...]}]}          Karpathy's splits
{"data": [{"image_id": ..., "caption_str": ...}]}            rows, as in TextCaps
{"image_urls": [...], "captions": [...]}                     columns, as in SBU
{"1.jpg": ["A dog.", "A brown dog."]}                        captions by image
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any, BinaryIO

import ijson

from backend.catalogue.sources.columns import CAPTIONS, FILE, KEY, SOURCE_URL
from backend.catalogue.sources.container import Container
from backend.catalogue.sources.json_tokens import ShortTokens, TokenTooLong
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import BOM, Record, first_bytes, read_json_array
from backend.catalogue.sources.rows import MB, Refused, SourceUnreadable
from backend.methods.image_names import ENDINGS
from backend.methods.tables import SENTENCES, TableFault, TableLimits
from backend.methods.tables.sources import UNREADABLE, unpacked

Records = Callable[[], Iterator[Record | Refused]]
UNKNOWN = (
    "Connote does not know what this JSON object is. It has: {names}. Use COCO, or a list of objects with a file and "
    "a caption."
)
STOPPED = "Connote cannot read the JSON from here on ({error}). It kept the rows before that."
NOT_JSON = "Connote cannot read the JSON ({error}). Copy the file again."
COLUMNS_OF_IMAGES = (*FILE, *KEY, *SOURCE_URL, "image_urls", "urls", "images", "filenames", "file_names", "image_ids")
LOOKED_AT = 4 * MB  # of a file whose upload is only looked at
MOST_NAMES = 50
SCALARS = ("string", "number")


@dataclass
class _Member:
    """A member of the object: what its value is, what is in it if it is a list, and the names of the first of these."""

    kind: str
    of: str = ""
    names: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)

    @property
    def is_rows(self) -> bool:
        return self.kind == "start_array" and self.of == "start_map"

    @property
    def is_column(self) -> bool:
        return self.kind == "start_array" and self.of in SCALARS

    @property
    def is_captions(self) -> bool:
        return self.kind == "string" or self.is_column or (self.is_rows and self.has_captions)

    @property
    def has_captions(self) -> bool:
        return not self.names.isdisjoint(CAPTIONS)


def shape_of(container: Container, name: str) -> Records | None:
    """What reads the rows of the object; None for COCO. Raises SourceUnreadable where it is neither."""
    members = _look_at(container, name)
    images = members.get("images")
    if images and images.is_rows and not images.has_captions:
        return None
    rows = next((key for key, one in members.items() if one.is_rows and one.has_captions), None)
    if rows is not None:
        return partial(_array, container, name, f"{rows}.item")
    if "rows" in members and members["rows"].is_rows and "row" in members["rows"].names:
        return partial(_array, container, name, "rows.item.row")  # as the hub's viewer gives them
    columns = [key for key, one in members.items() if one.is_column]
    if not {*columns}.isdisjoint(CAPTIONS) and not {*columns}.isdisjoint(COLUMNS_OF_IMAGES):
        return partial(_columns, container, name, tuple(columns))
    is_by_image = all(one.is_captions or _is_entry(one) for one in members.values())
    if is_by_image and any(map(_may_be_image, members)):
        return partial(_by_image, container, name)
    listed = next((key for key, one in members.items() if one.is_rows and key not in ("licenses", "categories")), None)
    if listed is not None and not members[listed].names.isdisjoint((*FILE, *KEY)):
        return partial(_array, container, name, f"{listed}.item")
    raise SourceUnreadable(UNKNOWN, code="unknown_json", params={"names": _named(members)})


def _is_entry(one: _Member) -> bool:
    return one.kind == "start_map" and not one.inner.isdisjoint(CAPTIONS)


def _may_be_image(name: str) -> bool:
    return any(letter.isdecimal() for letter in name) or PurePosixPath(name).suffix.lower() in ENDINGS


def _named(members: dict[str, _Member]) -> str:
    return printable(", ".join(list(members)[:10]) or "nothing", 200)


def _look_at(container: Container, name: str) -> dict[str, _Member]:
    """The members of the object, as far as they decide."""
    found: dict[str, _Member] = {}
    at_most = LOOKED_AT if container.limits.only_looks else None
    try:
        with _opened(container, name) as file:
            for prefix, event, value in ijson.parse(ShortTokens(file, at_most), use_float=True):
                _note(found, prefix, event, value)
                is_end = event in ("end_map", "end_array") and prefix.endswith(("images.item", "annotations.item"))
                if len(found) > MOST_NAMES or (is_end and {"images", "annotations"} <= {*found}):
                    break
    except (ijson.JSONError, UnicodeDecodeError, ValueError, RecursionError, TableFault, *UNREADABLE) as error:
        if not found:  # what was found is read as far as it goes
            error_text = printable(error)[:200]
            raise SourceUnreadable(NOT_JSON, code="json_unreadable", params={"error": error_text}) from error
    return found


def _note(found: dict[str, _Member], prefix: str, event: str, value: object) -> None:
    key = next(reversed(found), None)
    if not prefix and event == "map_key":
        found[str(value)] = _Member("")
    elif key is None:
        return
    elif prefix == key and not found[key].kind:
        found[key].kind = event
    elif prefix == f"{key}.item" and not found[key].of:
        found[key].of = event
    elif prefix == f"{key}.item" and event == "map_key" and len(found[key].names) < MOST_NAMES:
        found[key].names.add(str(value))
    elif prefix == key and event == "map_key" and len(found[key].inner) < MOST_NAMES:
        found[key].inner.add(str(value))


def _opened(container: Container, name: str) -> BinaryIO:
    """What a packed file holds is read as well. Raises SourceUnreadable where it cannot be unpacked."""
    packed = container.open(name)
    try:
        file = unpacked(packed, TableLimits(max_ratio=container.limits.max_ratio))
    except TableFault as fault:
        packed.close()
        raise SourceUnreadable(SENTENCES[fault.code], code=fault.code, params=fault.params) from fault
    if first_bytes(file).startswith(BOM):
        file.read(len(BOM))
    return file


def _array(container: Container, name: str, prefix: str) -> Iterator[Record | Refused]:
    with container.open(name) as file:
        yield from read_json_array(file, prefix)


def _by_image(container: Container, name: str) -> Iterator[Record | Refused]:
    """`line` counts the members."""
    n = 0
    try:
        with _opened(container, name) as file:
            for n, (key, value) in enumerate(ijson.kvitems(ShortTokens(file), "", use_float=True), start=1):
                yield n, (value | {"image": key} if isinstance(value, dict) else {"image": key, "captions": value})
    except TokenTooLong as error:
        yield error.at(n + 1)
    except TableFault as fault:
        yield Refused(n + 1, "", fault.code, SENTENCES[fault.code], fault.params)
    except (ijson.JSONError, UnicodeDecodeError, ValueError, RecursionError, *UNREADABLE) as error:
        yield Refused(n + 1, "", "stopped_json", STOPPED, {"error": printable(error)[:200]})


def _columns(container: Container, name: str, columns: tuple[str, ...]) -> Iterator[Record | Refused]:
    """The rows of lists that lie side by side, each list read for itself."""
    n = 0
    files = [_opened(container, name) for _ in columns]
    lists = [
        ijson.items(ShortTokens(file), f"{column}.item", use_float=True)
        for column, file in zip(columns, files, strict=True)
    ]
    try:
        for n, values in enumerate(zip_longest(*lists), start=1):
            yield n, _row_of(columns, values)
    except TokenTooLong as error:
        yield error.at(n + 1)
    except TableFault as fault:
        yield Refused(n + 1, "", fault.code, SENTENCES[fault.code], fault.params)
    except (ijson.JSONError, UnicodeDecodeError, ValueError, RecursionError, *UNREADABLE) as error:
        yield Refused(n + 1, "", "stopped_json", STOPPED, {"error": printable(error)[:200]})
    finally:
        for file in files:
            file.close()


def _row_of(columns: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    row = dict(zip(columns, values, strict=True))
    image = next((row[name] for name in COLUMNS_OF_IMAGES if row.get(name) is not None), None)
    return row | {"image": image}
