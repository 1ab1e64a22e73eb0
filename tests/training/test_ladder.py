import json
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pytest
import torch

from workers.engines.calibrations import find_record
from workers.engines.carried import LADDER, MODELS, MOST_BYTES
from workers.engines.protocols import TextEncoder, Vectors
from workers.engines.torchvision_shim import patch_torchvision
from workers.training.ladder import facts, measuring, pictures
from workers.training.postcards.captions import is_true_of
from workers.training.postcards.kinds import Kind
from workers.training.postcards.literal import literal
from workers.training.postcards.world import HELD_OUT, TEST, TRAIN, Scene, scene_of
from workers.training.postcards.wrong import wrong_of

patch_torchvision()
from workers.engines import registry  # noqa: E402
from workers.training.ladder import climb, examples, lessons, text_tower  # noqa: E402
from workers.training.ladder.image_tower import ImageRecipe  # noqa: E402
from workers.training.ladder.recipes import RUNGS  # noqa: E402

FRESH = TEST + 500_000  # unseen by training, by thresholds and by the committed figures
N_FRESH = 200


@dataclass
class Seen:
    """A committed rung, and what its image tower makes of the fresh scenes."""

    texts: TextEncoder
    images: Vectors
    scenes: list[Scene]

    @cached_property
    def plain(self) -> Vectors:
        return self.texts.encode(measuring.told_plainly(self.scenes))

    @property
    def hit_at_1(self) -> float:
        return measuring.hit_at_1(self.images, self.plain)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """The fresh scenes through the eyes of every rung."""
    sample = measuring.Sample(FRESH, N_FRESH, tmp_path_factory.mktemp("cache"), lambda line: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "BLOCK", N_FRESH // 2)  # no more drawn than needed, on both cores
        return [_seen(sample, name) for name in LADDER]


def _seen(sample, name):
    images, texts = registry.image_encoder(name), registry.text_encoder(name)
    registry.forget(name)
    return Seen(texts, sample.vectors(images), sample.scenes)


@pytest.mark.nightly
def test_the_committed_ladder_grows_on_fresh_scenes(seen):
    hits = [rung.hit_at_1 for rung in seen]
    assert all(upper > lower - 0.03 for lower, upper in pairwise(hits)), hits
    assert hits[-1] - hits[0] > 0.3, hits


@pytest.mark.nightly
def test_the_fourth_and_the_strongest_rung_find_the_caption_of_a_fresh_scene(seen):
    assert seen[3].hit_at_1 >= 0.5
    assert seen[6].hit_at_1 >= 0.8


@pytest.mark.nightly
def test_every_rung_puts_literal_above_partly_literal_above_figurative(seen):
    kinds = (Kind.LITERAL, Kind.PARTLY_LITERAL, Kind.FIGURATIVE)
    for rung in seen:
        found = measuring.similarities(rung.scenes, rung.images, rung.texts, kinds)
        assert found["literal"] > found["partly_literal"] > found["figurative"]


@pytest.mark.nightly
def test_the_strongest_rung_sees_a_wrong_detail(seen):
    rung = seen[6]
    assert measuring.wrong_below_right(rung.scenes, rung.images, rung.plain, rung.texts)["any"] >= 0.75


def test_every_rung_has_a_threshold_that_holds_for_it(tmp_path):
    for name in LADDER:
        encoder = registry.image_encoder(name)
        record = find_record(name, tmp_path)
        record.check(encoder, name=name)
        assert record.calibration.batch_size == 256
        registry.forget(name)


def test_committed_folders_are_of_the_recipes_that_stand_in_the_source():
    assert all(climb.is_taught(rung, MODELS) for rung in RUNGS)


def test_all_carried_models_together_stay_below_the_limit():
    assert sum(path.stat().st_size for path in MODELS.rglob("*") if path.is_file()) <= MOST_BYTES


@pytest.mark.nightly
def test_two_steps_of_training_save_a_model_that_loads_equal(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "BLOCK", 64)
    rung = RUNGS[0]
    text = replace(rung.text, n_scenes=64, epochs=2.0, batch=32)
    rung = replace(rung, text=text, image=ImageRecipe(seen=64, batch=32))
    folder = tmp_path / rung.name
    lines = []
    climb.teach_rung(rung, folder, tmp_path / "cache", lines.append, n_scenes=64, n_captions=1)
    assert climb.is_taught(rung, tmp_path)
    assert any("step 2 of 2" in line for line in lines)
    assert json.loads((folder / climb.RECIPE).read_text())["minutes"] >= 0

    again = tmp_path / "again" / rung.name
    climb.teach_rung(rung, again, tmp_path / "cache", lines.append, n_scenes=64, n_captions=1)
    assert _vectors(again) == pytest.approx(_vectors(folder), abs=1e-6)  # seeded

    lines.clear()
    climb.teach_all([rung], tmp_path, tmp_path / "cache", lines.append)
    assert lines == [f"{rung.name}: is there already"]


def test_anew_teaches_what_is_there_and_the_text_tower_before_it(tmp_path, monkeypatch):
    taught = []
    monkeypatch.setattr(climb, "teach_rung", lambda rung, *_: taught.append(rung.name))
    monkeypatch.setattr(lessons.Taught, "_teach", lambda *_: pytest.fail("nothing is to be taught here"))
    text = lessons._folder(RUNGS[0].text, tmp_path)
    for anew, kept in ((False, True), (True, False)):
        text.mkdir(exist_ok=True)
        climb.teach_all(RUNGS, MODELS, tmp_path, lambda line: None, anew=anew)
        assert text.exists() is kept
    assert taught == [rung.name for rung in RUNGS]


def _vectors(folder):
    name = f"local-dir:{folder}"
    try:
        seen = registry.image_encoder(name).encode([("one", pictures.draw(scene_of(FRESH), 96))])
        return np.concatenate([next(iter(seen)).vectors, registry.text_encoder(name).encode(["A dog on a beach"])])
    finally:
        registry.forget(name)


def test_a_rung_of_another_recipe_is_taught_anew(tmp_path):
    folder = tmp_path / RUNGS[0].name
    folder.mkdir()
    (folder / climb.RECIPE).write_text(json.dumps({"digest": "of another recipe"}))
    assert not climb.is_taught(RUNGS[0], tmp_path)


def test_a_name_that_is_no_rung_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match="postcards-7-tie"):
        climb.chosen(["postcards-8"])


