"""Wrong captions: a literal caption told again with one typed detail changed to something the scene does not show."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from workers.training.postcards import literal
from workers.training.postcards.kinds import Caption, Edit, Kind, Wrong
from workers.training.postcards.words import GRAZERS, Facts
from workers.training.postcards.world import COATS, COLOURS, MOST_ANIMALS, PEOPLE, PLACES, Land, Scene

FACETS: dict[Wrong, tuple[str, ...]] = {
    Wrong.COLOR: ("animals_colour", "person_colour", "vehicle_colour", "building_colour"),
    Wrong.NUMBER: ("n_animals",),
    Wrong.OBJECT_NAME: ("animals", "vehicle"),
    Wrong.PERSON: ("person",),
    Wrong.LOCATION: ("land", "building"),
}
LONGEST_EDIT = 6  # words, as in "a couple in purple coats waits"
ANIMALS = tuple(COATS)
VEHICLES = tuple(dict.fromkeys(kind for place in PLACES.values() for kind in place.vehicles))
HOUSES = tuple(dict.fromkeys(kind for place in PLACES.values() for kind in place.buildings))
# What is no mistake, or one that nobody can see on a postcard: a hiker may well be a woman, and a castle has a tower.
NOT_WRONG: dict[str, set[str]] = {
    "fisherman": {"man"},
    "painter": {"man", "woman"},
    "hiker": {"man", "woman"},
    "tower": {"lighthouse", "castle", "church"},
    "castle": {"tower"},
    "church": {"tower"},
    "cottage": {"barn"},
    "beach hut": {"cottage", "barn"},
    "barn": {"cottage"},
    "sailing boat": {"rowing boat"},
}


def wrong_of(caption: Caption, scene: Scene, seed: int, which: Wrong | None = None) -> Caption | None:
    """`caption` with one detail false of `scene`, of the type `which` or of any; its `edit` brings the right one back.

    None where the caption has no such detail. Raises ValueError where `caption` is no literal caption of `scene`.
    """
    facts, key = scene.facts(), f"literal {scene.seed} {caption.seed}"
    if literal.of_facts(facts, key, caption.seed) != caption:
        raise ValueError("Only a literal caption of this very scene can be told with one detail wrong.")
    dice = random.Random(f"wrong {key} {seed}")
    for kind, facet, value in _changes(caption, facts, scene, dice, which):
        told = literal.of_facts({**facts, facet: value}, key, caption.seed)
        edit = _edit(told.text, caption.text)
        if len(edit.before.split()) <= LONGEST_EDIT:  # a balloon moves the words around it as well
            return replace(told, kind=Kind.WRONG, wrong=kind, edit=edit)
    return None


def _changes(
    caption: Caption, facts: Facts, scene: Scene, dice: random.Random, which: Wrong | None
) -> Iterator[tuple[Wrong, str, str]]:
    """Every false value of every facet that the caption tells, type by type, all in a drawn order."""
    claimed = {facet for facet, _ in caption.claims}
    for kind in [which] if which else dice.sample(list(Wrong), len(Wrong)):
        told = [facet for facet in FACETS[kind] if facet in claimed]
        for facet in dice.sample(told, len(told)):
            values = _others(facet, facts, scene)
            yield from ((kind, facet, value) for value in dice.sample(values, len(values)))


def _others(facet: str, facts: Facts, scene: Scene) -> list[str]:
    """The values that `facet` could have and that are plainly false."""
    right = facts[facet]
    return [value for value in _range(facet, facts) if value != right and value not in NOT_WRONG.get(right, ())
            and not (value == Land.SNOWFIELD and scene.weather == "snow")]  # fmt: skip


def _range(facet: str, facts: Facts) -> tuple[str, ...]:
    if facet == "animals":
        return _animals_like(facts)
    ranges: dict[str, tuple[str, ...]] = {
        "n_animals": tuple(str(n) for n in range(1, MOST_ANIMALS + 1)),
        "animals_colour": COATS.get(facts.get("animals", ""), ()),
        "vehicle": VEHICLES,
        "person": PEOPLE,
        "land": tuple(str(land) for land in Land),
        "building": HOUSES,
    }
    return ranges.get(facet, COLOURS)


def _animals_like(facts: Facts) -> tuple[str, ...]:
    """Animals that come in this colour and do what this one does; where there are none, all that do what it does."""
    kind, grazes = facts["animals"], facts["animals"] in GRAZERS
    alike = tuple(other for other in ANIMALS if (other in GRAZERS) == grazes and other != kind)
    return tuple(other for other in alike if facts["animals_colour"] in COATS[other]) or alike


def _edit(wrong: str, right: str) -> Edit:
    """The shortest run of whole words, one at least, that turns `wrong` into `right`."""
    before, after = wrong.split(" "), right.split(" ")
    start = _shared(before, after)
    end = min(_shared(before[::-1], after[::-1]), len(before) - start, len(after) - start)
    if min(len(before), len(after)) == start + end:  # one only has words more: its neighbour comes with them
        start, end = (start - 1, end) if start else (start, end - 1)
    replaced, repaired = (" ".join(words[start : len(words) - end]) for words in (before, after))
    while replaced[-1:] == repaired[-1:] and not replaced[-1:].isalnum():  # the comma after the word is no part of it
        replaced, repaired = replaced[:-1], repaired[:-1]
    at = len(" ".join(before[:start])) + (1 if start else 0)
    return Edit(at, at + len(replaced), replaced, repaired)


def _shared(one: list[str], other: list[str]) -> int:
    """How many words at the start of both are the same."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
