"""Vectors by key, each made once, whatever is asked about next: a folder of shards that only grows.

What is asked about changes between two runs, and between a kill and what follows it: a person drops a caption, another
sample is put in force. Shards that were slices of what is asked about would all be made anew then. Here a shard stays
as it is, and what none of them holds goes into new ones, in slices. What nobody asks about any more stays too, and
comes back for nothing; whoever wants the room deletes the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from workers.engines.protocols import Skipped
from workers.engines.shard_manifest import Manifest, as_manifest, check_files, read_json
from workers.engines.shards import Block, Part, Recipe, ShardRefusedError, Shards, plan_shards, write_shard
from workers.tasks.slices import slices_of, source_of


@dataclass(frozen=True)
class VectorsByKey:
    """A folder of one model's vectors. `is_lost` says whether what was left out is left out for good."""

    folder: Path
    preprocessing: str
    is_lost: Callable[[Skipped], bool] = lambda skipped: True

    def open(self, *, verify: bool = False) -> Shards:
        """The shards that are whole, none at the very start. `verify` reads every file to check its SHA-256."""
        return Shards([(self.folder, manifest) for manifest in self._whole(verify)])

    def missing(self, keys: Sequence[str], *, verify: bool = False) -> list[str]:
        """Those of `keys`, in their order, that have no vector and are not left out for good."""
        shards = self.open(verify=verify)
        lost = {one.key for one in shards.skipped if self.is_lost(one)}
        rows = zip(keys, shards.ids_of(keys).tolist(), strict=True)
        return [key for key, row in rows if row < 0 and key not in lost]

    def add(
        self,
        recipe: Recipe,
        missing: Sequence[str],
        *,
        size: int,
        encode: Callable[[Sequence[str]], Iterable[Block]],
        on_shard: Callable[[Manifest], object],
    ) -> None:
        """Write the vectors of `missing` into new shards of at most `size` keys; `on_shard` hears of each.

        Raises ShardRefusedError where the folder is another model's, and whatever `encode` raises.
        """
        slices = slices_of(missing, size)
        taken = {manifest.number for manifest in self._whole(verify=False)}
        free = (n for n in count() if n not in taken)
        numbers = [n for _, n in zip(slices, free, strict=False)]
        plan_shards(self.folder, recipe, max([*taken, *numbers], default=-1) + 1)
        for number, keys in zip(numbers, slices, strict=True):
            manifest, _ = write_shard(self.folder, recipe, number, Part(source_of(keys), partial(encode, keys)))
            on_shard(manifest)

    def _whole(self, verify: bool) -> Iterator[Manifest]:
        for path in sorted(self.folder.glob("shard-*.json")):
            try:
                manifest = as_manifest(read_json(path), path)
                check_files(self.folder, manifest, by_content=verify)
            except ShardRefusedError:
                continue  # what it held is missing then, and made anew in its place
            if manifest.recipe.preprocessing == self.preprocessing:
                yield manifest
