"""Which names mean an animal or a plant, and what they are kinds of.

A name counts by its most frequent meaning. Meanings as food, material or wood are passed over, and so are people and
places of that name: a lobster, a mink and an oak are first of all meat, fur and wood to WordNet, but not to a caption.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backend.methods.wordnet import Part

FOOD, PLANT_FILE, SUBSTANCE = 13, 20, 27
# Animals and a plant that pictures show more often than the stamp, the machine, the hand that comes first.
ALSO = {"seal": "seal", "crane": "crane", "palm": "palm tree"}
# Too high to say anything, or words that only a zoologist or a botanist would put into a caption.
TOO_HIGH = frozenset(
    {
        "animal", "plant", "organism", "vertebrate", "chordate", "placental", "invertebrate", "arthropod",
        "aquatic vertebrate", "young", "angiosperm", "gymnosperm", "spermatophyte", "vascular plant", "woody plant",
        "angiospermous tree", "gymnospermous tree", "gymnospermous plant", "domestic animal",
    }
)  # fmt: skip
# Words for an animal or a plant in some state or office, which name no kind.
_NO_KINDS = """
adult animal annual baby beast biped blond brute creature critter dam domestic domesticated escape exotic fauna fertile
flora game giant head herbivore host hybrid invertebrate male female mate mutant offspring parasite perennial pest pet
plant prey quadruped scavenger sire soldier stray survivor vertebrate work worker young youngster
"""
NO_KINDS = frozenset(_NO_KINDS.split())


@dataclass(frozen=True)
class Kinds:
    """Names of the hypernyms of one meaning one level up, and two levels up."""

    one_up: tuple[str, ...]
    two_up: tuple[str, ...]


def find_kinds(nouns: Part) -> dict[str, Kinds]:
    """Every name of an animal or a plant with its hypernyms up to two levels; those that say nothing are left out.

    Names with capitals (Canis lupus, German shepherd) are not looked up by captions in lower case and are left out.
    """
    roots = {nouns.offset_of("animal", "fauna"), nouns.offset_of("plant", "flora")}
    living = {offset for offset in nouns.synsets if roots & nouns.above(offset)}
    found: dict[str, Kinds] = {}
    for name, senses in nouns.senses.items():
        offset = _meant(nouns, name, senses, living)
        if offset is not None and name not in NO_KINDS and name in nouns.synsets[offset].names:
            kinds = _kinds(nouns, offset, name)
            found |= {name: kinds} if kinds.one_up else {}
    return found


def _meant(nouns: Part, name: str, senses: Iterable[int], living: set[int]) -> int | None:
    """The living meaning of a name where it is the first one that counts."""
    if name in ALSO:
        return next(offset for offset in senses if offset in living and nouns.synsets[offset].names[-1] == ALSO[name])
    for offset in senses:
        synset = nouns.synsets[offset]
        if offset in living:
            return offset
        if not synset.instance_of and synset.file not in (FOOD, PLANT_FILE, SUBSTANCE):
            return None
    return None


def _kinds(nouns: Part, offset: int, name: str) -> Kinds:
    above = nouns.synsets[offset].above
    one_up = _names(nouns, above, besides={name})
    two_up = _names(nouns, [up for at in above for up in nouns.synsets[at].above], besides={name, *one_up})
    return Kinds(one_up, two_up)


def _names(nouns: Part, offsets: Iterable[int], *, besides: set[str]) -> tuple[str, ...]:
    """The first name of each meaning, once."""
    names = dict.fromkeys(nouns.synsets[offset].names[0] for offset in offsets)
    return tuple(name for name in names if name not in besides | TOO_HIGH and name.islower())
