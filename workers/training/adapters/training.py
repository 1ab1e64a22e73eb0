"""Teach an adapter: seeded, epoch by epoch, and after a kill on from the last whole epoch to the same bytes."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from backend.methods.benchmarks.data import DataError
from workers.engines.whole_files import hidden, publish
from workers.training.adapters.heads import Adapter, Embedded, Kind
from workers.training.adapters.losses import loss_of
from workers.training.adapters.splitting import Split

Floats = NDArray[np.float32]
CHECKPOINT = "training.pt"
LARGEST_STEP = 1.0  # of the gradient, as DivE
DECAY = 1e-4
ROWS = 4096  # embedded at once
OTHER = "{folder} has a training with other settings or data. Choose another folder."


@dataclass(frozen=True)
class Recipe:
    """All that decides what an adapter learns, with the digests of its vectors and data."""

    kind: Kind
    k: int
    epochs: int
    batch: int
    rate: float
    seed: int
    held_out: float
    embeddings: str
    data: str

    def as_json(self) -> dict[str, Any]:
        """The recipe by name."""
        return asdict(self)


def teach(
    recipe: Recipe,
    images: Floats,
    texts: Floats,
    found: Split,
    folder: Path,
    *,
    on_progress: Callable[[int, float], None] | None = None,
) -> tuple[Adapter, list[float]]:
    """The adapter after all epochs, and the mean loss of each. `on_progress` gets the epochs done and the last loss.

    Raises DataError where `folder` has a training of another recipe, or where the loss is no number any more.
    """
    with _steady():
        torch.manual_seed(recipe.seed)
        adapter = Adapter(recipe.kind, images.shape[1], recipe.k)
        optimizer = torch.optim.AdamW(adapter.parameters(), lr=recipe.rate, weight_decay=DECAY)
        losses = _resume(recipe, adapter, optimizer, folder)
        batches = _Batches(images, texts, found, recipe)
        for epoch in range(len(losses), recipe.epochs):
            for group in optimizer.param_groups:  # a cosine down to 0
                group["lr"] = recipe.rate * (1 + math.cos(math.pi * epoch / recipe.epochs)) / 2
            losses.append(_epoch(recipe, adapter, optimizer, batches, epoch))
            if not math.isfinite(losses[-1]):
                raise DataError(f"The loss is {losses[-1]} after epoch {epoch + 1}. Choose a smaller --rate.")
            _keep(recipe, adapter, optimizer, losses, folder)
            if on_progress is not None:
                on_progress(len(losses), losses[-1])
    return adapter.eval(), losses


def embed(head: torch.nn.Module, vectors: Floats) -> tuple[Floats, Floats | None]:
    """The vectors (n, K, d) and log-variances (n, d) that a head makes of vectors of length 1."""
    parts = [torch.from_numpy(vectors[start : start + ROWS]) for start in range(0, len(vectors), ROWS)]
    with _steady(), torch.inference_mode():
        made: list[Embedded] = [head(part) for part in parts]
    spreads = [each.log_variance for each in made if each.log_variance is not None]
    together = torch.cat([each.vectors for each in made]).numpy()
    return together, torch.cat(spreads).numpy() if spreads else None


@contextmanager
def _steady() -> Iterator[None]:
    """The same sums in every run, on any number of cores: one thread, and nothing that adds in any order."""
    threads, before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(before)


class _Batches:
    """Pairs in an order drawn for each epoch, and which pairs of a batch are right."""

    def __init__(self, images: Floats, texts: Floats, found: Split, recipe: Recipe) -> None:
        self.images, self.texts = torch.from_numpy(images), torch.from_numpy(texts)
        self.image, self.text, self.recipe = found.image, found.text, recipe
        self.right = np.sort(found.image * np.int64(len(texts)) + found.text)

    def of(self, epoch: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Vectors of images and of texts, and (n, n) which are right. A last batch of one pair has no wrong ones."""
        order = np.random.default_rng([self.recipe.seed, epoch]).permutation(len(self.image))
        for start in range(0, len(order), self.recipe.batch):
            rows = order[start : start + self.recipe.batch]
            if len(rows) < 2:
                return
            image, text = self.image[rows], self.text[rows]
            codes = image[:, None] * np.int64(len(self.texts)) + text
            places = np.searchsorted(self.right, codes).clip(max=len(self.right) - 1)
            yield self.images[image], self.texts[text], torch.from_numpy(self.right[places] == codes)


def _epoch(recipe: Recipe, adapter: Adapter, optimizer: torch.optim.Optimizer, batches: _Batches, epoch: int) -> float:
    """The mean loss of one walk over all pairs."""
    noise = torch.Generator().manual_seed(recipe.seed * 1_000_003 + epoch)
    sums, n = 0.0, 0
    for images, texts, right in batches.of(epoch):
        loss = loss_of(recipe.kind, adapter, adapter.images(images), adapter.texts(texts), right, noise)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(adapter.parameters(), LARGEST_STEP)
        optimizer.step()
        sums, n = sums + float(loss.detach()) * len(right), n + len(right)
    return sums / n if n else math.nan


def _keep(
    recipe: Recipe, adapter: Adapter, optimizer: torch.optim.Optimizer, losses: list[float], folder: Path
) -> None:
    state = {
        "recipe": json.dumps(recipe.as_json(), sort_keys=True),
        "adapter": adapter.state_dict(),
        "optimizer": optimizer.state_dict(),
        "losses": losses,
    }
    torch.save(state, hidden(folder / CHECKPOINT))
    publish(folder / CHECKPOINT)


def _resume(recipe: Recipe, adapter: Adapter, optimizer: torch.optim.Optimizer, folder: Path) -> list[float]:
    """The losses of the epochs that are done; weights and optimizer are put in place."""
    path = folder / CHECKPOINT
    if not path.is_file():
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch on its own format
            state = torch.load(path, "cpu", weights_only=True)
        same = state["recipe"] == json.dumps(recipe.as_json(), sort_keys=True)
    except (RuntimeError, ValueError, EOFError, OSError, KeyError, TypeError) as problem:
        raise DataError(f"{path.name} is damaged: {problem}. Remove it to start again.") from problem
    if not same:
        raise DataError(OTHER.format(folder=folder.name))
    adapter.load_state_dict(state["adapter"])
    optimizer.load_state_dict(state["optimizer"])
    return list(state["losses"])
