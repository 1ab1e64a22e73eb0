"""What a model does to its items beside its weights, as the loaded model shows it: part of what the model is.

The same weights with another activation, padding or size of images are another model: their vectors differ, and no
error says so.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from workers.engines.devices import precision
from workers.engines.preprocessing import Preprocessing

if TYPE_CHECKING:
    import torch
    from torch import Tensor

Facts = Mapping[str, Any]
ACTIVATION = re.compile(r"GELU|RELU|SILU|SWISH|MISH", re.IGNORECASE)


def image_facts(module: Any, how: Preprocessing, device: torch.device, pooling: str) -> Facts:
    """Of an image tower: its activation and pooling, and what it is shown."""
    return {
        "image_activation": _activation(module),
        "image_pooling": pooling,
        "image_size": list(how.size),
        "mean": [round(value, 6) for value in how.mean],
        "std": [round(value, 6) for value in how.std],
        "dtype": _dtype(module, device),
    }


def text_facts(module: Any, tokenise: Callable[[list[str]], Tensor], device: torch.device, pooling: str) -> Facts:
    """Of a text tower: its activation and pooling, how many tokens it reads, and how it fills short texts up."""
    row = tokenise(["a"])[0].tolist()
    padding = f"right, {row[-1]}" if row[-1] == row[-2] else f"left, {row[0]}" if row[0] == row[1] else "none"
    return {
        "text_activation": _activation(module),
        "text_pooling": pooling,
        "context_length": len(row),
        "padding": padding,
        "dtype": _dtype(module, device),
    }


def digest_with(weights: str, facts: Facts) -> str:
    """SHA-256 of a model: of its weights and of its facts."""
    text = json.dumps({"weights": weights, **facts}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _activation(module: Any) -> str:
    return ", ".join(sorted({name for each in module.modules() if ACTIVATION.search(name := type(each).__name__)}))


def _dtype(module: Any, device: torch.device) -> str:
    if device.type == "cuda" and precision() == "bfloat16":
        return "bfloat16"
    return ", ".join(sorted({str(each.dtype).removeprefix("torch.") for each in module.parameters()}))
