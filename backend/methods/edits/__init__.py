"""Suggested edits of a caption (IMP, appendix C.4; SCIENCE 2.6): person, location, number, colour, object name.

A parser finds words and names, closed lexicons the rest; spans count code points of the original, and the edited text
is the original with its spans replaced, always.
"""

from __future__ import annotations

from backend.methods.edits.edit import KINDS, Edit, EditError, apply_edits
from backend.methods.edits.suggestions import suggest_edits
from backend.methods.edits.words import Name, Suggestion, Word

__all__ = ["KINDS", "Edit", "EditError", "Name", "Suggestion", "Word", "apply_edits", "suggest_edits"]
