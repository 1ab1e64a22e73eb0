"""Pictures to unit vectors, by any image tower or vision backbone, read and computed at the same time.

On a GPU threads read ahead of one forward pass. A processor has no cores to spare for that: threads that read would
fight with those that compute. There each core is a lane, which reads a batch and then computes it, both alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from workers.engines import image_feed
from workers.engines.batching import AdaptiveBatches, first_size
from workers.engines.devices import autocast, best_device, compute_alone, n_lanes
from workers.engines.in_order import map_in_order
from workers.engines.model_facts import Facts
from workers.engines.preprocessing import Pixels, Preprocessing
from workers.engines.protocols import EncodedBlock, ImageEncoder, PictureSource, Vectors
from workers.engines.unit_vectors import unit_rows

if TYPE_CHECKING:
    import torch
    from torch import Tensor

IN_LANE = 16  # pictures that a lane reads and computes at a time; more make no lane quicker


def load_image_encoder(name: str, device: torch.device | None = None) -> ImageEncoder:
    """The encoder called `name`, a CLIP's image tower or a vision backbone, on `device` or the best one.

    Raises ModelNotFoundError (within seconds), ModelRefusedError, DeviceError, OutOfMemoryError.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its own threads do not survive a fork
    from workers.engines import clip_encoder, clip_names, vision_encoder

    if clip_names.is_clip(name):
        return clip_encoder.load_clip_images(name, device)
    return vision_encoder.load_vision(name, device)


@dataclass
class TowerImages:
    """An image encoder around `forward`, which takes float32 (n, 3, h, w) on `device` and gives (n, dimensions)."""

    name: str
    digest: str
    dimensions: int
    forward: Callable[[Tensor], Tensor]
    how: Preprocessing
    device: torch.device = field(default_factory=best_device)
    facts: Facts = field(default_factory=dict)

    @property
    def preprocessing(self) -> str:
        """What is done to a picture before the model sees it, in one line."""
        return self.how.description

    def encode(
        self, pictures: Iterable[tuple[str, PictureSource]], *, on_progress: Callable[[int], None] | None = None
    ) -> Iterator[EncodedBlock]:
        """Blocks in the order of `pictures`; see ImageEncoder. Raises NotFiniteError, OutOfMemoryError."""
        n_done = 0
        lanes = n_lanes(self.device)
        for block in self._in_lanes(pictures, lanes) if lanes else self._read_ahead(pictures):
            n_done += len(block.keys) + len(block.skipped)
            yield block
            if on_progress is not None:
                on_progress(n_done)

    def _in_lanes(self, pictures: Iterable[image_feed.Given], n: int) -> Iterator[EncodedBlock]:
        """On `n` threads at once: what they hold together fits, and one piece more is there for who is done first."""
        n = min(n, first_size(self.how.input_bytes, self.device))
        run = self._batches(min(IN_LANE, first_size(n * self.how.input_bytes, self.device)))

        def lane(piece: list[image_feed.Given]) -> EncodedBlock:
            compute_alone()
            batch = image_feed.read(piece, self._prepare)
            return self._block(batch, self._begun(batch, run))

        return map_in_order(lane, image_feed.pieces(pictures, lambda: run.size), n_threads=n, ahead=n + 1)

    def _read_ahead(self, pictures: Iterable[image_feed.Given]) -> Iterator[EncodedBlock]:
        """A GPU computes a batch while the next one is put together, so each block comes one batch late."""
        run = self._batches(first_size(self.how.input_bytes, self.device))
        begun: tuple[image_feed.Batch, Tensor | None] | None = None
        for batch in image_feed.batches(pictures, self._prepare, lambda: run.size):
            before, begun = begun, (batch, self._begun(batch, run))
            if before is not None:
                yield self._block(*before)
        if begun is not None:
            yield self._block(*begun)

    def _batches(self, size: int) -> AdaptiveBatches:
        return AdaptiveBatches(self._forward, size=size, name=self.name)

    def _prepare(self, source: PictureSource) -> Pixels:
        return self.how.pixels(image_feed.rgb_of(source))

    def _begun(self, batch: image_feed.Batch, run: AdaptiveBatches) -> Tensor | None:
        """(n, dimensions) on the device, None of no pictures. A GPU has not finished it yet."""
        return run(self._stacked(batch.pixels)) if batch.keys else None

    def _stacked(self, pixels: list[Pixels]) -> Tensor:
        """uint8 (n, height, width, 3) in memory that a GPU reads by itself, where there is one."""
        import torch

        of_a_gpu = self.device.type == "cuda"
        stacked = torch.empty((len(pixels), *pixels[0].shape), dtype=torch.uint8, pin_memory=of_a_gpu)
        np.stack(pixels, out=stacked.numpy())
        return stacked

    def _block(self, batch: image_feed.Batch, found: Tensor | None) -> EncodedBlock:
        return EncodedBlock(tuple(batch.keys), self._vectors(batch, found), tuple(batch.skipped))

    def _vectors(self, batch: image_feed.Batch, found: Tensor | None) -> Vectors:
        if found is None:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return unit_rows(found.cpu().numpy(), name=self.name, what=lambda row: f"picture {batch.keys[row]!r}")

    def _forward(self, batch: Tensor) -> Tensor:
        import torch

        # Convolutions are a fifth quicker with the channels last; transformers do not mind.
        shown = self.how.scaled(batch.to(self.device, non_blocking=True)).contiguous(memory_format=torch.channels_last)
        with torch.inference_mode(), autocast(self.device):
            return self.forward(shown).float()
