"""Names and weights of encoders that are not there, not safe or not right."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from encoder_models import photograph, save_tiny_clip, seeded
from workers.engines import carried, clip_names, registry, weights
from workers.engines.checkpoints import check_checkpoint
from workers.engines.clip_encoder import load_text_encoder
from workers.engines.image_encoder import load_image_encoder
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError, NotFiniteError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

ASKS = """
import sys, time
begun = time.perf_counter()
from workers.engines import registry
from workers.engines.protocols import ModelNotFoundError
try:
    getattr(registry, sys.argv[1])(sys.argv[2])
except ModelNotFoundError as error:
    print(f"{time.perf_counter() - begun:.3f}|{error}")
"""
NAMES = [
    ("image_encoder", "ViT-B-32/openai"),
    ("image_encoder", "ViT-B-32/laion2b_s34b_b79k"),
    ("text_encoder", "ViT-g-14/laion2b_s34b_b88k"),
    ("image_encoder", "hf-hub:laion/CLIP-ViT-B-32-laion2B-s34B-b79K"),
    ("text_encoder", "hf-hub:laion/CLIP-ViT-B-32-laion2B-s34B-b79K"),
    ("image_encoder", "vit_small_patch14_dinov2.lvd142m"),
    ("image_encoder", "timm:vit_base_patch14_dinov2"),
    ("image_encoder", "facebook/dinov2-small"),
    ("image_encoder", "no-such-model-anywhere"),
    ("text_encoder", "/not/a/folder"),
]


@pytest.fixture(scope="module")
def silent_hub() -> Iterator[str]:
    """A server that takes calls and never says a word, which is how a firewall looks from inside."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def ask(kind: str, name: str, hub: str, cache: Path) -> tuple[float, str]:
    """Seconds until the error in a fresh process, the imports among them, and its sentence."""
    settings = {"HF_ENDPOINT": hub, "HF_HOME": str(cache), "HF_HUB_DISABLE_TELEMETRY": "1"}
    said = subprocess.run(
        [sys.executable, "-c", ASKS, kind, name], capture_output=True, text=True, check=True, env=os.environ | settings
    ).stdout
    seconds, _, sentence = said.partition("|")
    return float(seconds), sentence


@pytest.mark.nightly
@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_a_name_that_cannot_be_had_fails_in_under_five_seconds_and_says_what_to_give(
    kind: str, name: str, silent_hub: str, tmp_path: Path
) -> None:
    seconds, sentence = ask(kind, name, silent_hub, tmp_path)
    assert f"The model {name!r} is not a folder" in sentence
    assert "Use a local path or one of: postcards-" in sentence
    assert seconds < 5


def test_where_there_is_no_network_at_all_it_fails_at_once(tmp_path: Path) -> None:
    seconds, sentence = ask("image_encoder", "facebook/dinov2-base", "http://127.0.0.1:9", tmp_path)
    assert "a download failed (ConnectError)" in sentence
    assert seconds < 3


def test_an_unknown_tag_is_answered_with_those_that_open_clip_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "hub_silence", lambda name: "")
    with pytest.raises(ModelNotFoundError, match=r"no weights 'mine' for ViT-B-32\. .*laion2b_s34b_b79k"):
        clip_names.find_clip("ViT-B-32/mine")


