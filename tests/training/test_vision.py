import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from workers.engines.carried import MODELS, VISION
from workers.engines.torchvision_shim import patch_torchvision
from workers.training.ladder import cards, pictures
from workers.training.postcards.world import TEST, scene_of
from workers.training.vision.neighbours import nearest, shares

patch_torchvision()
from workers.training.ladder import examples  # noqa: E402
from workers.training.vision import encoder, simclr, views  # noqa: E402

FRESH, N_FRESH = TEST + 500_000, 500


@pytest.mark.nightly
def test_the_committed_encoder_puts_like_lands_and_hours_together_on_fresh_scenes(tmp_path):
    vectors = encoder.encoded(MODELS / VISION, FRESH, N_FRESH, tmp_path, lambda line: None)
    # One in 32 shares both by chance; among 500 scenes there are some 15 to find, so three nearest are asked for.
    assert shares(vectors, examples.scenes(FRESH, N_FRESH), 3)["land_and_time"] >= 0.65


def test_the_committed_figures_are_those_that_the_issue_asks_for():
    figures = json.loads((MODELS / VISION / encoder.FIGURES).read_text())
    assert figures["n_scenes"] == 10_000
    assert figures["shares"]["land_and_time"] >= 0.7
    assert encoder.is_made(encoder.RECIPE, MODELS / VISION)
    assert figures["weights"] == hashlib.sha256((MODELS / VISION / encoder.WEIGHTS).read_bytes()).hexdigest()
    assert encoder.is_measured(MODELS / VISION)


def test_figures_of_other_weights_are_measured_anew(tmp_path):
    for name in (encoder.MADE, encoder.FIGURES, encoder.WEIGHTS):
        (tmp_path / name).write_bytes((MODELS / VISION / name).read_bytes())
    assert encoder.is_measured(tmp_path)
    (tmp_path / encoder.WEIGHTS).write_bytes(b"other weights")
    assert not encoder.is_measured(tmp_path)


def test_the_card_says_what_the_model_is_not():
    assert cards.SERVES in (MODELS / VISION / "README.md").read_text().replace("\n", " ")


def test_the_card_says_how_long_the_training_took_where_that_is_known(tmp_path):
    figures = json.loads((MODELS / VISION / encoder.FIGURES).read_text())
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    known = {name: value for name, value in figures["model"].items() if name != "minutes"}
    for minutes, n_lines in (({}, 0), ({"minutes": 12.34}, 1)):
        encoder._write_card(tmp_path, figures | {"model": known | minutes}, 256)
        assert (tmp_path / "README.md").read_text().count("\n  It took 12.3 minutes on one core.\n") == n_lines


def test_the_card_is_the_one_that_its_figures_make(tmp_path):
    (copy := tmp_path / VISION).mkdir()
    (copy / "model.safetensors").write_bytes((MODELS / VISION / "model.safetensors").read_bytes())
    encoder._write_card(copy, json.loads((MODELS / VISION / encoder.FIGURES).read_text()), 256)
    assert (copy / "README.md").read_text() == (MODELS / VISION / "README.md").read_text()


@pytest.mark.nightly
def test_two_steps_of_training_save_an_encoder_that_loads_equal(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "BLOCK", 32)
    recipe = replace(encoder.RECIPE, seen=32, n_scenes=32, batch=16)
    for name in ("one", "other"):
        encoder.make(recipe, tmp_path / name, tmp_path, lambda line: None)
    assert json.loads((tmp_path / "one" / encoder.MADE).read_text())["minutes"] >= 0
    one, other = (encoder.encoded(tmp_path / name, FRESH, 8, tmp_path, lambda line: None) for name in ("one", "other"))
    assert one == pytest.approx(other, abs=1e-6)
    lines = []
    encoder.make(recipe, tmp_path / "one", tmp_path, lines.append)
    assert lines == ["one: is there already"]


def test_nearest_neighbours_are_those_of_sorting_all_of_them(monkeypatch):
    monkeypatch.setattr("workers.training.vision.neighbours.AT_ONCE", 7)
    vectors = np.random.default_rng(0).normal(size=(20, 4))
    found = nearest(vectors, 3)
    for row, near in enumerate(found):
        order = [i for i in np.argsort(-(vectors @ vectors[row])) if i != row]
        assert set(near) == set(order[:3])


def test_shares_count_land_and_time_apart_and_together():
    scenes = [scene_of(TEST)] * 2
    other = replace(scenes[0], time=next(time for time in type(scenes[0].time) if time != scenes[0].time))
    assert shares(np.eye(2), [scenes[0], other], 1) == {"land": 1.0, "time": 0.0, "land_and_time": 0.0}
    assert shares(np.eye(2), scenes, 1)["land_and_time"] == 1.0


def test_two_views_of_a_picture_differ_and_keep_its_size():
    torch.manual_seed(0)
    pictures_ = torch.rand(4, 3, 16, 24) - 0.5
    one, other = views.view(pictures_), views.view(pictures_)
    assert one.shape == pictures_.shape
    assert not torch.equal(one, other)


def test_agreement_is_best_where_each_view_is_nearest_to_its_own():
    vectors = torch.eye(4)
    assert simclr.agreement(vectors, vectors, 0.1) < simclr.agreement(vectors, vectors.flip(0), 0.1)
