"""Reading pictures and captions out of what people have: folders, archives, tables, public datasets.

`open_source(path)` looks at the content and gives a Source; its `images()` and `captions()` stream rows and refusals.
"""

from __future__ import annotations

from backend.catalogue.sources.detection import Source, open_source
from backend.catalogue.sources.rows import (
    CaptionRow,
    ImageRow,
    Limits,
    MemberRefused,
    Refused,
    SourceUnreadable,
)

__all__ = [
    "CaptionRow",
    "ImageRow",
    "Limits",
    "MemberRefused",
    "Refused",
    "Source",
    "SourceUnreadable",
    "open_source",
]
