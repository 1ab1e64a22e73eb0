"""A card with too little memory left: batches halve until they fit, and the vectors stay the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from encoder_checks import CLIP, SMALL_CLIP, random_clip
from measuring import Row, Setup, encoded, environment, photographs, same

from workers.engines import devices
from workers.engines.batching import first_size

ROOM = 300 * 2**20  # bytes beside the weights
LARGEST = 1  # pictures that "fit" on a processor, where memory cannot be limited
Forward = Callable[[Any], Any]


def memory(setup: Setup) -> Iterator[Row]:
    """ViT-B/32 with batches of up to 256 pictures, in 300 MB. Raises whatever an engine raises."""
    pictures = photographs(2 * LARGEST if setup.is_small else 256)
    with environment(devices.PRECISION, "float32"):
        images, _ = random_clip(SMALL_CLIP if setup.is_small else CLIP, setup.device)
        wanted = encoded(images, pictures)
        first = first_size(images.how.input_bytes, setup.device)
        fitted: list[int] = []
        with short_of_memory(setup.device) as shortened:
            found = encoded(replace(images, forward=shortened(noted(images.forward, fitted))), pictures)
    yield Row(
        f"memory, {images.name}",
        f"batches halve where {ROOM >> 20} MB are left",
        f"from {first} to {max(fitted)} at a time",
        "smaller batches, all images",
        max(fitted) < first,
    )
    yield same(f"memory, {images.name}, with and without room", "float32", found, wanted)


def noted(forward: Forward, fitted: list[int]) -> Forward:
    """`forward`, which notes of how many pictures it was successful."""

    def work(batch: Any) -> Any:
        found = forward(batch)
        fitted.append(len(batch))
        return found

    return work


@contextmanager
def short_of_memory(device: Any) -> Iterator[Callable[[Forward], Forward]]:
    """A limit on what torch may take of a card; elsewhere a forward pass that fails as it would on a full one."""
    import torch

    if device.type != "cuda":
        yield fails_above
        return
    devices.give_back_memory()
    total = torch.cuda.get_device_properties(device).total_memory
    index = torch.cuda.current_device() if device.index is None else device.index
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved(device) + ROOM) / total, index)
    try:
        yield lambda forward: forward
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, index)


def fails_above(forward: Forward) -> Forward:
    """`forward`, for which more than LARGEST pictures are too many."""

    def work(batch: Any) -> Any:
        import torch

        if len(batch) > LARGEST:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(batch)

    return work