def test_a_carried_model_that_was_not_made_says_how(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(carried, "MODELS", tmp_path)
    with pytest.raises(ModelNotFoundError, match=r"'postcards-1-rn' comes with Connote.*make models"):
        load_image_encoder("postcards-1-rn")
    save_tiny_clip(tmp_path / "postcards-1-rn")
    encoder = load_image_encoder("postcards-1-rn")
    assert encoder.name == "postcards-1-rn"
    assert carried.size_of("postcards-1-rn") > 10_000
    assert carried.size_of("postcards-2-rn") == 0


@pytest.mark.parametrize(("file", "said"), [("gone.safetensors", "does not exist"), ("gone.pt", "does not exist")])
def test_a_checkpoint_that_is_not_there_is_named_without_its_path(file: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match=said) as caught:
        load_image_encoder(f"ViT-B-32/{tmp_path / file}")
    assert str(tmp_path) not in str(caught.value)


class Sting:
    """A pickle that leaves a file behind when it is opened."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.mark,))


@pytest.mark.parametrize("name", ["ViT-B-32/{}", "timm:vit_small_patch14_dinov2/{}"])
@pytest.mark.parametrize("suffix", [".pt", ".bin", ".ckpt"])
@pytest.mark.parametrize("as_torch", [True, False], ids=["torch", "pickle"])
def test_a_pickle_with_code_is_refused_and_its_code_does_not_run(
    name: str, suffix: str, as_torch: bool, tmp_path: Path
) -> None:
    import torch

    mark, file = tmp_path / "ran", tmp_path / f"weights{suffix}"
    content = {"state_dict": {"visual.proj": torch.zeros(1)}, "sting": Sting(mark)}
    with file.open("wb") as out:
        torch.save(content, out) if as_torch else pickle.dump(content, out)
    with pytest.raises(ModelRefusedError, match=f"weights{suffix}"):
        load_image_encoder(name.format(file))
    assert not mark.exists()
    with file.open("rb") as given:
        pickle.load(given) if not as_torch else torch.load(given, weights_only=False)  # noqa: S301
    assert mark.exists(), "the sting has to sting, or this test shows nothing"


def test_a_folder_whose_only_weights_are_such_a_pickle_is_refused(tmp_path: Path) -> None:
    import torch

    save_tiny_clip(tmp_path)
    (tmp_path / "open_clip_model.safetensors").unlink()
    mark = tmp_path / "ran"
    torch.save({"sting": Sting(mark)}, tmp_path / "open_clip_pytorch_model.bin")
    for load in (load_image_encoder, load_text_encoder):
        with pytest.raises(ModelRefusedError, match="can run code"):
            load(str(tmp_path))
    assert not mark.exists()


def test_a_configuration_that_lets_a_tokenizer_run_its_own_code_is_refused(tmp_path: Path) -> None:
    """open_clip hands `tokenizer_kwargs` on to transformers as they stand."""
    save_tiny_clip(tmp_path)
    file = tmp_path / "open_clip_config.json"
    config = json.loads(file.read_text())
    config["model_cfg"]["text_cfg"] |= {"hf_tokenizer_name": "mine", "tokenizer_kwargs": {"trust_remote_code": True}}
    file.write_text(json.dumps(config))
    with pytest.raises(ModelRefusedError, match="its own code"):
        load_text_encoder(str(tmp_path))


def test_torchscript_is_refused(tmp_path: Path) -> None:
    import torch

    file = tmp_path / "script.pt"
    with pytest.warns(DeprecationWarning):
        torch.jit.save(torch.jit.script(torch.nn.Linear(1, 1)), file)
    with pytest.raises(ModelRefusedError, match="TorchScript"):
        check_checkpoint(file, "scripted")


@pytest.mark.parametrize("suffix", [".safetensors", ".pt"])
@pytest.mark.parametrize("content", [b"", b"not weights at all", b"PK\x03\x04 half a zip"])
def test_a_damaged_checkpoint_is_refused_by_name(suffix: str, content: bytes, tmp_path: Path) -> None:
    file = tmp_path / f"weights{suffix}"
    file.write_bytes(content)
    with pytest.raises(ModelRefusedError, match=r"ViT-B-32/weights"):
        load_image_encoder(f"ViT-B-32/{file}")


def test_weights_of_another_architecture_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    seeded()
    import timm

    file = tmp_path / "resnet.safetensors"
    save_file(timm.create_model("resnet10t").state_dict(), file)
    for name in (f"timm:resnet18/{file}", f"RN50/{file}"):
        with pytest.raises(ModelRefusedError, match=r"resnet\.safetensors' does not fit its architecture"):
            load_image_encoder(name)


def test_a_transformers_folder_that_lacks_weights_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    seeded()
    from transformers import Dinov2Config, Dinov2Model

    Dinov2Model(Dinov2Config(hidden_size=16, num_hidden_layers=1, num_attention_heads=2)).save_pretrained(tmp_path)
    file = tmp_path / "model.safetensors"
    tensors = load_file(file)
    del tensors["layernorm.weight"]
    save_file(tensors, file, metadata={"format": "pt"})
    with pytest.raises(ModelRefusedError, match=r"it lacks layernorm\.weight"):
        load_image_encoder(str(tmp_path))


def test_a_model_of_texts_is_no_vision_backbone(tmp_path: Path) -> None:
    seeded()
    from transformers import BertConfig, BertModel

    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 30}
    BertModel(BertConfig(**shape)).save_pretrained(tmp_path)
    (tmp_path / "preprocessor_config.json").write_text(
        json.dumps({"size": 32, "image_mean": [0.5] * 3, "image_std": [0.5] * 3})
    )
    with pytest.raises(ModelRefusedError, match="not a vision model"):
        load_image_encoder(str(tmp_path))


@pytest.mark.parametrize(
    ("config", "error"),
    [(None, ModelNotFoundError), ("{", ModelRefusedError), ("[]", ModelRefusedError), ("{}", ModelRefusedError)],
)
def test_a_folder_without_a_readable_configuration_is_named(
    config: str | None, error: type[Exception], tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.safetensors").touch()
    if config is not None:
        (folder / "config.json").write_text(config)
    with pytest.raises(error, match=r"config\.json of the model 'mine'|'mine' has no config\.json"):
        load_image_encoder(str(folder))
    with pytest.raises(ModelNotFoundError, match=r"'mine' has no open_clip_config\.json"):
        load_text_encoder(str(folder))


def test_weights_with_nan_are_refused_by_the_models_and_the_pictures_name(tmp_path: Path) -> None:
    def spoil(tensors: dict[str, Any]) -> None:
        tensors["visual.proj"][0, 0] = float("nan")
        tensors["text_projection"][0, 0] = float("inf")

    folder = tmp_path / "spoilt"
    save_tiny_clip(folder, spoil=spoil)
    with pytest.raises(NotFiniteError, match=r"'spoilt' gave NaN or infinity for the picture 'first'"):
        list(load_image_encoder(str(folder)).encode([("first", photograph(1, 40, 40))]))
    with pytest.raises(NotFiniteError, match=r"'spoilt' gave NaN or infinity for the text 'a dog'"):
        load_text_encoder(str(folder)).encode(["a dog"])


def test_what_a_hub_client_has_fetched_is_used_without_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout of HF_HOME: blobs by digest, snapshots that link to them."""
    from huggingface_hub import constants, file_download

    repository = tmp_path / "models--org--mine"
    snapshot = repository / "snapshots" / ("a" * 40)
    snapshot.parent.mkdir(parents=True)
    save_tiny_clip(snapshot)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("a" * 40)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    assert file_download.constants is constants
    monkeypatch.setattr(weights, "_within", lambda *_: pytest.fail("asked a hub"))
    encoder = load_image_encoder("hf-hub:org/mine")
    assert (encoder.name, encoder.dimensions) == ("org/mine", 16)


CACHED = """
import json, sys, time
from pathlib import Path
import numpy as np
folder = Path(sys.argv[1])
from encoder_models import save_tiny_clip_of_bert
from workers.engines import clip_names
from workers.engines.clip_encoder import load_clip_images, load_text_encoder
save_tiny_clip_of_bert(folder, sys.argv[2])
import open_clip
open_clip.add_model_config(folder / "model_configs")
clip_names._library = lambda: folder
begun = time.perf_counter()
texts, images = (load(f"bert/{folder / 'weights.safetensors'}") for load in (load_text_encoder, load_clip_images))
print(time.perf_counter() - begun, texts.encode(["a dog", "a cat"]).shape, images.dimensions)
"""


@pytest.mark.nightly
def test_a_cached_text_tower_of_transformers_is_loaded_while_the_hub_is_silent(silent_hub: str, tmp_path: Path) -> None:
    """Its shape and its tokenizer lie in the hub client's cache under another model's name."""
    settings = {"HF_ENDPOINT": silent_hub, "HF_HOME": str(tmp_path / "cache"), "PYTHONPATH": "tests/support:."}
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CACHED, str(tmp_path), str(tmp_path / "cache" / "hub")],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | settings,
        timeout=120,
    ).stdout
    seconds, _, shapes = said.partition(" ")
    assert shapes.split() == ["(2,", "16)", "16"]
    assert float(seconds) < 10


