"""Cleaning captions: each rule is a small pure function from text to text, or to the reason why it is dropped.

`rules` lists them in their order and says which source gets which; `chain` runs them over many captions.

>>> clean_text("The cafÃ©  at night ", min_words=3)
'The café at night'
>>> clean_text("Untitled", min_words=3)
Dropped(rule='too_short', detail='1 word, 3 needed')
"""

from __future__ import annotations

from backend.methods.cleaning.chain import (
    Cleaned,
    Raw,
    TagsOf,
    clean_all,
    clean_text,
    clean_title,
    find_recurring,
    readable_text,
    trace_repairs,
)
from backend.methods.cleaning.outcome import Dropped, Outcome
from backend.methods.cleaning.pool import Caption, comparison_form
from backend.methods.cleaning.review import FLAGS, flags_of
from backend.methods.cleaning.rules import VERSION, Change, repair_text
from backend.methods.cleaning.site_names import Page, registered_domain
from backend.methods.cleaning.words import count_words

__all__ = [
    "FLAGS", "VERSION", "Caption", "Change", "Cleaned", "Dropped", "Outcome", "Page", "Raw", "TagsOf", "clean_all",
    "clean_text", "clean_title", "comparison_form", "count_words", "find_recurring", "flags_of",
    "readable_text", "registered_domain", "repair_text", "trace_repairs",
]  # fmt: skip
