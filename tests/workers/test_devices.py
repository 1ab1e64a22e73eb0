"""Which device the engines compute on, in which precision, and that what they compute with is all there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from encoder_models import save_tiny_clip
from workers.engines import batching, card_search, devices
from workers.engines import index as indexing
from workers.engines.clip_encoder import load_towers
from workers.engines.index import ArrayRows, build_index, open_index
from workers.engines.protocols import DeviceError, OutOfMemoryError
from workers.engines.sentences import TransformerSentences
from workers.engines.vision_encoder import load_vision

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def two_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)


@pytest.mark.parametrize(
    ("value", "found"), [("", "cuda"), ("auto", "cuda"), ("cpu", "cpu"), ("CUDA", "cuda"), ("cuda:1", "cuda:1")]
)
def test_the_variable_names_the_device_where_there_are_cards(
    value: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_cards(monkeypatch)
    monkeypatch.setenv(devices.DEVICE, value)
    assert str(devices.best_device()) == found


@pytest.mark.parametrize(("value", "found"), [("", "cpu"), ("cpu", "cpu")])
def test_without_a_card_the_processor_computes(value: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setenv(devices.DEVICE, value)
    assert str(devices.best_device()) == found
    assert devices.card() is None


@pytest.mark.parametrize(
    ("value", "cards", "said"),
    [
        ("gpu", 2, "Set it to auto, cpu, cuda or the number of a GPU"),
        ("cuda:2", 2, "torch finds 2 CUDA devices, numbered from 0"),
        ("cuda", 0, "torch finds no CUDA device. Set it to auto or cpu"),
    ],
)
def test_a_device_that_is_not_there_is_refused_and_never_replaced(
    value: str, cards: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: cards > 0)
    monkeypatch.setattr("torch.cuda.device_count", lambda: cards)
    monkeypatch.setenv(devices.DEVICE, value)
    with pytest.raises(DeviceError, match=said):
        devices.best_device()
    with pytest.raises(DeviceError, match=said):
        devices.card()


def test_a_card_computes_in_float32_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    cuda, cpu = torch.device("cuda"), torch.device("cpu")
    asked: list[Any] = []
    monkeypatch.setattr(torch, "autocast", lambda kind, dtype: asked.append((kind, dtype)))
    devices.autocast(cuda)
    monkeypatch.setenv(devices.PRECISION, "bfloat16")
    devices.autocast(cpu)
    assert asked == []
    devices.autocast(cuda)
    assert asked == [("cuda", torch.bfloat16)]
    monkeypatch.setenv(devices.PRECISION, "float16")
    with pytest.raises(DeviceError, match="Set it to one of: float32, bfloat16"):
        devices.autocast(cuda)


def test_no_sum_is_rounded_to_tf32_and_torchs_own_switches_still_work() -> None:
    import torch

    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = True
    devices.make_steady()
    with torch.backends.cudnn.flags(enabled=True, allow_tf32=torch.backends.cudnn.allow_tf32):
        assert torch.get_float32_matmul_precision() == "highest"
    assert torch.backends.cudnn.conv.fp32_precision != "tf32"
    assert (torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32) == (False, False)


@pytest.mark.nightly
def test_weights_and_what_the_model_is_shown_are_on_one_device(tmp_path: Path) -> None:
    """The device `meta` computes shapes alone, and refuses a tensor that stayed on the processor."""
    import torch

    meta = torch.device("meta")
    save_tiny_clip(tmp_path)
    images, texts = load_towers(str(tmp_path), meta)
    vision = load_vision("postcards-vision", meta)
    for tower in (images, vision):
        found = tower._forward(torch.zeros((2, *tower.how.size, 3), dtype=torch.uint8))
        assert (found.device, found.shape) == (meta, (2, tower.dimensions))
    assert texts._forward(texts.tokenise(["a dog"])).device == meta
    towers = images.forward.__self__, texts.forward.__self__, vision.forward  # type: ignore[attr-defined]
    assert {tensor.device for model in towers for tensor in (*model.parameters(), *model.buffers())} == {meta}


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_sentences_are_encoded_where_it_is_said(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setitem(TransformerSentences.__init__.__globals__["BATCH"], "meta", 8)
    encoder, asked = TransformerSentences("all-MiniLM-L6-v2", torch.device(device)), []

    def encode(texts: list[str], **how: Any) -> Any:
        asked.append(how["device"])
        return np.ones((len(texts), 3), dtype=np.float32)

    assert {str(tensor.device) for tensor in encoder._model.parameters()} == {device}
    monkeypatch.setattr(encoder._model, "encode", encode)
    encoder.encode(["a dog"])
    assert asked == [device]


def test_sentences_that_find_no_room_come_in_smaller_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    encoder = TransformerSentences("all-MiniLM-L6-v2", torch.device("cpu"))
    texts = [f"sentence {n}" for n in range(40)]
    wanted, forward, fits, tried = encoder.encode(texts), encoder._model.forward, 16, []

    def short(features: Any, **options: Any) -> Any:
        tried.append(len(features["input_ids"]))
        if tried[-1] > fits:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(features, **options)

    monkeypatch.setattr(encoder._model, "forward", short)
    assert np.abs(encoder.encode(texts) - wanted).max() < 1e-6
    assert tried == [40, 32, 16, 16, 8]
    encoder.encode(texts)
    assert tried[5:] == [16, 16, 8]
    fits = 0
    with pytest.raises(OutOfMemoryError, match="'all-MiniLM-L6-v2' needs more memory"):
        encoder.encode(texts)


def test_a_model_that_does_not_fit_on_the_card_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    class Large(torch.nn.Module):
        def to(self, *args: Any) -> Any:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 GiB.")

    with pytest.raises(OutOfMemoryError, match="'large' needs more memory"):
        batching.moved(Large(), torch.device("cuda"), name="large")


@pytest.mark.parametrize("sparing", [False, True])
@pytest.mark.parametrize("piece", [700, 1_000_000])
def test_a_card_finds_the_neighbours_that_the_processor_finds(
    sparing: bool, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each vector twice: ties, too, come in the same order. Blocks of 300, so that several are merged."""
    import torch

    vectors = np.tile(np.random.default_rng(3).normal(size=(1_000, 24)).astype(np.float32), (2, 1))
    plain = build_index(tmp_path, ArrayRows(vectors), piece=piece).search(vectors[:50], 9)
    monkeypatch.setattr(indexing, "card", lambda: torch.device("cpu"))
    monkeypatch.setattr(card_search, "BLOCK", 300)
    on_card = open_index(tmp_path, sparing=sparing)
    for ours, theirs in zip(on_card.search(vectors[:50], 9), plain, strict=True):
        assert np.array_equal(ours, theirs)
    whole = on_card.search(vectors[:2], 2_000)[1]
    assert np.array_equal(np.sort(whole), np.broadcast_to(np.arange(2_000), (2, 2_000)))


@pytest.mark.parametrize("free", [10**9, 1])
def test_where_the_card_has_no_room_the_processor_searches(
    free: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    vectors = np.random.default_rng(3).normal(size=(500, 24)).astype(np.float32)
    plain = build_index(tmp_path, ArrayRows(vectors)).search(vectors[:50], 9)

    def full(*arguments: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(indexing, "card", lambda: torch.device("cpu"))
    monkeypatch.setattr(card_search, "free_bytes", lambda device: free)
    monkeypatch.setattr(card_search, "nearest", full)
    found = open_index(tmp_path).search(vectors[:50], 9)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(found, plain, strict=True))
    assert "The GPU has no memory for 500 vectors of 24 numbers." in caplog.text
