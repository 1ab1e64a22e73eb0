"""Pictures to unit vectors, by any image tower or vision backbone, read and computed at the same time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from workers.engines import image_feed
from workers.engines.batching import AdaptiveBatches, first_size
from workers.engines.devices import autocast, best_device
from workers.engines.preprocessing import Pixels, Preprocessing
from workers.engines.protocols import EncodedBlock, ImageEncoder, PictureSource, Vectors
from workers.engines.unit_vectors import unit_rows

if TYPE_CHECKING:
    import torch
    from torch import Tensor


def load_image_encoder(name: str) -> ImageEncoder:
    """The encoder called `name`: a CLIP's image tower or a vision backbone.

    Raises ModelNotFoundError (within seconds) or ModelRefusedError.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its own threads do not survive a fork
    from workers.engines import clip_encoder, clip_names, vision_encoder

    if clip_names.is_clip(name):
        return clip_encoder.load_clip_images(name)
    return vision_encoder.load_vision(name)


@dataclass
class TowerImages:
    """An image encoder around `forward`, which takes float32 (n, 3, h, w) on `device` and gives (n, dimensions)."""

    name: str
    digest: str
    dimensions: int
    forward: Callable[[Tensor], Tensor]
    how: Preprocessing
    device: torch.device = field(default_factory=best_device)

    @property
    def preprocessing(self) -> str:
        """What is done to a picture before the model sees it, in one line."""
        return self.how.description

    def encode(
        self, pictures: Iterable[tuple[str, PictureSource]], *, on_progress: Callable[[int], None] | None = None
    ) -> Iterator[EncodedBlock]:
        """Blocks in the order of `pictures`; see ImageEncoder. Raises NotFiniteError, OutOfMemoryError."""
        run = AdaptiveBatches(self._forward, size=first_size(self.how.input_bytes, self.device), name=self.name)
        n_done = 0
        for batch in image_feed.batches(pictures, self._prepare, lambda: run.size):
            vectors = self._vectors(batch, run)
            n_done += len(batch.keys) + len(batch.skipped)
            yield EncodedBlock(tuple(batch.keys), vectors, tuple(batch.skipped))
            if on_progress is not None:
                on_progress(n_done)

    def _prepare(self, source: PictureSource) -> Pixels:
        return self.how.pixels(image_feed.rgb_of(source))

    def _vectors(self, batch: image_feed.Batch, run: AdaptiveBatches) -> Vectors:
        if not batch.keys:
            return np.empty((0, self.dimensions), dtype=np.float32)
        import torch

        found = run(torch.from_numpy(np.stack(batch.pixels))).cpu().numpy()
        return unit_rows(found, name=self.name, what=lambda row: f"picture {batch.keys[row]!r}")

    def _forward(self, batch: Tensor) -> Tensor:
        import torch

        # Convolutions are a fifth quicker with the channels last; transformers do not mind.
        shown = self.how.scaled(batch.to(self.device)).contiguous(memory_format=torch.channels_last)
        with torch.inference_mode(), autocast(self.device):
            return self.forward(shown).float()
