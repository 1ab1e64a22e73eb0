"""The vectors of a project's captions by a model of a panel: each different text once.

    CONNOTE_EMBEDDINGS/MODEL/captions/PROJECT/shard-00000.npy ...

The key of a row is the text's digest. Shards are slices of the texts in the order in which their captions came, so
that captions added later make the last shard anew and leave the others alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from backend.candidates.models import text_digest
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from workers.engines.protocols import TextEncoder
from workers.engines.shard_manifest import Manifest
from workers.engines.shards import Block, Part, Recipe, are_written, write_shards
from workers.tasks.corpora_folders import STEM

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


def captions_folder(project: Project, model_digest: str) -> Path:
    """Where the vectors of a project's captions by the model with this digest lie."""
    return Path(settings.EMBEDDINGS) / model_digest[:STEM] / "captions" / project.slug


def are_captions_embedded(project: Project, texts: Texts, model_digest: str, *, preprocessing: str) -> bool:
    """Whether `embed_captions` would compute nothing by the model with this digest, which need not be loaded then."""
    sources = [_source_of(digests) for digests in _slices(texts.digests)]
    return are_written(captions_folder(project, model_digest), sources, preprocessing=preprocessing)


def embed_captions(ledger: Ledger, encoder: TextEncoder, recipe: Recipe, project: Project, texts: Texts) -> None:
    """See that every text has its vector; those that are there are not computed again.

    `recipe` is that of the images by the same model. `ledger` counts texts as done, and the cursor's `read` how many.
    Raises EngineError as engines do, and RunCancelled or RunLost between two blocks.
    """
    n_read = 0

    def on_shard(manifest: Manifest, computed: bool) -> None:
        nonlocal n_read
        n_read += manifest.count
        with ledger.step() as step:
            step.done = max(0, n_read - step.cursor.get("read", 0))
            step.cursor["read"] = max(n_read, step.cursor.get("read", 0))

    pairs = zip(_slices(texts.digests), _slices(texts.texts), strict=True)
    parts = [_Slice(ledger, encoder, digests, some).part() for digests, some in pairs]
    write_shards(captions_folder(project, encoder.digest), recipe, parts, on_shard)


def _slices(rows: list[str]) -> list[list[str]]:
    return [rows[start : start + SHARD_SIZE] for start in range(0, len(rows), SHARD_SIZE)]


def _source_of(digests: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()


@dataclass(frozen=True)
class _Slice:
    """Some texts on their way into a shard."""

    ledger: Ledger
    encoder: TextEncoder
    digests: Sequence[str]
    texts: Sequence[str]

    def part(self) -> Part:
        return Part(_source_of(self.digests), self._blocks)

    def _blocks(self) -> Iterator[Block]:
        for start in range(0, len(self.texts), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            yield Block(self.digests[some], self.encoder.encode(self.texts[some]))
            with self.ledger.step():  # raises where somebody cancelled the run or another worker took it
                pass
