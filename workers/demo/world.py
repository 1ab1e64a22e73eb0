"""The drawn world of the demo: its files, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workers.training.postcards import corpus
from workers.training.postcards.corpus import Pair, Target
from workers.training.postcards.exports import Order, export

DEFAULT = Order(targets=24, corpus=1200, seed=0)  # as much as two cores walk through in three minutes


@dataclass(frozen=True)
class World:
    """The targets and the corpus of `order`, drawn in `folder`."""

    folder: Path
    order: Order = DEFAULT

    def draw(self) -> Iterator[tuple[int, int]]:
        """Draw what is missing; yields (pictures that are there, pictures wanted)."""
        return export(self.folder, self.order)

    @property
    def pictures(self) -> dict[str, Path]:
        """Where the pictures of the targets and of the corpus lie."""
        return {part: self.folder / part / "images" for part in ("targets", "corpus")}

    @property
    def controls(self) -> Path:
        """The table of captions whose answer is known."""
        return self.folder / "controls.jsonl"

    @cached_property
    def targets(self) -> dict[str, Target]:
        return {target.id: target for target in corpus.targets(self.order.targets, self.order.seed)}

    @cached_property
    def pairs(self) -> dict[str, Pair]:
        drawn = corpus.corpus(list(self.targets.values()), self.order.corpus, self.order.seed)
        return {pair.id: pair for pair in drawn}
