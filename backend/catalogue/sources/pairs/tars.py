"""WebDataset tars as img2dataset writes them: 000000012.jpg, .txt and .json next to each other are one pair.

Captions come from the sample's .txt (a line each), else its .json, else the table that lies beside the tar under the
same name (00012.parquet), by key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from backend.catalogue.sources.archive_guards import opener_of
from backend.catalogue.sources.archives import Tar
from backend.catalogue.sources.columns import first_of
from backend.catalogue.sources.container import Member, faults_of
from backend.catalogue.sources.pairs.parquet import captions_by_key
from backend.catalogue.sources.pairs.rows import (
    ADDRESSES,
    NO_PLACE,
    CorpusPair,
    Slice,
    cut_off,
    judged,
    once_each,
    shard_path,
)
from backend.catalogue.sources.rows import CaptionRow, Limits, MemberRefused, Refused, SourceUnreadable
from backend.catalogue.sources.webdataset import captions_of, facts_or_fault, picture_of, samples_of, without_picture

PLACE = re.compile(r"(\d{1,15})\+(\d{1,12})", re.ASCII)  # offset and size of the member, in bytes
CUT_OFF = "truncated_archive"
PACKED = "The tar {file} is compressed, so Connote cannot find one image in it. Unpack it first."


@dataclass
class TarShard:
    folder: Path
    part: Slice
    limits: Limits = field(default_factory=Limits)

    def pairs(self) -> Iterator[CorpusPair | Refused]:
        """See ShardReader. A tar that was cut off is refused as a whole: what is missing would not be missed."""
        tar = self._open()
        yield from faults_of(tar)
        yield from once_each(row for key, sample in samples_of(tar).items() for row in self._sample(tar, key, sample))

    def read(self, place: str) -> bytes:
        """One member, without a look at the others."""
        found = PLACE.fullmatch(place)
        path = shard_path(self.folder, self.part.file)
        if found is None or sum(map(int, found.groups())) > path.stat().st_size:
            raise MemberRefused("no_place", NO_PLACE.format(place=place[:100], file=self.part.file))
        where, n_bytes = map(int, found.groups())
        if n_bytes > self.limits.max_member_bytes:
            raise MemberRefused("too_large", NO_PLACE.format(place=place, file=self.part.file))
        with path.open("rb") as file:
            return os.pread(file.fileno(), n_bytes, where)

    def state(self) -> str:
        """Empty: the tar's checksum covers all of it."""
        return ""

    def check(self) -> None:
        """Raises SourceUnreadable where the tar is compressed: places are offsets in the file."""
        with shard_path(self.folder, self.part.file).open("rb") as file:
            start = file.read(262)
        if opener_of(start) is not None:
            raise SourceUnreadable(PACKED.format(file=self.part.file), code="packed_tar")

    def _open(self) -> Tar:
        self.check()
        path = shard_path(self.folder, self.part.file)
        try:
            tar = Tar(path, self.limits)
        except SourceUnreadable as error:
            raise cut_off(self.part.file, error.message) from error
        for problem in tar.problems:
            if problem.code == CUT_OFF:
                raise cut_off(self.part.file, problem.message)
        return tar

    def _sample(self, tar: Tar, key: str, members: list[Member]) -> Iterator[CorpusPair | Refused]:
        picture = picture_of(members)
        if picture is None:
            yield without_picture(members[0].line, key)
            return
        texts: list[object] = []
        facts = facts_or_fault(tar, members)  # one that is no JSON is refused with its captions
        for row in captions_of(tar, key, members, 0, facts):
            if isinstance(row, CaptionRow):
                texts.append(row.text)
            else:
                yield row
        where, n_bytes = tar.locate(picture.name)
        texts = texts or list(self._beside.get(key.rpartition("/")[2], ()))
        read = partial(tar.read, picture.name)
        address = "" if isinstance(facts, MemberRefused) else first_of(facts, ADDRESSES)
        yield from judged(picture.line, key, texts, f"{where}+{n_bytes}", read, address)

    @cached_property
    def _beside(self) -> dict[str, list[str]]:
        """Captions of the table beside the tar, empty where there is none."""
        table = str(Path(self.part.file).with_suffix(".parquet"))
        return captions_by_key(self.folder, table) if (self.folder / table).is_file() else {}
