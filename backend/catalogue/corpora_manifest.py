"""`corpus.json`: which files a corpus is made of, with their sizes and checksums; read where there is one, else made.

    {"name": "cc3m", "layout": "webdataset", "licence": "...", "source": "https://...",
     "shards": [{"file": "00000.tar", "n_bytes": 12345, "sha256": "...", "n_pairs": 9500, "first": 0}, ...]}

`n_pairs` may be null. A table of many rows may come several times, each time with the `first` row of a slice and its
`n_pairs`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol, cast

from backend.catalogue.sources.container import Folder
from backend.catalogue.sources.names import is_hidden, printable, safe_name
from backend.catalogue.sources.pairs import LAYOUTS, TABLES, Slice, open_shard
from backend.catalogue.sources.pairs.parquet import ParquetShard
from backend.catalogue.sources.pairs.rows import cut_off, shard_path
from backend.catalogue.sources.pairs.tars import TarShard
from backend.catalogue.sources.rows import Limits, MemberRefused, SourceUnreadable

MANIFEST = "corpus.json"
SLICE = 10_000  # rows of a table that make a shard: what one worker takes at a time, and the most that a kill can lose
BLOCK = 4 * 1024 * 1024
SHA256 = re.compile(r"[0-9a-f]{64}")
UNFIT = (
    "Connote cannot use corpus.json: {why}. Fix it. Or remove it, and let `manage.py register_corpus` write a new one."
)
CHANGED = "The shard {file} has changed since its registration: {why}. Copy the original file again."
Progress = Callable[[int], object]  # hears of n further bytes


@dataclass(frozen=True)
class ShardEntry:
    """One shard as the manifest names it: `n_pairs` rows of `file` from `first` on; None where nobody counted."""

    file: str
    n_bytes: int
    sha256: str
    n_pairs: int | None = None
    first: int = 0


@dataclass(frozen=True)
class CorpusManifest:
    """What a corpus says of itself."""

    name: str
    layout: str
    shards: tuple[ShardEntry, ...]
    licence: str = ""
    source: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 over layout, files and slices: equal pairs in equal order, whatever they are called."""
        slices = self.layout in TABLES
        ends = [shard.n_pairs if slices else None for shard in self.shards]
        named = (f"{one.file}\0{one.sha256}\0{one.first}\0{n}" for one, n in zip(self.shards, ends, strict=True))
        lines = [self.layout, *named]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @property
    def n_pairs(self) -> int | None:
        """How many pairs there are, None where some shard was not counted."""
        counts = [shard.n_pairs for shard in self.shards if shard.n_pairs is not None]
        return sum(counts) if len(counts) == len(self.shards) else None

    def as_json(self) -> str:
        """What the file holds."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"


class _Counted(Protocol):
    def count(self) -> int: ...


def read_manifest(folder: Path) -> CorpusManifest | None:
    """The folder's corpus.json, None where there is none; every shard is there and has its size.

    Raises SourceUnreadable.
    """
    try:
        value = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise _unfit(error) from error
    manifest = _manifest_of(value)
    for shard in manifest.shards:
        check_size(folder, file=shard.file, n_bytes=shard.n_bytes)
    return manifest


def _manifest_of(value: Any) -> CorpusManifest:
    try:
        shards = tuple(_entry_of(shard) for shard in value["shards"])
        words = {what: str(value.get(what) or "") for what in ("name", "licence", "source")}
        manifest = CorpusManifest(layout=str(value["layout"]), shards=shards, **words)
    except (KeyError, TypeError, AttributeError) as error:
        raise _unfit(f"no {error}" if isinstance(error, KeyError) else error) from error
    if manifest.layout not in LAYOUTS:
        raise _unfit(f"its layout is not one of {', '.join(LAYOUTS)}")
    if not shards:
        raise _unfit("it has no shards")
    if len({(shard.file, shard.first) for shard in shards}) < len(shards):
        raise _unfit("it has the same shard twice")
    _check_slices(manifest)
    return manifest


def _check_slices(manifest: CorpusManifest) -> None:
    """Only a table can be cut, and each of its slices must know where it ends."""
    n_named = Counter(shard.file for shard in manifest.shards)
    for shard in manifest.shards:
        if shard.first or n_named[shard.file] > 1:
            if manifest.layout not in TABLES:
                raise _unfit(f"{shard.file!r} is not a table, so it cannot have slices")
            if shard.n_pairs is None:
                raise _unfit(f"a slice of {shard.file!r} has no n_pairs")


def _entry_of(value: Any) -> ShardEntry:
    entry = ShardEntry(value["file"], value["n_bytes"], value["sha256"], value.get("n_pairs"), value.get("first", 0))
    numbers = (entry.n_bytes, entry.first, entry.n_pairs or 0)
    if any(isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < 2**63 for n in numbers):
        raise _unfit(f"a number of {printable(entry.file, 100)!r} is not valid")
    try:
        if safe_name(entry.file) != entry.file or not SHA256.fullmatch(entry.sha256):
            raise _unfit(f"{printable(entry.file, 100)!r} is not a path in the folder, or it has no SHA-256")
    except MemberRefused as refused:
        raise _unfit(refused.message.rstrip(".")) from refused
    return entry


def _unfit(why: object) -> SourceUnreadable:
    return SourceUnreadable(UNFIT.format(why=printable(why, 300)), code="manifest_unfit")


def check_size(folder: Path, *, file: str, n_bytes: int) -> Path:
    """Where the shard lies. Raises SourceUnreadable where it is gone or of another size, by its name."""
    path = shard_path(folder, file)
    found = path.stat().st_size
    if found != n_bytes:
        raise changed(file, f"it has {found:,} bytes instead of {n_bytes:,}")
    return path


def check_content(folder: Path, *, file: str, n_bytes: int, sha256: str, on_bytes: Progress = lambda n: None) -> None:
    """Reads the whole shard. Raises SourceUnreadable where it is gone, of another size, or has another checksum."""
    try:
        found = digest_of(check_size(folder, file=file, n_bytes=n_bytes), on_bytes)
    except OSError as error:
        raise cut_off(file, error.strerror or error) from error
    if found != sha256:
        raise changed(file, "its SHA-256 differs")


def changed(file: str, why: str) -> SourceUnreadable:
    """The error of a shard that is no longer what was registered."""
    return SourceUnreadable(CHANGED.format(file=file, why=why), code="shard_changed")


def digest_of(path: Path, on_bytes: Progress = lambda n: None) -> str:
    """SHA-256 of a file, hex, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            on_bytes(len(block))
    return digest.hexdigest()