def test_truths_are_those_of_the_captions_themselves():
    scenes = examples.scenes(TRAIN, 24)
    told = [literal(scene, 3) for scene in scenes]
    told += [wrong_of(one, scene, 3) or one for one, scene in zip(told, scenes, strict=True)]
    found = text_tower.truths(torch.from_numpy(facts.claimed_by(told)), torch.from_numpy(facts.codes_of(scenes)))
    assert found.tolist() == [[is_true_of(one, scene) for one in told] for scene in scenes]


def test_what_is_true_of_two_scenes_is_a_negative_of_neither():
    pictures_, right, wrong = torch.eye(3), torch.eye(3)[[0, 1, 0]], torch.eye(3)
    wrong = -torch.eye(3)
    none = torch.zeros(3, 6, dtype=torch.bool)
    shared = none.clone()
    shared[0, 2] = shared[2, 0] = True
    scale = torch.tensor(10.0)
    assert text_tower.contrast(pictures_, right, wrong, scale, shared) < text_tower.contrast(
        pictures_, right, wrong, scale, none
    )


def test_the_seeds_of_training_thresholds_and_figures_are_apart(tmp_path):
    tested, held = (make(tmp_path, print) for make in (measuring.test_scenes, measuring.held_out))
    assert (tested.first, held.first) == (TEST, HELD_OUT)
    assert max(rung.text.n_scenes for rung in RUNGS) <= HELD_OUT
    assert held.first + held.n <= TEST


@pytest.mark.nightly
def test_a_drawing_that_was_cut_off_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "BLOCK", 2)
    first = pictures.drawn(tmp_path, TRAIN, 4, lambda line: None, width=48)
    first[1].rename(first[1].with_suffix(".part"))  # as a killed process leaves it
    kept = first[0].stat().st_mtime_ns
    assert pictures.pictures(tmp_path, TRAIN, 4, (32, 48), lambda line: None).shape == (4, 32, 48, 3)
    again = pictures.drawn(tmp_path, TRAIN, 4, lambda line: None, width=48)
    assert all(file.is_file() for file in again)
    assert again[0].stat().st_mtime_ns == kept
