"""What a curator chooses for a release: the shares of its splits, and what is left out of its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

SPLITS = ("train", "validation", "test")
SHARES, LEAVE_OUT = "80,10,10", "times"  # unless a curator chooses others
# What a curator may leave out, and the columns of judgments.parquet that are empty then.
LEAVABLE: dict[str, tuple[str, ...]] = {
    "times": ("submitted_at",),
    "comments": ("comment",),
    "seconds": ("seconds",),
    "lenses": ("lens",),
    "edits": ("edits",),
    "order": ("position", "options"),
    "rejected": (),
}


class Shares(NamedTuple):
    """Per cent of the images in each split."""

    train: int
    validation: int
    test: int


@dataclass(frozen=True)
class Choices:
    """The choices of one release."""

    shares: Shares
    seed: int
    left_out: frozenset[str]

    def describe(self) -> dict[str, Any]:
        """The choices as the manifest tells them."""
        return {"shares": self.shares._asdict(), "seed": self.seed, "left_out": sorted(self.left_out)}


def read_shares(text: str) -> Shares:
    """`80,10,10` as shares. Raises ValueError with a sentence."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != len(SPLITS) or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise ValueError("Write three whole numbers with commas between them, for example 80,10,10.")
    shares = Shares(*map(int, parts))
    if sum(shares) != 100:
        raise ValueError(f"The numbers add up to {sum(shares)}. They must add up to 100.")
    return shares


def read_left_out(text: str) -> frozenset[str]:
    """`times, comments` as names. Raises ValueError with a sentence."""
    names = frozenset(part.strip() for part in text.split(",") if part.strip())
    if unknown := sorted(names - LEAVABLE.keys()):
        raise ValueError(f"{unknown[0][:40]} cannot be left out. You can leave out: {', '.join(LEAVABLE)}.")
    return names
