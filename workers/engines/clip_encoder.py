"""The two towers of a CLIP, each without the other: one not asked for is dropped as soon as the file was read."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workers.engines import weights
from workers.engines.batching import AdaptiveBatches, first_size, moved
from workers.engines.carried import LADDER
from workers.engines.clip_names import BESIDE, LOCAL, ClipSource, find_clip
from workers.engines.devices import autocast, best_device, make_steady
from workers.engines.image_encoder import TowerImages
from workers.engines.in_order import map_in_order
from workers.engines.model_facts import Facts, image_facts, text_facts
from workers.engines.preprocessing import of_transform
from workers.engines.protocols import ModelRefusedError, Vectors
from workers.engines.torchvision_shim import patch_torchvision
from workers.engines.unit_vectors import unit_rows

if TYPE_CHECKING:
    import torch
    from torch import Tensor

IMAGE_PARTS = ("visual",)
TEXT_PARTS = ("transformer", "token_embedding", "ln_final", "text", "text_decoder")
TOKENIZERS = ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "spiece.model")
DOES_NOT_FIT = (
    "The checkpoint of the model {name!r} does not fit its architecture ({reason}). Choose the "
    "architecture of its training."
)
NO_TOKENIZER = (
    "Connote cannot read the tokenizer of the model {name!r} ({reason}). Copy its original files again into one folder."
)
MARKS = 8  # tokens that are no part of a text: its beginning, its end, and what a model may want besides
COUNTED = 1024  # texts whose tokens are counted at once
MISFITS = (RuntimeError, ValueError, KeyError, TypeError, AttributeError)  # what libraries raise for files that are odd


def load_towers(name: str, device: torch.device | None = None) -> tuple[TowerImages, ClipTexts]:
    """Both towers of the CLIP called `name` by one reading of its weights; either can be let go of without the other.

    They are on `device`, or on the best one. Raises ModelNotFoundError, ModelRefusedError, DeviceError or
    OutOfMemoryError.
    """
    source = find_clip(name)
    tokenise = tokeniser_of(source)  # first, since it takes moments to find out that it is not there
    model, device = _load(source), device or best_device()
    return _images(source, model, device), _texts(source, model, device, tokenise)


def load_clip_images(name: str, device: torch.device | None = None) -> TowerImages:
    """The image tower of the CLIP called `name`; see `load_towers`."""
    source = find_clip(name)
    return _images(source, _load(source), device or best_device())


def load_text_encoder(name: str, device: torch.device | None = None) -> ClipTexts:
    """The text tower of the CLIP called `name`; see `load_towers`."""
    source = find_clip(name)
    tokenise = tokeniser_of(source)
    return _texts(source, _load(source), device or best_device(), tokenise)


def _images(source: ClipSource, model: Any, device: torch.device) -> TowerImages:
    from open_clip.transform import PreprocessCfg, image_transform_v2

    how = PreprocessCfg(**model.visual.preprocess_cfg)
    transform = image_transform_v2(how, is_train=False)
    height, width = (how.size, how.size) if isinstance(how.size, int) else how.size
    described = {"interpolation": how.interpolation, "resize": how.resize_mode}
    tower = moved(_without(model, TEXT_PARTS), device, name=source.name)
    shown = of_transform(transform, (int(height), int(width)), described)
    return TowerImages(
        name=source.name,
        digest=source.digest,
        dimensions=int(source.config["embed_dim"]),
        forward=tower.encode_image,
        how=shown,
        device=device,
        facts=image_facts(tower, shown, device, _image_pooling(model, source.config["vision_cfg"])),
    )


def _image_pooling(model: Any, config: dict[str, Any]) -> str:
    """As the tower itself says; towers of timm and ResNets say it in their configuration, or have one way."""
    if config.get("timm_model_name"):
        return f"timm {config.get('timm_pool', 'avg')}"
    return str(getattr(model.visual, "pool_type", "attention"))


def _texts(source: ClipSource, model: Any, device: torch.device, tokenise: Callable[[list[str]], Tensor]) -> ClipTexts:
    tower = moved(_without(model, IMAGE_PARTS), device, name=source.name)
    facts = text_facts(tower, tokenise, device, _text_pooling(model))
    return ClipTexts(
        source.name, source.digest, int(source.config["embed_dim"]), tower.encode_text, tokenise, device, facts
    )


def _text_pooling(model: Any) -> str:
    """As the tower itself says: beside the image tower, in one of its own, or in one of transformers."""
    text = getattr(model, "text", None)
    found = getattr(model, "text_pool_type", None) or getattr(text, "pool_type", None)
    return str(found or type(getattr(text, "pooler", text)).__name__)


def _without(model: Any, parts: Sequence[str]) -> Any:
    """The same weights without the parts called `parts`; `model` keeps them."""
    half = copy(model)
    half._modules = {name: None if name in parts else part for name, part in model._modules.items()}
    return half


def tokeniser_of(source: ClipSource) -> Callable[[list[str]], Tensor]:
    """What turns n texts into the int64 (n, context) that the text tower takes; raises as load_text_encoder does."""
    folder = _tokenizer_folder(source)
    patch_torchvision()
    import open_clip
    from open_clip.tokenizer import HFTokenizer

    try:
        found: Callable[[list[str]], Tensor] = (
            HFTokenizer(str(folder), **_tokenizer_options(source.config["text_cfg"]))
            if folder
            else open_clip.get_tokenizer(source.architecture)
        )
    except (*MISFITS, OSError, ImportError) as error:
        raise ModelRefusedError(NO_TOKENIZER.format(name=source.name, reason=_reason(error))) from error
    return found


def _tokenizer_options(text: dict[str, Any]) -> dict[str, Any]:
    """What open_clip itself reads from a configuration, and nothing that asks a hub or runs a model's own code."""
    shape: dict[str, Any] = {
        "context_length": text.get("context_length", 77),
        "tokenizer_mode": text.get("tokenizer_mode"),
    }
    return {**shape, **text.get("tokenizer_kwargs", {}), "local_files_only": True, "trust_remote_code": False}


