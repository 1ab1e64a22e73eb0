"""How far a generic run is: what is asked, what there is to do, and starting over where what is scored has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from backend.candidates import generic as service
from backend.catalogue.models import Image
from backend.runs.ledger import Ledger
from backend.runs.warnings import warning_of
from workers.engines.calibrations import Record
from workers.tasks.generic_pool import Pool

PLAN = "{n_images:,} images, {n_captions:,} captions, {n_texts:,} different texts; {needed} of {n_models} make a match."
CHANGED = (
    "The captions, their images or the models have changed since the start of this run. It scores all of them again."
)


@dataclass(frozen=True)
class Demands:
    """The panel by name with its records, who says which images are alike, from what cosine on, and the most that is
    not flagged."""

    panel: Sequence[str]
    records: Sequence[Record]
    model: str
    alike: float
    most: float

    @property
    def needed(self) -> int:
        """How many of the panel make a match."""
        return len(self.panel) // 2 + 1

    def as_told(self) -> list[object]:
        """What a score follows from, beside the pool."""
        voters = [(record.digest, record.calibration.threshold) for record in self.records]
        return [*voters, self.model, self.alike, self.most]


@dataclass
class Progress:
    """All images are seen by the model of likeness; a model of the panel sees the targets and reads each text; then
    captions are counted, and written."""

    ledger: Ledger
    demands: Demands
    pool: Pool

    @cached_property
    def digest(self) -> str:
        """Says what is scored: those of one digest have the same scores."""
        return self.pool.digest(self.demands.as_told())

    def digest_with(self, more: Iterable[bytes]) -> str:
        """The digest of what is scored and of what came out on the way, hex."""
        found = hashlib.sha256(self.digest.encode())
        for one in more:
            found.update(one)
        return found.hexdigest()

    @cached_property
    def n_all_images(self) -> int:
        """How many images the project has."""
        return Image.objects.filter(project=self.ledger.run.project).count()

    def after_model(self, n: int) -> int:
        """What is done once the n-th of the panel is."""
        return self.n_all_images + n * (len(self.pool.images) + self.pool.n_texts)

    def begin(self) -> None:
        """Once a run: the panel as it was at the start. A run that goes on with other captions starts over."""
        began = self.ledger.cursor
        if began and began.get("pool") != self.digest:
            with self.ledger.step() as step:
                service.forget_part(step=step, run=self.ledger.run)
                step.log.append(CHANGED)
        self.ledger.set_total(self._total())
        if "panel" not in self.ledger.cursor:
            with self.ledger.step() as step:
                step.log.append(PLAN.format(**self._numbers()))
                step.cursor = {"panel": list(self.demands.panel), "pool": self.digest}
                asked = {"panel": ",".join(self.demands.panel)}
                if warning := warning_of("generic", self.ledger.run.project, asked):
                    step.log.append(warning.message)

    def _total(self) -> int:
        n_captions = len(self.pool.ids)
        return self.after_model(len(self.demands.panel)) + 2 * n_captions if n_captions else 0

    def _numbers(self) -> dict[str, Any]:
        numbers = {"n_images": len(self.pool.images), "n_captions": len(self.pool.ids), "n_texts": self.pool.n_texts}
        return numbers | {"needed": self.demands.needed, "n_models": len(self.demands.panel)}

    def reach(self, n_done: int) -> None:
        """Say that so much is done, also where it was there before; raises where somebody cancelled the run."""
        with self.ledger.step() as step:
            if n_done >= self.ledger.run.done:  # else this worker goes on at a later model
                step.done = n_done - self.ledger.run.done
                step.cursor |= {"embedded": 0, "read": 0}

    def counted(self, n_captions: int) -> None:
        """Say that so many captions are counted."""
        self.reach(self.after_model(len(self.demands.panel)) + n_captions)
