"""Layout `webdataset`: a tar, also compressed; neighbours that share a name up to the first dot are one sample.

`0001.jpg 0001.txt 0001.json`: the picture, its caption, its metadata (as img2dataset writes them), read front to back.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from backend.catalogue.sources.containers import members_of, read_whole, why_not_member
from backend.catalogue.sources.files import has_picture_name
from backend.catalogue.sources.metadata import NOT_UTF8, Fields
from backend.catalogue.sources.rows import LIMITS, CaptionRow, ImageRow, Limits, Refused, UnreadableError
from backend.catalogue.sources.table import captions_of, image_row, key_of

TEXTS = (".txt", ".caption")
Member = tuple[int, str, bytes | UnreadableError]


@dataclass
class Sample:
    """The members of one name: the picture, captions, metadata, and whatever could not be read."""

    line: int
    key: str
    picture: tuple[str, bytes | UnreadableError] | None = None
    texts: list[bytes | UnreadableError] = field(default_factory=list)
    fields: Fields = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)


class WebDataset:
    """One shard."""

    layout = "webdataset"

    def __init__(self, path: Path, limits: Limits = LIMITS) -> None:
        self.path, self.limits = path, limits

    def images(self) -> Iterator[ImageRow | Refused]:
        for sample in self._samples():
            if isinstance(sample, Refused):
                yield sample
                continue
            yield from sample.refused
            if sample.picture is not None:
                name, data = sample.picture
                key = key_of({**sample.fields, "file": ""}, sample.key)
                yield image_row(sample.line, key, name, lambda data=data: _given(data), sample.fields)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        for sample in self._samples():
            if isinstance(sample, Refused):
                yield sample
            else:
                yield from _captions(sample)

    def _samples(self) -> Iterator[Sample | Refused]:
        for stem, members in groupby(self._members(), key=lambda m: None if isinstance(m, Refused) else _stem(m[1])):
            if stem is None:
                yield from (member for member in members if isinstance(member, Refused))
            else:
                yield _sample(stem, [member for member in members if not isinstance(member, Refused)])

    def _members(self) -> Iterator[Member | Refused]:
        broken: list[Refused] = []
        unpacked, limit = 0, max(self.limits.member_bytes, self.limits.compression * self.path.stat().st_size)
        with tarfile.open(self.path, "r|*") as archive:
            for number, member in enumerate(members_of(archive, broken), start=1):
                if reason := why_not_member(number, member, self.limits):
                    yield Refused(number, member.name[:300], *reason)
                    if reason[0] in ("bomb", "too_large"):
                        return  # a stream can only be passed by reading it, and this one is not worth reading
                unpacked += member.size
                if unpacked > limit:
                    yield Refused(number, member.name[:300], "bomb", "The archive unpacks to far more than its size.")
                    return
                if member.isfile() and not reason:
                    yield number, member.name, _read(archive, member)
        yield from broken


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes | UnreadableError:
    try:
        file = archive.extractfile(member)
        return read_whole(file, member) if file else b""
    except UnreadableError as error:
        return error
    except (tarfile.TarError, EOFError, OSError) as error:
        return UnreadableError("truncated", f"The archive ends in the middle of this file ({type(error).__name__}).")


def _stem(name: str) -> str:
    """The name up to the first dot of its last part: `a/0001.seg.png` -> `a/0001`."""
    path = PurePosixPath(name)
    return (path.parent / path.name.split(".", 1)[0]).as_posix()


def _sample(stem: str, members: list[Member]) -> Sample:
    sample = Sample(members[0][0], stem)
    for number, name, data in members:
        if has_picture_name(name):
            sample.picture = (name, data)
        elif name.lower().endswith(TEXTS):
            sample.texts.append(data)
        elif name.lower().endswith(".json"):
            _take_fields(sample, number, name, data)
    return sample


def _take_fields(sample: Sample, number: int, name: str, data: bytes | UnreadableError) -> None:
    try:
        fields: Any = json.loads(_given(data))
    except (ValueError, RecursionError):
        sample.refused.append(Refused(number, name[:300], "malformed", "The metadata is not JSON."))
        return
    except UnreadableError as error:
        sample.refused.append(Refused(number, name[:300], error.code, error.message))
        return
    sample.fields = fields if isinstance(fields, dict) else {}


def _captions(sample: Sample) -> Iterator[CaptionRow | Refused]:
    fields = {**sample.fields, "file": ""}
    key = key_of(fields, sample.key)
    if not sample.texts:
        yield from captions_of(sample.line, {**fields, "id": key})
    for data in sample.texts:
        try:
            yield CaptionRow(sample.line, key, _given(data).decode())
        except UnicodeDecodeError:
            yield Refused(sample.line, key[:300], "not_utf8", NOT_UTF8)
        except UnreadableError as error:
            yield Refused(sample.line, key[:300], error.code, error.message)


def _given(data: bytes | UnreadableError) -> bytes:
    if isinstance(data, UnreadableError):
        raise data
    return data