def _tokenizer_folder(source: ClipSource) -> Path | None:
    """Where a tokenizer of transformers lies, fetched if need be; None where open_clip's own is meant.

    Given a name, transformers would ask the hub about each file, cached or not, and for minutes where it is silent.
    """
    wanted = source.config["text_cfg"].get("hf_tokenizer_name")
    if not wanted:
        return None
    if source.architecture.startswith(LOCAL):
        return source.weights.parent
    return weights.hub_file(wanted, TOKENIZERS, beside=BESIDE, name=source.name, instead=LADDER).parent


@dataclass
class ClipTexts:
    """A text encoder around `forward`, which takes the int64 (n, context) that `tokenise` makes of n texts."""

    name: str
    digest: str
    dimensions: int
    forward: Callable[[Tensor], Tensor]
    tokenise: Callable[..., Tensor]
    device: torch.device = field(default_factory=best_device)
    facts: Facts = field(default_factory=dict)

    def encode(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> Vectors:
        """float32 (n, dimensions), rows of length one; see TextEncoder. Raises NotFiniteError, OutOfMemoryError."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for start, found in self._blocks(texts):
            vectors[start : start + len(found)] = found
            if on_progress is not None:
                on_progress(start + len(found))
        return vectors

    def are_cut(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text is longer than the model reads: its vector is then that of its beginning."""
        most = self.facts["context_length"]
        # A token has at least one byte, and a few mark the ends: only what is long needs to be counted.
        long = [at for at, text in enumerate(texts) if len(text.encode("utf-8", "surrogatepass")) + MARKS > most]
        cut = [False] * len(texts)
        for start in range(0, len(long), COUNTED):
            here = long[start : start + COUNTED]
            words = [texts[at] for at in here]
            # With room for one token more, a text that fits is the same, and has padding in the room.
            short, roomy = self.tokenise(words), self.tokenise(words, most + 1)
            padding = self.tokenise([""], most + 1)[0, -1]
            is_cut = (roomy[:, :most] != short).any(dim=1) | (roomy[:, most] != padding)
            for at, value in zip(here, is_cut.tolist(), strict=True):
                cut[at] = value
        return cut

    def _blocks(self, texts: Sequence[str]) -> Iterator[tuple[int, Vectors]]:
        size = first_size(4 * 77 * self.dimensions, self.device)
        run = AdaptiveBatches(self._forward, size=size, name=self.name)
        pieces = (list(texts[start : start + size]) for start in range(0, len(texts), size))
        start = 0
        for some, tokens in self._read(pieces):
            yield start, unit_rows(run(tokens).cpu().numpy(), name=self.name, what=partial(_called, some))
            start += len(some)

    def _read(self, pieces: Iterable[list[str]]) -> Iterator[tuple[list[str], Tensor]]:
        """Each piece with its tokens. For a GPU a thread reads ahead; a processor has no cores to spare for that."""

        def read(some: list[str]) -> tuple[list[str], Tensor]:
            return some, self.tokenise(some)

        return map(read, pieces) if self.device.type == "cpu" else map_in_order(read, pieces, n_threads=1, ahead=2)

    def _forward(self, tokens: Tensor) -> Tensor:
        import torch

        with torch.inference_mode(), autocast(self.device):
            return self.forward(tokens.to(self.device)).float()


def _called(texts: Sequence[str], row: int) -> str:
    return f"text {texts[row][:80]!r}"


def _load(source: ClipSource) -> Any:
    """The open_clip model in float32, as it was read: whole, and not on a device yet."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its own threads do not survive a fork
    options = _options(source) | _text_config(source)
    patch_torchvision()
    import open_clip

    make_steady()
    try:
        with _silent():
            model = open_clip.create_model(source.architecture, weights_only=True, **options)
    except MISFITS as error:
        raise ModelRefusedError(DOES_NOT_FIT.format(name=source.name, reason=_reason(error))) from error
    return model.eval()


def _options(source: ClipSource) -> dict[str, Any]:
    """What a folder says by itself is said here for a bare checkpoint or a tag.

    OpenAI's weights were trained with QuickGELU, which their architecture's plain name does not have: open_clip warns
    and computes with the wrong one.
    """
    if source.architecture.startswith(LOCAL):
        return {"require_pretrained": True}
    options: dict[str, Any] = {"pretrained": str(source.weights), "force_preprocess_cfg": source.preprocess}
    return options | {"force_quick_gelu": source.quick_gelu, "require_pretrained": True}


def _text_config(source: ClipSource) -> dict[str, Any]:
    """A text tower of transformers takes its shape from a hub's file, which is here before the library looks for it."""
    text = source.config["text_cfg"]
    if not text.get("hf_model_name"):
        return {}
    found = weights.hub_file(text["hf_model_name"], ("config.json",), name=source.name, instead=LADDER)
    return {"text_cfg": text | {"hf_model_name": str(found.parent), "hf_model_pretrained": False}}


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]


@contextmanager
def _silent() -> Iterator[None]:
    """open_clip logs every step to the root logger, and warns of what is meant."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)
