"""A stand-in for a sentence model: bags of hashed words. It needs no weights; the same words make the same vector."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from workers.engines.protocols import Vectors
from workers.engines.sentences import checked

DIMENSIONS = 256


class WordSentences:
    """Captions that share words point the same way; nothing is known of what words mean."""

    name = "words"
    digest = hashlib.sha256(b"words/1").hexdigest()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, 256), rows of length one."""
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()) or [text]:
                vectors[row, _place(word)] += 1
        return checked(vectors, texts=texts, name=self.name)

    def are_cut(self, texts: Sequence[str]) -> list[bool]:
        """It reads every word."""
        return [False] * len(texts)


def _place(word: str) -> int:
    return int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % DIMENSIONS
