"""Tiny CLIPs with random weights, saved as open_clip saves real ones: what loads them is the real loading code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
PREPROCESS = {"size": 32, "mode": "RGB", "mean": list(MEAN), "std": list(STD), "interpolation": "bicubic"}


def config_of(width: int) -> dict[str, Any]:
    vision = {"image_size": 32, "layers": 1, "width": width, "head_width": 16, "patch_size": 8}
    text = {"context_length": 32, "vocab_size": 49408, "width": 16, "heads": 1, "layers": 1}
    return {"embed_dim": 16, "vision_cfg": vision, "text_cfg": text}


def save_tiny_clip(folder: Path, *, seed: int, width: int = 32) -> str:
    """A folder that `local-dir:` reads. Returns the name to call the model by."""
    from workers.engines.torchvision_shim import mend_torchvision

    mend_torchvision()
    import torch
    from open_clip.model import CLIP
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    config = config_of(width)
    torch.manual_seed(seed)
    model = CLIP(**config)
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
    written = {"model_cfg": config, "preprocess_cfg": PREPROCESS | {"size": [32, 32]}}
    (folder / "open_clip_config.json").write_text(json.dumps(written))
    return f"local-dir:{folder}"
