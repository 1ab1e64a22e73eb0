"""The words of the world: every way to name a fact, with its article and its plural.

Where a fact has several names, none of them fits another fact: "morning" is said of dawn only, and nobody says
"twilight", which is two of the four times.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

Choice = TypeVar("Choice")
Facts = Mapping[str, str]

NUMBERS = {"1": ("a", "a", "a single", "one"), "2": ("two", "two", "a pair of"),
           "3": ("three",), "4": ("four",), "5": ("five",)}  # fmt: skip
PLURALS = {"sheep": "sheep", "deer": "deer", "fox": "foxes"}
GRAZERS = ("horse", "cow", "sheep", "deer", "camel", "rabbit")

PEOPLE = {
    "man": ("man",),
    "woman": ("woman",),
    "child": ("child", "small child"),
    "couple": ("couple",),
    "fisherman": ("fisherman", "angler"),
    "painter": ("painter", "painter", "artist"),
    "hiker": ("hiker", "hiker", "wanderer"),
}
VEHICLES = {"sailing boat": ("sailing boat", "sailboat"), "sledge": ("sledge", "sleigh")}
BUILDINGS = {"beach hut": ("beach hut", "beach cabin"), "church": ("church", "chapel")}
COATS = ("coat", "coat", "jacket")

LANDS = {
    "beach": ("on the beach", "on a beach", "on a sandy beach", "on the sand of a beach", "at the beach"),
    "mountains": ("in the mountains", "among the mountains", "below mountain peaks", "high in the mountains"),
    "desert": ("in the desert", "in a desert", "among desert dunes", "on the desert sand", "out in the desert"),
    "forest": ("in the forest", "in a forest", "in the woods", "at the edge of the woods", "deep in the forest"),
    "meadow": ("in the meadow", "in a meadow", "on a wide meadow", "out on the meadow", "in a grassy meadow"),
    "city": ("in the city", "in a city", "in town", "among the houses of a city", "before the city skyline"),
    "harbour": ("at the harbour", "by the harbour", "in a harbour", "on the quay", "on the harbour quay"),
    "snowfield": ("in a snowfield", "on the snowfield", "on a frozen plain", "out on the icy plain"),
}
LAND_NAMES = {
    "beach": ("a beach", "a sandy beach", "a stretch of beach"),
    "mountains": ("a mountain landscape", "a mountain valley", "the mountains"),
    "desert": ("a desert", "a desert landscape", "a stretch of desert"),
    "forest": ("a forest", "a forest clearing", "the woods"),
    "meadow": ("a meadow", "a wide meadow", "a grassy meadow"),
    "city": ("a city", "a city view", "the city"),
    "harbour": ("a harbour", "a small harbour", "a harbour view"),
    "snowfield": ("a snowfield", "a frozen plain", "an icy plain"),
}
TIMES = {
    "dawn": ("at dawn", "at sunrise", "at daybreak", "in the early morning", "in the morning"),
    "day": ("by day", "in daylight", "at midday", "in the afternoon", "around noon"),
    "dusk": ("at dusk", "at sunset", "in the evening", "as evening falls", "at sundown"),
    "night": ("at night", "by night", "after dark", "late at night", "in the night"),
}
PARTS_OF_DAY = {"dawn": ("morning",), "day": ("day", "afternoon"), "dusk": ("evening",), "night": ("night",)}
TIME_NOUNS = {"dawn": ("dawn", "sunrise", "morning"), "day": ("midday", "daytime", "afternoon"),
              "dusk": ("dusk", "sunset", "evening"), "night": ("night", "night-time")}  # fmt: skip
WEATHERS = {
    "clear": ("under a clear sky", "in clear weather", "beneath a cloudless sky"),
    "cloudy": ("under a cloudy sky", "beneath the clouds", "in cloudy weather", "under an overcast sky"),
    "rain": ("in the rain", "in rainy weather", "in falling rain", "in a shower of rain"),
    "snow": ("in falling snow", "in snowy weather", "while snow is falling", "as snowflakes fall"),
    "fog": ("in the fog", "in foggy weather", "in the mist", "in thick fog"),
}
WEATHER_ADJECTIVES = {"clear": ("clear", "cloudless"), "cloudy": ("cloudy", "overcast"), "rain": ("rainy", "wet"),
                      "snow": ("snowy",), "fog": ("foggy", "misty")}  # fmt: skip
SCENERY = {
    ("water", "sea"): ("by the sea", "beside the sea", "in sight of the sea"),
    ("water", "lake"): ("by a lake", "beside a lake", "on the shore of a lake"),
    ("water", "river"): ("by a river", "beside a river", "on the bank of a river"),
    ("plants", "palms"): ("among palm trees", "between palms", "near some palm trees"),
    ("plants", "pines"): ("among pines", "between pine trees", "near some pines"),
    ("plants", "birches"): ("among birches", "between birch trees", "near some birches"),
    ("plants", "oaks"): ("among oaks", "between oak trees", "near some oaks"),
    ("plants", "cacti"): ("among cacti", "between tall cacti", "near some cacti"),
    ("plants", "flowers"): ("among flowers", "between wild flowers", "near some flowers"),
    ("sky", "birds"): ("with birds in the sky", "below a flock of birds", "with birds overhead"),
    ("sky", "rainbow"): ("under a rainbow", "beneath a rainbow", "with a rainbow above"),
    ("sky", "full moon"): ("under a full moon", "beneath the full moon", "with a full moon above"),
    ("sky", "crescent moon"): ("under a crescent moon", "beneath a crescent moon", "with a crescent moon above"),
    ("sky", "northern lights"): (
        "under the northern lights", "beneath the northern lights", "with northern lights above",
    ),
}  # fmt: skip

# Third person singular, plural, participle. None of them is a pose that only one kind can hold, so that the name can
# change and the verb stay.
MY_STATE = (("stands", "stand", "standing"), ("waits", "wait", "waiting"), ("rests", "rest", "resting"),
            ("lingers", "linger", "lingering"), ("pauses", "pause", "pausing"))  # fmt: skip
VERBS = {
    "animals": MY_STATE,
    "grazers": (("grazes", "graze", "grazing"), *MY_STATE),
    "person": (*MY_STATE, ("stops", "stop", "stopping"), ("keeps still", "keep still", "keeping still")),
    "vehicle": (("appears", "appear", "appearing"), ("comes into view", "come into view", "coming into view"),
                ("waits", "wait", "waiting"), ("stops", "stop", "stopping")),
    "building": (("stands", "stand", "standing"), ("rises", "rise", "rising"),
                 ("comes into view", "come into view", "coming into view")),
}  # fmt: skip


def pick(options: Sequence[Choice], *key: object) -> Choice:
    """One of `options`, drawn from what `key` says and nothing else: one slot's draw never moves another's."""
    return random.Random(" ".join(map(str, key))).choice(options)


def article(noun: str) -> str:
    """ "a" or "an" before `noun`. Spelling decides: no word of this world begins with a silent h or a long u."""
    return "an" if noun[0].lower() in "aeiou" else "a"


def with_article(noun: str) -> str:
    return f"{article(noun)} {noun}"


def plural(noun: str) -> str:
    """The plural of an animal's name."""
    return PLURALS.get(noun, f"{noun}s")


