"""Captions to the vectors of their tokens, by any Hugging Face encoder that is kept as safetensors: for BERTScore.

The vectors are those of one hidden layer. For the encoders in LAYERS it is the layer that agrees best with people on
WMT16 (Zhang et al. 2020, appendix B); for others it is the last one. Marks such as [CLS] have the weight 0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backend.methods.diversity import Tokens
from workers.engines import weights
from workers.engines.batching import halving, moved
from workers.engines.clip_names import local_folder
from workers.engines.devices import autocast, best_device, make_steady
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError, NotFiniteError, Vectors
from workers.engines.torchvision_shim import patch_torchvision

if TYPE_CHECKING:
    import torch

LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "microsoft/deberta-base": 9,
    "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-xlarge-mnli": 40,
}
BATCH = {"cpu": 32, "cuda": 256}  # captions
LONGEST = 512  # tokens, where a tokenizer does not say
WITH_SPACE = ("roberta", "gpt2")  # their tokenizers read the first word as the others only after a space
BESIDE = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.*", "merges.txt",
          "*.model")  # fmt: skip
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
NO_ENCODER = (
    "The model {name!r} is not a text encoder that transformers can read ({reason}). "
    "Use another model, for example roberta-large."
)
NO_LAYER = "The model {name!r} has the layers 1 to {n}, but layer {layer} was asked for. Choose one of its layers."
NOT_FINITE = "The model {name!r} gave a number that is NaN or infinite for the caption {text!r}. Use another model."


class TransformerTokens:
    """One loaded encoder on `device`, or on the best one; `layer` 0 is the one of LAYERS or the last.

    Raises ModelNotFoundError, ModelRefusedError, DeviceError or OutOfMemoryError when it is made.
    """

    def __init__(self, name: str, *, layer: int = 0, device: torch.device | None = None) -> None:
        folder = find_encoder(name)
        self.name = name if name in LAYERS else weights.short_name(name)
        self.digest = weights.digest_of(folder)
        self.device = device or best_device()
        self._tokenizer, model = _load(folder, self.name)
        n_layers = int(model.config.num_hidden_layers)
        self.layer = layer or min(LAYERS.get(name.removeprefix("FacebookAI/"), n_layers), n_layers)
        if not 1 <= self.layer <= n_layers:
            raise ModelRefusedError(NO_LAYER.format(name=self.name, n=n_layers, layer=layer))
        self._model = moved(model, self.device, name=self.name)
        self._size = BATCH[self.device.type]

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, in order. A text that is longer than the model reads is cut.

        Raises NotFiniteError, OutOfMemoryError.
        """
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found: dict[int, Tokens] = {}
        start = 0
        while start < len(order):
            rest = [texts[at] for at in order[start:]]
            some, self._size = halving(partial(self._encode_first, rest), size=self._size, name=self.name)
            found.update(zip(order[start:], some, strict=False))
            start += len(some)
        return [found[at] for at in range(len(texts))]

    def _encode_first(self, texts: list[str], n: int) -> list[Tokens]:
        import torch

        read = self._tokenizer(
            [text.strip() for text in texts[:n]],
            padding=True,
            truncation=True,
            max_length=min(self._tokenizer.model_max_length, LONGEST),
            return_tensors="pt",
            return_special_tokens_mask=True,
        )
        marks = read.pop("special_tokens_mask").numpy()
        mask = read["attention_mask"].numpy().astype(bool)
        with torch.inference_mode(), autocast(self.device):
            hidden = self._model(**read.to(self.device), output_hidden_states=True).hidden_states[self.layer]
        vectors = hidden.float().cpu().numpy()
        return [
            self._tokens(text, vector[is_there], mark[is_there])
            for text, vector, mark, is_there in zip(texts[:n], vectors, marks, mask, strict=True)
        ]

    def _tokens(self, text: str, vectors: Vectors, marks: np.ndarray[Any, Any]) -> Tokens:
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or not lengths.all():
            raise NotFiniteError(NOT_FINITE.format(name=self.name, text=text[:80]))
        return Tokens(vectors / lengths, (marks == 0).astype(np.float32))


def find_encoder(name: str) -> Path:
    """The folder of an encoder. Raises ModelNotFoundError (within seconds) or ModelRefusedError."""
    folder = local_folder(name)
    if folder is None and name.removeprefix("sentence-transformers/") in weights.CARRIED:
        folder = weights.find_model(name)
    if folder is None:
        folder = weights.hub_file(name, WEIGHTS, beside=(*BESIDE, "*.safetensors"), name=name, instead=LAYERS).parent
    if not list(folder.glob("*.safetensors")):
        pickled = [*folder.glob("*.bin"), *folder.glob("*.pt")]
        if pickled:
            raise ModelRefusedError(weights.PICKLED.format(name=weights.short_name(name)))
        raise ModelNotFoundError(
            f"The folder of the model {weights.short_name(name)!r} has no safetensors file. Choose another path."
        )
    return folder


def _load(folder: Path, name: str) -> tuple[Any, Any]:
    """The tokenizer and the model in evaluation mode, on the processor."""
    patch_torchvision()
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    make_steady()
    try:
        kind = str(json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type", ""))
        options = {"add_prefix_space": True} if kind in WITH_SPACE else {}
        asked: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = AutoTokenizer.from_pretrained(str(folder), **asked, **options)
        model, told = AutoModel.from_pretrained(str(folder), use_safetensors=True, output_loading_info=True, **asked)
        if model.main_input_name != "input_ids" or model.config.is_encoder_decoder:
            raise ValueError(f"it is a {kind}")
        if lacking := sorted(key for key in told["missing_keys"] if "pooler" not in key):
            raise ValueError(f"it lacks {', '.join(lacking[:3])}")  # transformers would draw these at random
    except (RuntimeError, ValueError, KeyError, TypeError, AttributeError, OSError, ImportError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelRefusedError(NO_ENCODER.format(name=name, reason=reason)) from error
    return tokenizer, model.eval()
