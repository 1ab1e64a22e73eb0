"""From what a CLIP is called to its configuration and its one weights file, without importing torch where it can be.

A carried name, a folder with open_clip_config.json (`local-dir:/path` or the path itself), `hf-hub:org/name`, or an
open_clip architecture with a tag (`ViT-B-32/laion2b_s34b_b79k`) or a checkpoint (`ViT-B-32/path/to/weights.pt`).
"""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from workers.engines import weights
from workers.engines.carried import LADDER, folder_of
from workers.engines.checkpoints import PICKLES, check_checkpoint
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError

LOCAL, HUB = "local-dir:", "hf-hub:"
CONFIG = "open_clip_config.json"
# In the order in which open_clip itself picks one in a folder, so that the digest is of the file it loads.
WEIGHTS = (
    "open_clip_model.safetensors",
    "open_clip_pytorch_model.safetensors",
    "open_clip_pytorch_model.bin",
    "open_clip_pytorch_model.pth",
    "model.safetensors",
    "pytorch_model.bin",
    "pytorch_model.pth",
    "model.pth",
)
BESIDE = ("*.json", "*.txt", "*.model")  # the configuration and the tokenizer
TAG_KEYS = ("mean", "std", "size", "interpolation", "resize_mode", "fill_color")
NO_CONFIG = "The folder of the model {name!r} has no {file}. Choose the folder of an open_clip model."
BAD_CONFIG = "Connote cannot read {file} of the model {name!r} ({reason}). Copy the original file again."
NO_WEIGHTS = "The folder of the model {name!r} has no weights with a name that open_clip knows, for example {file}."
OWN_CODE = (
    "The tokenizer of the model {name!r} needs its own code. Connote never runs code of a model. Use another model."
)
NO_TAG = "open_clip has no weights {tag!r} for {architecture}. Choose a local path or one of: {tags}."


@dataclass(frozen=True)
class ClipSource:
    """A CLIP that is here: `architecture` as open_clip takes it, its configuration, its one weights file."""

    name: str
    architecture: str
    config: dict[str, Any]
    weights: Path
    preprocess: dict[str, Any] = field(default_factory=dict)
    quick_gelu: bool = False

    @property
    def digest(self) -> str:
        """SHA-256 of the weights."""
        return weights.digest_of_files(self.weights.parent, (self.weights,))


def is_clip(name: str) -> bool:
    """Whether `name` is a CLIP's. Raises ModelNotFoundError for a hub's name that nobody can look up."""
    folder = local_folder(name)
    if folder is not None:
        return (folder / CONFIG).is_file()
    if name.startswith(HUB):
        found = weights.hub_file(name.removeprefix(HUB), (CONFIG, "config.json"), name=name, instead=LADDER)
        return found.name == CONFIG
    return name.startswith(LOCAL) or _is_architecture(name.partition("/")[0])


def local_folder(name: str) -> Path | None:
    """The folder that `name` is a path to or the carried name of."""
    carried = folder_of(name)
    if carried is not None:
        return carried
    path = Path(name.removeprefix(LOCAL)).expanduser()
    return path.resolve() if path.is_dir() else None


def find_clip(name: str) -> ClipSource:
    """The CLIP called `name`. Raises ModelNotFoundError (within seconds) or ModelRefusedError."""
    folder = local_folder(name)
    if folder is not None:
        return _in_folder(folder, weights.short_name(name))
    if name.startswith(LOCAL):
        raise weights.not_found(name.removeprefix(LOCAL), "the folder does not exist", LADDER)
    if name.startswith(HUB):
        repository = name.removeprefix(HUB)
        found = weights.hub_file(repository, WEIGHTS, beside=BESIDE, name=name, instead=LADDER)
        return _in_folder(found.parent, repository)
    architecture, _, which = name.partition("/")
    if not _is_architecture(architecture):
        raise weights.not_found(name, "open_clip does not know the architecture", LADDER)
    checkpoint = Path(which).expanduser()
    if checkpoint.suffix in (".safetensors", *PICKLES) or checkpoint.is_file():
        return _checkpoint(architecture, checkpoint.absolute())
    return _tagged(architecture, which, name)


def _in_folder(folder: Path, name: str) -> ClipSource:
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))["model_cfg"]
    except FileNotFoundError as error:
        raise ModelNotFoundError(NO_CONFIG.format(name=name, file=CONFIG)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelRefusedError(BAD_CONFIG.format(name=name, file=CONFIG, reason=type(error).__name__)) from error
    if config.get("text_cfg", {}).get("tokenizer_kwargs", {}).get("trust_remote_code"):
        raise ModelRefusedError(OWN_CODE.format(name=name))
    file = next((folder / file for file in WEIGHTS if (folder / file).is_file()), None)
    if file is None:
        raise ModelNotFoundError(NO_WEIGHTS.format(name=name, file=WEIGHTS[0]))
    return ClipSource(name, f"{LOCAL}{folder}", config, check_checkpoint(file, name))


def _checkpoint(architecture: str, file: Path) -> ClipSource:
    name = f"{architecture}/{file.name}"
    return ClipSource(name, architecture, _config_of(architecture), check_checkpoint(file, name))


def _tagged(architecture: str, tag: str, name: str) -> ClipSource:
    silence = weights.hub_silence("")
    if silence:
        raise weights.not_found(name, silence, LADDER)
    known = _tags().get_pretrained_cfg(architecture, tag)
    if not known:
        tags = ", ".join(_tags().list_pretrained_tags_by_model(architecture)) or "none are known"
        raise ModelNotFoundError(NO_TAG.format(tag=tag, architecture=architecture, tags=tags))
    repository, _, file = str(known["hf_hub"]).rpartition("/")
    one_of = (f"{Path(file).stem}.safetensors", file) if file else (WEIGHTS[0], WEIGHTS[2])
    found = weights.hub_file(repository, one_of, name=name, instead=LADDER)
    return ClipSource(
        name,
        architecture,
        _config_of(architecture),
        check_checkpoint(found, name),
        {key: known[key] for key in TAG_KEYS if key in known},
        bool(known.get("quick_gelu")),
    )


def _library() -> Path:
    spec = find_spec("open_clip")  # finds, does not import
    if spec is None or spec.origin is None:
        raise ModelNotFoundError(
            "CLIP models need the package open_clip_torch: pip install -r workers/requirements.txt."
        )
    return Path(spec.origin).parent


def _is_architecture(name: str) -> bool:
    return bool(name) and (_library() / "model_configs" / f"{name}.json").is_file()


def _config_of(architecture: str) -> dict[str, Any]:
    config: dict[str, Any] = json.loads((_library() / "model_configs" / f"{architecture}.json").read_text("utf-8"))
    return config


def _tags() -> Any:
    """open_clip's table of tags, without the rest of it, which takes seconds that a wrong name need not wait for."""
    package = "open_clip_tables"
    if package not in sys.modules:
        module = ModuleType(package)
        module.__path__ = [str(_library())]
        sys.modules[package] = module
    return importlib.import_module(f"{package}.pretrained")
