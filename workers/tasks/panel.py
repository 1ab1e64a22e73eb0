"""A panel of models by name: each has one vote, and a threshold that holds for its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from backend.common.errors import InvalidInput
from backend.curation import calibrating
from backend.curation.models import CalibrationRecord, StaleReason
from backend.methods.calibration import Calibration
from backend.methods.calibration_records import last_part
from backend.projects.models import Project
from workers.engines.calibrations import NotCalibratedModelError, Record, find_record
from workers.engines.protocols import Model, SeeingModel

NO_PANEL = "There is no model. Name a panel, or set CONNOTE_DIFFICULTY_PANEL."
TWICE = "The panel names {name} more than once. Name each model once."
TWINS = "Models {earlier} and {place} of the panel have the same weights, those of {name}. Name one of the two."

STALE = "The newest calibration of {model} (version {version}) is stale: {reasons}."
USES_OLDER = "Connote uses version {version}."
USES_FILE = "Connote uses the calibration that came with the model."
USES_STALE = "There is no other calibration, so Connote uses this one."


@dataclass(frozen=True)
class Standing:
    """The calibration that a model votes by; `warning` says where a newer one is stale."""

    record: Record
    warning: str = ""


def read_names(names: str) -> list[str]:
    """The models that `names` lists by comma. Raises InvalidInput where there is none, or one twice."""
    panel = listed(names)
    if not panel:
        raise InvalidInput(NO_PANEL)
    for name in panel:
        if panel.count(name) > 1:
            raise InvalidInput(TWICE.format(name=name))
    return panel


def listed(names: str) -> list[str]:
    """The names between commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def find_records(panel: Sequence[str], project: Project) -> list[Record]:
    """The calibration of each model, in their order.

    Raises NotCalibratedModelError where one has none, and InvalidInput where two have the same weights: one vote for
    each model, whatever it is called; a model has the digest of its record, or is refused once it is loaded.
    """
    records = [find_standing(name, project).record for name in panel]
    places: dict[str, int] = {}
    for place, record in enumerate(records, start=1):
        earlier = places.setdefault(record.digest, place)
        if earlier != place:
            raise InvalidInput(TWINS.format(name=record.model, earlier=earlier, place=place))
    return records


def find_standing(name: str, project: Project, *, model: SeeingModel | None = None) -> Standing:
    """The newest calibration of a model that is not stale, else the one beside its weights.

    With `model`, which is the model itself, what it has other than a record says is noted there. A record whose pairs
    alone changed is used where there is no other: it holds for the weights. Raises NotCalibratedModelError.
    """
    holds, stale = _look_at_records(name, project, model)
    warning = STALE.format(model=last_part(name), version=stale[0].version, reasons=stale[0].told) if stale else ""
    if holds is not None:
        return Standing(_record_of(holds), f"{warning} {USES_OLDER.format(version=holds.version)}" if warning else "")
    try:
        record = find_record(name, settings.CALIBRATIONS)
    except NotCalibratedModelError as error:
        for one in stale:
            if one.reasons == [StaleReason.PAIRS]:
                return Standing(_record_of(one.row), f"{warning} {USES_STALE}")
        raise NotCalibratedModelError(f"{warning} {error}".strip()) from error
    if model is not None:
        record.check(model, name=name)
    return Standing(record, f"{warning} {USES_FILE}" if warning else "")


@dataclass(frozen=True)
class Stale:
    """A record that no longer holds, and why."""

    row: CalibrationRecord
    reasons: list[str]

    @property
    def version(self) -> int:
        return self.row.version

    @property
    def told(self) -> str:
        return ", ".join(StaleReason(reason).label for reason in self.reasons)


def _look_at_records(
    name: str, project: Project, model: SeeingModel | None
) -> tuple[CalibrationRecord | None, list[Stale]]:
    """The newest record that holds, and the stale ones that are newer."""
    staleness, stale = calibrating.Staleness(project), list[Stale]()
    for row in calibrating.records_of(project=project, asked=name):
        calibrating.note_pairs(row)
        if model is not None:
            calibrating.note_model(row, digest=model.digest, preprocessing=model.preprocessing)
        reasons = staleness.reasons(row)
        if not reasons:
            return row, stale
        stale.append(Stale(row, reasons))
    return None, stale


def _record_of(row: CalibrationRecord) -> Record:
    return Record(row.model, row.digest, row.preprocessing, row.pairs, Calibration.from_json(row.calibration))


def called(model: Model, used: Mapping[str, str]) -> str:
    """The model's name, with its digest where another one of that name has been used: names are last parts of paths."""
    return told_apart(model.name, model.digest, used)


def told_apart(name: str, digest: str, used: Mapping[str, str]) -> str:
    """`called` for a model that is not loaded."""
    return f"{name} ({digest[:12]})" if used.get(name, digest) != digest else name