def animals_named(facts: Facts, key: str) -> str:
    """The animals as a noun phrase, as in "three brown horses" or "a white cat"."""
    kind, colour, n = facts["animals"], facts["animals_colour"], facts["n_animals"]
    number = pick(NUMBERS[n], key, "number")
    if number == "a":
        return with_article(f"{colour} {kind}")
    return f"{number} {colour} {kind if n == '1' else plural(kind)}"


def person_named(facts: Facts, key: str) -> str:
    """The person with the coat, as in "a hiker in a blue jacket" or "a couple in red coats"."""
    who = pick(PEOPLE[facts["person"]], key, "person")
    colour, coat = facts["person_colour"], pick(COATS, key, "coat")
    if facts["person"] == "couple":
        return f"{with_article(who)} in {colour} {coat}s"
    return f"{with_article(who)} in {with_article(f'{colour} {coat}')}"


def thing_named(facet: str, facts: Facts, key: str) -> str:
    """A building or vehicle with its colour, as in "an orange tent"."""
    kind = facts[facet]
    name = pick({**VEHICLES, **BUILDINGS}.get(kind, (kind,)), key, facet)
    return with_article(f"{facts[f'{facet}_colour']} {name}")


def named(facet: str, facts: Facts, key: str) -> str:
    """The noun phrase of "animals", "person", "vehicle" or "building"."""
    if facet == "animals":
        return animals_named(facts, key)
    return person_named(facts, key) if facet == "person" else thing_named(facet, facts, key)


def verb(facet: str, facts: Facts, key: str) -> tuple[str, str]:
    """What the subject does, agreeing with it, and the participle, as in ("graze", "grazing")."""
    group = "grazers" if facet == "animals" and facts["animals"] in GRAZERS else facet
    singular, several, doing = pick(VERBS[group], key, "verb", facet)
    many = facet == "animals" and facts["n_animals"] != "1"
    return (several if many else singular), doing


def listed(names: Sequence[str]) -> str:
    """Joined as English joins them, as in "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentence(words: str) -> str:
    """Spaces and commas put right, and a capital at the start."""
    tidy = " ".join(words.split())
    for wrong, right in ((" ,", ","), (" :", ":"), (" ;", ";"), (",,", ","), (", :", ":")):
        tidy = tidy.replace(wrong, right)
    tidy = tidy.strip(" ,:;")
    return tidy[0].upper() + tidy[1:]
