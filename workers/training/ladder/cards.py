"""Model cards, written from the figures, so that no card says a number that was not measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

SERVES = "It serves Connote's demo and tests and is not the papers' model."
CARD = Template("""# $name

$what $serves

* **Data**: $n_scenes scenes of Postcards (`workers/training/postcards`, seeds from $train_first), drawn with Pillow,
  with captions worded by its grammar, 95 of 100 plainly literal and none a figure of speech; no photograph, no text and
  no weights of others. A model that knows nothing but these drawings: on photographs it is worthless.
* **Training**: `make models`, or `python -m workers.training.ladder --only $name --anew`; seed $seed, two CPU cores.
  The text tower learned first, from captions and the scenes' true facts (`text_tower.py`), and all rungs share it.
  The image tower began $began. It learned $seen pictures (each scene several times, mirrored and shifted)
  against that locked tower, with captions that are wrong in one detail as negatives and the scene's facts as a
  second teacher (`image_tower.py`).
$took\
* **Size**: $parameters parameters ($image_parameters in the image tower), $megabytes MB in half precision; pictures
  squashed to $width x $height; vectors of $dimensions.
* **Licence**: as Connote.

## Figures

On $n_test unseen scenes (seeds from $test_first), with the weights of this folder (`figures.json` has them all):

| | |
|-|-|
| image-to-text hit@1 among $n_candidates captions | $hit |
| mean similarity: literal, partly literal, figurative | $literal, $partly, $figurative |
| a caption with one wrong detail scores below the right one | $wrong |
| by type | $by_type |
| threshold (F1 at batches of $batch, on held-out pairs) | $threshold (F1 $f1) |
""")


def took(made: Mapping[str, Any]) -> str:
    """How long the training took, as a line of a card's list; nothing where the recipe does not say."""
    return f"  It took {made['minutes']:.1f} minutes on one core.\n" if "minutes" in made else ""


def write(folder: Path, figures: dict[str, Any]) -> None:
    """README.md of `folder` from its figures and its calibration."""
    shown, wrong = figures["similarity"], figures["wrong_below_right"]
    about, calibration = figures["model"], figures["calibration"]
    types = {name: share for name, share in wrong.items() if name != "any" and not name.startswith("n_")}
    card = CARD.substitute(
        about,
        serves=SERVES,
        took=took(about),
        n_test=figures["n_scenes"],
        n_candidates=figures["n_candidates"],
        test_first=figures["first_seed"],
        hit=f"{figures['hit_at_1']:.3f}",
        literal=f"{shown['literal']:.3f}",
        partly=f"{shown['partly_literal']:.3f}",
        figurative=f"{shown['figurative']:.3f}",
        wrong=f"{wrong['any']:.3f}",
        by_type=", ".join(f"{name.replace('_', ' ')} {share:.3f}" for name, share in types.items()),
        batch=calibration["batch_size"],
        threshold=f"{calibration['threshold']:.4f}",
        f1=f"{calibration['f1']:.3f}",
    )
    (folder / "README.md").write_text(card, encoding="utf-8")
