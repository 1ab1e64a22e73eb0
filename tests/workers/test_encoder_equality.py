"""Our encoders on checkpoints of the real architectures give what their libraries give when called directly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from encoder_models import photograph, photographs, save_tiny_clip, seeded
from workers.engines.clip_encoder import load_clip_images, load_text_encoder
from workers.engines.image_encoder import load_image_encoder
from workers.engines.protocols import ImageEncoder, Vectors

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
TEXTS = ["a dog on a beach", "", "Zwölf Boxkämpfer jagen Eva quer über den Sylter Deich", "📷 " * 60]
NEAR = 1e-5


def encoded(encoder: ImageEncoder, pictures: list[tuple[str, Path]]) -> Vectors:
    blocks = list(encoder.encode(pictures))
    assert [key for block in blocks for key in block.keys] == [key for key, _ in pictures]
    return np.concatenate([block.vectors for block in blocks])


def directly(forward: Any, transform: Any, pictures: list[tuple[str, Path]]) -> Vectors:
    """As the libraries' own examples do it: open, convert, transform, stack, run, normalise."""
    import torch

    batch = torch.stack([transform(Image.open(path).convert("RGB")) for _, path in pictures])
    with torch.inference_mode():
        return torch.nn.functional.normalize(forward(batch), dim=-1).numpy()


def papers_transform() -> Any:
    """SCIENCE 2.1: resize 256 bicubic, crop 224, ImageNet's mean and deviation."""
    from torchvision import transforms

    return transforms.Compose(
        [
            transforms.Resize(256, interpolation=transforms.InterpolationMode.BICUBIC),
            transforms.CenterCrop(224),
            transforms.ToTensor(),
            transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        ]
    )


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Path]]:
    return photographs(tmp_path_factory.mktemp("photographs"))


@pytest.fixture(scope="module")
def base_clip(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any, Path]]:
    """open_clip's ViT-B-32, its transform, and a folder with its weights as safetensors and as tensors-only .pt."""
    import torch
    from safetensors.torch import save_file

    seeded()
    import open_clip

    model, _, transform = open_clip.create_model_and_transforms("ViT-B-32")
    folder = tmp_path_factory.mktemp("clip")
    save_file(model.state_dict(), folder / "b32.safetensors")
    torch.save({"state_dict": model.state_dict(), "epoch": 3}, folder / "b32.pt")
    yield model.eval(), transform, folder
    for file in folder.iterdir():
        file.unlink()  # 1.2 GB that nobody reads again


@pytest.mark.nightly
def test_pictures_through_vit_b_32_are_what_open_clip_gives(
    base_clip: tuple[Any, Any, Path], pictures: list[tuple[str, Path]]
) -> None:
    model, transform, folder = base_clip
    expected = directly(model.encode_image, transform, pictures)
    encoder = load_image_encoder(f"ViT-B-32/{folder / 'b32.safetensors'}")
    found = encoded(encoder, pictures)
    assert (found.dtype, found.shape, encoder.dimensions) == (np.float32, (len(pictures), 512), 512)
    assert np.abs(found - expected).max() < NEAR
    assert encoder.name == "ViT-B-32/b32.safetensors"
    assert '"crop":[224,224]' in encoder.preprocessing
    assert '"interpolation":"bicubic"' in encoder.preprocessing


@pytest.mark.nightly
def test_texts_through_vit_b_32_are_what_open_clip_gives(base_clip: tuple[Any, Any, Path]) -> None:
    import open_clip
    import torch

    model, _, folder = base_clip
    with torch.inference_mode():
        expected = model.encode_text(open_clip.get_tokenizer("ViT-B-32")(TEXTS), normalize=True).numpy()
    encoder = load_text_encoder(f"ViT-B-32/{folder / 'b32.pt'}")
    found = encoder.encode(TEXTS)
    assert (found.dtype, found.shape) == (np.float32, (len(TEXTS), 512))
    assert np.abs(found - expected).max() < NEAR


