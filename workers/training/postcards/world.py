"""The world of Postcards: what a scene can hold, and the one scene that belongs to each seed.

A scene is a plain value. `drawing` paints it, `captions` says things about it, and what is true of it is known from
its `facts`: nobody has to be asked.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from enum import StrEnum

# Seeds of different uses never meet: a figure is measured on scenes that no training and no threshold has seen.
TRAIN, HELD_OUT, TEST, DEMO = 0, 10_000_000, 20_000_000, 30_000_000
MOST_ANIMALS = 5


class Land(StrEnum):
    BEACH = "beach"
    MOUNTAINS = "mountains"
    DESERT = "desert"
    FOREST = "forest"
    MEADOW = "meadow"
    CITY = "city"
    HARBOUR = "harbour"
    SNOWFIELD = "snowfield"


class Time(StrEnum):
    DAWN = "dawn"
    DAY = "day"
    DUSK = "dusk"
    NIGHT = "night"


class Weather(StrEnum):
    CLEAR = "clear"
    CLOUDY = "cloudy"
    RAIN = "rain"
    SNOW = "snow"
    FOG = "fog"


@dataclass(frozen=True)
class Animals:
    """`n` animals of one kind and colour, 1 to MOST_ANIMALS."""

    kind: str
    colour: str
    n: int


@dataclass(frozen=True)
class Thing:
    """One coloured thing: a building (its roof or walls), a vehicle, or a person (the coat)."""

    kind: str
    colour: str


@dataclass(frozen=True)
class Composition:
    """How the same facts are laid out. Nothing here is ever put into words."""

    mirrored: bool
    horizon: float  # share of the height that is sky, .40 to .60
    subject: float  # where the main subject stands, 0 left to 1 right, .25 to .75
    scale: float  # of the figures, .85 to 1.2


@dataclass(frozen=True)
class Scene:
    """Everything that is to be seen on one postcard. `seed` also draws what words do not reach: each hill and leaf."""

    seed: int
    land: Land
    time: Time
    weather: Weather
    water: str | None
    plants: str | None
    sky: str | None
    building: Thing | None
    animals: Animals | None
    person: Thing | None
    vehicle: Thing | None
    composition: Composition

    def facts(self) -> dict[str, str]:
        """What is true, by facet; a facet that is not in the picture is missing."""
        found: dict[str, str | None] = {
            "land": self.land,
            "time": self.time,
            "weather": self.weather,
            "water": self.water,
            "plants": self.plants,
            "sky": self.sky,
        }
        for facet in ("building", "person", "vehicle"):
            thing: Thing | None = getattr(self, facet)
            if thing:
                found |= {facet: thing.kind, f"{facet}_colour": thing.colour}
        if self.animals:
            found |= {"animals": self.animals.kind, "animals_colour": self.animals.colour}
            found["n_animals"] = str(self.animals.n)
        return {facet: str(value) for facet, value in found.items() if value is not None}


COLOURS = ("red", "yellow", "blue", "green", "white", "black", "orange", "purple")
COATS: dict[str, tuple[str, ...]] = {
    "horse": ("brown", "white", "black"),
    "cow": ("brown", "white", "black"),
    "sheep": ("white", "black"),
    "dog": ("brown", "white", "black"),
    "cat": ("orange", "white", "black"),
    "duck": ("white", "brown", "yellow"),
    "swan": ("white", "black"),
    "camel": ("brown", "white"),
    "fox": ("orange", "white"),
    "deer": ("brown", "white"),
    "penguin": ("black", "blue"),
    "rabbit": ("white", "brown", "black"),
    "bear": ("brown", "white", "black"),
    "crab": ("red", "orange", "blue"),
}
PEOPLE = ("man", "woman", "child", "couple", "fisherman", "painter", "hiker")


@dataclass(frozen=True)
class Place:
    """What a land can hold. The order of a tuple is no rank; a name given twice is twice as likely."""

    water: tuple[str | None, ...]
    plants: tuple[str | None, ...]
    buildings: tuple[str, ...]
    animals: tuple[str, ...]
    vehicles: tuple[str, ...]
    people: tuple[str, ...]
    weather: tuple[Weather, ...]


_DRY = (Weather.CLEAR, Weather.CLEAR, Weather.CLOUDY, Weather.FOG)
_MILD = (Weather.CLEAR, Weather.CLEAR, Weather.CLOUDY, Weather.RAIN, Weather.FOG)
_ANY = (*_MILD, Weather.SNOW)

PLACES: dict[Land, Place] = {
    Land.BEACH: Place(
        ("sea",), ("palms", "palms", None), ("lighthouse", "beach hut", "castle"), ("crab", "dog", "duck", "horse"),
        ("sailing boat", "rowing boat", "hot-air balloon"), ("man", "woman", "child", "couple", "fisherman", "painter"),
        _MILD,
    ),
    Land.MOUNTAINS: Place(
        ("lake", "river", None), ("pines", "pines", "flowers"), ("cottage", "church", "castle", "tent"),
        ("deer", "bear", "sheep", "horse", "fox"), ("hot-air balloon", "train", "car"),
        ("man", "woman", "couple", "painter", "hiker", "hiker"), _ANY,
    ),
    Land.DESERT: Place(
        (None, None, "lake"), ("cacti", "cacti", "palms"), ("tent", "castle", "tower"),
        ("camel", "camel", "fox", "horse"),
        ("car", "hot-air balloon", "train"), ("man", "woman", "couple", "painter", "hiker"), _DRY,
    ),
    Land.FOREST: Place(
        ("river", "lake", None), ("pines", "birches", "oaks"), ("cottage", "tent", "tower"),
        ("deer", "bear", "fox", "rabbit"), ("bicycle", "car", "hot-air balloon"),
        ("man", "woman", "child", "hiker", "painter", "couple"), _ANY,
    ),
    Land.MEADOW: Place(
        ("river", None, None), ("oaks", "flowers", "flowers"), ("windmill", "barn", "church", "cottage"),
        ("cow", "horse", "sheep", "rabbit", "dog"), ("tractor", "bicycle", "train", "hot-air balloon"),
        ("man", "woman", "child", "couple", "painter", "hiker"), _MILD,
    ),
    Land.CITY: Place(
        ("river", None), ("oaks", None), ("tower", "church", "bridge"), ("cat", "dog", "duck"),
        ("car", "bus", "bus", "bicycle", "train"), ("man", "woman", "child", "couple", "painter"), _ANY,
    ),
    Land.HARBOUR: Place(
        ("sea",), (None,), ("lighthouse", "church", "tower"), ("cat", "dog", "swan", "duck"),
        ("sailing boat", "rowing boat", "sailing boat", "bicycle"),
        ("man", "woman", "child", "fisherman", "fisherman", "couple"), _MILD,
    ),
    Land.SNOWFIELD: Place(
        ("lake", None), ("pines", "birches", None), ("cottage", "church", "tent"),
        ("penguin", "fox", "bear", "deer", "rabbit"),
        ("sledge", "hot-air balloon", "train"), ("man", "woman", "child", "hiker", "couple"),
        (Weather.CLEAR, Weather.CLEAR, Weather.CLOUDY, Weather.SNOW, Weather.SNOW, Weather.FOG),
    ),
}  # fmt: skip


def scene_of(seed: int) -> Scene:
    """The scene of this seed, the same on every machine. Raises ValueError for a negative seed."""
    if seed < 0:
        raise ValueError(f"A seed is zero or more, not {seed}.")
    dice = random.Random(f"scene {seed}")
    land, time = dice.choice(tuple(Land)), dice.choice(tuple(Time))
    place = PLACES[land]
    weather = dice.choice(place.weather)
    return Scene(
        seed=seed,
        land=land,
        time=time,
        weather=weather,
        water=dice.choice(place.water),
        plants=dice.choice(place.plants),
        sky=_sky(time, weather, dice),
        building=_thing(place.buildings, dice, chance=0.6),
        animals=_animals(place.animals, dice),
        person=_thing(place.people, dice, chance=0.55),
        vehicle=_thing(place.vehicles, dice, chance=0.45),
        composition=_composition(dice),
    )


def sibling(scene: Scene, seed: int, *, kept: float = 0.5) -> Scene:
    """Another scene that resembles `scene`: its land, mostly its time and weather, each other fact with chance `kept`.

    This is how a web corpus resembles a picture: the kind of place is the same, the details are somebody else's.
    """
    dice = random.Random(f"sibling {scene.seed} {seed}")
    other = scene_of(seed)
    other = _moved_to(scene.land, other, dice)
    shared = {facet: getattr(scene, facet) for facet in ("time", "weather") if dice.random() < 0.9}
    shared |= {
        facet: getattr(scene, facet)
        for facet in ("water", "plants", "building", "animals", "person", "vehicle")
        if dice.random() < kept
    }
    found = replace(other, **shared)
    return replace(found, sky=_sky(found.time, found.weather, dice))


def _moved_to(land: Land, scene: Scene, dice: random.Random) -> Scene:
    """`scene` with what it holds drawn anew from what `land` can hold."""
    place = PLACES[land]
    return replace(
        scene,
        land=land,
        weather=dice.choice(place.weather),
        water=dice.choice(place.water),
        plants=dice.choice(place.plants),
        building=_thing(place.buildings, dice, chance=0.6),
        animals=_animals(place.animals, dice),
        person=_thing(place.people, dice, chance=0.55),
        vehicle=_thing(place.vehicles, dice, chance=0.45),
    )


def _sky(time: Time, weather: Weather, dice: random.Random) -> str | None:
    """Birds or a rainbow by day, a moon or northern lights by night, where the weather shows them."""
    if weather in (Weather.FOG, Weather.SNOW):
        return None
    if time is Time.NIGHT:
        return (
            dice.choice(("full moon", "crescent moon", "northern lights", None)) if weather is Weather.CLEAR else None
        )
    if weather is Weather.RAIN:
        return dice.choice(("rainbow", None))
    return dice.choice(("birds", "birds", None))


def _thing(kinds: tuple[str, ...], dice: random.Random, *, chance: float) -> Thing | None:
    found = Thing(dice.choice(kinds), dice.choice(COLOURS))
    return found if dice.random() < chance else None


def _animals(kinds: tuple[str, ...], dice: random.Random) -> Animals | None:
    """Animals in most scenes, so that most scenes have something to count."""
    kind = dice.choice(kinds)
    found = Animals(kind, dice.choice(COATS[kind]), dice.randint(1, MOST_ANIMALS))
    return found if dice.random() < 0.8 else None


def _composition(dice: random.Random) -> Composition:
    return Composition(
        mirrored=dice.random() < 0.5,
        horizon=dice.uniform(0.40, 0.60),
        subject=dice.uniform(0.25, 0.75),
        scale=dice.uniform(0.85, 1.2),
    )
