"""Small models of the real architectures, with weights drawn from a seed, saved as their libraries save them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from workers.engines.torchvision_shim import patch_torchvision

TINY_CLIP: dict[str, Any] = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "head_width": 16, "patch_size": 8},
    "text_cfg": {"context_length": 20, "vocab_size": 49408, "width": 16, "heads": 2, "layers": 1},
}
HALF = {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5], "interpolation": "bicubic"}


def seeded(seed: int = 7) -> None:
    """Let the next weights be the same in every run."""
    import torch

    patch_torchvision()
    torch.manual_seed(seed)


def save_tiny_clip(
    folder: Path,
    *,
    seed: int = 7,
    width: int = 32,
    image_size: int | list[int] = 32,
    resize_mode: str = "shortest",
    spoil: Callable[[dict[str, Any]], None] | None = None,
) -> Any:
    """An open_clip folder with a CLIP that sees few pixels; `spoil` may change its weights before they are saved."""
    from safetensors.torch import save_file

    seeded(seed)
    from open_clip.model import CLIP

    shape = TINY_CLIP | {"vision_cfg": TINY_CLIP["vision_cfg"] | {"image_size": image_size, "width": width}}
    model = CLIP(**shape).eval()
    tensors = {key: tensor.clone().contiguous() for key, tensor in model.state_dict().items()}
    if spoil is not None:
        spoil(tensors)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / "open_clip_model.safetensors")
    config = {"model_cfg": shape, "preprocess_cfg": HALF | {"resize_mode": resize_mode}}
    (folder / "open_clip_config.json").write_text(json.dumps(config), encoding="utf-8")
    return model


def save_tiny_clip_of_bert(folder: Path, cache: Path) -> None:
    """`weights.safetensors` of the architecture `bert` in `folder`, its text tower in the hub client's `cache`."""
    from safetensors.torch import save_file

    seeded()
    from open_clip.model import CustomTextCLIP

    snapshot = Path(cache) / "models--org--text" / "snapshots" / ("a" * 40)
    save_tiny_bert(snapshot)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("a" * 40)
    text = {"hf_model_name": "org/text", "hf_tokenizer_name": "org/text", "hf_pooler_type": "mean_pooler"}
    shape = {"embed_dim": 16, "vision_cfg": TINY_CLIP["vision_cfg"], "text_cfg": text | {"hf_proj_type": "linear"}}
    here = {"hf_model_name": str(snapshot), "hf_model_pretrained": False}
    model = CustomTextCLIP(**shape | {"text_cfg": shape["text_cfg"] | here})
    save_file({key: tensor.contiguous() for key, tensor in model.state_dict().items()}, folder / "weights.safetensors")
    (folder / "model_configs").mkdir()
    (folder / "model_configs" / "bert.json").write_text(json.dumps(shape))


def save_tiny_bert(folder: Path) -> None:
    """A text model of transformers and its tokenizer, which knows single letters."""
    from transformers import BertConfig, BertTokenizerFast

    folder.mkdir(parents=True)
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    BertTokenizerFast(vocab={word: place for place, word in enumerate(vocabulary)}).save_pretrained(folder)
    size = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertConfig(vocab_size=len(vocabulary), **size).save_pretrained(folder)


def photograph(seed: int, width: int, height: int) -> Image.Image:
    """A smooth RGB picture like no other seed's."""
    small = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC)


def photographs(folder: Path, n: int = 6) -> list[tuple[str, Path]]:
    """`n` JPEG files of different sizes and shapes, with their names as keys."""
    found = []
    for seed in range(n):
        path = folder / f"{seed}.jpg"
        photograph(seed, 90 + 70 * seed, 300 - 30 * seed).save(path, quality=92)
        found.append((path.name, path))
    return found
