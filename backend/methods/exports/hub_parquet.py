"""Parquet with the images inside, laid out as the Hugging Face Hub expects: `datasets.load_dataset` needs no code.

A row is an image with its captions. Row groups hold at most 100 rows, and about 32 MB, so that the viewer of the Hub
can show one without loading the file; a file holds about 400 MB. The schema is the same in all files, also where a
column is null in a whole file. An image that others may not have is there without bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from backend.methods.exports.choices import SPLITS
from backend.methods.exports.parquet_file import ParquetFile
from backend.methods.exports.pictures import Picture, facts_of, flat_caption

ROWS, GROUP_BYTES, FILE_BYTES = 100, 32 * 2**20, 400 * 2**20
TEXT, WHOLE, REAL = pa.string(), pa.int32(), pa.float64()
DTYPES = {TEXT: "string", WHOLE: "int32", REAL: "float64"}  # as `datasets` names them
CAPTION = pa.struct([
    ("key", TEXT), ("position", WHOLE), ("text", TEXT), ("raw_text", TEXT), ("source", TEXT), ("source_ref", TEXT),
    ("n_good", WHOLE), ("n_bad", WHOLE), ("n_unsure", WHOLE), ("decided_by", TEXT), ("category", TEXT),
    ("entropy", REAL), ("difficulty", TEXT), ("difficulty_votes", WHOLE),
])  # fmt: skip
COLUMNS = [
    ("image", pa.struct([("bytes", pa.binary()), ("path", TEXT)])),
    ("digest", TEXT), ("key", TEXT), ("split", TEXT), ("width", WHOLE), ("height", WHOLE), ("format", TEXT),
    ("licence", TEXT), ("licence_url", TEXT), ("author", TEXT), ("title", TEXT), ("source_url", TEXT),
    ("attribution", TEXT), ("captions", pa.list_(CAPTION)),
]  # fmt: skip


def _feature(name: str, kind: pa.DataType) -> dict[str, Any]:
    """A column as `datasets` names its types."""
    if name == "image":
        return {"_type": "Image"}
    if pa.types.is_list(kind):
        return {"feature": _feature("", kind.value_type), "_type": "List"}
    if pa.types.is_struct(kind):
        return {field.name: _feature("", field.type) for field in kind}
    return {"dtype": DTYPES[kind], "_type": "Value"}


# What is known of an image without its bytes. The tar files of WebDataset have it as JSON.
FACTS = [(name, kind) for name, kind in COLUMNS if name != "image"]


def row_of(picture: Picture) -> dict[str, Any]:
    """The image by FACTS."""
    captions = [flat_caption(caption) for caption in picture.line["captions"]]
    return facts_of(picture) | {"split": picture.split, "captions": captions}


FEATURES = {name: _feature(name, kind) for name, kind in COLUMNS}
SCHEMA = pa.schema(COLUMNS, metadata={"huggingface": json.dumps({"info": {"features": FEATURES}})})


class _Split:
    """The files of one split, one open at a time; their names tell how many there are, so they get them at the end."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._open: ParquetFile | None = None
        self._parts: list[Path] = []

    def add(self, picture: Picture) -> None:
        data = picture.bytes_for_others()
        if self._open is None or self._open.n_bytes > FILE_BYTES:
            self.close()
            self._parts.append(self._folder / f"{self._name}-{len(self._parts):05d}.part")
            self._open = ParquetFile(self._parts[-1], SCHEMA, rows=ROWS, n_bytes=GROUP_BYTES)
        image = None if data is None else {"bytes": data, "path": picture.name}
        self._open.add({"image": image, **row_of(picture)}, n_bytes=len(data or b""))

    def close(self) -> None:
        if self._open:
            self._open.__exit__()
        self._open = None

    def finish(self) -> list[Path]:
        self.close()
        of = f"of-{len(self._parts):05d}.parquet"
        return [part.replace(part.with_name(f"{part.stem}-{of}")) for part in self._parts]


def write_hub_parquet(folder: Path, pictures: Iterable[Picture]) -> list[Path]:
    """`data/train-00000-of-00001.parquet` and so on in `folder`. Returns the files."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    splits = {name: _Split(data, name) for name in SPLITS}
    for picture in pictures:
        splits[picture.split].add(picture)
    return [path for name in SPLITS for path in splits[name].finish()]
