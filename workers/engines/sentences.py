"""Sentences to unit vectors, by any sentence-transformers model that is kept as safetensors.

torch takes seconds to import, so it is imported by whoever loads a model and by nobody else; a Celery parent never
does, which also keeps its forks clean of torch's threads.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from workers.engines import weights
from workers.engines.devices import steady_threads
from workers.engines.protocols import Vectors
from workers.engines.torchvision_shim import mend_torchvision
from workers.engines.unit_vectors import unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH = 64


class TransformerSentences:
    """One loaded sentence-transformers model. Raises ModelNotFoundError or ModelRefusedError when it is made."""

    def __init__(self, name: str) -> None:
        folder = weights.find_model(name)
        self.name = weights.short_name(name)
        self.digest = weights.digest_of(folder)
        self._model = _load(str(folder))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, d), rows of length one. Raises NotFiniteError naming the model and the sentence."""
        if not texts:
            return np.empty((0, self._model.get_embedding_dimension() or 0), dtype=np.float32)
        found = self._model.encode(
            list(texts), batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=True
        )
        return checked(np.asarray(found, dtype=np.float32), texts=texts, name=self.name)


def checked(vectors: Vectors, *, texts: Sequence[str], name: str) -> Vectors:
    """`vectors` scaled to length one. Raises NotFiniteError where one cannot be."""
    return unit_rows(vectors, name=name, what=lambda row: f"sentence {texts[row][:80]!r}")


def _load(folder: str) -> SentenceTransformer:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its own threads do not survive a fork
    mend_torchvision()
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]
    steady_threads()
    return SentenceTransformer(folder, local_files_only=True, model_kwargs={"use_safetensors": True})
