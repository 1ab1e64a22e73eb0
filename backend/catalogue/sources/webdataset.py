"""Samples: the members 000.jpg, 000.txt and 000.json of a tar, or of a folder, are one picture with its captions."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from backend.catalogue.sources.archives import Tar, Zip
from backend.catalogue.sources.columns import (
    CAPTIONS,
    KEY,
    MAX_KEY,
    Naming,
    caption_rows,
    credits_of,
    first_of,
    reader,
)
from backend.catalogue.sources.container import Container, Member, faults_of, key_too_long, nested, not_needed
from backend.catalogue.sources.conversations import CONVERSATIONS
from backend.catalogue.sources.names import is_archive, is_beside, printable
from backend.catalogue.sources.rows import CaptionRow, ImageRow, MemberRefused, Picture, Refused, told_of_file
from backend.methods.image_names import ENDINGS
from backend.methods.tables import TableFault, parse_json, read_text

TEXT, FACTS = (".txt", ".caption", ".cap"), (".json",)
# What training code puts beside a picture.
DATA = (
    ".pth", ".pt", ".npy", ".npz", ".pyd", ".pkl", ".pickle", ".bin", ".safetensors", ".cls", ".cls2", ".index", ".id",
    ".inx", ".ten", ".tb", ".mp", ".msg", ".cbor", ".h5", ".emb", ".mp4", ".webm", ".mp3", ".wav", ".flac", ".m4a",
)  # fmt: skip
NOTICES = ("readme", "license", "licence", "licenses", "notice", "classes", "notes", "dataset_info", "dataset_infos")
NO_PICTURE = "The sample has no image. Add one."
SECOND_PICTURE = "The sample has several images. Connote takes the first one, {first}."
NO_CAPTION = "The sample has no caption."
NOT_UTF8 = "The file is not UTF-8. Save it as UTF-8."
NOT_JSON = "The JSON file of the sample cannot be read ({error}). Correct it."
NO_OBJECT = "The JSON file of the sample is not an object. Write an object."


def key_of(name: str) -> str:
    """The sample's name: the path up to the first dot of the file name, as WebDataset has it."""
    path = PurePosixPath(name)
    return str(path.with_name(path.name.split(".", 1)[0] or path.name))


def stem_of(name: str) -> str:
    """The path without the ending of the file."""
    path = PurePosixPath(name)
    return str(path.with_name(path.stem or path.name))


@dataclass(frozen=True)
class WebDataset:
    """One or more shards in the order of their names; `line` counts members over all of them.

    A name that an earlier shard has is another sample's: it is given with the name of its shard, `00001/000`.
    """

    shards: tuple[Container, ...]
    layout: str = "webdataset"

    def images(self) -> Iterator[ImageRow | Refused]:
        taken: set[str] = set()
        for shard, offset in self._numbered():
            for key, sample in self._named(shard, taken):
                yield from self._told(shard, _images(shard, key, sample, offset))
            yield from self._told(shard, shard.problems)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        taken: set[str] = set()
        for shard, offset in self._numbered():
            for key, sample in self._named(shard, taken):
                has_words = any(map(_is_words, sample))
                if picture_of(sample) or (has_words and not self._has_pictures):
                    yield from self._told(shard, _captions_or_none(shard, key, sample, offset))
                elif has_words:
                    yield from self._told(shard, (_without_picture(key, sample, offset),))
            yield from self._told(shard, faults_of(shard))

    def _named(self, shard: Container, taken: set[str]) -> Iterator[tuple[str, list[Member]]]:
        """The samples with their names, which are added to `taken`."""
        stem = shard.name.split(".", 1)[0] if isinstance(shard, (Tar, Zip)) else "files"
        for key, sample in samples_of(shard).items():
            name = key
            while name in taken:
                name = f"{stem}/{name}"
            taken.add(name)
            yield name, sample

    def _told(self, shard: Container, rows: Iterable[Any]) -> Iterable[Any]:
        """With several shards each row names its own."""
        if len(self.shards) > 1 and isinstance(shard, (Tar, Zip)):
            return (told_of_file(row, shard.name) for row in rows)
        return rows

    @cached_property
    def _has_pictures(self) -> bool:
        """Whether the samples have pictures. Then the text of a sample without one is of no other source's image."""
        return any(picture_of(sample) for shard in self.shards for sample in samples_of(shard).values())

    def _numbered(self) -> Iterator[tuple[Container, int]]:
        """Each shard, and how many members came before it."""
        offset = 0
        for shard in self.shards:
            yield shard, offset
            offset += sum(1 for _ in shard.members())