def test_a_folder_without_its_tokenizers_files_is_refused_in_a_sentence(tmp_path: Path) -> None:
    save_tiny_clip(tmp_path / "mute")
    file = tmp_path / "mute" / "open_clip_config.json"
    config = json.loads(file.read_text())
    config["model_cfg"]["text_cfg"]["hf_tokenizer_name"] = "mine"
    file.write_text(json.dumps(config))
    with pytest.raises(
        ModelRefusedError, match=r"cannot read the tokenizer of the model 'mute' .*Copy its original files"
    ):
        load_text_encoder(str(tmp_path / "mute"))


def test_a_gated_model_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its page tells the names of its files, and the files are kept from whoever has not signed."""
    import huggingface_hub
    from huggingface_hub.errors import LocalEntryNotFoundError

    def refuse(repository: str, *, local_files_only: bool = False, **_: Any) -> str:
        raise LocalEntryNotFoundError("An error happened while trying to locate the files on the Hub")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    monkeypatch.setattr(weights, "_files_of", lambda repository: [clip_names.CONFIG, "model.safetensors"])
    with pytest.raises(ModelNotFoundError, match=r"a download failed \(LocalEntryNotFoundError\)\. Use a local path"):
        load_image_encoder("hf-hub:org/gated")
    with pytest.raises(ModelNotFoundError, match=r"a download failed \(LocalEntryNotFoundError\)\. Use a local path"):
        weights.find_model("org/gated")


def test_importing_the_registry_imports_neither_torch_nor_pillow() -> None:
    code = (
        "import sys; from workers.engines import carried, clip_names, registry, vision_names;"
        "sys.exit(bool({'torch', 'open_clip', 'timm', 'PIL', 'transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_text_tower_is_not_asked_of_a_vision_backbone() -> None:
    begun = time.perf_counter()
    with pytest.raises(ModelNotFoundError, match=r"open_clip does not know the architecture.*postcards-1-rn"):
        registry.text_encoder("facebook/dinov2-small")
    assert time.perf_counter() - begun < 1
