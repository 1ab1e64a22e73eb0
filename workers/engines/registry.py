"""The engines of this process, each loaded on first use and kept."""

from __future__ import annotations

import threading

from workers.engines.protocols import SentenceEncoder

_lock = threading.Lock()
_sentences: dict[str, SentenceEncoder] = {}


def sentence_encoder(name: str) -> SentenceEncoder:
    """The encoder called `name`, one instance per process however many threads ask. Raises EngineError."""
    with _lock:
        if name not in _sentences:
            from workers.engines.sentences import TransformerSentences

            _sentences[name] = TransformerSentences(name)
        return _sentences[name]


def use_sentence_encoder(name: str, encoder: SentenceEncoder) -> None:
    """Let `encoder` answer to `name` in this process, as a stand-in for what would have to be loaded."""
    with _lock:
        _sentences[name] = encoder