def samples_of(shard: Container) -> dict[str, list[Member]]:
    """The members of each sample by its name, in the order of the first.

    In a tar the name ends at the first dot, elsewhere at the last. Pictures of which each has a text of its own are
    samples of their own: `22.05.png` with `22.05.txt` and `22.06.png` with `22.06.txt`.
    """
    name_of = key_of if isinstance(shard, Tar) else stem_of
    found = _grouped(shard.members(), name_of)
    if name_of is stem_of:
        return found
    samples: dict[str, list[Member]] = {}
    for key, members in found.items():
        parts = _grouped(members, stem_of)
        alone = [part for part in parts.values() if picture_of(part)]
        is_several = len(alone) > 1 and all(any(map(_is_words, part)) for part in alone)
        samples |= parts if is_several else {key: members}
    return samples


def _grouped(members: Iterable[Member], name_of: Any) -> dict[str, list[Member]]:
    found: dict[str, list[Member]] = {}
    for member in members:
        found.setdefault(name_of(member.name), []).append(member)
    return found


def pictures_of(sample: list[Member]) -> list[Member]:
    """The members that are pictures by their names; else the first that may be one by its content."""
    named = [member for member in sample if PurePosixPath(member.name).suffix.lower() in ENDINGS]
    if named:
        return named
    rest = (member for member in sample if not is_beside(member.name) and not _is_words(member))
    return [member for member in rest if not member.name.lower().endswith(DATA)][:1]


def picture_of(sample: list[Member]) -> Member | None:
    """The member that is to be the picture."""
    return next(iter(pictures_of(sample)), None)


def _is_words(member: Member) -> bool:
    return member.name.lower().endswith((*TEXT, *FACTS))


def _images(shard: Container, key: str, sample: list[Member], offset: int) -> Iterator[ImageRow | Refused]:
    """The sample's picture, and each other member that is not read."""
    pictures = pictures_of(sample)
    if not pictures:
        yield _without_picture(key, sample, offset)
        return
    yield _image(shard, key, sample, pictures[0], offset)
    for member in sample:
        line, name = offset + member.line, printable(member.name)
        if member in pictures[1:]:
            yield Refused(line, name, "second_picture", SECOND_PICTURE, {"first": printable(pictures[0].name)})
        elif member is not pictures[0] and not _is_words(member):
            yield not_needed(line, member.name)


def _without_picture(key: str, sample: list[Member], offset: int) -> Refused:
    """A README or a list of checksums is no sample."""
    first = sample[0]
    if is_archive(first.name):
        return nested(offset + first.line, first.name)
    if any(_is_words(member) and not _is_notice(member.name) for member in sample):
        return without_picture(offset + first.line, key)
    return not_needed(offset + first.line, first.name)


def without_picture(line: int, key: str) -> Refused:
    """A sample that has only text."""
    return Refused(line, printable(key), "sample_without_image", NO_PICTURE)


def _is_notice(name: str) -> bool:
    stem = PurePosixPath(name).stem.lower()
    return stem in NOTICES or stem.endswith("_stats")


def _names_of(key: str, picture: Member) -> tuple[str, ...]:
    """The name of the file, if it is that of one sample alone."""
    return (picture.name,) if stem_of(picture.name).startswith(key) else ()


def _image(shard: Container, key: str, sample: list[Member], picture: Member, offset: int) -> ImageRow | Refused:
    line = offset + picture.line
    if is_archive(picture.name):
        return nested(line, picture.name)
    try:
        facts = facts_of(shard, sample)
    except MemberRefused as refused:
        return refused.at(line, printable(picture.name))
    if len(key) > MAX_KEY:
        return key_too_long(line, key, MAX_KEY)
    for member in jsons_of(sample)[1:]:
        more = facts_or_fault(shard, [member])
        facts = facts if isinstance(more, MemberRefused) else more | facts
    credit = credits_of(facts)
    names = dict.fromkeys((*_names_of(key, picture), first_of(facts, KEY), credit["source_url"]))
    others = tuple(name for name in names if name and name != key)
    return ImageRow(line, key, picture.name, reader(shard.read, picture.name), names=others, **credit)


