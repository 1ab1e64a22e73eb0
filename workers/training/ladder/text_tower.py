"""A text tower learns what captions say, from the facts of scenes and before any picture is drawn.

A scene's facts are known, so a small network can stand in for the picture (`FactsTower`), and captions and facts learn
one space as texts and pictures do in CLIP. An image tower then learns to put each picture where its facts are
(LiT, Zhai et al. 2022, locks a tower too; there it is the image's). Wrong captions stand beside the right ones as
negatives (NegCLIP, Yuksekgonul et al. 2023), and what is true of two scenes is a negative of neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.training.ladder import facts, tokens
from workers.training.ladder.examples import Examples

WARM_UP = 0.05
FAR = -1e4  # a logit that is as good as absent, and finite in bfloat16


@dataclass(frozen=True)
class TextRecipe:
    """How a text tower is built and taught; part of the digest of every rung that uses it."""

    name: str
    width: int
    layers: int
    dimensions: int
    n_scenes: int = 60_000
    epochs: float = 3.0
    batch: int = 256
    rate: float = 2e-3
    seed: int = 0

    def config(self, vocabulary: int) -> dict[str, object]:
        """open_clip's text_cfg."""
        return {
            "context_length": tokens.CONTEXT,
            "vocab_size": vocabulary,
            "hf_tokenizer_name": "postcards",
            "tokenizer_kwargs": {"strip_sep_token": False},
            "width": self.width,
            "heads": self.width // 32,
            "layers": self.layers,
            "pad_id": tokens.PAD_ID,
            "eos_id": tokens.END_ID,
            "pool_type": "eos",
        }


class FactsTower(nn.Module):
    """Facts of scenes (n, facets) as codes to vectors (n, dimensions)."""

    def __init__(self, dimensions: int, width: int = 256) -> None:
        super().__init__()
        self.values = nn.Embedding(facts.n_values(), width)
        self.mix = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, dimensions)
        )

    def forward(self, codes: Tensor) -> Tensor:
        return functional.normalize(self.mix(self.values(codes).sum(dim=1)), dim=-1)


def new_text_tower(recipe: TextRecipe, vocabulary: int) -> nn.Module:
    """open_clip's text transformer, untrained."""
    from open_clip.model import CLIPTextCfg, _build_text_tower

    tower: nn.Module = _build_text_tower(recipe.dimensions, CLIPTextCfg(**recipe.config(vocabulary)))
    return tower


def texts_to_vectors(tower: nn.Module, ids: Tensor) -> Tensor:
    """Unit vectors of texts (n, context); padding that the whole batch shares is cut off, which only saves time."""
    longest = int((ids != tokens.PAD_ID).sum(dim=1).max())
    mask: Tensor = tower.get_buffer("attn_mask")
    tower.attn_mask = mask[:longest, :longest]
    try:
        return functional.normalize(tower(ids[:, :longest]).float(), dim=-1)
    finally:
        tower.attn_mask = mask


def truths(claimed: Tensor, codes: Tensor) -> Tensor:
    """(scenes, captions): whether all that a caption claims holds of a scene; a caption that claims nothing holds of
    none but its own, since it cannot be judged."""
    held = torch.zeros(len(codes), claimed.shape[1]).scatter_(1, codes, 1.0)
    n = claimed.float().sum(dim=1)
    return (held @ claimed.float().T >= n) & (n > 0)


def contrast(pictures: Tensor, right: Tensor, wrong: Tensor, scale: Tensor, also_true: Tensor) -> Tensor:
    """InfoNCE both ways; `wrong` are negatives of every picture; `also_true` (n, n + wrong) are left out of both."""
    n = len(pictures)
    logits = scale * pictures @ torch.cat([right, wrong]).T
    own = torch.eye(n, logits.shape[1], dtype=torch.bool)
    logits = logits.masked_fill(also_true & ~own, FAR)
    target = torch.arange(n)
    return (functional.cross_entropy(logits, target) + functional.cross_entropy(logits[:, :n].T, target)) / 2


def teach(
    recipe: TextRecipe, vocabulary: int, examples: Examples, say: Callable[[str], None]
) -> tuple[nn.Module, FactsTower]:
    """The two towers, taught on `examples`."""
    torch.manual_seed(recipe.seed)
    tower, stand_in = new_text_tower(recipe, vocabulary), FactsTower(recipe.dimensions)
    scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))
    parameters = [*tower.parameters(), *stand_in.parameters(), scale]
    optimizer = torch.optim.AdamW(parameters, lr=recipe.rate, weight_decay=0.01, betas=(0.9, 0.98))
    n_steps = max(1, int(recipe.epochs * len(examples) / recipe.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, n_steps))
    for step, rows in enumerate(batches(len(examples), recipe.batch, n_steps, recipe.seed)):
        loss = _loss(tower, stand_in, scale, examples, rows)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == n_steps - 1:
            say(f"text tower {recipe.name}: step {step + 1} of {n_steps}, loss {loss.item():.3f}")
    return tower.eval(), stand_in.eval()


def _loss(tower: nn.Module, stand_in: FactsTower, scale: Tensor, examples: Examples, rows: Tensor) -> Tensor:
    codes, claimed = examples.codes[rows], examples.claimed[rows]
    both = torch.cat([examples.ids[rows], examples.wrong_ids[rows]])
    with torch.autocast("cpu", torch.bfloat16):
        vectors = texts_to_vectors(tower, both)
        pictures = stand_in(codes)
    right, wrong = vectors.chunk(2)
    also_true = truths(torch.cat([claimed, examples.wrong_claimed[rows]]), codes)
    return contrast(pictures.float(), right, wrong, scale.exp().clamp(max=100.0), also_true)


def rate_at(step: int, n_steps: int) -> float:
    """A linear start, then a cosine down to zero, as a share of the full rate."""
    start = max(1.0, WARM_UP * n_steps)
    if step < start:
        return (step + 1) / start
    return 0.5 * (1 + math.cos(math.pi * (step - start) / max(1.0, n_steps - start)))


def batches(n: int, size: int, n_steps: int, seed: int) -> Iterator[Tensor]:
    """`n_steps` batches of row numbers, every row once before any comes again."""
    generator = torch.Generator().manual_seed(seed)
    order, at = torch.randperm(n, generator=generator), 0
    for _ in range(n_steps):
        if at + size > n:
            order, at = torch.randperm(n, generator=generator), 0
        yield order[at : at + size]
        at += size
