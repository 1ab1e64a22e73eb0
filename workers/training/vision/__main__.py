"""`make models`, the vision encoder's part: teach it (--anew: though it is there), measure it, write its card."""

from __future__ import annotations

import argparse
from pathlib import Path

from workers.engines.carried import MODELS, VISION
from workers.engines.torchvision_shim import patch_torchvision
from workers.training.ladder.__main__ import CACHE, say


def main() -> None:
    """Parse the command line and make the encoder."""
    parser = argparse.ArgumentParser(prog="python -m workers.training.vision", description=__doc__)
    parser.add_argument("--anew", action="store_true", help="teach it though it is there already")
    parser.add_argument("--figures", action="store_true", help="measure and write the card, teach nothing")
    parser.add_argument("--models", type=Path, default=MODELS, help="the folder of the models' folders")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where drawings are kept")
    given = parser.parse_args()
    patch_torchvision()
    from workers.training.vision import encoder

    folder = given.models / VISION
    if not given.figures:
        encoder.make(encoder.RECIPE, folder, given.cache, say, anew=given.anew)
    if given.anew or given.figures or not encoder.is_measured(folder):
        encoder.measure(folder, given.cache, say)


if __name__ == "__main__":
    main()
