"""Tiny CLIPs with random weights, saved as open_clip saves real ones: what loads them is the real loading code.

A panel of three with its calibrations is made once for all processes of a test run, in the folder of that run.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.management import call_command

from isolated_environment import FOLDER_VARIABLE
from walker import COMMITTED_PHOTOGRAPHS

MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
PREPROCESS = {"size": 32, "mode": "RGB", "mean": list(MEAN), "std": list(STD), "interpolation": "bicubic"}

PANEL = Path(os.environ.get(FOLDER_VARIABLE, tempfile.gettempdir())) / "tiny-panel"
MEMBERS = ("tiny-1", "tiny-2", "tiny-3")
PANEL_SETTINGS = {"CONNOTE_DIFFICULTY_PANEL": ",".join(f"local-dir:{PANEL / name}" for name in MEMBERS)}


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


def make_panel() -> dict[str, str]:
    """The settings that make a site ask three tiny CLIPs, calibrated on the committed photographs."""
    if PANEL.exists():
        return PANEL_SETTINGS
    made = PANEL.with_name(f"{PANEL.name}-{uuid4().hex[:8]}")
    for number, name in enumerate(MEMBERS, start=1):
        save_and_calibrate(made / name, seed=number)
    with suppress(OSError):  # another process of this run was quicker
        made.rename(PANEL)
    return PANEL_SETTINGS


def save_and_calibrate(folder: Path, *, seed: int) -> None:
    name = save_tiny_clip(folder, seed=seed, width=16 * (seed + 1))
    how = {"pairs": str(COMMITTED_PHOTOGRAPHS), "batch_size": 16, "output": folder / "calibration.json"}
    call_command("calibrate", name, stdout=io.StringIO(), stderr=io.StringIO(), **how)
