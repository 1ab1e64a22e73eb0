"""The vectors of a project's captions by one model: each different text once.

    CONNOTE_EMBEDDINGS/MODEL/captions/PROJECT/shard-00000.npy ...

The key of a row is the text's digest. Only texts that have no vector yet are read, whichever captions came, went or
changed meanwhile (vectors_by_key.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from backend.candidates.models import text_digest
from backend.catalogue.corpora import STEM
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from workers.engines.protocols import SentenceEncoder, TextEncoder
from workers.engines.shards import Block, Recipe
from workers.tasks.shard_progress import ShardProgress
from workers.tasks.slices import slices_of
from workers.tasks.vectors_by_key import VectorsByKey

SHARD_SIZE = 16_384  # texts; the most that a kill can lose
AT_ONCE = 1024  # texts between two looks at whether the run was cancelled


@dataclass
class Texts:
    """Different texts in the order in which they came, and where each is by its digest."""

    texts: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)

    def take(self, text: str) -> int:
        """The row of a text, a new one where it has none yet."""
        row = self.rows.setdefault(text_digest(text), len(self.texts))
        if row == len(self.texts):
            self.texts.append(text)
        return row

    @property
    def digests(self) -> list[str]:
        """The digest of each, in their order."""
        return list(self.rows)


def caption_vectors(project: Project, model_digest: str, *, preprocessing: str) -> VectorsByKey:
    """Where the vectors of a project's captions by the model with this digest lie."""
    folder = Path(settings.EMBEDDINGS) / model_digest[:STEM] / "captions" / project.slug
    return VectorsByKey(folder, preprocessing)


def embed_captions(
    ledger: Ledger, encoder: TextEncoder | SentenceEncoder, recipe: Recipe, project: Project, texts: Texts
) -> None:
    """See that every text has its vector; those that are there are not computed again.

    `recipe` is that of the images by the same model, if it has one. `ledger` counts texts as done, and the cursor's
    `read` how many. Raises EngineError as engines do, and RunCancelled or RunLost between two blocks.
    """
    vectors = caption_vectors(project, encoder.digest, preprocessing=recipe.preprocessing)
    missing = vectors.missing(texts.digests, verify=True)
    progress = ShardProgress(ledger, "read", len(texts.texts) - len(missing))

    def encode(digests: Sequence[str]) -> Iterator[Block]:
        for some in slices_of(digests, AT_ONCE):
            yield Block(some, encoder.encode([texts.texts[texts.rows[digest]] for digest in some]))
            with ledger.step():  # raises where somebody cancelled the run or another worker took it
                pass

    vectors.add(recipe, missing, size=SHARD_SIZE, encode=encode, on_shard=progress.add)
