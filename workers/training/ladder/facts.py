"""The facts of scenes and the claims of captions as numbers, so that truth is one matrix product."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from workers.training.postcards.kinds import Caption
from workers.training.postcards.world import COATS, COLOURS, MOST_ANIMALS, PEOPLE, PLACES, Land, Scene, Time, Weather

ABSENT = "absent"
Codes = NDArray[np.int64]


@cache
def values() -> dict[str, tuple[str, ...]]:
    """Every value that each facet can have; the first is "absent" where the facet can be missing."""
    coats = dict.fromkeys(colour for colours in COATS.values() for colour in colours)
    return {
        "land": tuple(str(land) for land in Land),
        "time": tuple(str(time) for time in Time),
        "weather": tuple(str(weather) for weather in Weather),
        "water": (ABSENT, "sea", "lake", "river"),
        "plants": (ABSENT, *_held("plants")),
        "sky": (ABSENT, "birds", "rainbow", "full moon", "crescent moon", "northern lights"),
        "building": (ABSENT, *_held("buildings")),
        "building_colour": (ABSENT, *COLOURS),
        "person": (ABSENT, *PEOPLE),
        "person_colour": (ABSENT, *COLOURS),
        "vehicle": (ABSENT, *_held("vehicles")),
        "vehicle_colour": (ABSENT, *COLOURS),
        "animals": (ABSENT, *COATS),
        "animals_colour": (ABSENT, *coats),
        "n_animals": (ABSENT, *(str(n + 1) for n in range(MOST_ANIMALS))),
    }


def _held(what: str) -> tuple[str, ...]:
    """Whatever any land can hold of this, each once."""
    held = (name for place in PLACES.values() for name in getattr(place, what))
    return tuple(dict.fromkeys(name for name in held if name is not None))


@cache
def starts() -> dict[str, int]:
    """Where each facet's values begin in the row of all values."""
    sizes = [len(found) for found in values().values()]
    return dict(zip(values(), np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))


def n_values() -> int:
    """How many (facet, value) pairs there are."""
    return sum(len(found) for found in values().values())


def codes_of(scenes: Iterable[Scene]) -> Codes:
    """(n, facets): the number of each scene's value in the row of all values."""
    return np.asarray([[_code(facet, scene.facts().get(facet, ABSENT)) for facet in values()] for scene in scenes])


def claimed_by(captions: Sequence[Caption]) -> NDArray[np.bool_]:
    """(n, values): what each caption claims."""
    claimed = np.zeros((len(captions), n_values()), dtype=bool)
    for row, caption in enumerate(captions):
        for facet, value in caption.claims:
            claimed[row, _code(facet, value)] = True
    return claimed


def _code(facet: str, value: str) -> int:
    return starts()[facet] + values()[facet].index(value)
