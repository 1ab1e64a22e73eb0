"""A folder of pictures into embedding shards: which pictures, cut into which shards, made from what."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from workers.engines.protocols import ImageEncoder, Skipped
from workers.engines.shards import Block, Manifest, Part, Recipe, Written, write_shards

SHARD_SIZE = 10_000  # pictures; 15 MB at 384 numbers, and the most that a kill can lose
ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".mpo", ".png", ".webp", ".avif", ".gif", ".tif", ".tiff", ".bmp"),
    *(".jp2", ".j2k", ".ppm", ".pgm", ".pbm", ".heic", ".svg"),
)


@dataclass(frozen=True)
class PictureFolder:
    """The files of a folder, and of those in it, that are called like pictures, by their paths in it, sorted.

    A key is a path that can be printed and stored as UTF-8; `odd` are the true paths of those that cannot.
    """

    folder: Path
    keys: Sequence[str]
    n_others: int
    odd: Mapping[str, str] = field(default_factory=dict)

    def path_of(self, key: str) -> Path:
        """Where the picture with that key lies."""
        return self.folder / self.odd.get(key, key)

    def source_of(self, keys: Sequence[str]) -> str:
        """SHA-256 over name, size and time of change of the files: cheap, and different once one was touched."""
        digest = hashlib.sha256()
        for key in keys:
            digest.update(f"{key}\0{_state_of(self.path_of(key))}\n".encode())
        return digest.hexdigest()


def _state_of(path: Path) -> str:
    try:
        state = path.stat()
    except OSError as error:  # a link to nowhere; the encoder will say so too
        return type(error).__name__
    return f"{state.st_size}\0{state.st_mtime_ns}"


def pictures_in(folder: Path) -> PictureFolder:
    """The pictures under `folder`, hidden files and folders left out. Raises NotADirectoryError."""
    if not folder.is_dir():
        raise NotADirectoryError(folder)
    paths: list[str] = []
    n_others = 0
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen = [name for name in names if not name.startswith(".")]
        pictures = [name for name in seen if name.lower().endswith(ENDINGS)]
        paths += [Path(path, name).relative_to(folder).as_posix() for name in pictures]
        n_others += len(seen) - len(pictures)
    plain = {path for path in paths if path == _printable(path)}
    odd = {_free(_printable(path), plain): path for path in sorted(set(paths) - plain)}
    return PictureFolder(folder, sorted(plain | odd.keys()), n_others, odd)


def _free(key: str, taken: Set[str]) -> str:
    """`key`, or what comes after it where a file is really called so."""
    return _free(f"{key}~", taken) if key in taken else key


def _printable(path: str) -> str:
    """The path with its bytes that are not UTF-8 written out, as in `caf\\xe9.jpg`."""
    return path.encode(errors="surrogateescape").decode(errors="backslashreplace")


@dataclass
class Encoded:
    """The result of a folder under one model: pictures per second count only those computed now."""

    recipe: Recipe
    n_computed: int = 0
    seconds: float = 0.0
    skipped: list[Skipped] = field(default_factory=list)
    written: Written = field(default_factory=Written)

    @property
    def rate(self) -> float | None:
        """Pictures per second, decoding and writing with it; None where everything was there."""
        return self.n_computed / self.seconds if self.seconds else None


def encode_pictures(
    encoder: ImageEncoder,
    pictures: PictureFolder,
    out: Path,
    *,
    shard_size: int = SHARD_SIZE,
    on_progress: Callable[[int], object] = lambda n: None,
) -> Encoded:
    """Encode what is not encoded yet into shards of `out`; `on_progress` hears of n further pictures.

    Killed or stopped, it goes on at the first unfinished shard. Raises ShardRefusedError, NotFiniteError,
    OutOfMemoryError.
    """
    recipe = Recipe(encoder.name, encoder.digest, encoder.preprocessing, encoder.dimensions)
    encoded = Encoded(recipe)
    begun = 0.0

    def part(start: int) -> Part:
        keys = pictures.keys[start : start + shard_size]

        def blocks() -> Iterator[Block]:
            nonlocal begun
            begun = time.perf_counter()
            for block in encoder.encode((key, pictures.path_of(key)) for key in keys):
                yield Block(block.keys, block.vectors, block.skipped)
                on_progress(len(block.keys) + len(block.skipped))

        return Part(pictures.source_of(keys), blocks)

    def on_shard(manifest: Manifest, computed: bool) -> None:
        n = manifest.count + len(manifest.skipped)
        encoded.skipped += manifest.skipped
        if computed:
            encoded.n_computed += n
            encoded.seconds += time.perf_counter() - begun
        else:
            on_progress(n)

    parts = [part(start) for start in range(0, len(pictures.keys), shard_size)]
    encoded.written = write_shards(out, recipe, parts, on_shard)
    return encoded