@pytest.mark.nightly
def test_each_tower_stands_without_the_other(tmp_path: Path, pictures: list[tuple[str, Path]]) -> None:
    model = save_tiny_clip(tmp_path)
    images, texts = load_clip_images(str(tmp_path)), load_text_encoder(f"local-dir:{tmp_path}")
    kept = images.forward.__self__, texts.forward.__self__  # type: ignore[attr-defined]
    assert (kept[0].transformer, kept[0].token_embedding, kept[1].visual) == (None, None, None)
    assert images.digest == texts.digest
    assert images.name == texts.name == tmp_path.name

    import open_clip

    transform = open_clip.image_transform(32, is_train=False, mean=(0.5,) * 3, std=(0.5,) * 3)
    assert np.abs(encoded(images, pictures) - directly(model.encode_image, transform, pictures)).max() < NEAR
    assert texts.encode([]).shape == (0, 16)


def test_a_clip_of_pictures_wider_than_high_squashes_them_as_open_clip_does(
    tmp_path: Path, pictures: list[tuple[str, Path]]
) -> None:
    """The shape of the carried ladder."""
    model = save_tiny_clip(tmp_path, image_size=[32, 48], resize_mode="squash")
    import open_clip

    transform = open_clip.image_transform(
        (32, 48), is_train=False, mean=(0.5,) * 3, std=(0.5,) * 3, resize_mode="squash"
    )
    encoder = load_image_encoder(str(tmp_path))
    assert np.abs(encoded(encoder, pictures) - directly(model.encode_image, transform, pictures)).max() < NEAR
    assert encoder.preprocessing == (
        '{"crop":[32,48],"interpolation":"bicubic","mean":[0.5,0.5,0.5],"resize":"squash","std":[0.5,0.5,0.5]}'
    )


@pytest.mark.nightly
def test_dinov2_by_timm_is_timms_class_token_with_the_papers_preprocessing(
    tmp_path: Path, pictures: list[tuple[str, Path]]
) -> None:
    architecture, width = "vit_small_patch14_dinov2", 384
    from safetensors.torch import save_file

    seeded()
    import timm

    model = timm.create_model(architecture, img_size=224, num_classes=0).eval()
    save_file(model.state_dict(), tmp_path / "dino.safetensors")
    encoder = load_image_encoder(f"{architecture}/{tmp_path / 'dino.safetensors'}")
    found = encoded(encoder, pictures)
    assert found.shape == (len(pictures), width)
    assert np.abs(found - directly(model, papers_transform(), pictures)).max() < NEAR
    token = directly(lambda batch: model.forward_features(batch)[:, 0], papers_transform(), pictures)
    assert np.abs(found - token).max() < NEAR


def test_dinov2_weights_finished_at_518_pixels_are_used_at_224(tmp_path: Path) -> None:
    """As on the hubs: timm itself fits the grid of positions, 37 x 37 to 16 x 16."""
    from safetensors.torch import save_file

    seeded()
    import timm

    tiny = {"depth": 1, "embed_dim": 24, "num_heads": 2}
    architecture, file = "vit_small_patch14_dinov2", tmp_path / "model.safetensors"
    save_file(timm.create_model(architecture, num_classes=0, **tiny).state_dict(), file)
    config = {"architecture": architecture, "num_classes": 0, "model_args": tiny}
    (tmp_path / "config.json").write_text(json.dumps(config))
    pictures = photographs(tmp_path, 2)
    model = timm.create_model(
        architecture, pretrained=True, img_size=224, pretrained_cfg_overlay={"file": str(file)}, **tiny
    )
    encoder = load_image_encoder(str(tmp_path))
    assert np.abs(encoded(encoder, pictures) - directly(model.eval(), papers_transform(), pictures)).max() < NEAR


def test_a_folder_that_timm_saved_is_read_back_with_its_own_preprocessing(
    tmp_path: Path, pictures: list[tuple[str, Path]]
) -> None:
    """The shape in which postcards-vision is carried."""
    seeded()
    import timm
    from timm.data import create_transform
    from timm.models import save_for_hf

    arguments = {"img_size": 64, "patch_size": 16, "embed_dim": 24, "depth": 2, "num_heads": 2, "num_classes": 0}
    model = timm.create_model("vit_tiny_patch16_224", **arguments).eval()
    shown = {
        "input_size": (3, 64, 64),
        "crop_pct": 1.0,
        "interpolation": "bilinear",
        "mean": (0.5,) * 3,
        "std": (0.25,) * 3,
    }
    save_for_hf(model, tmp_path, model_args=arguments, data_config=shown, safe_serialization=True)
    encoder = load_image_encoder(str(tmp_path))
    assert encoder.dimensions == 24
    assert np.abs(encoded(encoder, pictures) - directly(model, create_transform(**shown), pictures)).max() < NEAR


