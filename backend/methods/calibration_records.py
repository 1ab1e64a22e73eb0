"""What is kept of a calibration: the threshold of a model with the weights and the preprocessing that it holds for.

A record lies as JSON beside the weights, or under the model's name in the folder of the records that were made here.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.methods.calibration import Calibration

FORMAT = "connote-calibration/1"
FILE = "calibration.json"


@dataclass(frozen=True)
class KeptRecord:
    """A model's calibration and what it holds for; `pairs` says in words what it was made from."""

    model: str
    digest: str
    preprocessing: str
    pairs: str
    calibration: Calibration


def last_part(name: str) -> str:
    """What a model is called where people read it: no path of this machine.

    >>> last_part("local-dir:/srv/mine"), last_part("ViT-B-32/openai")
    ('mine', 'ViT-B-32/openai')
    """
    bare = name.removeprefix("local-dir:").removeprefix("hf-hub:")
    return Path(bare).name if is_path(bare) or name.startswith("local-dir:") else bare


def own_place(name: str, folder: Path) -> Path:
    """Where in `folder` the record of a model lies that somebody calibrated here.

    Of a path only the last part is shown, with a hash of the whole: two models at two places may be called alike.

    >>> own_place("ViT-B-32/laion2b_s34b_b79k", Path("here")).name, own_place("local-dir:/srv/mine", Path("here")).name
    ('ViT-B-32--laion2b_s34b_b79k.json', 'mine--b416262e.json')
    """
    return folder / f"{key_of(name)}.json"


def key_of(name: str) -> str:
    """The same for all names of one model; no path of this machine."""
    bare = name.removeprefix("local-dir:").removeprefix("hf-hub:")
    if is_path(bare) or name.startswith("local-dir:"):
        whole = str(Path(bare).expanduser().absolute())
        return f"{Path(bare).name}--{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
    return bare.replace("/", "--")


def is_path(bare: str) -> bool:
    """Names have two parts at most: an owner's or an architecture's, and the model's."""
    first, *others = bare.split("/")
    return first in ("", ".", "..", "~") or len(others) > 1


def places_of(name: str, folder: Path, carried: Path) -> tuple[Path, ...]:
    """Where a model's record may lie: one made here goes before the one that came beside the weights. `carried` is the
    folder of the models that come with Connote."""
    own = Path(name.removeprefix("local-dir:")).expanduser()
    beside = carried / name if "/" not in name and (carried / name).is_dir() else own if own.is_dir() else None
    return (own_place(name, folder), *([beside / FILE] if beside else []))


def read_kept(file: Path) -> KeptRecord:
    """Raises OSError, ValueError or NotCalibratedError where it is no record."""
    values: Any = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    head = {name: values.get(name) for name in ("model", "digest", "preprocessing", "pairs")}
    if not all(isinstance(value, str) for value in head.values()):
        raise ValueError(f"it lacks one of {', '.join(head)}")
    return KeptRecord(calibration=Calibration.from_json(values), **{name: str(value) for name, value in head.items()})
