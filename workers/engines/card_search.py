"""Exact search on a GPU: one matrix product for each block of vectors, and the best of each.

The vectors are copied to the card once, at the first search. Where the card has no room for them, the processor
searches.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from workers.engines.batching import is_out_of_memory
from workers.engines.devices import free_bytes, give_back_memory, make_steady
from workers.engines.protocols import Vectors
from workers.engines.rows import BLOCK, Ids

if TYPE_CHECKING:
    import torch
    from torch import Tensor

SHARE = 2  # of the free memory a half, since others compute beside us
NO_ROOM = "The GPU has no memory for %d vectors of %d numbers. The processor searches them."

log = logging.getLogger(__name__)


class CardFlat:
    """A flat index, FAISS's own or `SparingFlat`, whose n vectors of d numbers are searched on `device`."""

    def __init__(self, flat: Any, device: torch.device, shape: tuple[int, int]) -> None:
        self._flat, self._device, self._shape = flat, device, shape
        self._blocks: list[Tensor] = []
        self._fits = True

    def search(self, queries: Vectors, k: int) -> tuple[Vectors, Ids]:
        """The k <= n nearest of each query, as the index's own `search` gives them; equal ones in any order."""
        if self._fits:
            try:
                return nearest(queries, self._on_card(), k)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
            log.warning(NO_ROOM, *self._shape)
            self._blocks, self._fits = [], False
            give_back_memory()  # outside the handler, which holds what was computed
        found: tuple[Vectors, Ids] = self._flat.search(queries, k)
        return found

    def reconstruct_batch(self, ids: Ids) -> Vectors:
        """float32 (n, d) in the order of `ids`."""
        found: Vectors = self._flat.reconstruct_batch(ids)
        return found

    def _on_card(self) -> list[Tensor]:
        """All vectors, copied the first time. Raises MemoryError, or torch's own error, where there is no room."""
        if not self._blocks:
            import torch

            make_steady()  # TF32 would round the vectors
            n, d = self._shape
            if 4 * n * d > free_bytes(self._device) // SHARE:
                raise MemoryError
            ids = (np.arange(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))
            self._blocks = [torch.from_numpy(self.reconstruct_batch(some)).to(self._device) for some in ids]
        return self._blocks


def nearest(queries: Vectors, blocks: list[Tensor], k: int) -> tuple[Vectors, Ids]:
    """Inner products float32 (q, k) descending, and ids int64 (q, k), on the device of `blocks`, k or more rows.

    Raises torch's own error where memory is short.
    """
    import torch

    with torch.inference_mode():
        asked = torch.from_numpy(np.ascontiguousarray(queries)).to(blocks[0].device)
        best = asked.new_empty((len(asked), 0))
        ids = torch.empty_like(best, dtype=torch.int64)
        first = 0
        for block in blocks:
            near, places = (asked @ block.T).topk(min(k, len(block)), dim=1)
            best = torch.cat((best, near), dim=1)
            ids = torch.cat((ids, places + first), dim=1)
            best, places = best.topk(min(k, best.shape[1]), dim=1)
            ids = ids.gather(1, places)
            first += len(block)
        return best.cpu().numpy(), ids.cpu().numpy()
