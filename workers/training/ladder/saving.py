"""A taught rung as a folder that open_clip reads: `local-dir:` finds configuration, weights and tokenizer there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from backend.methods.file_digests import sha256_of_file
from workers.training.ladder import tokens
from workers.training.ladder.image_tower import MEAN, STD

CONFIG, WEIGHTS = "open_clip_config.json", "open_clip_model.safetensors"
PREPROCESSING = {"mean": [MEAN] * 3, "std": [STD] * 3, "interpolation": "bicubic", "resize_mode": "squash"}


def new_clip(config: dict[str, Any]) -> nn.Module:
    """open_clip's CLIP of this model_cfg, untrained."""
    from open_clip.model import CLIP

    clip: nn.Module = CLIP(**config)
    return clip


def joined(config: dict[str, Any], visual: nn.Module, text: nn.Module, scale: float) -> nn.Module:
    """A CLIP of the two towers."""
    clip = new_clip(config)
    state = {f"visual.{name}": value for name, value in visual.state_dict().items()}
    state |= {name: value for name, value in text.state_dict().items() if name in clip.state_dict()}
    state["logit_scale"] = torch.tensor(scale)
    clip.load_state_dict(state)
    return clip.eval()


def halved(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights in half precision, counters as they are. Raises ValueError where one is too large for it."""
    found = {name: value.half() if value.is_floating_point() else value for name, value in state.items()}
    broken = [name for name, value in found.items() if not torch.isfinite(value.float()).all()]
    if broken:
        raise ValueError(f"These weights do not fit half precision: {', '.join(broken)}. Train with more decay.")
    return {name: value.contiguous() for name, value in found.items()}


def digest_of(weights: Path) -> str:
    """SHA-256 of a file of weights: what ties figures and thresholds to them."""
    return sha256_of_file(weights)


def save(clip: nn.Module, config: dict[str, Any], tokenizer: Path, folder: Path) -> None:
    """Write configuration, half-precision weights and tokenizer to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in tokens.FILES:
        shutil.copyfile(tokenizer / file, folder / file)
    content = {"model_cfg": config, "preprocess_cfg": PREPROCESSING}
    (folder / CONFIG).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    save_file(halved(clip.state_dict()), str(folder / WEIGHTS), metadata={"format": "pt"})
