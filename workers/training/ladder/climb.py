"""From recipes to folders: teach, save, measure, and go on where an earlier run was stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from workers.engines.calibrations import FILE, write_record
from workers.engines.clip_encoder import load_towers
from workers.training.calibrate import calibrate, record_of
from workers.training.ladder import cards, measuring, saving
from workers.training.ladder.growing import grow
from workers.training.ladder.image_tower import teach
from workers.training.ladder.lessons import Say, Taught, forget, lessons_of, vision_tower
from workers.training.ladder.pictures import drawn
from workers.training.ladder.recipes import N_CAPTIONS, N_SCENES, RUNGS, Rung
from workers.training.postcards.world import TEST, TRAIN

N_NEIGHBOURS = 10_000  # scenes of TEST among which postcards-vision looks for neighbours
RECIPE, FIGURES = "recipe.json", "figures.json"
BEGAN = "as that of {}, with more layers on top"
PAIRS = "{n} pairs of an unseen scene and its literal caption, seeds from {first}"


def chosen(names: Sequence[str] | None) -> list[Rung]:
    """The rungs of these names, or all. Raises ValueError for a name that is none."""
    unknown = set(names or ()) - {rung.name for rung in RUNGS}
    if unknown:
        raise ValueError(f"No rung is called {', '.join(sorted(unknown))}: take {', '.join(r.name for r in RUNGS)}.")
    return [rung for rung in RUNGS if not names or rung.name in names]


def draw_all(cache: Path, say: Say) -> None:
    """Draw what the ladder and postcards-vision learn from and are measured on, on two cores."""
    store = cache / "postcards"
    drawn(store, TRAIN, N_SCENES, say)
    drawn(store, TEST, N_NEIGHBOURS, say)
    for sample in (measuring.test_scenes(cache, say), measuring.held_out(cache, say)):
        drawn(store, sample.first, sample.n, say, width=measuring.WIDTH)


def teach_all(rungs: Sequence[Rung], models: Path, cache: Path, say: Say, *, anew: bool = False) -> None:
    """Teach and save each rung whose folder is not of its recipe; with `anew` each, and their text towers before."""
    if anew:
        forget(cache, {rung.text for rung in rungs})
    for rung in rungs:
        if not anew and is_taught(rung, models):
            say(f"{rung.name}: is there already")
            continue
        teach_rung(rung, models / rung.name, cache, say)


def is_taught(rung: Rung, models: Path) -> bool:
    """Whether the folder holds what this recipe made."""
    file = models / rung.name / RECIPE
    return file.is_file() and json.loads(file.read_text(encoding="utf-8"))["digest"] == rung.digest()


def teach_rung(
    rung: Rung, folder: Path, cache: Path, say: Say, *, n_scenes: int = N_SCENES, n_captions: int = N_CAPTIONS
) -> None:
    """Teach one rung and save it to `folder`; its recipe is written last, when all the rest is there."""
    start = time.monotonic()
    torch.set_num_threads(1)  # `make models` teaches the vision encoder on the other core
    taught = Taught(rung.text, cache, say)
    lessons = lessons_of(taught, n_scenes, n_captions, rung.size, cache, say)
    config = rung.config(taught.vocabulary)
    torch.manual_seed(rung.image.seed)
    tower = vision_tower(saving.new_clip(config))
    if rung.grown_from:
        grow(tower, folder.parent / rung.grown_from)
    tower, scale = teach(tower, rung.image, lessons, rung.name, say)
    clip = saving.joined(config, tower, taught.tower, scale)
    (folder / RECIPE).unlink(missing_ok=True)
    saving.save(clip, config, taught.folder, folder)
    _write(folder / RECIPE, {"digest": rung.digest()} | _about(rung, clip, folder) | {"minutes": minutes_since(start)})


def minutes_since(start: float) -> float:
    """Minutes on the clock since `start` of time.monotonic(): part of recipe.json, no part of its digest."""
    return round((time.monotonic() - start) / 60, 1)


def _about(rung: Rung, clip: torch.nn.Module, folder: Path) -> dict[str, Any]:
    n_image = sum(one.numel() for one in clip.get_submodule("visual").parameters())
    n_all = sum(one.numel() for one in clip.parameters())
    return {
        "name": rung.name,
        "what": rung.what,
        "began": BEGAN.format(rung.grown_from) if rung.grown_from else "at random",
        "n_scenes": f"{N_SCENES:,}",
        "train_first": TRAIN,
        "seed": rung.image.seed,
        "seen": f"{rung.image.seen:,}",
        "parameters": f"{n_all / 1e6:.2f} million",
        "image_parameters": f"{n_image / 1e6:.2f} million",
        "megabytes": f"{(folder / saving.WEIGHTS).stat().st_size / 1e6:.1f}",
        "width": rung.size[1],
        "height": rung.size[0],
        "dimensions": rung.text.dimensions,
    }


def measure_all(rungs: Sequence[Rung], models: Path, cache: Path, say: Say, *, anew: bool = False) -> None:
    """Measure each rung that was not measured since it was taught, or each with `anew`."""
    for rung in rungs:
        folder = models / rung.name
        if anew or not is_measured(folder):
            measure(folder, cache, say)


def is_measured(folder: Path) -> bool:
    """Whether the figures are of the recipe and of the very weights that are there."""
    recipe, figures = (folder / name for name in (RECIPE, FIGURES))
    if not figures.is_file():
        return False
    measured, taught = (json.loads(file.read_text(encoding="utf-8")) for file in (figures, recipe))
    return bool(measured["model"] == taught and measured.get("weights") == saving.digest_of(folder / saving.WEIGHTS))


def measure(folder: Path, cache: Path, say: Say) -> dict[str, Any]:
    """Write figures.json, calibration.json and the card of a saved rung, measured by the engine that will run it."""
    name = f"local-dir:{folder.resolve()}"
    images, texts = load_towers(name)
    torch.set_num_threads(1)  # after the engines have set theirs: another process has the other core
    tested, held = measuring.test_scenes(cache, say), measuring.held_out(cache, say)
    told = measuring.told_plainly(held.scenes)
    calibration = calibrate(held.vectors(images), told, texts.encode(told))
    images.name = folder.name
    pairs = PAIRS.format(n=held.n, first=held.first)
    write_record(folder / FILE, record_of(images, calibration, pairs=pairs))
    found = {
        "model": json.loads((folder / RECIPE).read_text(encoding="utf-8")),
        "weights": saving.digest_of(folder / saving.WEIGHTS),
        "first_seed": TEST,
        **measuring.figures(tested, tested.vectors(images), texts),
        "calibration": calibration.to_json(),
    }
    _write(folder / FIGURES, found)
    cards.write(folder, found)
    say(f"{folder.name}: hit@1 {found['hit_at_1']:.3f}, wrong below right {found['wrong_below_right']['any']:.3f}")
    return found


def _write(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
