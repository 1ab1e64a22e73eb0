"""WebDataset: tar files whose members `KEY.jpg` and `KEY.json` are one sample.

The key is the image's digest, which has no dots; the original name stands in the JSON. A tar holds about 256 MB. Its
headers have no time, no owner and one mode, so that equal samples give equal bytes. Images that others may not have are
in `not-included.jsonl`, with their captions and their address.

`datasets` takes the types of the JSON from the first five samples. So every value has its type: an empty text or a zero
stands where nothing is known, and never null.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from backend.methods.export_rows import json_line
from backend.methods.exports.choices import SPLITS
from backend.methods.exports.hub_parquet import DTYPES, FACTS, REAL, TEXT, WHOLE, row_of
from backend.methods.exports.pictures import Picture

SHARD_BYTES = 256 * 2**20
LEFT_OUT = "not-included.jsonl"
EMPTY: dict[pa.DataType, Any] = {TEXT: "", WHOLE: 0, REAL: 0.0}


def write_sample(picture: Picture) -> str:
    """The JSON of an image."""
    row = row_of(picture)
    return json_line({name: _typed(row[name], kind) for name, kind in FACTS})


def _typed(value: Any, kind: pa.DataType) -> Any:
    if pa.types.is_list(kind):
        return [_typed(each, kind.value_type) for each in value]
    if pa.types.is_struct(kind):
        return {field.name: _typed(value[field.name], field.type) for field in kind}
    return EMPTY[kind] if value is None else value


def describe_samples(endings: Iterable[str]) -> list[dict[str, Any]]:
    """The columns of the samples as `datasets` names types in the head of a README, one for each kind of image."""
    images = [{"name": ending, "dtype": "image"} for ending in sorted(endings)]
    facts = {"name": "json", "struct": [_described(name, kind) for name, kind in FACTS]}
    return [*images, facts, _described("__key__", TEXT), _described("__url__", TEXT)]


def _described(name: str, kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind):
        return {"name": name, "list": [_described(field.name, field.type) for field in kind.value_type]}
    return {"name": name, "dtype": DTYPES[kind]}


class _Split:
    """The tar files of one split, one open at a time."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._open: tarfile.TarFile | None = None
        self._held = 0
        self.paths: list[Path] = []

    def add(self, picture: Picture, data: bytes) -> None:
        tar = self._open
        if tar is None or self._held > SHARD_BYTES:
            self.close()
            self.paths.append(self._folder / f"{self._name}-{len(self.paths):05d}.tar")
            tar = self._open = tarfile.open(self.paths[-1], "w", format=tarfile.USTAR_FORMAT)  # noqa: SIM115
            self._held = 0
        for name, content in ((picture.name, data), (f"{picture.digest}.json", write_sample(picture).encode())):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            tar.addfile(member, io.BytesIO(content))
            self._held += len(content)

    def close(self) -> None:
        if self._open:
            self._open.close()
        self._open = None


def write_webdataset(folder: Path, pictures: Iterable[Picture]) -> list[Path]:
    """`train-00000.tar` and so on in `folder`. Returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    splits = {name: _Split(folder, name) for name in SPLITS}
    n_left_out, left_out = 0, folder / LEFT_OUT
    with left_out.open("w", encoding="utf-8", newline="") as lines:
        for picture in pictures:
            data = picture.bytes_for_others()
            if data is None:
                lines.write(write_sample(picture))
                n_left_out += 1
            else:
                splits[picture.split].add(picture, data)
    for split in splits.values():
        split.close()
    if not n_left_out:
        left_out.unlink()
    return [*(path for name in SPLITS for path in splits[name].paths), *([left_out] if n_left_out else [])]
