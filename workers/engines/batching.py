"""Batches that fit: their size follows the memory there is, and halves when that was too hopeful."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from workers.engines.devices import free_bytes, give_back_memory
from workers.engines.protocols import OutOfMemoryError

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module

T = TypeVar("T")
M = TypeVar("M", bound="Module")

LARGEST = {"cpu": 32, "cuda": 256}  # past these a forward pass gets no quicker per item
SHARE = 4  # of the free memory a quarter, since others compute beside us
ACTIVATIONS = 40  # bytes that a forward pass holds at once, per byte of its input: a ResNet-50 at 224 px takes 30
DOES_NOT_FIT = (
    "The model {name!r} needs more memory than this machine has, even for one item ({reason}). "
    "Use a smaller model, or wait for other work to end."
)
SAID_OF_MEMORY = (
    "out of memory",
    "not enough memory",
    "can't allocate memory",
    "cannot allocate memory",
    "cublas_status_alloc_failed",  # a GPU's libraries allocate by themselves
    "cublas_status_not_initialized",  # what cuBLAS says where there is no room for its own memory
    "cudnn_status_alloc_failed",
)


class AdaptiveBatches:
    """Runs a forward pass in pieces of at most `size`, which halves for good whenever a piece did not fit.

    Several threads may call it at once. A row that does not fit beside theirs is tried again while they wait.
    """

    def __init__(self, forward: Callable[[Tensor], Tensor], *, size: int, name: str) -> None:
        self.size = size
        self._forward, self._name = forward, name
        self._turns, self._halving = _Turns(), threading.Lock()

    def __call__(self, batch: Tensor) -> Tensor:
        """The forward pass of `batch`, (n, ...) to (n, d). Raises OutOfMemoryError where one row is too many."""
        import torch

        done: list[Tensor] = []
        start = 0
        while start < len(batch):
            piece = batch[start : start + self.size]
            found = self._try(piece, alone=False)
            if found is None and len(piece) == 1:
                found = self._try(piece, alone=True)
            if found is None:
                self._halve(len(piece))
                continue
            done.append(found)
            start += len(piece)
        return torch.cat(done) if len(done) != 1 else done[0]

    def _halve(self, tried: int) -> None:
        """Two threads that had no room for a piece of the same size halve it once."""
        with self._halving:
            self.size = max(1, min(self.size, tried // 2))

    def _try(self, piece: Tensor, *, alone: bool) -> Tensor | None:
        """None where memory was short and the piece can be made smaller, or can be tried alone."""
        try:
            with self._turns.take(alone=alone):
                return self._forward(piece)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if alone:
                raise OutOfMemoryError(DOES_NOT_FIT.format(name=self._name, reason=type(error).__name__)) from error
        give_back_memory()  # outside the handler, which holds the failed pass and its tensors
        return None


class _Turns:
    """For any number of threads at once, or for one alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._n, self._is_alone = 0, False

    @contextmanager
    def take(self, *, alone: bool) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_alone and not (alone and self._n))
            self._n, self._is_alone = self._n + 1, alone
        try:
            yield
        finally:
            with self._changed:
                self._n, self._is_alone = self._n - 1, False
                self._changed.notify_all()


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an allocation failed: torch says so by its own error on a GPU, by a plain RuntimeError elsewhere."""
    import torch

    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(words in str(error).lower() for words in SAID_OF_MEMORY)


def first_size(item_bytes: int, device: torch.device) -> int:
    """How many items of `item_bytes` float32 input to begin with."""
    fitting = free_bytes(device) // SHARE // max(1, item_bytes * ACTIVATIONS)
    return max(1, min(LARGEST.get(device.type, LARGEST["cpu"]), fitting))


def halving(run: Callable[[int], T], *, size: int, name: str) -> tuple[T, int]:
    """`run(size)` and the size that it took: half as much again and again where memory was short.

    Raises OutOfMemoryError where it was short for one.
    """
    while True:
        try:
            return run(size), size
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if size == 1:
                raise OutOfMemoryError(DOES_NOT_FIT.format(name=name, reason=type(error).__name__)) from error
        give_back_memory()  # outside the handler, which holds the failed run and its tensors
        size //= 2


def moved(model: M, device: torch.device, *, name: str) -> M:
    """`model` with its weights on `device`. Raises OutOfMemoryError where they do not fit beside what is there."""
    try:
        return model.to(device)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        raise OutOfMemoryError(DOES_NOT_FIT.format(name=name, reason=type(error).__name__)) from error
