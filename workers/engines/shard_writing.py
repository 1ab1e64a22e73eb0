"""Shards being written: under hidden names, checked row by row, the manifest last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from backend.methods.file_digests import sha256_of_file
from workers.engines.protocols import NotFiniteError, Skipped, Vectors
from workers.engines.shard_manifest import (
    COLLECTION,
    SCHEMA,
    File,
    Manifest,
    Recipe,
    ShardRefusedError,
    as_manifest,
    check_files,
    read_json,
    recipe_of,
    refuse_another,
    stem_of,
)
from workers.engines.whole_files import hidden, locked, publish, sweep, sync_folder, write_json

if TYPE_CHECKING:
    import pyarrow
    from pyarrow import parquet

ROW_GROUP = 65_536
NOT_FINITE = (
    "The model {model!r} gave {what} for {key!r}, so Connote kept nothing of its shard. Use another model or image."
)
WRONG_SHAPE = "A block of {keys} keys came with vectors of shape {shape}; {wanted} was expected."


class Block(NamedTuple):
    """Some rows: `vectors` is float32 (n, d) for n `keys`; `columns` are further columns, n values each."""

    keys: Sequence[str]
    vectors: Vectors
    skipped: Sequence[Skipped] = ()
    columns: Mapping[str, Sequence[Any]] = {}


class Part(NamedTuple):
    """A shard to be: the digest of what it is made from, and how to make it."""

    source: str
    blocks: Callable[[], Iterable[Block]]


@dataclass
class Written:
    """The result of the shards: numbers of those computed now and of those found finished, and removed files."""

    computed: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    swept: list[str] = field(default_factory=list)


def write_shards(
    folder: Path, recipe: Recipe, parts: Sequence[Part], on_shard: Callable[[Manifest, bool], None] | None = None
) -> Written:
    """Write each part as a shard of `folder`, unless it is there; `on_shard(manifest, computed now)` after each.

    Any number of processes may do the same at once: each shard is computed by one of them. Raises ShardRefusedError
    where the folder belongs to another model or preprocessing, NotFiniteError for a vector that is none.
    """
    written = Written(swept=plan_shards(folder, recipe, len(parts)))
    taken = [n for n, part in enumerate(parts) if not _one(folder, recipe, n, part, written, on_shard, wait=False)]
    for number in taken:  # by then another process has finished it, or died over it
        _one(folder, recipe, number, parts[number], written, on_shard, wait=True)
    return written


def plan_shards(folder: Path, recipe: Recipe, n_shards: int) -> list[str]:
    """Make `folder` one of `n_shards` shards by `recipe`; names of the files that killed writers left and that go.

    Raises ShardRefusedError where the folder belongs to another model or preprocessing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _make_plan(folder, recipe, n_shards)
    return sweep(folder)


def write_shard(folder: Path, recipe: Recipe, number: int, part: Part) -> tuple[Manifest, bool]:
    """See that one shard of a planned folder is there; its manifest, and whether it was computed now.

    Waits while another process writes it. Raises ShardRefusedError, NotFiniteError, and whatever `part` raises.
    """
    found: list[tuple[Manifest, bool]] = []
    _one(folder, recipe, number, part, Written(), lambda *made: found.append(made), wait=True)
    return found[0]


def are_written(folder: Path, sources: Sequence[str], *, preprocessing: str) -> bool:
    """Whether the shards of a folder are exactly these, by the digests of what they are made from: nothing is left
    for `write_shards` to compute. Manifests are read, and the sizes of files; who needs no model can tell by it."""
    try:
        plan = read_json(folder / COLLECTION)
        if plan is None or int(plan["n_shards"]) != len(sources):
            return False
        for number, source in enumerate(sources):
            path = folder / f"{stem_of(number)}.json"
            manifest = as_manifest(read_json(path), path)
            check_files(folder, manifest, by_content=False)
            if (manifest.source, manifest.recipe.preprocessing) != (source, preprocessing):
                return False
    except ShardRefusedError:
        return False
    return True


def _make_plan(folder: Path, recipe: Recipe, n_shards: int) -> None:
    """collection.json, and no shards beyond it. Raises ShardRefusedError where the folder is another model's."""
    path = folder / COLLECTION
    with locked(folder / path.stem):
        plan = read_json(path)
        if plan is not None:
            refuse_another(path, recipe_of(plan, path), recipe)
        n_planned = int(plan["n_shards"]) if plan else 0
        if n_planned != n_shards:
            write_json(path, {"schema": SCHEMA, **asdict(recipe), "n_shards": n_shards})
        for number in range(n_shards, n_planned):
            with locked(folder / stem_of(number)):  # who is writing it still ends first, and nothing of it stays
                _remove(folder / stem_of(number))


def _remove(stem: Path) -> None:
    """The manifest first: without it the other two are nothing."""
    for suffix in (".json", ".npy", ".parquet"):
        stem.with_suffix(suffix).unlink(missing_ok=True)
        sync_folder(stem.parent)


