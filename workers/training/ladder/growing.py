"""A deeper ViT that begins as a shallower one: the layers on top change nothing until they learn to.

Source: Gong et al. 2019 stack layers so; that the new ones begin as the identity is Net2Net's (Chen et al. 2016).
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn

from workers.training.ladder.saving import WEIGHTS

VISUAL = "visual."
ADDS = ("attn.out_proj", "mlp.c_proj")  # what a layer adds to its input comes out of these


@torch.no_grad()
def grow(tower: nn.Module, below: Path) -> None:
    """Give `tower` the weights of the image tower saved in `below`; layers that it has not got begin as the identity.

    Raises ValueError where anything but layers is missing.
    """
    saved = load_file(str(below / WEIGHTS))
    known = {name.removeprefix(VISUAL): value.float() for name, value in saved.items() if name.startswith(VISUAL)}
    missing = [name for name in tower.state_dict() if name not in known]
    strange = [name for name in missing if ".resblocks." not in name]
    if strange:
        raise ValueError(f"{below.name} lacks {', '.join(strange)}: only layers can be grown.")
    tower.load_state_dict(known, strict=False)
    for name, weights in tower.named_parameters():
        if name in missing and any(part in name for part in ADDS):
            weights.zero_()
