"""postcards-vision as a folder that timm's part of the engines reads: taught, saved, measured, with its card."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from workers.engines.image_encoder import load_image_encoder
from workers.engines.protocols import Vectors
from workers.training.ladder import examples
from workers.training.ladder.cards import SERVES, took
from workers.training.ladder.climb import N_NEIGHBOURS, minutes_since
from workers.training.ladder.image_tower import MEAN, STD
from workers.training.ladder.lessons import Say
from workers.training.ladder.pictures import drawn, pictures, whole
from workers.training.ladder.saving import digest_of, halved
from workers.training.postcards.world import TEST, TRAIN
from workers.training.vision import simclr
from workers.training.vision.neighbours import N_NEAREST, shares
from workers.training.vision.simclr import ARCHITECTURE, MODEL_ARGS, SIZE, VisionRecipe

MADE, FIGURES, WEIGHTS = "recipe.json", "figures.json", "model.safetensors"
RECIPE = VisionRecipe()
CARD = Template("""# $name

A small convolutional network ($architecture of timm, a quarter as wide) that turns a postcard into a vector, taught
without a word by SimCLR. $serves

* **Data**: $n_scenes scenes of Postcards (`workers/training/postcards`, seeds from $train_first); no photograph, no
  caption, no weights of others. It knows nothing but these drawings: on photographs it is worthless.
* **Training**: `make models`, or `python -m workers.training.vision --anew`; seed $seed, two CPU cores. Two views of
  each picture - a part of it, mirrored, a little lighter or darker, partly covered - belong together ($seen pictures).
$took\
* **Size**: $parameters million parameters, $megabytes MB in half precision; pictures squashed to $width x $height;
  vectors of $dimensions.
* **Licence**: as Connote.

## Figures

Among the $n_nearest nearest neighbours (cosine) of each of $n_tested unseen scenes (seeds from $test_first), measured
with the weights of this folder (`figures.json`): $both share land and time of day, $land the land, $time the time of
day. Drawn by lot, one in 32 would share both.
""")


def make(recipe: VisionRecipe, folder: Path, cache: Path, say: Say, *, anew: bool = False) -> None:
    """Teach and save the encoder, unless `folder` is of this recipe already."""
    if not anew and is_made(recipe, folder):
        say(f"{folder.name}: is there already")
        return
    start = time.monotonic()
    torch.set_num_threads(1)
    pixels = torch.from_numpy(pictures(cache / "postcards", TRAIN, recipe.n_scenes, SIZE, say))
    backbone = simclr.teach(recipe, pixels, say)
    (folder / MADE).unlink(missing_ok=True)
    save(backbone, folder)
    _write(folder / MADE, {"digest": digest(recipe)} | asdict(recipe) | {"minutes": minutes_since(start)})


def digest(recipe: VisionRecipe) -> str:
    """What changes when anything in the recipe does."""
    text = json.dumps([asdict(recipe), ARCHITECTURE, MODEL_ARGS, SIZE], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_made(recipe: VisionRecipe, folder: Path) -> bool:
    """Whether `folder` holds what this recipe made."""
    file = folder / MADE
    return file.is_file() and json.loads(file.read_text(encoding="utf-8"))["digest"] == digest(recipe)


def save(backbone: nn.Module, folder: Path) -> None:
    """Write weights in half precision, and the config.json from which timm builds the same backbone."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = {
        "input_size": [3, *SIZE], "interpolation": "bicubic", "crop_pct": 1.0, "crop_mode": "squash",
        "mean": [MEAN] * 3, "std": [STD] * 3, "num_classes": 0,
    }  # fmt: skip
    config = {"architecture": ARCHITECTURE, "model_args": MODEL_ARGS, "pretrained_cfg": shown}
    _write(folder / "config.json", config)
    save_file(halved(backbone.state_dict()), str(folder / WEIGHTS), metadata={"format": "pt"})


def is_measured(folder: Path) -> bool:
    """Whether the figures are of the recipe and of the very weights that are there."""
    file = folder / FIGURES
    if not file.is_file():
        return False
    measured = json.loads(file.read_text(encoding="utf-8"))
    return bool(measured["model"] == _made(folder) and measured.get("weights") == digest_of(folder / WEIGHTS))


def encoded(folder: Path, first: int, n: int, cache: Path, say: Say) -> Vectors:
    """Unit vectors (n, d) of the scenes of `n` seeds from `first`, by the engine that will run the encoder."""
    files = drawn(cache / "postcards", first, n, say)
    images = ((str(i), picture) for i, picture in enumerate(whole(files, n)))
    return np.concatenate([block.vectors for block in load_image_encoder(str(folder.resolve())).encode(images)])


def measure(folder: Path, cache: Path, say: Say, *, n: int = N_NEIGHBOURS) -> dict[str, Any]:
    """Write figures.json and the card of a saved encoder."""
    vectors = encoded(folder, TEST, n, cache, say)
    found = shares(vectors, examples.scenes(TEST, n))
    figures: dict[str, Any] = {"model": _made(folder), "weights": digest_of(folder / WEIGHTS)}
    figures |= {"first_seed": TEST, "n_scenes": n, "n_nearest": N_NEAREST, "shares": found}
    _write(folder / FIGURES, figures)
    _write_card(folder, figures, vectors.shape[1])
    say(f"{folder.name}: {found['land_and_time']:.3f} of {N_NEAREST} neighbours share land and time of day")
    return figures


def _write_card(folder: Path, figures: dict[str, Any], dimensions: int) -> None:
    made, found = figures["model"], figures["shares"]
    n_parameters = sum(one.numel() for one in simclr.new_backbone().parameters())
    card = CARD.substitute(
        made | {"n_scenes": f"{made['n_scenes']:,}", "seen": f"{made['seen']:,}"},
        name=folder.name,
        architecture=ARCHITECTURE,
        serves=SERVES,
        took=took(made),
        train_first=TRAIN,
        parameters=f"{n_parameters / 1e6:.2f}",
        megabytes=f"{(folder / WEIGHTS).stat().st_size / 1e6:.1f}",
        width=SIZE[1],
        height=SIZE[0],
        dimensions=dimensions,
        n_nearest=N_NEAREST,
        n_tested=f"{figures['n_scenes']:,}",
        test_first=TEST,
        both=f"{found['land_and_time']:.3f}",
        land=f"{found['land']:.3f}",
        time=f"{found['time']:.3f}",
    )
    (folder / "README.md").write_text(card, encoding="utf-8")


def _made(folder: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((folder / MADE).read_text(encoding="utf-8"))
    return made


def _write(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
