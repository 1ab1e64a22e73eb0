"""Slices of a corpus' pictures as queries: each one's neighbours, its CLIP vector, and those of their captions.

Neighbours are the nearest of the same corpus, by the index that retrieval uses. A query is not its own neighbour.
Copies of it are: the definition leaves out the query alone, and a corpus that shows a thing twice is as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from backend.candidates.retrieval import Lender
from backend.catalogue.corpora import read_picture
from backend.catalogue.models import Corpus, CorpusShard
from backend.catalogue.sources import SourceUnreadable
from backend.catalogue.sources.pairs import Fetch
from backend.common.errors import ConnoteError, NotFound
from backend.methods.polysemy import CurveSums
from workers.engines.in_order import map_in_order
from workers.engines.index import Index
from workers.engines.pictures import PictureRefused
from workers.engines.protocols import ImageEncoder, PictureSource, Skipped, TextEncoder, Vectors
from workers.engines.rows import Ids
from workers.engines.seen import see
from workers.engines.sparing import SparingRows
from workers.tasks.corpora_shards import FETCHING, UNREADABLE
from workers.tasks.retrieval_gallery import Gallery

QUERIES = 32  # of one slice, the most that a kill can lose
NEIGHBOURS = 3200  # of all queries of one slice, unless one query has more


@dataclass(frozen=True)
class Clip:
    """Both towers of the model that the geodesic distances are taken in."""

    images: ImageEncoder
    texts: TextEncoder


@dataclass(frozen=True)
class Demands:
    """What is measured: ascending radii, and the query pictures drawn from each corpus."""

    radii: tuple[int, ...]
    n_queries: int
    seed: int

    @property
    def reach(self) -> int:
        """Neighbours that a query needs."""
        return self.radii[-1]

    @property
    def n_at_once(self) -> int:
        """Queries of a slice."""
        return max(1, min(QUERIES, NEIGHBOURS // max(1, self.reach)))


@dataclass(frozen=True)
class Query:
    """A query picture, its vectors, and what lies near: `ids` are rows of the corpus, nearest first."""

    row: int
    image: Vectors
    clip_image: Vectors
    ids: Ids


@dataclass
class Survey:
    """One corpus being measured."""

    corpus: Corpus
    gallery: Gallery
    index: Index
    clip: Clip
    demands: Demands
    fetch: Fetch | None
    shards: dict[int, CorpusShard] = field(default_factory=dict)

    @cached_property
    def rows(self) -> SparingRows:
        """The corpus' vectors."""
        return SparingRows(self.gallery.rows)

    def add(self, rows: Ids, sums: CurveSums) -> list[Skipped]:
        """Add these queries to the sums. Returns those that could not be read; raises ConnoteError for a bad vector."""
        views, skipped = self._views(rows)
        queries = list(self._queries(np.array([row for row in rows.tolist() if row in views], dtype=np.int64), views))
        lenders = self.gallery.lenders(int(row) for query in queries for row in query.ids)
        said = self._said(lenders)
        for query in queries:
            self._add(query, lenders, said, sums)
        return skipped

    def _queries(self, rows: Ids, views: Mapping[int, Vectors]) -> Iterator[Query]:
        if not len(rows):
            return
        vectors = self.rows.rows(rows)
        rerank = self.rows if self.index.kind == "ivf-pq" else None
        _, found = self.index.search(vectors, self.demands.reach + 1, rerank=rerank)
        for row, vector, ids in zip(rows.tolist(), vectors, found, strict=True):
            others = ids[(ids >= 0) & (ids != row)][: self.demands.reach]
            yield Query(row, vector, views[row], others)

    def _said(self, lenders: Mapping[int, Lender]) -> dict[str, Vectors]:
        """The vector of every different caption of these pictures."""
        texts = list(dict.fromkeys(caption for lender in lenders.values() for caption in lender.captions))
        return dict(zip(texts, self.clip.texts.encode(texts), strict=True)) if texts else {}

    def _add(self, query: Query, lenders: Mapping[int, Lender], said: Mapping[str, Vectors], sums: CurveSums) -> None:
        captions = [(text, n) for n, row in enumerate(query.ids.tolist()) for text in lenders[row].captions]
        try:
            sums.add(
                query.image,
                self.rows.rows(query.ids),
                clip_image=query.clip_image,
                captions=[said[text] for text, _ in captions],
                caption_of=[place for _, place in captions],
            )
        except ValueError as error:
            raise ConnoteError(f"{self.corpus.name!r}: {error}", code="no_direction") from error

    def _views(self, rows: Ids) -> tuple[dict[int, Vectors], list[Skipped]]:
        """What the CLIP sees in each picture, by row; and the pictures that can no longer be read."""
        own = self.gallery.lenders(rows.tolist())
        skipped: list[Skipped] = []
        views: dict[int, Vectors] = {}
        for block in self.clip.images.encode(self._pictures(own, skipped)):
            skipped += [one._replace(key=own[int(one.key)].key) for one in block.skipped]
            views.update(zip(map(int, block.keys), block.vectors, strict=True))
        return views, skipped

    def _pictures(self, own: Mapping[int, Lender], skipped: list[Skipped]) -> Iterator[tuple[str, PictureSource]]:
        n_threads = FETCHING if self.fetch else 0
        shards = {lender.shard: self._shard(lender.shard) for lender in own.values()}
        read = map_in_order(lambda one: self._read(one, shards[one.shard]), own.values(), n_threads=n_threads)
        for row, source in zip(own, read, strict=True):
            if isinstance(source, Skipped):
                skipped.append(source)
            else:
                yield str(row), source

    def _shard(self, position: int) -> CorpusShard:
        if position not in self.shards:
            self.shards[position] = CorpusShard.objects.get(corpus=self.corpus, position=position)
        return self.shards[position]

    def _read(self, one: Lender, shard: CorpusShard) -> PictureSource | Skipped:
        """Runs in a thread of its own, and asks the database nothing."""
        try:
            return see(read_picture(self.corpus, shard, one.place, fetch=self.fetch)).source
        except (NotFound, SourceUnreadable) as error:
            return Skipped(one.key, error.message, error.error_code)
        except PictureRefused as refused:
            return Skipped(one.key, refused.message, refused.code)
        except OSError as error:
            return Skipped(one.key, UNREADABLE.format(error=error.strerror or error), "unreadable")
