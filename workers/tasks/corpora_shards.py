"""One shard of a corpus into one shard of vectors: read, decoded once, hashed, encoded, published whole or not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from backend.catalogue.corpora import check_shard, reader_of
from backend.catalogue.models import Corpus, CorpusShard
from backend.catalogue.sources import MemberRefused, Refused
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs import CorpusPair, Fetch, ShardReader
from workers.engines.pictures import PictureRefused
from workers.engines.protocols import EncodedBlock, ImageEncoder, PictureSource, Skipped
from workers.engines.seen import Seen, see
from workers.engines.shards import Block, Manifest, Part, write_shard
from workers.tasks.corpora_folders import folder_of, recipe_by
from workers.tasks.in_order import map_in_order

READER = "pairs/1"  # another number makes every shard anew: change it when readers give other pairs
UNREADABLE = "The picture cannot be read ({error}): look at the permissions and the disk of the corpus."
FETCHING = 64  # pictures asked for at once, where they come from all over the web

KeepGoing = Callable[[int], None]  # hears how many rows are done; raises to stop


class Facts(NamedTuple):
    """What stands beside a picture's vector, and the place of its pair in the shard."""

    number: int
    captions: tuple[str, ...]
    place: str
    width: int
    height: int
    perceptual_hash: int


def embed_shard(
    encoder: ImageEncoder, shard: CorpusShard, *, keep_going: KeepGoing, fetch: Fetch | None = None
) -> Manifest:
    """See that the shard's vectors are there; where they are, nothing is read and nothing computed.

    The same shard gives the same bytes. Raises SourceUnreadable where it is gone, changed or broken, NotFiniteError,
    OutOfMemoryError and ShardRefusedError as engines do, and whatever `keep_going` raises; then nothing is published.
    """
    corpus = shard.corpus
    reader = reader_of(corpus, shard, fetch=fetch)

    def blocks() -> Iterator[Block]:
        check_shard(corpus, shard)
        return _blocks(encoder, shard.position, reader, keep_going, n_threads=FETCHING if fetch else 0)

    part = Part(_source_of(corpus, shard, reader), blocks)
    manifest, _ = write_shard(folder_of(corpus, encoder.digest), recipe_by(encoder), shard.position, part)
    return manifest


def _source_of(corpus: Corpus, shard: CorpusShard, reader: ShardReader) -> str:
    """SHA-256 over everything that the pairs of a shard depend on."""
    parts = (READER, corpus.layout, shard.sha256, shard.first, shard.n_pairs if shard.first else "", reader.state())
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def _blocks(
    encoder: ImageEncoder, position: int, reader: ShardReader, keep_going: KeepGoing, *, n_threads: int
) -> Iterator[Block]:
    """Vectors in the order of the pairs; what was left out comes last, in the same order."""
    stream = _Stream(reader.pairs(), n_threads)
    for block in encoder.encode(stream.pictures()):
        facts = stream.take(block)
        if facts:
            yield Block(block.keys, block.vectors, columns=_columns(position, facts))
        keep_going(stream.n_taken)
    yield Block((), np.empty((0, encoder.dimensions), dtype=np.float32), stream.left_out())


def _columns(position: int, facts: Sequence[Facts]) -> dict[str, Sequence[object]]:
    import pyarrow as pa

    return {
        "captions": pa.array([list(one.captions) for one in facts], pa.list_(pa.string())),
        "shard": pa.array([position] * len(facts), pa.int32()),
        "place": pa.array([one.place for one in facts], pa.string()),
        "width": pa.array([one.width for one in facts], pa.int32()),
        "height": pa.array([one.height for one in facts], pa.int32()),
        "perceptual_hash": pa.array([one.perceptual_hash for one in facts], pa.uint64()),
    }


class _Stream:
    """Pairs on their way through the encoder, which knows them by their keys alone."""

    def __init__(self, rows: Iterable[CorpusPair | Refused], n_threads: int) -> None:
        self._rows, self._n_threads = rows, n_threads
        self._under_way: dict[str, Facts] = {}
        self._left_out: list[tuple[int, Skipped]] = []
        self.n_taken = 0

    def pictures(self) -> Iterator[tuple[str, PictureSource]]:
        """What the encoder is to see, read and decoded ahead of it on threads."""
        for number, looked in enumerate(map_in_order(_look_at, self._rows, n_threads=self._n_threads)):
            if isinstance(looked, Skipped):
                self._left_out.append((number, looked))
                continue
            pair, seen = looked
            self._under_way[pair.key] = Facts(
                number, pair.captions, pair.place, seen.width, seen.height, seen.perceptual_hash
            )
            yield pair.key, seen.source

    def take(self, block: EncodedBlock) -> list[Facts]:
        """The facts of what a block holds; what the encoder could not use is left out."""
        for skipped in block.skipped:
            self._left_out.append((self._under_way.pop(skipped.key).number, skipped))
        self.n_taken += len(block.keys)
        return [self._under_way.pop(key) for key in block.keys]

    def left_out(self) -> list[Skipped]:
        """Everything that has no vector, in the order of the shard."""
        return [skipped for _, skipped in sorted(self._left_out, key=lambda one: one[0])]


def _look_at(row: CorpusPair | Refused) -> tuple[CorpusPair, Seen] | Skipped:
    """Runs in a thread of its own."""
    if isinstance(row, Refused):
        return Skipped(printable(row.name), printable(row.message, 500), row.code)
    try:
        return row, see(row.read())
    except (MemberRefused, PictureRefused) as refused:
        return Skipped(row.key, printable(refused.message, 500), refused.code)
    except OSError as error:
        return Skipped(row.key, UNREADABLE.format(error=error.strerror or error), "unreadable")