def _one(
    folder: Path,
    recipe: Recipe,
    number: int,
    part: Part,
    written: Written,
    on_shard: Callable[[Manifest, bool], None] | None,
    *,
    wait: bool,
) -> bool:
    """See that a shard is there; False where another process has it in hand and `wait` is off."""
    stem = folder / stem_of(number)
    with locked(stem, wait=wait) as mine:
        if not mine:
            return False
        manifest = _finished(stem, recipe, part.source)
        computed = manifest is None
        if manifest is None:
            with _ShardWriter(stem, recipe) as writer:
                for block in part.blocks():
                    writer.add(block)
                manifest = writer.finish(number, part.source)
    (written.computed if computed else written.kept).append(number)
    if on_shard is not None:
        on_shard(manifest, computed)
    return True


def _finished(stem: Path, recipe: Recipe, source: str) -> Manifest | None:
    """The shard's manifest if it is whole and of this source. Raises ShardRefusedError if it is another model's."""
    path = stem.with_suffix(".json")
    try:
        manifest = as_manifest(read_json(path), path)
    except ShardRefusedError:
        return None  # none, or no longer readable: it is made anew
    refuse_another(path, manifest.recipe, recipe)
    try:
        check_files(stem.parent, manifest, by_content=True)
    except ShardRefusedError:
        return None
    return manifest if manifest.source == source else None


class _ShardWriter:
    """One shard on its way to the disk. The caller holds its lock."""

    def __init__(self, stem: Path, recipe: Recipe) -> None:
        self._stem, self._recipe = stem, recipe
        self._count = 0
        self._skipped: list[Skipped] = []
        self._tables: list[pyarrow.Table] = []
        self._ids: parquet.ParquetWriter | None = None
        self._vectors: BinaryIO = hidden(self._npy).open("w+b")
        self._write_header()

    def __enter__(self) -> _ShardWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._vectors.close()
        if self._ids is not None:
            self._ids.close()
        for path in (self._npy, self._parquet):
            hidden(path).unlink(missing_ok=True)

    @property
    def _npy(self) -> Path:
        return self._stem.with_suffix(".npy")

    @property
    def _parquet(self) -> Path:
        return self._stem.with_suffix(".parquet")

    def add(self, block: Block) -> None:
        """Append rows. Raises NotFiniteError for NaN, infinity and zero vectors, ValueError for a wrong shape."""
        import pyarrow

        self._skipped += [Skipped(*skipped) for skipped in block.skipped]
        if not block.keys:
            return
        vectors = np.ascontiguousarray(block.vectors, dtype="<f4")
        self._check(block.keys, vectors)
        self._vectors.write(vectors.data)
        rows = np.arange(self._count, self._count + len(vectors), dtype=np.int64)
        columns = {"row": rows, "key": pyarrow.array(block.keys, pyarrow.string()), **block.columns}
        self._tables.append(pyarrow.table(columns))
        self._count += len(vectors)
        if sum(map(len, self._tables)) >= ROW_GROUP:
            self._write_ids()

    def _check(self, keys: Sequence[str], vectors: Vectors) -> None:
        wanted = (len(keys), self._recipe.dimension)
        if vectors.shape != wanted:
            raise ValueError(WRONG_SHAPE.format(keys=len(keys), shape=vectors.shape, wanted=wanted))
        squares = np.einsum("nd,nd->n", vectors, vectors, dtype=np.float64)
        bad = ~(np.isfinite(squares) & (squares > 0))
        if bad.any():
            place = int(bad.argmax())
            what = "a vector of zeros" if squares[place] == 0 else "NaN or infinity"
            raise NotFiniteError(NOT_FINITE.format(model=self._recipe.model, what=what, key=keys[place]))

    def _write_ids(self) -> None:
        import pyarrow
        from pyarrow import parquet

        empty = pyarrow.table({"row": pyarrow.array([], pyarrow.int64()), "key": pyarrow.array([], pyarrow.string())})
        table = pyarrow.concat_tables(self._tables) if self._tables else empty
        if self._ids is None:
            self._ids = parquet.ParquetWriter(hidden(self._parquet), table.schema)
        self._ids.write_table(table)
        self._tables = []

    def _write_header(self) -> None:
        """numpy pads a header for the longest count there is, so the last one fits where the first one was."""
        shape = (self._count, self._recipe.dimension)
        self._vectors.seek(0)
        np.lib.format.write_array_header_1_0(self._vectors, {"descr": "<f4", "fortran_order": False, "shape": shape})

    def finish(self, number: int, source: str) -> Manifest:
        """Give the files their names, the manifest last; an older shard of that name ends first."""
        if self._tables or self._ids is None:
            self._write_ids()
        assert self._ids is not None  # noqa: S101  (written the line before)
        self._ids.close()
        self._write_header()
        self._vectors.close()
        _remove(self._stem)
        files = {"vectors": _published(self._npy), "ids": _published(self._parquet)}
        manifest = Manifest(number, self._recipe, source, self._count, files, tuple(self._skipped))
        write_json(self._stem.with_suffix(".json"), manifest.as_json())
        return manifest


def _published(path: Path) -> File:
    publish(path)
    return File(path.name, path.stat().st_size, sha256_of_file(path))
