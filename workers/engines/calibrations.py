"""Calibration records: from which score on a model says yes, kept as JSON beside its weights.

A record holds for the weights and the preprocessing it was made with, and for no others: a threshold read with another
crop or another checkpoint is a wrong number that looks right.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from backend.methods import calibration_records
from backend.methods.calibration import NotCalibratedError
from backend.methods.calibration_records import FILE, FORMAT, KeptRecord, own_place, read_kept
from workers.engines.carried import MODELS
from workers.engines.protocols import EngineError, SeeingModel
from workers.engines.whole_files import locked, write_text

__all__ = [
    "FILE",
    "NotCalibratedModelError",
    "Record",
    "find_record",
    "own_place",
    "places_of",
    "read_record",
    "write_record",
]

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


class Record(KeptRecord):
    """A record as the workers use it."""

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


def places_of(name: str, folder: Path) -> tuple[Path, ...]:
    """Where a model's record may lie: one made here goes before the one that came beside the weights."""
    return calibration_records.places_of(name, folder, MODELS)


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
    return Record(**vars(read_kept(file)))


def _shown(places: Sequence[Path]) -> list[str]:
    """The places without the folders of this machine above them."""
    return [f"{place.parent.name}/{place.name}" for place in places]


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:12]}..."
