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
from workers.engines.batching import halving, moved
from workers.engines.devices import autocast, best_device, make_steady
from workers.engines.protocols import Vectors
from workers.engines.torchvision_shim import patch_torchvision
from workers.engines.unit_vectors import unit_rows

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

MARKS = 8  # tokens that are no part of a text: its beginning, its end, and what a model may want besides
BATCH = {"cpu": 64, "cuda": 512}  # sentences; past these no more of them come in a second


class TransformerSentences:
    """One loaded sentence-transformers model on `device`, or on the best one.

    Raises ModelNotFoundError, ModelRefusedError, DeviceError or OutOfMemoryError when it is made.
    """

    def __init__(self, name: str, device: torch.device | None = None) -> None:
        folder = weights.find_model(name)
        self.name = weights.short_name(name)
        self.digest = weights.digest_of(folder)
        self.device = device or best_device()
        self._model = _load(str(folder), self.device, self.name)
        self._size = BATCH[self.device.type]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, d), rows of length one.

        Raises NotFiniteError naming the model and the sentence, OutOfMemoryError where memory is short for one.
        """
        if not texts:
            return np.empty((0, self._model.get_embedding_dimension() or 0), dtype=np.float32)
        # The longest sentences are encoded first: where they fit, all do, and hardly anything is encoded twice.
        found, self._size = halving(lambda size: self._encode(list(texts), size), size=self._size, name=self.name)
        return checked(found, texts=texts, name=self.name)

    def are_cut(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text is longer than the model reads: its vector is then that of its beginning."""
        most = self._model.max_seq_length
        # A token has at least one byte, and a few mark the ends: only what is long needs to be counted.
        long = [at for at, text in enumerate(texts) if most and len(text.encode()) + MARKS > most]
        cut = [False] * len(texts)
        if long and most:
            tokens = self._model.tokenizer([texts[at] for at in long], truncation=False, verbose=False)["input_ids"]
            for at, ids in zip(long, tokens, strict=True):
                cut[at] = len(ids) > most
        return cut

    def _encode(self, texts: list[str], size: int) -> Vectors:
        with autocast(self.device):
            found = self._model.encode(
                texts,
                batch_size=size,
                device=str(self.device),
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
            )
        return np.asarray(found, dtype=np.float32)


def checked(vectors: Vectors, *, texts: Sequence[str], name: str) -> Vectors:
    """`vectors` scaled to length one. Raises NotFiniteError where one cannot be."""
    return unit_rows(vectors, name=name, what=lambda row: f"sentence {texts[row][:80]!r}")


def _load(folder: str, device: torch.device, name: str) -> SentenceTransformer:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its own threads do not survive a fork
    patch_torchvision()
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    make_steady()
    model = SentenceTransformer(folder, device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True})
    return moved(model, device, name=name)
