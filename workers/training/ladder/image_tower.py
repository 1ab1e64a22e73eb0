"""An image tower learns to put each picture where its captions and its facts are, in the space of a taught text tower.

The text tower is locked (as in LiT, Zhai et al. 2022), so captions are encoded once and every step is spent on
pictures. Three losses are added: InfoNCE with right and wrong captions, InfoNCE with the facts' own vectors, and the
facts read off the picture's vector by a linear head that is thrown away.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.training.ladder import facts
from workers.training.ladder.text_tower import batches, contrast, rate_at, truths

MEAN, STD = 0.5, 0.25
SHIFT = 0.06  # of each side, the most a picture is moved
FACTS_WEIGHT = 0.5


@dataclass
class Lessons:
    """What image towers learn from, row i of all for scene i.

    `pixels` uint8 (n, h, w, 3); `right` and `wrong` (n, k, d) unit vectors of k captions; `claimed` and
    `wrong_claimed` (n, k, values); `codes` (n, facets); `stand_ins` (n, d) unit vectors of the facts.
    """

    pixels: Tensor
    right: Tensor
    wrong: Tensor
    claimed: Tensor
    wrong_claimed: Tensor
    codes: Tensor
    stand_ins: Tensor


@dataclass(frozen=True)
class ImageRecipe:
    """How long and how fast an image tower learns."""

    seen: int  # pictures, counting each time that one comes
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.05
    seed: int = 0


class FactsHead(nn.Module):
    """All facets of a scene, read off one vector."""

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dimensions)
        self.read = nn.Linear(dimensions, facts.n_values())
        self.sizes = [len(found) for found in facts.values().values()]
        self.starts = torch.tensor(list(facts.starts().values()))

    def loss(self, vectors: Tensor, codes: Tensor) -> Tensor:
        """Mean cross-entropy over the facets, for vectors (n, d) and codes (n, facets)."""
        read = self.read(self.norm(vectors)).split(self.sizes, dim=1)
        targets = codes - self.starts
        losses = [functional.cross_entropy(logits, targets[:, i]) for i, logits in enumerate(read)]
        return torch.stack(losses).mean()


def teach(
    tower: nn.Module, recipe: ImageRecipe, lessons: Lessons, name: str, say: Callable[[str], None]
) -> tuple[nn.Module, float]:
    """The tower, taught, and the scale of its logits (log), for the CLIP around it."""
    torch.manual_seed(recipe.seed)
    head = FactsHead(lessons.stand_ins.shape[1])
    scale = nn.Parameter(torch.tensor(math.log(20.0)))
    learned = [*tower.parameters(), *head.parameters(), scale]
    optimizer = torch.optim.AdamW(grouped(learned, recipe.decay), lr=recipe.rate, betas=(0.9, 0.98))
    n_steps = max(1, recipe.seen // recipe.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, n_steps))
    start = time.monotonic()
    tower.train()
    for step, rows in enumerate(batches(len(lessons.pixels), recipe.batch, n_steps, recipe.seed)):
        loss = _loss(tower, head, scale, lessons, rows)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == n_steps - 1:
            rate = (step + 1) * recipe.batch / (time.monotonic() - start)
            say(f"{name}: step {step + 1} of {n_steps}, loss {loss.item():.3f}, {rate:.0f} pictures/s")
    return tower.eval(), float(scale.detach())


def grouped(parameters: list[nn.Parameter], decay: float) -> list[dict[str, object]]:
    """Weight decay on matrices only."""
    matrices = [one for one in parameters if one.ndim > 1]
    others = [one for one in parameters if one.ndim <= 1]
    return [{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]


def _loss(tower: nn.Module, head: FactsHead, scale: Tensor, lessons: Lessons, rows: Tensor) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        raw = tower(varied(as_input(lessons.pixels[rows]))).float()
    pictures = functional.normalize(raw, dim=-1)
    of_facts = lessons.stand_ins[rows]
    factor = scale.exp().clamp(max=100.0)
    one = int(torch.randint(lessons.right.shape[1], ()))
    claimed = torch.cat([lessons.claimed[rows, one], lessons.wrong_claimed[rows, one]])
    also_true = truths(claimed, lessons.codes[rows])
    loss = contrast(pictures, lessons.right[rows, one], lessons.wrong[rows, one], factor, also_true)
    target = torch.arange(len(rows))
    loss = loss + functional.cross_entropy(factor * pictures @ of_facts.T, target)
    return loss + FACTS_WEIGHT * len(lessons.codes[0]) * head.loss(raw, lessons.codes[rows])


def as_input(pixels: Tensor) -> Tensor:
    """uint8 (n, h, w, 3) to float (n, 3, h, w), channels last in memory, as the preprocessing of the saved model."""
    return pixels.permute(0, 3, 1, 2).float().div_(255).sub_(MEAN).div_(STD)


def varied(pictures: Tensor) -> Tensor:
    """Half of them mirrored, all shifted a little: no caption says left or right."""
    mirrored = torch.rand(len(pictures)) < 0.5
    pictures = torch.where(mirrored[:, None, None, None], pictures.flip(3), pictures)
    height, width = pictures.shape[2:]
    most = (round(SHIFT * height), round(SHIFT * width))
    top, left = (int(torch.randint(2 * side + 1, ())) for side in most)
    padded = functional.pad(pictures, (most[1], most[1], most[0], most[0]), mode="replicate")
    return padded[:, :, top : top + height, left : left + width].contiguous(memory_format=torch.channels_last)
