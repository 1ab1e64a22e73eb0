"""Calibration records: from which score on a model says yes, kept as JSON beside its weights.

A record holds for the weights and the preprocessing it was made with, and for no others: a threshold read with another
crop or another checkpoint is a wrong number that looks right.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.methods.calibration import Calibration, NotCalibratedError
from workers.engines.carried import LADDER, MODELS
from workers.engines.protocols import EngineError, SeeingModel
from workers.engines.weights import short_name
from workers.engines.whole_files import locked, write_text

FORMAT = "connote-calibration/1"
FILE = "calibration.json"
ABSENT = "The model {name!r} has no calibration record ({places}). Make one: manage.py calibrate {name} --pairs TABLE."
BROKEN = (
    "Connote cannot read the calibration record {file} ({reason}). Make it again: manage.py "
    "calibrate {name} --pairs TABLE."
)
OTHER = (
    "The calibration record of {name!r} is for other {what} ({recorded}) than the model has now "
    "({now}). Make it again: manage.py calibrate {name} --pairs TABLE."
)


class NotCalibratedModelError(EngineError):
    """The model has no threshold that holds for it."""

    code = "not_calibrated"


@dataclass(frozen=True)
class Record:
    """A model's calibration and what it holds for; `pairs` says in words what it was made from."""

    model: str
    digest: str
    preprocessing: str
    pairs: str
    calibration: Calibration

    def check(self, model: SeeingModel, *, name: str) -> None:
        """Raises NotCalibratedModelError unless this record was made with these weights and this preprocessing."""
        for what, recorded, now in (
            ("weights", self.digest, model.digest),
            ("preprocessing", self.preprocessing, model.preprocessing),
        ):
            if recorded != now:
                seen = {"recorded": _short(recorded), "now": _short(now)}
                raise NotCalibratedModelError(OTHER.format(name=name, what=what, **seen))


def write_record(file: Path, record: Record) -> None:
    """Write the record as JSON, keys in order, whole or not at all."""
    head = {"format": FORMAT, **{key: value for key, value in vars(record).items() if key != "calibration"}}
    text = json.dumps(head | record.calibration.to_json(), indent=2, sort_keys=True, ensure_ascii=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    with locked(file.with_suffix("")):
        write_text(file, text + "\n")


def own_place(name: str, folder: Path) -> Path:
    """Where in `folder` the record of a model lies that somebody calibrated here.

    Of a path only the last part is shown, with a hash of the whole: two models at two places may be called alike.

    >>> own_place("ViT-B-32/laion2b_s34b_b79k", Path("here")).name, own_place("local-dir:/srv/mine", Path("here")).name
    ('ViT-B-32--laion2b_s34b_b79k.json', 'mine--b416262e.json')
    """
    bare = name.removeprefix("local-dir:").removeprefix("hf-hub:")
    if _is_path(bare) or name.startswith("local-dir:"):
        whole = str(Path(bare).expanduser().absolute())
        return folder / f"{short_name(bare)}--{hashlib.sha256(whole.encode()).hexdigest()[:8]}.json"
    return folder / f"{bare.replace('/', '--')}.json"


def _is_path(bare: str) -> bool:
    """Names have two parts at most: an owner's or an architecture's, and the model's."""
    first, *others = bare.split("/")
    return first in ("", ".", "..", "~") or len(others) > 1


def places_of(name: str, folder: Path) -> tuple[Path, ...]:
    """Where a model's record may lie: one made here goes before the one that came beside the weights."""
    own = Path(name.removeprefix("local-dir:")).expanduser()
    beside = MODELS / name if name in LADDER else own if own.is_dir() else None
    return (own_place(name, folder), *([beside / FILE] if beside else []))


def find_record(name: str, folder: Path) -> Record:
    """The record of the model called `name`; `folder` holds those that were made here.

    Raises NotCalibratedModelError where there is none, or none that can be read.
    """
    places = places_of(name, folder)
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise NotCalibratedModelError(ABSENT.format(name=name, places="no " + ", no ".join(_shown(places))))
    try:
        return read_record(file)
    except (NotCalibratedError, OSError, ValueError) as error:
        raise NotCalibratedModelError(BROKEN.format(file=file.name, reason=error, name=name)) from error


def read_record(file: Path) -> Record:
    """Raises OSError, ValueError or NotCalibratedError where it is no record."""
    values: Any = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    head = {name: values.get(name) for name in ("model", "digest", "preprocessing", "pairs")}
    if not all(isinstance(value, str) for value in head.values()):
        raise ValueError(f"it lacks one of {', '.join(head)}")
    return Record(calibration=Calibration.from_json(values), **{name: str(value) for name, value in head.items()})


def _shown(places: Sequence[Path]) -> list[str]:
    """The places without the folders of this machine above them."""
    return [f"{place.parent.name}/{place.name}" for place in places]


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:12]}..."
