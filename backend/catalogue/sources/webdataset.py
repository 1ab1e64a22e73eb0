"""WebDataset: tars in which the members 000.jpg, 000.txt and 000.json, next to each other, are one sample."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

from backend.catalogue.sources.columns import CAPTIONS, MAX_KEY, caption_rows, credits_of, reader
from backend.catalogue.sources.container import Container, Member
from backend.catalogue.sources.names import is_archive, is_beside, printable
from backend.catalogue.sources.rows import CaptionRow, ImageRow, MemberRefused, Refused

TEXT, FACTS = (".txt", ".caption", ".cap"), (".json",)
NESTED = "Connote does not open an archive in an archive. Import it alone."


def key_of(name: str) -> str:
    """The sample's name: the path up to the first dot of the file name, as WebDataset has it."""
    path = PurePosixPath(name)
    return str(path.with_name(path.name.split(".", 1)[0] or path.name))


@dataclass(frozen=True)
class WebDataset:
    """One or more shards in the order of their names; `line` counts members over all of them."""

    shards: tuple[Container, ...]
    layout: str = "webdataset"

    def images(self) -> Iterator[ImageRow | Refused]:
        for shard, sample, offset in self._samples():
            if isinstance(sample, Refused):
                yield sample
            else:
                yield _image(shard, sample, offset)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        for shard, sample, offset in self._samples():
            if isinstance(sample, Refused):
                yield sample
            else:
                yield from captions_of(shard, sample, offset)

    def _samples(self) -> Iterator[tuple[Container, list[Member] | Refused, int]]:
        offset = 0
        for shard in self.shards:
            n = 0
            for _, members in groupby(shard.members(), key=lambda member: key_of(member.name)):
                sample = list(members)
                n += len(sample)
                yield shard, sample, offset
            for problem in shard.problems:
                yield shard, problem, offset
            offset += n


def picture_of(sample: list[Member]) -> Member | None:
    """The member that is to be the picture: the first that is neither text nor facts nor a class number."""
    return next((member for member in sample if not is_beside(member.name) and not _is_words(member)), None)


def _is_words(member: Member) -> bool:
    return member.name.lower().endswith((*TEXT, *FACTS))


def _image(shard: Container, sample: list[Member], offset: int) -> ImageRow | Refused:
    picture, key = picture_of(sample), key_of(sample[0].name)
    line = offset + (picture or sample[0]).line
    if picture is None:
        return Refused(line, printable(key), "missing_file", "The sample has no image. Add one.")
    if is_archive(picture.name):
        return Refused(line, printable(picture.name), "nested_archive", NESTED)
    try:
        facts = _facts(shard, sample)
    except MemberRefused as refused:
        return Refused(line, printable(picture.name), refused.code, refused.message)
    if len(key) > MAX_KEY:
        return Refused(
            line,
            printable(key),
            "key_too_long",
            f"The name of the sample has more than {MAX_KEY} characters. Shorten it.",
        )
    return ImageRow(line, key, picture.name, reader(shard.read, picture.name), **credits_of(facts))


def _facts(shard: Container, sample: list[Member]) -> dict[str, Any]:
    """The sample's .json, empty where it has none. Raises MemberRefused where it cannot be read."""
    member = next((member for member in sample if member.name.lower().endswith(FACTS)), None)
    if member is None:
        return {}
    try:
        facts = json.loads(shard.read(member.name).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise MemberRefused("not_utf8", f"{member.name} is not UTF-8. Save it as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise MemberRefused("malformed_json", f"{member.name} is not JSON: {error}") from error
    if not isinstance(facts, dict):
        raise MemberRefused("malformed_json", f"{member.name} is not a JSON object.")
    return facts


def captions_of(shard: Container, sample: list[Member], offset: int) -> Iterator[CaptionRow | Refused]:
    """Each line of the .txt is a caption; without one, the captions of the .json."""
    key, line = key_of(sample[0].name), offset + sample[0].line
    text = next((member for member in sample if member.name.lower().endswith(TEXT)), None)
    try:
        if text is not None:
            yield from _lines(shard.read(text.name), key, offset + text.line)
            return
        facts = _facts(shard, sample)
    except MemberRefused as refused:
        yield Refused(line, printable(key), refused.code, refused.message)
        return
    except UnicodeDecodeError:
        yield Refused(line, printable(key), "not_utf8", "The captions are not UTF-8. Save them as UTF-8.")
        return
    if any(facts.get(column) for column in CAPTIONS):
        yield from caption_rows(line, facts | {"image_id": key})


def _lines(data: bytes, key: str, line: int) -> list[CaptionRow]:
    texts = [text for text in data.decode("utf-8-sig").splitlines() if text.strip()]
    return [CaptionRow(line, key, text, rank=None, ref=f"{key}#{n}") for n, text in enumerate(texts, start=1)]
