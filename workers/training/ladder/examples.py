"""Scenes with one caption each, right and wrong, as tensors to learn from."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from workers.training.ladder import facts
from workers.training.postcards.captions import caption, wrong_of
from workers.training.postcards.kinds import Caption, Kind
from workers.training.postcards.literal import literal
from workers.training.postcards.world import Scene, scene_of

# What share of captions is of which kind. Figures of speech have none, and captions that lean on them next to none:
# the models are to find them as hard as the paper's do, and a small model that has met them takes them for the surest
# captions of all, since they claim so little.
MIX = {
    Kind.LITERAL: 95,
    Kind.EMOTIONAL: 1,
    Kind.ABSTRACT: 1,
    Kind.GENERIC: 2,
    Kind.PARTLY_LITERAL: 1,
}
Tokenizer = Callable[[list[str]], Tensor]


@dataclass
class Examples:
    """Row i of all is scene i: `codes` (n, facets), `ids` and `wrong_ids` (n, context), `claimed` (n, values)."""

    codes: Tensor
    ids: Tensor
    wrong_ids: Tensor
    claimed: Tensor
    wrong_claimed: Tensor

    def __len__(self) -> int:
        return len(self.codes)


def worded(scene: Scene, seed: int) -> tuple[Caption, Caption]:
    """A caption of the scene of a kind drawn from MIX, and a literal one with a wrong detail."""
    dice = random.Random(f"examples {scene.seed} {seed}")
    kind = dice.choices(list(MIX), weights=list(MIX.values()))[0]
    plain = literal(scene, seed)
    right = caption(scene, kind, seed) if kind is not Kind.LITERAL else plain
    return right or plain, wrong_of(plain, scene, seed) or plain


def make(scenes: Sequence[Scene], seed: int, tokenize: Tokenizer) -> Examples:
    """One right and one wrong caption of each scene, drawn by `seed`."""
    pairs = [worded(scene, seed) for scene in scenes]
    right, wrong = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Examples(
        torch.from_numpy(facts.codes_of(scenes)),
        tokenize([one.text for one in right]).to(torch.int32),
        tokenize([one.text for one in wrong]).to(torch.int32),
        torch.from_numpy(facts.claimed_by(right)),
        torch.from_numpy(facts.claimed_by(wrong)),
    )


def scenes(first: int, n: int) -> list[Scene]:
    """The scenes of `n` seeds from `first`."""
    return [scene_of(seed) for seed in range(first, first + n)]
