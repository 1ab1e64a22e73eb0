"""The language of a text, asked of py3langid: 20 MB once read, so only where a text needs it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


@lru_cache(maxsize=1)
def identifier() -> LanguageIdentifier:
    """Gives a language and its chance, from 0 to 1."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
