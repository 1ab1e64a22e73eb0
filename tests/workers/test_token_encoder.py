"""Encoders for BERTScore: the numbers of the bert-score package, any folder of transformers, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.methods.diversity import mean_bertscore, token_matches
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError
from workers.engines.token_encoder import TransformerTokens

# transformers and torch deprecate their own corners at import; none of it is ours.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

MINILM = "all-MiniLM-L6-v2"
CAPTIONS = [
    "A dog runs along the beach.",
    "A puppy is running on the sand by the sea.",
    "The silence of a winter evening",
    "Freedom",
]
# bert-score 0.3.13, model_type=the folder of MiniLM, num_layers=4, no idf, no baseline: (candidate, reference) -> P, R
BERT_SCORE = {
    (0, 1): (0.842647, 0.795643),
    (0, 2): (0.338081, 0.351975),
    (0, 3): (0.191626, 0.203333),
    (1, 2): (0.359784, 0.372824),
    (1, 3): (0.181579, 0.173111),
    (2, 3): (0.348229, 0.321145),
}
F1 = (0.818471, 0.344888, 0.197306, 0.366188, 0.177244, 0.334139)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of 3 layers, drawn at random, with a tokenizer of whole words."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    from workers.engines.torchvision_shim import patch_torchvision

    patch_torchvision()
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "the", "cat", "dog", "sits", "runs", "on", "mat", "old", "moon"]
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    read: Any = PreTrainedTokenizerFast
    read(tokenizer_object=tokenizer, model_max_length=12, **marks).save_pretrained(str(folder))
    torch.manual_seed(0)
    shape: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
    shape["intermediate_size"] = 32
    BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=12, **shape)).save_pretrained(str(folder))
    return folder


def test_the_numbers_are_those_of_bert_score() -> None:
    tokens = TransformerTokens(MINILM, layer=4).encode(CAPTIONS)
    found = token_matches(tokens)
    for (candidate, reference), (precision, recall) in BERT_SCORE.items():
        assert found[candidate, reference] == pytest.approx(precision, abs=2e-5)
        assert found[reference, candidate] == pytest.approx(recall, abs=2e-5)
    assert mean_bertscore(tokens) == pytest.approx(float(np.mean(F1)), abs=2e-5)


def test_any_encoder_in_a_folder_is_read(tiny: Path) -> None:
    """One token by one through the model itself, without a batch, is the oracle."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    encoder = TransformerTokens(str(tiny), layer=2)
    assert (encoder.name, encoder.layer, len(encoder.digest)) == (tiny.name, 2, 64)
    texts = ["the old dog runs", "a cat", "the cat sits on the mat", "zebra"]
    model, tokenizer = AutoModel.from_pretrained(str(tiny)).eval(), AutoTokenizer.from_pretrained(str(tiny))
    for text, tokens in zip(texts, encoder.encode(texts), strict=True):
        with torch.inference_mode():
            read = tokenizer(text, return_tensors="pt")
            vectors = model(**read, output_hidden_states=True).hidden_states[2][0].numpy()
        plain = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        assert tokens.vectors == pytest.approx(plain, abs=1e-5)
        assert tokens.weights.tolist() == [0.0, *[1.0] * (len(plain) - 2), 0.0], "the marks at both ends do not count"


def test_the_last_layer_is_the_default_and_a_long_caption_is_cut(tiny: Path) -> None:
    encoder = TransformerTokens(str(tiny))
    assert encoder.layer == 3
    assert len(encoder.encode(["cat " * 50])[0].vectors) == 12
    assert encoder.encode([]) == []
    nothing = encoder.encode([""])[0]
    assert nothing.weights.sum() == 0, "and it matches nothing"


def test_a_layer_that_is_not_there_is_refused_with_those_that_are(tiny: Path) -> None:
    with pytest.raises(ModelRefusedError, match="layers 1 to 3, but layer 9"):
        TransformerTokens(str(tiny), layer=9)


def test_weights_with_a_nan_are_refused(tiny: Path, tmp_path: Path) -> None:
    import shutil

    import torch
    from safetensors.torch import load_file, save_file

    from workers.engines.protocols import NotFiniteError

    folder = Path(shutil.copytree(tiny, tmp_path / "broken"))
    broken = load_file(folder / "model.safetensors")
    broken["embeddings.word_embeddings.weight"] = torch.full_like(
        broken["embeddings.word_embeddings.weight"], torch.nan
    )
    save_file(broken, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(NotFiniteError, match="'broken' gave a number that is NaN"):
        TransformerTokens(str(folder)).encode(["a cat"])


def test_what_is_no_encoder_is_refused(tiny: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ModelNotFoundError, match="no safetensors"):
        TransformerTokens(str(empty))
    (empty / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(ModelRefusedError, match="pickle"):
        TransformerTokens(str(empty))
    (empty / "model.safetensors").write_bytes((tiny / "model.safetensors").read_bytes())
    (empty / "config.json").write_text(json.dumps({"model_type": "no-such-type"}))
    with pytest.raises(ModelRefusedError, match="not a text encoder"):
        TransformerTokens(str(empty))
