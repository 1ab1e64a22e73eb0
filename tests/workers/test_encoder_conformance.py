"""What of others' published features of the real ViT-B/32 can be held against us without its weights."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from workers.engines import clip_encoder, image_feed
from workers.engines.clip_names import ClipSource
from workers.engines.preprocessing import of_transform
from workers.engines.unit_vectors import unit_rows

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]
SCALE = 100.0  # exp(logit_scale) of every released CLIP
LABELS = ["a diagram", "a dog", "a cat"]


@pytest.fixture
def conformance(shared_data: Path) -> Path:
    return shared_data / "clip_conformance"


def vit_b_32_transform() -> Any:
    from workers.engines.torchvision_shim import patch_torchvision

    patch_torchvision()
    import open_clip

    return open_clip.image_transform(224, is_train=False)


def test_published_features_give_the_published_probabilities(conformance: Path) -> None:
    """99.279 % a diagram, .421 % a dog, .300 % a cat."""
    image = unit_rows(np.load(conformance / "image_features.npy"), name="ViT-B/32", what=str)
    texts = unit_rows(np.load(conformance / "text_features.npy"), name="ViT-B/32", what=str)
    scores = SCALE * (image @ texts.T)[0]
    chances = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    assert chances == pytest.approx([0.99279, 0.00421, 0.00300], abs=2e-5)


def test_the_published_picture_reaches_the_model_as_open_clip_would_show_it_on_white(conformance: Path) -> None:
    """It is transparent in places. open_clip drops the alpha channel there and shows what lies below, black.

    Here a model sees what people are shown, the picture on white; all else is open_clip's.
    """
    import torch

    transform = vit_b_32_transform()
    path = conformance / "CLIP.png"
    how = of_transform(transform, (224, 224), {})
    ours = how.scaled(torch.from_numpy(np.stack([how.pixels(image_feed.rgb_of(path))])))
    with Image.open(path) as image:
        assert image.mode == "RGBA"
        paper = Image.new("RGB", image.size, "white")
        paper.paste(image, mask=image.getchannel("A"))
    theirs = transform(paper)
    assert ours.shape == (1, 3, 224, 224)
    assert float((ours[0] - theirs).abs().max()) < 1e-6


@pytest.mark.nightly
def test_the_labelled_pictures_reach_the_model_as_open_clip_would_show_them(conformance: Path) -> None:
    import torch

    transform = vit_b_32_transform()
    how = of_transform(transform, (224, 224), {})
    rows = list(csv.reader(io.StringIO((conformance / "labels.csv").read_text())))
    assert len(rows) == 100
    for name, _label in rows:
        path = conformance / "images" / name
        with Image.open(path) as image:
            theirs = transform(image.convert("RGB"))
        ours = how.scaled(torch.from_numpy(np.stack([how.pixels(image_feed.rgb_of(path))])))
        assert float((ours[0] - theirs).abs().max()) < 1e-6, name


def test_our_texts_become_the_token_ids_that_openai_published(conformance: Path) -> None:
    """<start> a diagram <end>, from CLIP's README: 49406, 320, 22697, 49407."""
    assert (conformance / "text_features.npy").is_file()
    import open_clip

    ids = clip_encoder.tokeniser_of(ClipSource("ViT-B-32", "ViT-B-32", {"text_cfg": {}}, Path()))(LABELS)
    assert ids.shape == (3, 77)
    assert ids[0][:4].tolist() == [49406, 320, 22697, 49407]
    assert ids[1][:4].tolist() == [49406, 320, 1929, 49407]
    assert ids[2][:4].tolist() == [49406, 320, 2368, 49407]
    assert int(ids[:, 4:].abs().sum()) == 0
    assert ids.equal(open_clip.get_tokenizer("ViT-B-32")(LABELS))
