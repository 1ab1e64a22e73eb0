"""The corpora that a run retrieves from, as one: their vectors, their index, and the pictures behind the rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from django.conf import settings

from backend.candidates.retrieval import Lender
from backend.catalogue.corpora import STEM
from backend.catalogue.corpora_reads import find_corpus, list_corpora
from backend.catalogue.models import Corpus
from backend.common.errors import InvalidInput
from backend.methods.leakage import Hashes, Ints, NearHashes, hashes_near
from backend.projects.models import Project
from workers.engines.index import Index, build_index
from workers.engines.shards import Recipe, Shards, join_shards
from workers.tasks.corpora_folders import NotEmbedded, open_embedded
from workers.tasks.panel import listed

HASHES = 65_536  # read at once
COLUMNS = ("key", "captions", "shard", "place")
NO_CORPORA = "This project has no corpus. Register one with `manage.py register_corpus`, then prepare it."
NO_PICTURES = (
    "The corpora {names} have no image with a vector. Register others, or fix their images and run embed_corpus."
)
LEFT_ASIDE = "The corpus {name!r} has no vectors yet and was left out."


@dataclass(frozen=True)
class Gallery:
    """All pictures of some corpora: row numbers go through the corpora in their order. `aside` were not embedded."""

    corpora: tuple[Corpus, ...]
    starts: tuple[int, ...]
    rows: Shards
    aside: tuple[Corpus, ...] = ()

    def index(self, *, sparing: bool = False) -> Index:
        """The index over all of them, built unless the very same one is there.

        Its seed is no run's: an index is kept for every run, and candidates are scored with the vectors anyway.
        """
        folder = kept_in(self.rows.recipe) / f"index-{self.rows.digest[:STEM]}"
        return build_index(folder, self.rows, sparing=sparing)

    def lenders(self, ids: Iterable[int]) -> dict[int, Lender]:
        """The pictures of these rows; each table of the corpora is opened once."""
        wanted = np.array(sorted(set(ids)), dtype=np.int64)
        columns = self.rows.columns(COLUMNS, wanted)
        facts = zip(*(columns[name] for name in COLUMNS), strict=True)
        return {
            row: Lender(self.corpus_of(row), key, shard, place, tuple(captions))
            for row, (key, captions, shard, place) in zip(wanted.tolist(), facts, strict=True)
        }

    def corpus_of(self, row: int) -> Corpus:
        """The corpus that a row belongs to."""
        return self.corpora[bisect_right(self.starts, row) - 1]

    def near_hashes(self, targets: Hashes) -> NearHashes:
        """Every pair of a target and a picture whose pHashes nearly agree; exact, and in bounded memory."""
        found = [np.empty((3, 0), dtype=np.int64), *self._near_hashes(targets)]
        pairs = np.concatenate(found, axis=1)
        pairs = pairs[:, np.lexsort((pairs[1], pairs[0]))]
        return NearHashes(*pairs)

    def _near_hashes(self, targets: Hashes) -> Iterator[Ints]:
        for start in range(0, len(self.rows), HASHES):
            ids = np.arange(start, min(start + HASHES, len(self.rows)), dtype=np.int64)
            near = hashes_near(targets, np.array(self.rows.column("perceptual_hash", ids), dtype=np.uint64))
            yield np.stack([near.targets, near.images + start, near.bits])


def kept_in(recipe: Recipe) -> Path:
    """Where everything of a model lies that is kept between runs."""
    return Path(settings.EMBEDDINGS) / recipe.model_digest[:STEM]


def open_gallery(project: Project, names: str, recipe: Recipe) -> Gallery:
    """The named corpora of the project, or all that are embedded, by the model of `recipe`.

    Raises InvalidInput for a name that is none of the project's, and where nothing is left; NotEmbedded for a corpus
    of another model (naming both), for half a corpus, and for a named one without vectors.
    """
    corpora, aside = _embedded(project, names, recipe)
    if not corpora:
        raise _nothing(aside)
    rows = join_shards([shards for _, shards in corpora])
    if not len(rows):
        told = ", ".join(corpus.name for corpus, _ in corpora)
        raise InvalidInput(NO_PICTURES.format(names=told), code="empty_corpus")
    sizes = np.cumsum([0, *(len(shards) for _, shards in corpora)])
    return Gallery(tuple(corpus for corpus, _ in corpora), tuple(sizes[:-1].tolist()), rows, tuple(aside))


def _embedded(project: Project, names: str, recipe: Recipe) -> tuple[list[tuple[Corpus, Shards]], list[Corpus]]:
    """Corpora with their vectors, by name so that an order of registering changes nothing; those without."""
    asked = sorted(set(listed(names)))
    if asked:
        named = [find_corpus(project=project, name=name) for name in asked]
        return [(corpus, open_embedded(corpus, recipe)) for corpus in named], []
    corpora, aside = [], []
    for corpus in sorted(list_corpora(project=project), key=lambda corpus: corpus.name):
        try:
            corpora.append((corpus, open_embedded(corpus, recipe)))
        except NotEmbedded as error:
            if error.error_code != NotEmbedded.code:
                raise
            aside.append(corpus)
    return corpora, aside


def _nothing(aside: Sequence[Corpus]) -> InvalidInput:
    if not aside:
        return InvalidInput(NO_CORPORA, code="no_corpora")
    names = ", ".join(repr(corpus.name) for corpus in aside)
    return InvalidInput(f"No corpus of this project has vectors yet ({names}). Run embed_corpus.", code="not_embedded")
