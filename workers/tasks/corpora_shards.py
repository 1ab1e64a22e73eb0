"""One shard of a corpus into one shard of vectors: read, decoded once, hashed, encoded, published whole or not."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple

import numpy as np

from backend.catalogue.corpora import check_shard, reader_of
from backend.catalogue.models import Corpus, CorpusShard
from backend.catalogue.sources import MemberRefused, Refused
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs import CorpusPair, Fetch, ShardReader
from backend.catalogue.sources.pairs.url_table import MOST_FETCHED
from workers.engines.in_order import map_in_order
from workers.engines.pictures import PictureRefused
from workers.engines.protocols import EncodedBlock, ImageEncoder, PictureSource, Skipped
from workers.engines.seen import Seen, see
from workers.engines.shards import Block, Manifest, Part, write_shard
from workers.tasks.corpora_folders import folder_of, recipe_by

READER = "pairs/2"  # change it when readers give other pairs: every shard is then made again
UNREADABLE = "Connote cannot read the image ({error}). Check the permissions and the disk of the corpus."
FETCHING = 48  # pictures asked for at once, where they come from all over the web
PLACEHOLDER = (
    "The image is the same as those of {n:,} other addresses with other captions. It may replace images that are gone."
)
HELD = 1024**3  # bytes of fetched pictures in memory at once, however large each is

KeepGoing = Callable[[int], None]  # hears how many rows are done; raises to stop


class Facts(NamedTuple):
    """What stands beside a picture's vector, and the place of its pair in the shard."""

    key: str
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
        return _blocks(encoder, shard.position, reader, keep_going, is_far=fetch is not None)

    part = Part(_source_of(corpus, shard, reader), blocks)
    manifest, _ = write_shard(folder_of(corpus, encoder.digest), recipe_by(encoder), shard.position, part)
    return manifest


def _source_of(corpus: Corpus, shard: CorpusShard, reader: ShardReader) -> str:
    """SHA-256 over everything that the pairs of a shard depend on."""
    parts = (READER, corpus.layout, shard.sha256, shard.first, shard.n_pairs if shard.first else "", reader.state())
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def _blocks(
    encoder: ImageEncoder, position: int, reader: ShardReader, keep_going: KeepGoing, *, is_far: bool
) -> Iterator[Block]:
    """Vectors in the order of the pairs; what was left out comes last, in the same order.

    From the first address of the web on, the vectors wait until all are there: a server may answer for each image that
    is gone with one placeholder, and many captions on one picture would look like perfect polysemy.
    """
    copies = _Copies()
    stream = _Stream(_looked_at(reader.pairs(), copies, is_far=is_far))
    waiting: list[tuple[EncodedBlock, list[Facts]]] = []
    for block in encoder.encode(stream.pictures()):
        facts = stream.take(block)
        if waiting or copies.has_addresses:
            waiting.append((block, facts))
        elif facts:
            yield Block(block.keys, block.vectors, columns=_columns(position, facts))
        keep_going(stream.n_taken)
    placeholders = copies.placeholders()
    for block, facts in waiting:
        rows = [row for row, key in enumerate(block.keys) if key not in placeholders]
        stream.leave_out(facts, placeholders)
        kept = [facts[row] for row in rows]
        if kept:
            yield Block([block.keys[row] for row in rows], block.vectors[rows], columns=_columns(position, kept))
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


class _Copies:
    """Which addresses of a shard gave the same bytes. Filled in by many threads.

    Rows without an address are not compared: the same file with several captions is how many datasets are published.
    """

    def __init__(self) -> None:
        self._rows: dict[bytes, list[CorpusPair]] = {}
        self._lock = threading.Lock()

    def note(self, row: CorpusPair, data: bytes) -> None:
        """These bytes came for this row."""
        if not row.address:
            return
        digest = hashlib.sha256(data).digest()
        with self._lock:
            self._rows.setdefault(digest, []).append(row)

    @property
    def has_addresses(self) -> bool:
        """Whether a row so far has an address."""
        return bool(self._rows)

    def placeholders(self) -> dict[str, Skipped]:
        """Rows of different addresses and captions that have the same image, by their keys."""
        found: dict[str, Skipped] = {}
        for rows in self._rows.values():
            n = len({row.address for row in rows})
            if n > 1 and len({row.captions for row in rows}) > 1:
                found |= {row.key: Skipped(row.key, PLACEHOLDER.format(n=n - 1), "placeholder") for row in rows}
        return found