def scan(
    folder: Path, files: list[str], *, layout: str, name: str, on_bytes: Progress = lambda n: None
) -> CorpusManifest:
    """The manifest of `files`, every byte of them read once. Raises SourceUnreadable, naming the file."""
    shards: list[ShardEntry] = []
    for file in files:
        path = shard_path(folder, file)
        whole = ShardEntry(file, path.stat().st_size, digest_of(path, on_bytes))
        shards += _counted(folder, whole, layout)
    return CorpusManifest(name, layout, tuple(shards))


def _counted(folder: Path, whole: ShardEntry, layout: str) -> list[ShardEntry]:
    """The shard with its pairs counted where that is cheap; a table as slices."""
    part = Slice(whole.file)
    if layout == "parquet":
        return [replace(whole, n_pairs=ParquetShard(folder, part).check())]
    if layout not in TABLES:
        TarShard(folder, part).check()
        return [replace(whole, n_pairs=_told_by_img2dataset(folder / whole.file))]
    n_rows = cast(_Counted, open_shard(folder, part, layout=layout)).count()
    starts = range(0, max(1, n_rows), SLICE)
    return [replace(whole, first=start, n_pairs=min(SLICE, n_rows - start)) for start in starts]


def _told_by_img2dataset(tar: Path) -> int | None:
    """`successes` of the 00012_stats.json that img2dataset writes beside 00012.tar."""
    try:
        told = json.loads(tar.with_name(f"{tar.stem}_stats.json").read_text(encoding="utf-8"))["successes"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return told if isinstance(told, int) and told >= 0 else None


def files_of(folder: Path) -> list[str]:
    """The names of the folder's files, sorted, hidden ones left out."""
    members = (member.name for member in Folder(folder, Limits()).members())
    return sorted(name for name in members if not is_hidden(name) and name != MANIFEST)
