"""The models that come with Connote: where they lie, what they are called, how large they are.

Each is a folder with its weights, its configuration and a model card (README.md). They serve demos and tests.
"""

from __future__ import annotations

from pathlib import Path

from workers.engines.protocols import ModelNotFoundError

MODELS = Path(__file__).resolve().parents[1] / "models"
LADDER: tuple[str, ...] = (  # tiny CLIPs from the weakest to the tie-breaker
    "postcards-1-rn",
    "postcards-2-rn",
    "postcards-3-vit",
    "postcards-4-vit",
    "postcards-5-vit",
    "postcards-6-vit",
    "postcards-7-tie",
)
VISION = "postcards-vision"
ENGLISH = "connote-en"
MOST_BYTES = 40_000_000  # all of them together
MISSING = (
    "The model {name!r} comes with Connote, but its folder in workers/models is missing. Copy it "
    "from the repository, or run: make models."
)


def folder_of(name: str) -> Path | None:
    """The folder of the carried model called `name`, None where that is no carried name. Raises ModelNotFoundError."""
    if name not in (*LADDER, VISION, ENGLISH):
        return None
    folder = MODELS / name
    if not folder.is_dir():
        raise ModelNotFoundError(MISSING.format(name=name))
    return folder


def size_of(name: str) -> int:
    """Bytes that the carried model called `name` takes on disk; 0 where it is not there."""
    return sum(path.stat().st_size for path in (MODELS / name).rglob("*") if path.is_file())
