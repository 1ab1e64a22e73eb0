"""`make models`, the ladder's part: teach the rungs (all with --anew), measure them, write their cards."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from workers.engines.carried import MODELS
from workers.engines.torchvision_shim import patch_torchvision

CACHE = Path("var/models")


def say(line: str) -> None:
    """A line of progress, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Parse the command line and climb the ladder."""
    parser = argparse.ArgumentParser(prog="python -m workers.training.ladder", description=__doc__)
    parser.add_argument("--only", nargs="*", help="names of rungs; all where none is given")
    parser.add_argument(
        "--anew", action="store_true", help="teach rungs that are there already, too, and the text tower before them"
    )
    parser.add_argument("--figures", action="store_true", help="measure and write cards, teach nothing")
    parser.add_argument("--draw", action="store_true", help="draw all the postcards that are needed, and end")
    parser.add_argument("--models", type=Path, default=MODELS, help="the folder of the models' folders")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where drawings and text towers are kept")
    given = parser.parse_args()
    patch_torchvision()
    from workers.training.ladder import climb

    if given.draw:
        climb.draw_all(given.cache, say)
        return
    rungs = climb.chosen(given.only)
    if not given.figures:
        climb.teach_all(rungs, given.models, given.cache, say, anew=given.anew)
    climb.measure_all(rungs, given.models, given.cache, say, anew=given.anew or given.figures)


if __name__ == "__main__":
    main()
