"""`manage.py examine_model`: an item has one vector, whatever stands beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from colour_encoder import colours
from workers.engines import registry
from workers.engines.examining import describe
from workers.engines.image_encoder import TowerImages
from workers.engines.model_facts import digest_with

LADDER = "postcards-1-rn"


def examine(*words: Any) -> str:
    out = StringIO()
    call_command("examine_model", *map(str, words), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.nightly
def test_a_carried_model_is_steady_and_what_it_does_to_items_is_part_of_it(tmp_path: Path) -> None:
    fits, cut = " ".join(["boat"] * 38), " ".join(["boat"] * 39)  # with the two marks, 40 tokens and 41
    rows = [{"image": "a.png", "captions": [fits, cut]}, {"image": "b.png", "captions": ["a boat"]}]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = examine(LADDER, "--data", tmp_path / "set.jsonl", "--out", tmp_path / "found.json")
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["is_steady"] and set(found["differences"]) == {"images", "texts"}
    assert found["captions"] == {"n": 3, "truncated": 1} and "1 of 3 captions have more than 40 tokens" in said
    model = found["model"]
    assert (model["padding"], model["context_length"], model["dtype"]) == ("right, 0", 40, "float32")
    assert (model["image_activation"], model["image_pooling"], model["text_pooling"]) == ("ReLU", "attention", "eos")
    assert (model["image_size"], model["mean"], model["std"]) == ([64, 64], [0.5] * 3, [0.25] * 3)
    images, texts = registry.towers(LADDER)
    assert isinstance(images, TowerImages)
    try:
        other = describe(replace(images, facts={**images.facts, "image_activation": "GELU"}), texts)
        assert describe(images, texts)["digest"] == model["digest"] != other["digest"]
    finally:
        registry.forget(LADDER)
    assert model["digest"] not in (model["weights"], digest_with(model["weights"], {}))


def test_a_model_that_looks_at_the_whole_batch_is_refused() -> None:
    def over_the_batch(batch: Any) -> Any:
        mean = batch.mean(dim=(2, 3))
        return mean - mean.mean(dim=0) / 2 + 1

    registry.use_image_encoder("colours", colours(over_the_batch))
    try:
        with pytest.raises(CommandError, match=r"colours gives the images another vector in batches of 2: .* allowed"):
            examine("colours")
    finally:
        registry.forget("colours")


@pytest.mark.parametrize("value", [np.nan, 0.0])
def test_a_vector_of_nan_or_zeros_stops_the_model_and_names_the_item(value: float) -> None:
    def broken(batch: Any) -> Any:
        return batch.mean(dim=(2, 3)) * value

    registry.use_image_encoder("colours", colours(broken))
    try:
        with pytest.raises(CommandError, match=r"'colours' gave NaN or infinity .*'example 0'"):
            examine("colours")
    finally:
        registry.forget("colours")
