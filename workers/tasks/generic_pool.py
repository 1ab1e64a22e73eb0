"""What a generic run scores: the kept captions of the target images as they stand when a worker begins."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.candidates.generic import read_captions
from backend.catalogue.selectors import target_images
from backend.methods.generic import Ints
from backend.projects.models import Project
from workers.engines.matches import Captions, Seen
from workers.engines.shards import Shards
from workers.tasks.caption_vectors import Texts
from workers.tasks.targets import Rows


@dataclass(frozen=True)
class Pool:
    """In the order of texts: ids (c,), the rows of their images and texts; and (digest, original) of images."""

    ids: Ints
    captions: Captions
    texts: Texts
    images: Rows

    @property
    def n_texts(self) -> int:
        """How many different texts there are."""
        return len(self.texts.texts)

    def digest(self, asked: Sequence[object]) -> str:
        """SHA-256 over which captions of which images there are, in which words, and what is asked about them, hex."""
        found = hashlib.sha256(repr(asked).encode())
        for numbers in (self.ids, self.captions.own, self.captions.texts):
            found.update(numbers.tobytes())
        for digest in (*self.texts.digests, *(digest for digest, _ in self.images)):
            found.update(digest.encode())
        return found.hexdigest()

    def seen(self, shards: Shards) -> Seen:
        """The vectors of the images, zeros for those that have none."""
        rows = shards.ids_of([digest for digest, _ in self.images])
        vectors = np.zeros((len(rows), shards.dimension), dtype=np.float32)
        vectors[rows >= 0] = shards.rows(rows[rows >= 0])
        return Seen(vectors)


def read_pool(project: Project) -> Pool:
    """The kept captions of the target images as they stand; what comes or changes later waits for the next run."""
    images = list(target_images(project=project).values_list("id", "digest", "original"))
    row_of = {image_id: row for row, (image_id, *_) in enumerate(images)}
    texts, ids, own, of_text = Texts(), array("q"), array("q"), array("q")
    for candidate_id, image_id, text in read_captions(project=project):
        if image_id in row_of:  # unless it came since the line before
            ids.append(candidate_id)
            own.append(row_of[image_id])
            of_text.append(texts.take(text))
    columns = np.array([ids, own, of_text], dtype=np.int64).reshape(3, -1)
    columns = columns[:, np.lexsort((columns[0], columns[2]))]
    captions = Captions(columns[1], columns[2], len(texts.texts))
    return Pool(columns[0], captions, texts, [(digest, original) for _, digest, original in images])
