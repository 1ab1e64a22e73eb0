"""Vision backbones without a text side, by timm or transformers: one vector per picture.

DINOv2 is shown pictures as in its paper (Oquab et al. 2023): shorter side to 256, bicubic, the middle 224, ImageNet's
mean and deviation; its vector is the class token after the last layer's norm. Every other backbone is shown what its
own configuration says.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from workers.engines.batching import moved
from workers.engines.devices import best_device, make_steady
from workers.engines.image_encoder import TowerImages
from workers.engines.model_facts import image_facts
from workers.engines.preprocessing import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    Preprocessing,
    of_transform,
    shorter_side_and_crop,
)
from workers.engines.protocols import ModelRefusedError
from workers.engines.torchvision_shim import patch_torchvision
from workers.engines.vision_names import VisionSource, find_vision

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    Loaded = tuple[torch.nn.Module, Callable[[Tensor], Tensor], Preprocessing]  # on the processor

DINOV2 = "dinov2"
FINISHED = [
    3,
    518,
    518,
]  # what timm says of DINOv2, whose weights were finished at 518; the paper's features are of 224
PAPER = {"input_size": (3, 224, 224), "crop_pct": 224 / 256, "interpolation": "bicubic", "crop_mode": "center"}
RESAMPLING = {0: "nearest", 2: "bilinear", 3: "bicubic"}  # Pillow's numbers, as transformers writes them
NO_BACKBONE = "The model {name!r} is not a vision model ({reason}). Use one that takes only images."
DOES_NOT_FIT = (
    "The checkpoint of the model {name!r} does not fit its architecture ({reason}). Choose the "
    "architecture of its training."
)
NO_PREPROCESSING = "The folder of the model {name!r} has no preprocessor_config.json. Put it next to config.json."


def load_vision(name: str, device: torch.device | None = None) -> TowerImages:
    """The backbone called `name` on `device`, or on the best one.

    Raises ModelNotFoundError (within seconds), ModelRefusedError, DeviceError or OutOfMemoryError.
    """
    source = find_vision(name)  # first: torch takes seconds, which a wrong name need not wait for
    device = device or best_device()
    patch_torchvision()
    make_steady()
    try:
        model, forward, how = _timm(source) if source.architecture else _transformers(source)
    except (RuntimeError, ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelRefusedError(DOES_NOT_FIT.format(name=source.name, reason=reason)) from error
    dimensions = _dimensions(forward, how)
    moved(model, device, name=source.name)  # in place: `forward` computes there from now on
    facts = image_facts(model, how, device, "the model's own")
    return TowerImages(source.name, source.digest, dimensions, forward, how, device, facts)


def _dimensions(forward: Callable[[Tensor], Tensor], how: Preprocessing) -> int:
    import torch

    with torch.inference_mode():
        return int(forward(torch.zeros(1, 3, *how.size)).shape[1])


def _timm(source: VisionSource) -> Loaded:
    """A timm backbone without its classifier. All of the file must fit before that is cut off."""
    import timm
    from timm.data.config import resolve_model_data_config
    from timm.data.transforms_factory import create_transform

    says = source.config.get("pretrained_cfg", {}) | _classes(source.config)
    shown_as = PAPER if DINOV2 in source.architecture and says.get("input_size", FINISHED) == FINISHED else {}
    arguments = source.config.get("model_args", {}) | ({"img_size": 224} if shown_as else {})
    model: Any = timm.create_model(
        source.architecture,
        pretrained=True,
        pretrained_cfg_overlay=says | {"file": str(source.weights), "custom_load": False},
        **arguments,
    )
    model.reset_classifier(0)
    shown: dict[str, Any] = resolve_model_data_config(model, args=shown_as)
    how = of_transform(create_transform(**shown), tuple(shown["input_size"][1:]), _words(shown))
    return model.eval(), model, how


def _classes(config: dict[str, Any]) -> dict[str, int]:
    """timm writes this one number of its configuration beside the others."""
    return {"num_classes": config["num_classes"]} if "num_classes" in config else {}


def _words(shown: dict[str, Any]) -> dict[str, Any]:
    return {"interpolation": shown["interpolation"], "mode": shown["crop_mode"], "share": round(shown["crop_pct"], 6)}


def _transformers(source: VisionSource) -> Loaded:
    from transformers import AutoModel
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    how = _shown_by_transformers(source)
    model, loading = AutoModel.from_pretrained(
        str(source.folder), local_files_only=True, trust_remote_code=False, output_loading_info=True
    )
    if model.main_input_name != "pixel_values":
        raise ModelRefusedError(NO_BACKBONE.format(name=source.name, reason=f"it is a {source.config['model_type']}"))
    lacking = sorted(key for key in loading["missing_keys"] if not key.startswith("pooler."))
    if lacking:  # transformers would leave these as they were drawn at random
        raise ValueError(f"it lacks {', '.join(lacking[:3])}")
    model.eval()
    has_token = hasattr(getattr(model, "embeddings", None), "cls_token")

    def forward(pictures: Tensor) -> Tensor:
        found: Any = model(pixel_values=pictures)
        pooled: Tensor | None = found.last_hidden_state[:, 0] if has_token else found.get("pooler_output")
        return (found.last_hidden_state.mean(dim=1) if pooled is None else pooled).flatten(1)

    return model, forward, how


def _shown_by_transformers(source: VisionSource) -> Preprocessing:
    """transformers' numbers through Pillow's resizing, with which the models were trained."""
    if source.config["model_type"].startswith(DINOV2):
        return shorter_side_and_crop(256, (224, 224), interpolation="bicubic", mean=IMAGENET_MEAN, std=IMAGENET_STD)
    file = source.folder / "preprocessor_config.json"
    if not file.is_file():
        raise ModelRefusedError(NO_PREPROCESSING.format(name=source.name))
    says = json.loads(file.read_text(encoding="utf-8"))
    side = _side(says["size"])
    crop = says.get("crop_size") if says.get("do_center_crop") else None
    return shorter_side_and_crop(
        side,
        _pair(crop if crop is not None else side),
        interpolation=RESAMPLING[says.get("resample", 3)],
        mean=says["image_mean"],
        std=says["image_std"],
    )


def _side(size: int | dict[str, int]) -> int | tuple[int, int]:
    if isinstance(size, int):
        return (size, size)
    return size["shortest_edge"] if "shortest_edge" in size else (size["height"], size["width"])


def _pair(size: int | tuple[int, int] | dict[str, int]) -> tuple[int, int]:
    if isinstance(size, dict):
        return size["height"], size["width"]
    return (size, size) if isinstance(size, int) else (size[0], size[1])
