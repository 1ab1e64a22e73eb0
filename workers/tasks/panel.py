"""A panel of models by name: each has one vote, and a threshold that holds for its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.conf import settings

from backend.common.errors import InvalidInput
from workers.engines.calibrations import Record, find_record
from workers.engines.protocols import Model

NO_PANEL = "There is no model. Name a panel, or set CONNOTE_DIFFICULTY_PANEL."
TWICE = "The panel names {name} more than once. Name each model once."
TWINS = "Models {earlier} and {place} of the panel have the same weights, those of {name}. Name one of the two."


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


def find_records(panel: Sequence[str]) -> list[Record]:
    """The calibration of each model, in their order.

    Raises NotCalibratedModelError where one has none, and InvalidInput where two have the same weights: one vote for
    each model, whatever it is called; a model has the digest of its record, or is refused once it is loaded.
    """
    records = [find_record(name, settings.CALIBRATIONS) for name in panel]
    places: dict[str, int] = {}
    for place, record in enumerate(records, start=1):
        earlier = places.setdefault(record.digest, place)
        if earlier != place:
            raise InvalidInput(TWINS.format(name=record.model, earlier=earlier, place=place))
    return records


def called(model: Model, used: Mapping[str, str]) -> str:
    """The model's name, with its digest where another one of that name has been used: names are last parts of paths."""
    return told_apart(model.name, model.digest, used)


def told_apart(name: str, digest: str, used: Mapping[str, str]) -> str:
    """`called` for a model that is not loaded."""
    return f"{name} ({digest[:12]})" if used.get(name, digest) != digest else name