@pytest.mark.nightly
def test_a_classifier_is_cut_off_a_timm_model(tmp_path: Path, pictures: list[tuple[str, Path]]) -> None:
    from safetensors.torch import save_file

    seeded()
    import timm
    from timm.data import create_transform, resolve_model_data_config

    model = timm.create_model("resnet10t").eval()
    save_file(model.state_dict(), tmp_path / "resnet.safetensors")
    encoder = load_image_encoder(f"timm:resnet10t/{tmp_path / 'resnet.safetensors'}")
    transform = create_transform(**resolve_model_data_config(model))
    model.reset_classifier(0)
    assert encoder.dimensions == 512
    assert np.abs(encoded(encoder, pictures) - directly(model, transform, pictures)).max() < NEAR


@pytest.fixture
def hugging_face_dino(tmp_path: Path) -> Any:
    """A small Dinov2Model of transformers, saved in `tmp_path`."""
    seeded()
    from transformers import Dinov2Config, Dinov2Model

    config = Dinov2Config(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, image_size=518, patch_size=14)
    model = Dinov2Model(config).eval()
    model.save_pretrained(tmp_path)
    return model


@pytest.mark.nightly
def test_dinov2_by_transformers_is_its_class_token(
    hugging_face_dino: Any, tmp_path: Path, pictures: list[tuple[str, Path]]
) -> None:
    expected = directly(lambda batch: hugging_face_dino(batch).last_hidden_state[:, 0], papers_transform(), pictures)
    encoder = load_image_encoder(str(tmp_path))
    assert encoder.dimensions == 32
    assert np.abs(encoded(encoder, pictures) - expected).max() < NEAR


@pytest.mark.nightly
def test_transformers_own_processor_gives_the_same(hugging_face_dino: Any, tmp_path: Path) -> None:
    """The numbers that facebook/dinov2-small publishes, on pictures with even margins.

    Where a margin is odd, transformers cuts one pixel beside torchvision, which the paper used and we follow.
    """
    pictures = [(f"{w}x{h}", tmp_path / f"{w}x{h}.png") for w, h in ((320, 256), (256, 384), (512, 512))]
    for seed, (_, path) in enumerate(pictures):
        photograph(seed, *map(int, path.stem.split("x"))).save(path)
    import torch
    from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil

    processor = BitImageProcessorPil(
        size={"shortest_edge": 256},
        crop_size={"height": 224, "width": 224},
        image_mean=[0.485, 0.456, 0.406],
        image_std=[0.229, 0.224, 0.225],
    )
    shown = processor([Image.open(path) for _, path in pictures], return_tensors="pt")
    with torch.inference_mode():
        token = hugging_face_dino(**shown).last_hidden_state[:, 0]
    expected = torch.nn.functional.normalize(token, dim=-1).numpy()
    assert np.abs(encoded(load_image_encoder(str(tmp_path)), pictures) - expected).max() < NEAR


def test_another_hugging_face_backbone_is_shown_what_its_folder_says(
    tmp_path: Path, pictures: list[tuple[str, Path]]
) -> None:
    seeded()
    from torchvision import transforms
    from transformers import ViTConfig, ViTModel
    from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    model = ViTModel(ViTConfig(**shape, image_size=32, patch_size=8), add_pooling_layer=False).eval()
    model.save_pretrained(tmp_path)
    processor = ViTImageProcessorPil(size={"height": 32, "width": 32}, image_mean=[0.4] * 3, image_std=[0.3] * 3)
    processor.save_pretrained(tmp_path)
    transform = transforms.Compose(
        [transforms.Resize((32, 32)), transforms.ToTensor(), transforms.Normalize([0.4] * 3, [0.3] * 3)]
    )
    expected = directly(lambda batch: model(batch).last_hidden_state[:, 0], transform, pictures)
    assert np.abs(encoded(load_image_encoder(str(tmp_path)), pictures) - expected).max() < NEAR