def jsons_of(sample: list[Member]) -> list[Member]:
    """The .json files of the sample: mostly one."""
    return [member for member in sample if member.name.lower().endswith(FACTS)]


def facts_of(shard: Container, sample: list[Member]) -> dict[str, Any]:
    """The sample's first .json, empty where there is none. Raises MemberRefused where it is no object and no list."""
    members = jsons_of(sample)
    if not members:
        return {}
    try:
        facts = parse_json(_text(shard.read(members[0].name)))
    except TableFault as fault:
        raise MemberRefused("sample_not_json", NOT_JSON, {"error": str(fault).rstrip(".")}) from fault
    if isinstance(facts, list) and all(isinstance(each, str | dict) for each in facts):
        return {CAPTIONS[0]: facts}
    if not isinstance(facts, dict):
        raise MemberRefused("sample_no_object", NO_OBJECT)
    return facts


def facts_or_fault(shard: Container, sample: list[Member]) -> dict[str, Any] | MemberRefused:
    """As `facts_of`, with the error instead of raising it."""
    try:
        return facts_of(shard, sample)
    except MemberRefused as refused:
        return refused


def _captions_or_none(shard: Container, key: str, sample: list[Member], offset: int) -> Iterator[CaptionRow | Refused]:
    n = 0
    for row in captions_of(shard, key, sample, offset, facts_or_fault(shard, sample)):
        yield row
        n += 1
    if n == 0 and picture_of(sample):
        line = offset + sample[0].line
        yield Refused(line, printable(key), "sample_without_caption", NO_CAPTION, is_ignored=True)


def captions_of(
    shard: Container, key: str, sample: list[Member], offset: int, facts: dict[str, Any] | MemberRefused
) -> Iterator[CaptionRow | Refused]:
    """The lines of the .txt, then the captions of each .json that are not among them. `facts` are of the first .json.

    A text of the .json with line ends, as img2dataset writes it to both, is one caption and not several.
    """
    picture = picture_of(sample)
    names = _names_of(key, picture) if picture else ()
    beside = Picture(picture.name, reader(shard.read, picture.name)) if picture else None
    line = offset + sample[0].line
    more = (facts_or_fault(shard, [member]) for member in jsons_of(sample)[1:])
    told = [row for each in (facts, *more) for row in _told(key, line, each)]
    try:
        said: list[CaptionRow] = []
        for text in (member for member in sample if member.name.lower().endswith(TEXT)):
            whole = _text(shard.read(text.name))
            if any(_plain(whole) == _plain(row.text) for row in told if isinstance(row, CaptionRow)):
                continue
            said += [CaptionRow(offset + text.line, key, each) for each in lines_of(whole)]
    except MemberRefused as refused:
        yield refused.at(line, printable(key))
        return
    texts = {row.text.strip() for row in said}
    rows = [*said, *(row for row in told if isinstance(row, Refused) or row.text.strip() not in texts)]
    for n, row in enumerate(rows, start=1):
        if isinstance(row, Refused):
            yield row
        else:
            yield replace(row, ref=row.ref or f"{key}#{n}", names=names, picture=beside)


def _told(key: str, line: int, facts: dict[str, Any] | MemberRefused) -> Iterator[CaptionRow | Refused]:
    if isinstance(facts, MemberRefused):
        yield facts.at(line, printable(key))
    elif any(facts.get(column) for column in (*CAPTIONS, CONVERSATIONS)):
        yield from caption_rows(line, facts | {"image_id": key}, Naming())


def _text(data: bytes) -> str:
    """Raises MemberRefused where a file is no text in UTF-8 or UTF-16."""
    try:
        text = read_text(io.BytesIO(data)) if data else ""
    except TableFault as fault:
        raise MemberRefused("file_not_utf8", NOT_UTF8) from fault
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def lines_of(text: str) -> list[str]:
    """The lines that say something. Only line feeds end one: U+2028 and the like are signs of a caption."""
    return [line.strip(" \t") for line in text.split("\n") if line.strip()]