class _Stream:
    """Pairs on their way through the encoder, which knows them by their keys alone."""

    def __init__(self, looked: Iterable[tuple[CorpusPair, Seen] | Skipped]) -> None:
        self._looked = looked
        self._under_way: dict[str, Facts] = {}
        self._left_out: list[tuple[int, Skipped]] = []
        self.n_taken = 0

    def pictures(self) -> Iterator[tuple[str, PictureSource]]:
        """What the encoder is to see."""
        for number, looked in enumerate(self._looked):
            if isinstance(looked, Skipped):
                self._left_out.append((number, looked))
                continue
            pair, seen = looked
            self._under_way[pair.key] = Facts(
                pair.key, number, pair.captions, pair.place, seen.width, seen.height, seen.perceptual_hash
            )
            yield pair.key, seen.source

    def take(self, block: EncodedBlock) -> list[Facts]:
        """The facts of what a block holds; what the encoder could not use is left out."""
        for skipped in block.skipped:
            self._left_out.append((self._under_way.pop(skipped.key).number, skipped))
        self.n_taken += len(block.keys)
        return [self._under_way.pop(key) for key in block.keys]

    def leave_out(self, facts: Sequence[Facts], skipped: Mapping[str, Skipped]) -> None:
        """Rows that have a vector and are still not wanted."""
        self._left_out += [(one.number, skipped[one.key]) for one in facts if one.key in skipped]

    def left_out(self) -> list[Skipped]:
        """Everything that has no vector, in the order of the shard."""
        return [skipped for _, skipped in sorted(self._left_out, key=lambda one: one[0])]


def _looked_at(
    rows: Iterable[CorpusPair | Refused], copies: _Copies, *, is_far: bool
) -> Iterator[tuple[CorpusPair, Seen] | Skipped]:
    """The rows read and decoded ahead of the encoder, in order: on all cores.

    Far ones are fetched on many threads. Equal ones are noted in `copies`.
    """
    if not is_far:
        return map_in_order(lambda row: _decode(_read(row), copies), rows)
    fetched = map_in_order(_read, rows, n_threads=FETCHING, has_room=_has_room)
    return map_in_order(lambda found: _decode(found, copies), fetched)


def _has_room(in_flight: Collection[Future[tuple[CorpusPair, bytes] | Skipped]]) -> bool:
    """Whether one more may be fetched. What is still under way counts as the largest that may come."""
    return sum(map(_weight, in_flight)) + MOST_FETCHED <= HELD


def _weight(fetched: Future[tuple[CorpusPair, bytes] | Skipped]) -> int:
    if not fetched.done():
        return MOST_FETCHED
    if fetched.exception() is not None:
        return 0
    found = fetched.result()
    return 0 if isinstance(found, Skipped) else len(found[1])


def _read(row: CorpusPair | Refused) -> tuple[CorpusPair, bytes] | Skipped:
    """Runs in a thread of its own."""
    if isinstance(row, Refused):
        return Skipped(printable(row.name), printable(row.message, 500), row.code)
    try:
        return row, row.read()
    except MemberRefused as refused:
        return Skipped(row.key, printable(refused.message, 500), refused.code)
    except OSError as error:
        return Skipped(row.key, UNREADABLE.format(error=error.strerror or error), "unreadable")


def _decode(found: tuple[CorpusPair, bytes] | Skipped, copies: _Copies) -> tuple[CorpusPair, Seen] | Skipped:
    """Runs in a thread of its own."""
    if isinstance(found, Skipped):
        return found
    row, data = found
    try:
        seen = see(data)
        copies.note(row, data)
        return row, seen
    except PictureRefused as refused:
        return Skipped(row.key, printable(refused.message, 500), refused.code)
    except OSError as error:
        return Skipped(row.key, UNREADABLE.format(error=error.strerror or error), "unreadable")
