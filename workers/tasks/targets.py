"""The vectors of a project's own images: what sampling lays out, and what retrieval looks for neighbours of.

    CONNOTE_EMBEDDINGS/MODEL/images/PROJECT/shard-00000.npy ...

The key of a row is the image's digest. A model sees the original through its own transform, as if its library were
called: a picture that was made smaller on the way gives other features. Shards are slices in the order the images came,
so that images added later make the last shard anew and leave the others alone. Another order takes rows by their keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from django.conf import settings
from django.core.files.storage import default_storage

from backend.catalogue.corpora import STEM
from backend.catalogue.models import Image
from backend.catalogue.sources.names import printable
from backend.common.errors import Conflict
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Refusal
from workers.engines.protocols import ImageEncoder, Skipped
from workers.engines.shard_manifest import as_manifest, read_json
from workers.engines.shards import Block, Part, ShardRefusedError, Shards, are_written, read_shards, write_shards
from workers.tasks.corpora_folders import recipe_by
from workers.tasks.shard_progress import ShardProgress
from workers.tasks.slices import slices_of, source_of
from workers.tasks.stored_pictures import stored_pictures

SHARD_SIZE = 1024  # images; the most that a kill can lose
READER = "originals/1"  # another number makes every shard anew
GONE = Skipped("", "Its original file is missing from the storage. Restore the media, then run this again.", "gone")
Rows = Sequence[tuple[str, str]]  # (digest, storage name of the original)
NOTHING_SEEN = "None of the {n:,} images has a vector. The first, {key}: {reason}"


def images_folder(project: Project, model_digest: str) -> Path:
    """Where the vectors of a project's images by the model with this digest lie."""
    return Path(settings.EMBEDDINGS) / model_digest[:STEM] / "images" / project.slug


def embed_images(ledger: Ledger, encoder: ImageEncoder, project: Project) -> Shards:
    """The vectors of all images of the project, by digest; those that are there are not computed again.

    Rows are in the order the images came; `skipped` are those that have none. `ledger` counts images as done, and the
    cursor's `embedded` how many. Raises EngineError as engines do, Conflict where not one image could be embedded, and
    RunCancelled or RunLost between two blocks.
    """
    rows = _rows_of(project)
    folder, recipe = images_folder(project, encoder.digest), recipe_by(encoder)
    _forget_what_came_back(folder, dict(rows))
    parts = [Part(_source_of(one), PicturesSeen(ledger, encoder, one).blocks) for one in slices_of(rows, SHARD_SIZE)]
    write_shards(folder, recipe, parts, ShardProgress(ledger, "embedded").add)
    shards = read_shards(folder, verify=False)  # each was checked as it was found, or just written
    if not len(shards) and shards.skipped:
        raise nothing_seen(len(rows), shards.skipped[0])
    return shards


def nothing_seen(n: int, first: Skipped) -> Conflict:
    """None of `n` images has a vector, and this is why the first has none."""
    return Conflict(NOTHING_SEEN.format(n=n, key=first.key, reason=first.reason), code="nothing_embedded")


def are_images_embedded(project: Project, model_digest: str, *, preprocessing: str) -> bool:
    """Whether `embed_images` would compute nothing by the model with this digest, which need not be loaded then.

    Shards whose missing files are there again lose their manifests on the way: they have to be made anew.
    """
    rows, folder = _rows_of(project), images_folder(project, model_digest)
    _forget_what_came_back(folder, dict(rows))
    return are_written(folder, [_source_of(one) for one in slices_of(rows, SHARD_SIZE)], preprocessing=preprocessing)


def _rows_of(project: Project) -> Rows:
    return list(Image.objects.filter(project=project).order_by("id").values_list("digest", "original"))


def _source_of(rows: Rows) -> str:
    """What a shard is made from: the digests of the originals say it."""
    return source_of([READER, *(digest for digest, _ in rows)])


@dataclass
class PicturesSeen:
    """Some images, (digest, storage name of the original) each, on their way into a shard."""

    ledger: Ledger
    encoder: ImageEncoder
    rows: Rows
    gone: list[Skipped] = field(default_factory=list)

    def blocks(self) -> Iterator[Block]:
        """Their vectors; last, without any, those whose files are gone."""
        self.gone.clear()
        pictures = stored_pictures(self.rows, on_gone=lambda digest: self.gone.append(GONE._replace(key=digest)))
        for block in self.encoder.encode(pictures):
            yield Block(block.keys, block.vectors, block.skipped)
            with self.ledger.step():  # raises where somebody cancelled the run or another worker took it
                pass
        yield Block((), np.empty((0, self.encoder.dimensions), dtype=np.float32), self.gone)


def _forget_what_came_back(folder: Path, original_of: dict[str, str]) -> None:
    """A shard that was made while files were missing is made anew once one of them is there again."""
    for path in sorted(folder.glob("shard-*.json")):
        try:
            skipped = as_manifest(read_json(path), path).skipped
        except ShardRefusedError:
            continue  # it is made anew anyway
        missing = [original_of[one.key] for one in skipped if one.code == GONE.code and one.key in original_of]
        if any(map(default_storage.exists, missing)):
            path.unlink(missing_ok=True)


def refusal_of(skipped: Skipped) -> Refusal:
    """What a run lists of an image that has no vector."""
    return Refusal(name=printable(skipped.key), code=skipped.code, message=printable(skipped.reason, 500))
