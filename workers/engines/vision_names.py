"""From what a vision backbone is called to a folder or a file with its weights.

A carried name, a folder (with the config.json of timm or of transformers), a timm name (`timm:NAME` or NAME, with
`/path/to/weights.safetensors` after it for weights of one's own), or a hub's `org/name`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workers.engines import weights
from workers.engines.carried import VISION
from workers.engines.checkpoints import PICKLES, check_checkpoint
from workers.engines.clip_names import HUB, local_folder
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError

TIMM = "timm:"
CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
BESIDE = ("config.json", "preprocessor_config.json")
INSTEAD = (VISION,)
NO_CONFIG = "The folder of the model {name!r} has no config.json. Choose the folder of a timm or transformers model."
BAD_CONFIG = (
    "The config.json of the model {name!r} names no timm architecture and no transformers model "
    "type. Use another model."
)
NO_WEIGHTS = "The folder of the model {name!r} has no model.safetensors. Choose another path."


@dataclass(frozen=True)
class VisionSource:
    """A backbone that is here. `architecture` is timm's name, or empty for a folder that transformers reads."""

    name: str
    architecture: str
    weights: Path
    config: dict[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where the weights lie."""
        return self.weights.parent

    @property
    def digest(self) -> str:
        """SHA-256 of the weights."""
        return weights.digest_of_files(self.folder, (self.weights,))


def find_vision(name: str) -> VisionSource:
    """The backbone called `name`. Raises ModelNotFoundError (within seconds) or ModelRefusedError."""
    folder = local_folder(name)
    if folder is not None:
        return _in_folder(folder, weights.short_name(name))
    bare = name.removeprefix(TIMM)
    architecture, _, rest = bare.partition("/")
    if Path(rest).suffix in (".safetensors", *PICKLES):
        file = Path(rest).expanduser().absolute()
        short = f"{architecture}/{file.name}"
        return VisionSource(short, architecture, check_checkpoint(file, short))
    if name.startswith(TIMM) or not rest:
        return _timm_hub(bare, name)
    repository = name.removeprefix(HUB)
    found = weights.hub_file(repository, WEIGHTS, beside=BESIDE, name=name, instead=INSTEAD)
    return _in_folder(found.parent, repository)


def _in_folder(folder: Path, name: str) -> VisionSource:
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelNotFoundError(NO_CONFIG.format(name=name)) from error
    except ValueError as error:
        raise ModelRefusedError(BAD_CONFIG.format(name=name)) from error
    if not isinstance(config, dict) or not ("architecture" in config or "model_type" in config):
        raise ModelRefusedError(BAD_CONFIG.format(name=name))
    file = next((folder / file for file in WEIGHTS if (folder / file).is_file()), None)
    if file is None:
        raise ModelNotFoundError(NO_WEIGHTS.format(name=name))
    return VisionSource(name, str(config.get("architecture", "")), check_checkpoint(file, name), config)


def _timm_hub(bare: str, name: str) -> VisionSource:
    """timm keeps nearly all its weights as timm/ARCHITECTURE.TAG; only for the others is its table imported."""
    repository = f"timm/{bare}"
    if "." not in bare:
        repository = _from_table(bare, name)
    found = weights.hub_file(repository, WEIGHTS, beside=BESIDE, name=name, instead=INSTEAD)
    return VisionSource(bare, bare, check_checkpoint(found, name))


def _from_table(bare: str, name: str) -> str:
    from workers.engines.torchvision_shim import patch_torchvision

    silence = weights.hub_silence(bare)
    if silence:
        raise weights.not_found(name, silence, INSTEAD)
    patch_torchvision()
    import timm

    known = timm.get_pretrained_cfg(bare) if timm.is_model(bare) else None
    if known is None or not known.hf_hub_id:
        raise weights.not_found(name, "timm has no architecture of this name with weights on a hub", INSTEAD)
    return str(known.hf_hub_id)
