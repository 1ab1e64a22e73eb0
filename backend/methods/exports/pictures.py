"""An image of a release as the writers of other formats take it: its line of images.jsonl, and its bytes if others may
have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from backend.methods.licences import may_be_passed_on

ENDINGS = {"JPEG": "jpg", "MPO": "jpg", "TIFF": "tif", "JPEG2000": "jp2"}
FACTS = (
    "digest", "key", "width", "height", "format", "licence", "licence_url", "author", "title", "source_url",
    "attribution",
)  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """`read` gives the original bytes; None where the file is no longer there."""

    line: Mapping[str, Any]
    read: Callable[[], bytes | None]

    @property
    def digest(self) -> str:
        return str(self.line["digest"])

    @property
    def split(self) -> str:
        """Releases that are older than splits have their images in train."""
        return self.line.get("split") or "train"

    @property
    def name(self) -> str:
        """The file name in every format: the digest and the ending of the image's format."""
        return f"{self.digest}.{self.ending}"

    @property
    def ending(self) -> str:
        """The ending of the image's format, without the dot."""
        kind = str(self.line["format"])
        return ENDINGS.get(kind, kind.lower())

    def bytes_for_others(self) -> bytes | None:
        """The bytes; None where the licence does not let others have them, or the file is gone."""
        return self.read() if may_be_passed_on(str(self.line["licence"])) else None


def flat_caption(caption: Mapping[str, Any]) -> dict[str, Any]:
    """A caption with its decision and its difficulty as plain values."""
    consensus, difficulty = caption.get("consensus") or {}, caption.get("difficulty") or {}
    names = ("key", "position", "text", "raw_text", "source", "source_ref", "n_good", "n_bad", "n_unsure")
    return {name: caption[name] for name in names} | {
        "decided_by": consensus.get("decided_by"),
        "category": consensus.get("category") or None,
        "entropy": consensus.get("entropy"),
        "difficulty": difficulty.get("category"),
        "difficulty_votes": difficulty.get("n_votes"),
    }


def facts_of(picture: Picture) -> dict[str, Any]:
    """What a format without room for more says of an image."""
    return {name: picture.line[name] for name in FACTS}
