"""Captions that go beyond what is to be seen: partly literal, figurative, emotional, abstract, and generic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from workers.training.postcards import words
from workers.training.postcards.feelings import (
    FEELINGS,
    GENERIC_FRAMES,
    GENERIC_LOOKS,
    GENERIC_TAILS,
    GENERIC_THINGS,
    IDEA_FRAMES,
    IDEAS,
    MOOD_FRAMES,
)
from workers.training.postcards.kinds import Caption, Claim, Kind
from workers.training.postcards.literal import CLAIMED, THINGS
from workers.training.postcards.turns import IMAGES
from workers.training.postcards.words import Facts, pick
from workers.training.postcards.world import Scene

Words = TypeVar("Words")

# {turn} is a whole clause, "the fog swallows the far end of the sentence"; {more} another one
FIGURATIVE_FRAMES = (
    "{turn}",
    "{turn} and {more}",
    "{turn}, {more}",
    "{turn} while {more}",
    "where {turn}, {more}",
    "here {turn}",
    "nobody hears how {turn}",
    "once again {turn}",
    "as if {turn} for the last time",
    "listen: {turn}",
    "{turn}; {more}",
    "{turn}, as though {more}",
    "it is the hour when {turn}",
    "{turn} because {more}",
    "tell no one that {turn}",
    "{turn} until {more}",
    "somewhere {turn} and nobody minds",
    "and still {turn}",
)
PARTLY_FRAMES = (
    "{lead} {does} {land} while {turn}",
    "{lead} {land}, and {turn}",
    "{turn}, and {lead} {does} {land}",
    "{lead} {does}, and {turn}",
    "where {lead} {does}, {turn}",
    "{turn} and {lead} {does} {land}",
    "while {turn}, {lead} {does} {land}",
    "{lead} {land}, where {turn}",
    "{lead} {does} as if nobody knew that {turn}",
    "{land}, {lead} {does} and {turn}",
    "{turn} around {lead} {land}",
    "{lead} {land}: {turn}",
    "only {lead} {does} {land} when {turn}",
    "for {lead} {land}, {turn}",
    "{turn}, says the silence around {lead}",
    "{lead} {doing} {land}, until {turn}",
)


def partly_literal(scene: Scene, seed: int) -> Caption | None:
    """One thing of the scene, perhaps with its land, and a figure of speech. None where the scene holds no thing."""
    facts, key = scene.facts(), _key(Kind.PARTLY_LITERAL, scene, seed)
    things = [thing for thing in THINGS if thing in facts]
    if not things:
        return None
    thing, frame = pick(things, key, "thing"), pick(PARTLY_FRAMES, key, "frame")
    does, doing = words.verb(thing, facts, key)
    claim, turn = _turn(facts, key, "turn")
    slots = {"lead": words.named(thing, facts, key), "does": does, "doing": doing, "turn": turn,
             "land": pick(words.LANDS[facts["land"]], key, "land")}  # fmt: skip
    seen = tuple((facet, facts[facet]) for facet in (*CLAIMED[thing], *(("land",) if "{land}" in frame else ())))
    return _said(frame, slots, Kind.PARTLY_LITERAL, dict([*seen, claim]).items(), seed)


def figurative(scene: Scene, seed: int) -> Caption:
    """One or two figures of speech that hold for the scene's land, time or weather. No thing is named."""
    facts, key = scene.facts(), _key(Kind.FIGURATIVE, scene, seed)
    frame = pick(FIGURATIVE_FRAMES, key, "frame")
    claim, turn = _turn(facts, key, "turn")
    other, more = _turn({facet: value for facet, value in facts.items() if facet != claim[0]}, key, "more")
    claims = {claim[0]: claim[1]} | ({other[0]: other[1]} if "{more}" in frame else {})
    return _said(frame, {"turn": turn, "more": more}, Kind.FIGURATIVE, claims.items(), seed)


def emotional(scene: Scene, seed: int) -> Caption:
    """What somebody may feel at such a time, in such weather, at such a place, in such company."""
    facts, key = scene.facts(), _key(Kind.EMOTIONAL, scene, seed)
    frame = pick(MOOD_FRAMES, key, "frame")
    (claim, (moods, _)), (second, (others, memories)) = _two(FEELINGS, facts, key)
    slots = {"mood": pick(moods, key, "mood"), "other": pick(others, key, "other")}
    slots["memory"] = pick(memories, key, "memory")
    told = {claim[0]: claim[1]} if "{mood}" in frame else {}
    told |= {second[0]: second[1]} if "{other}" in frame or "{memory}" in frame else {}
    return _said(frame, slots, Kind.EMOTIONAL, told.items(), seed)


def abstract(scene: Scene, seed: int) -> Caption:
    """One idea, or two and what they have to do with each other."""
    facts, key = scene.facts(), _key(Kind.ABSTRACT, scene, seed)
    frame = pick(IDEA_FRAMES, key, "frame")
    (claim, ideas), (second, others) = _two(IDEAS, facts, key)
    slots = {"idea": pick(ideas, key, "idea"), "other": pick(others, key, "other")}
    told = {claim[0]: claim[1]} | ({second[0]: second[1]} if "{other}" in frame else {})
    return _said(frame, slots, Kind.ABSTRACT, told.items(), seed)


def generic(scene: Scene, seed: int) -> Caption:
    """A sentence that claims nothing: it is as good for any other picture (SCIENCE 2.7)."""
    key = _key(Kind.GENERIC, scene, seed)
    look = pick(GENERIC_LOOKS, key, "look")
    also = pick([word for word in GENERIC_LOOKS if word != look], key, "also")
    slots = {"look": look, "also": also, "thing": pick(GENERIC_THINGS, key, "thing")}
    frame = pick(GENERIC_FRAMES, key, "frame").replace("a {look}", f"{words.article(look)} {{look}}")
    return _said(f"{frame}{pick(GENERIC_TAILS, key, 'tail')}", slots, Kind.GENERIC, (), seed)


def _key(kind: Kind, scene: Scene, seed: int) -> str:
    return f"{kind} {scene.seed} {seed}"


def _said(frame: str, slots: Mapping[str, str], kind: Kind, claims: Iterable[Claim], seed: int) -> Caption:
    return Caption(words.sentence(frame.format_map(slots)), kind, tuple(claims), seed=seed)


def _turn(facts: Facts, key: str, slot: str) -> tuple[Claim, str]:
    """A claim of these facts with a figure of speech for it. Time and weather are likelier than land."""
    claim, (subjects, deeds) = pick(_true(IMAGES, facts), key, slot)
    return claim, f"{pick(subjects, key, slot, 'subject')} {pick(deeds, key, slot, 'deed')}"


def _two(rows: Mapping[Claim, Words], facts: Facts, key: str) -> tuple[tuple[Claim, Words], tuple[Claim, Words]]:
    """Two rows that are true of the facts, of different facets."""
    found = _true(rows, facts)
    first = pick(found, key, "first")
    return first, pick([row for row in found if row[0] != first[0]], key, "second")


def _true(rows: Mapping[Claim, Words], facts: Facts) -> list[tuple[Claim, Words]]:
    return [(claim, row) for claim, row in rows.items() if facts.get(claim[0]) == claim[1]]
