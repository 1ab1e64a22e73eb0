"""Cleaning captions: each rule is a small pure function from text to text, or to the reason why it is dropped.

>>> clean_text("The cafÃ©  at night ", min_words=3)
'The café at night'
>>> clean_text("Untitled", min_words=3)
Dropped(rule='too_short', detail='1 word, 3 needed')
"""

from __future__ import annotations

from backend.methods.cleaning.outcome import Dropped
from backend.methods.cleaning.pool import Caption, comparison_form, drop_duplicates
from backend.methods.cleaning.rules import clean_text, repair_text
from backend.methods.cleaning.words import count_words

__all__ = ["Caption", "Dropped", "clean_text", "comparison_form", "count_words", "drop_duplicates", "repair_text"]
