"""The vectors of the target images by a model of a panel, by the images' digests.

    CONNOTE_EMBEDDINGS/MODEL/targets/PROJECT/shard-00000.npy ...

A panel is asked about the targets only: where a sample is in force they are a part of the project's images, and seven
models would see the rest for nothing. After another sample only images that have no vector yet are seen
(vectors_by_key.py), and one whose original was gone once it is there again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage

from backend.catalogue.corpora import STEM
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from workers.engines.protocols import ImageEncoder, Skipped
from workers.engines.shards import Block
from workers.tasks.corpora_folders import recipe_by
from workers.tasks.shard_progress import ShardProgress
from workers.tasks.targets import GONE, PicturesSeen, Rows, nothing_seen
from workers.tasks.vectors_by_key import VectorsByKey

SHARD_SIZE = 1024  # images; the most that a kill can lose


def target_vectors(project: Project, model_digest: str, images: Rows, *, preprocessing: str) -> VectorsByKey:
    """Where the vectors of these images, (digest, storage name of the original) each, lie."""
    original_of = dict(images)

    def is_lost(skipped: Skipped) -> bool:
        original = original_of.get(skipped.key)
        return skipped.code != GONE.code or original is None or not default_storage.exists(original)

    folder = Path(settings.EMBEDDINGS) / model_digest[:STEM] / "targets" / project.slug
    return VectorsByKey(folder, preprocessing, is_lost)


def embed_targets(ledger: Ledger, encoder: ImageEncoder, project: Project, images: Rows) -> None:
    """See that every image has its vector; those that are there are not computed again.

    `ledger` counts images as done, and the cursor's `embedded` how many. Raises EngineError as engines do, Conflict
    where not one image has a vector, and RunCancelled or RunLost between two blocks.
    """
    vectors = target_vectors(project, encoder.digest, images, preprocessing=encoder.preprocessing)
    keys, large_of = [digest for digest, _ in images], dict(images)
    missing = vectors.missing(keys, verify=True)
    progress = ShardProgress(ledger, "embedded", len(keys) - len(missing))

    def encode(digests: Sequence[str]) -> Iterator[Block]:
        return PicturesSeen(ledger, encoder, [(digest, large_of[digest]) for digest in digests]).blocks()

    vectors.add(recipe_by(encoder), missing, size=SHARD_SIZE, encode=encode, on_shard=progress.add)
    shards = vectors.open()
    if shards.skipped and not (shards.ids_of(keys) >= 0).any():
        raise nothing_seen(len(keys), shards.skipped[0])
