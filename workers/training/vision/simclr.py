"""SimCLR (Chen et al. 2020): a backbone learns that two views of one picture belong together, without a word."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.training.ladder.image_tower import as_input, grouped
from workers.training.ladder.pictures import Size
from workers.training.ladder.text_tower import batches, rate_at
from workers.training.vision.views import view

ARCHITECTURE = "resnet10t"
MODEL_ARGS: dict[str, Any] = {"channels": [32, 64, 128, 256], "num_classes": 0}
SIZE: Size = (64, 96)


@dataclass(frozen=True)
class VisionRecipe:
    """How long and how fast the backbone learns."""

    seen: int = 144_000  # pictures, two views of each
    n_scenes: int = 24_000
    batch: int = 256
    rate: float = 2e-3
    decay: float = 0.05
    heat: float = 0.15
    seed: int = 0


def new_backbone() -> nn.Module:
    """timm's backbone, untrained; vectors of 256."""
    import timm

    model: nn.Module = timm.create_model(ARCHITECTURE, pretrained=False, **MODEL_ARGS)
    return model


def agreement(one: Tensor, other: Tensor, heat: float) -> Tensor:
    """NT-Xent of the unit vectors of two views, (n, d) each."""
    both = torch.cat([one, other])
    logits = (both @ both.T / heat).fill_diagonal_(-1e4)
    n = len(one)
    return functional.cross_entropy(logits, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]))


def teach(recipe: VisionRecipe, pixels: Tensor, say: Callable[[str], None]) -> nn.Module:
    """The backbone, taught on uint8 pixels (n, h, w, 3); the projector is thrown away."""
    torch.manual_seed(recipe.seed)
    backbone: nn.Module = new_backbone().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    projector = nn.Sequential(nn.Linear(256, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 64))
    learned = [*backbone.parameters(), *projector.parameters()]
    optimizer = torch.optim.AdamW(grouped(learned, recipe.decay), lr=recipe.rate)
    n_steps = max(1, recipe.seen // recipe.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, n_steps))
    start = time.monotonic()
    for step, rows in enumerate(batches(len(pixels), recipe.batch, n_steps, recipe.seed)):
        loss = _loss(backbone, projector, as_input(pixels[rows]), recipe.heat)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == n_steps - 1:
            rate = (step + 1) * recipe.batch / (time.monotonic() - start)
            say(f"vision: step {step + 1} of {n_steps}, loss {loss.item():.3f}, {rate:.0f} pictures/s")
    return backbone.eval()


def _loss(backbone: nn.Module, projector: nn.Module, pictures: Tensor, heat: float) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        vectors = projector(backbone(torch.cat([view(pictures), view(pictures)])))
    one, other = functional.normalize(vectors.float(), dim=-1).chunk(2)
    return agreement(one, other, heat)
