"""What shards hold, counted as done in a run."""

from __future__ import annotations

from dataclasses import dataclass

from backend.runs.ledger import Ledger
from workers.engines.shard_manifest import Manifest


@dataclass
class ShardProgress:
    """Counts pictures or texts as done, shard by shard, `n_done` of them from the start.

    The cursor keeps the most that was counted under `name`: who goes on in a run, and finds its shards, counts none of
    them twice.
    """

    ledger: Ledger
    name: str
    n_done: int = 0

    def add(self, manifest: Manifest, computed: bool = True) -> None:
        """One more shard is there, whoever computed it. Raises RunCancelled and RunLost."""
        self.n_done += manifest.count + len(manifest.skipped)
        with self.ledger.step() as step:
            counted = step.cursor.get(self.name, 0)
            step.done = max(0, self.n_done - counted)
            step.cursor[self.name] = max(self.n_done, counted)
