import hashlib
import json

import numpy as np
import pytest

from workers.engines.calibrations import FILE
from workers.engines.carried import LADDER, MODELS
from workers.engines.torchvision_shim import patch_torchvision
from workers.training.ladder import cards, measuring
from workers.training.postcards.kinds import Kind
from workers.training.postcards.literal import literal
from workers.training.postcards.world import TEST, scene_of

patch_torchvision()
from workers.training.ladder import climb, saving  # noqa: E402


class Knowing:
    """Knows the literal captions of some scenes, and gives everything else the vector of nothing."""

    def __init__(self, scenes):
        self.rows = {literal(scene, measuring.CAPTION_SEED).text: i for i, scene in enumerate(scenes)}

    def encode(self, texts):
        vectors = np.eye(len(self.rows) + 1)
        return vectors[[self.rows.get(text, -1) for text in texts]]


def test_the_committed_figures_are_those_that_the_issue_asks_for():
    figures = [json.loads((MODELS / name / climb.FIGURES).read_text()) for name in LADDER]
    hits = [one["hit_at_1"] for one in figures]
    assert hits == sorted(hits)
    assert len(set(hits)) == len(LADDER)
    assert hits[3] >= 0.5
    assert hits[6] >= 0.8
    assert figures[6]["wrong_below_right"]["any"] >= 0.75


def test_the_committed_figures_and_thresholds_are_of_the_committed_weights():
    for name in LADDER:
        digest = hashlib.sha256((MODELS / name / saving.WEIGHTS).read_bytes()).hexdigest()
        assert json.loads((MODELS / name / climb.FIGURES).read_text())["weights"] == digest
        assert json.loads((MODELS / name / FILE).read_text())["digest"] == digest
        assert climb.is_measured(MODELS / name)


def test_figures_of_other_weights_are_measured_anew(tmp_path):
    for name in (climb.RECIPE, climb.FIGURES, saving.WEIGHTS):
        (tmp_path / name).write_bytes((MODELS / LADDER[0] / name).read_bytes())
    assert climb.is_measured(tmp_path)
    (tmp_path / saving.WEIGHTS).write_bytes(b"other weights")
    assert not climb.is_measured(tmp_path)


def test_every_card_says_what_the_model_is_not():
    for name in LADDER:
        assert cards.SERVES in (MODELS / name / "README.md").read_text()


def test_a_card_says_how_long_the_training_took_where_that_is_known(tmp_path):
    figures = json.loads((MODELS / LADDER[-1] / climb.FIGURES).read_text())
    known = {name: value for name, value in figures["model"].items() if name != "minutes"}
    for minutes, line in (({}, None), ({"minutes": 12.34}, "  It took 12.3 minutes on one core.")):
        cards.write(tmp_path, figures | {"model": known | minutes})
        lines = (tmp_path / "README.md").read_text().splitlines()
        assert [said for said in lines if "It took" in said] == ([line] if line else [])


def test_hit_at_1_counts_the_pictures_whose_own_text_is_nearest():
    images = np.eye(4)
    texts = np.eye(4)[[0, 1, 3, 2]]  # the last two are swapped
    assert measuring.hit_at_1(images, texts, 4) == 0.5
    assert measuring.hit_at_1(images, texts, 2) == 0.5
    with pytest.raises(ValueError, match="fewer than 100"):
        measuring.hit_at_1(images, texts)


def test_figures_of_a_model_that_knows_only_right_literal_captions(tmp_path):
    sample = measuring.Sample(TEST, 100, tmp_path, print)
    scenes = [scene_of(TEST + i) for i in range(100)]
    found = measuring.figures(sample, np.eye(101)[:100], Knowing(scenes))
    assert found["hit_at_1"] == 1.0
    assert found["similarity"][str(Kind.LITERAL)] == 1.0
    assert found["similarity"][str(Kind.FIGURATIVE)] == 0.0
    assert found["wrong_below_right"]["any"] == 1.0
    assert found["wrong_below_right"]["n_color"] > 0


def test_a_card_says_the_numbers_of_its_figures(tmp_path):
    folder = MODELS / LADDER[-1]
    figures = json.loads((folder / climb.FIGURES).read_text())
    cards.write(tmp_path, figures | {"hit_at_1": 0.4321})
    assert "0.432" in (tmp_path / "README.md").read_text()
    cards.write(tmp_path, figures)
    assert (tmp_path / "README.md").read_text() == (folder / "README.md").read_text()
