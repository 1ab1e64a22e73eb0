"""Literal captions: what is to be seen, in plain words.

A caption first decides which facts it tells (`Told`), then takes a frame that has room for them and fills its slots.
Each slot is drawn by itself, so that the same caption can be told of a scene that differs in one fact.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from workers.training.postcards import words
from workers.training.postcards.kinds import Caption, Claim, Kind
from workers.training.postcards.words import Facts, pick
from workers.training.postcards.world import Scene

SCENERY = ("water", "plants", "sky")  # in the order in which they are said
THINGS = ("animals", "person", "vehicle", "building")
CLAIMED = {"animals": ("animals", "animals_colour", "n_animals")} | {
    thing: (thing, f"{thing}_colour") for thing in THINGS[1:]
}

# Slots: lead, the first thing; does / doing, its verb; near, "beside a barn"; others, "a barn and a bus";
# all, the first and the others; land, "on the
# beach"; a_land, "a sandy beach"; when, "at dusk in the rain"; occasion, "a rainy evening"; hour, "dusk".
# The comment of a group says what its frames need; a slot that may stay empty leaves no trace.
LONE = (  # one thing
    "{lead} {land} {when}",
    "{lead} {does} {land} {when}",
    "{lead} {doing} {land} {when}",
    "{when}, {lead} {does} {land}",
    "{land}, {lead} {does} {when}",
    "{land} {when}, {lead} {does}",
    "{when} {land}, {lead} {does}",
    "a picture of {lead} {land} {when}",
    "a postcard of {lead} {land} {when}",
    "there {is} {lead} {land} {when}",
    "here {does} {lead} {land} {when}",
    "you can see {lead} {land} {when}",
    "{lead} can be seen {land} {when}",
    "{when}, there {is} {lead} {land}",
)
NEAR = (  # two things or more, the later ones beside the first
    "{lead} {near} {land} {when}",
    "{lead} {does} {near} {land} {when}",
    "{lead} {doing} {near} {land} {when}",
    "{when}, {lead} {does} {near} {land}",
    "{land}, {lead} {does} {near} {when}",
    "{near}, {lead} {does} {land} {when}",
    "{near} {does} {lead} {land} {when}",
    "{land} {when}, {lead} {does} {near}",
    "{when} {land}, {lead} {does} {near}",
    "a picture of {lead} {near} {land} {when}",
    "a postcard of {lead} {near} {land} {when}",
    "an illustration of {lead} {near}, {land} {when}",
    "there {is} {lead} {near} {land} {when}",
    "you can see {lead} {near} {land} {when}",
    "one can see {lead} {near} {land} {when}",
    "{when}, {near}, {lead} {does} {land}",
    "{land}, {near}, {lead} {does} {when}",
)
TOGETHER = (  # two things or more, in a list
    "{all} {land} {when}",
    "{lead} {land} {when}, with {others}",
    "{lead} {land} {when}, with {others} nearby",
    "{lead} {does} {land} {when}, and so {do_others} {others}",
    "{lead} with {others} {land} {when}",
    "{when}: {all} {land}",
    "seen {land} {when}: {all}",
    "{lead} together with {others} {land} {when}",
    "the scene shows {all} {land} {when}",
    "a drawing of {all} {land} {when}",
    "{land} {when}: {all}",
)
OF_LAND = (  # a land, and two things or more
    "{a_land} {when} with {all}",
    "this is {a_land} {when}, with {all}",
    "{a_land} {when}: {all}",
    "a view of {a_land} {when}, with {lead} {near}",
    "{a_land} {when} where {lead} {does} {near}",
)
OF_TIME_AND_WEATHER = (  # a time, a weather, a land, and two things or more
    "{occasion} {land}: {all}",
    "{occasion} {land} with {lead} {near}",
    "it is {occasion} {land} and {lead} {does} {near}",
    "{occasion} {land}, {lead} {doing} {near}",
    "{occasion} {land} and {lead} {near}",
)
OF_TIME = (  # a time without weather, a land, and two things or more
    "{hour} {land}: {all}",
    "{hour} {land}, with {lead} {near}",
    "{hour} {land}, and {lead} {does} {near}",
    "it is {hour} {land} and {lead} {does} {near}",
)
EMPTY = (  # no thing at all
    "{a_land} {scenery} {when}",
    "{when}, {a_land} {scenery}",
    "a view of {a_land} {scenery} {when}",
    "a picture of {a_land} {when} {scenery}",
    "a postcard of {a_land} {scenery} {when}",
    "{a_land} {when}, {scenery}",
)
ANYWHERE = ("near", "close to", "not far from", "within sight of")
BESIDE = (*ANYWHERE, "beside", "beside", "next to", "by")


@dataclass(frozen=True)
class Told:
    """Which facts a caption tells: things with the subject first, and the rest by facet."""

    things: tuple[str, ...]
    land: bool
    time: bool
    weather: bool
    scenery: tuple[str, ...]

    def claims(self, facts: Facts) -> tuple[Claim, ...]:
        facets = [facet for facet in ("land", "time", "weather") if getattr(self, facet)]
        facets += [facet for thing in self.things for facet in CLAIMED[thing]]
        return tuple((facet, facts[facet]) for facet in (*facets, *self.scenery))


def told(facts: Facts, key: str) -> Told:
    """What to tell: place, usually time or weather, and two to four more. Decided by which facets there are."""
    dice = random.Random(f"{key} told")
    things = [thing for thing in THINGS if thing in facts]
    dice.shuffle(things)
    things = things[: dice.choices((1, 2, 3), weights=(15, 55, 30))[0]]
    scenery = [facet for facet in SCENERY if facet in facts]
    kept = dice.sample(scenery, min(len(scenery), dice.choice((0, 0, 1)) if len(things) > 1 else 2))
    scenery = [facet for facet in SCENERY if facet in kept]
    land = "building" not in things or dice.random() < 0.85
    time, weather = dice.choices(((True, True), (True, False), (False, True)), weights=(50, 40, 10))[0]
    if len(things) > 2 and dice.random() < 0.1:
        time = weather = False
    thin = len(things) < 2
    return Told(tuple(things), land or thin, time or thin, weather or thin, tuple(scenery))


def frames(plan: Told) -> tuple[str, ...]:
    """The frames that have a slot for everything in `plan`."""
    if len(plan.things) < 2:
        return LONE if plan.things else EMPTY
    if not plan.land:
        return NEAR + TOGETHER[:5] if plan.time or plan.weather else NEAR[:3] + NEAR[9:15] + TOGETHER[:5]
    dated = OF_TIME_AND_WEATHER * 2 if plan.weather else OF_TIME
    return NEAR + TOGETHER + OF_LAND + (dated if plan.time else ())


def literal(scene: Scene, seed: int) -> Caption:
    """A literal caption of `scene`."""
    return of_facts(scene.facts(), f"literal {scene.seed} {seed}", seed)


def of_facts(facts: Facts, key: str, seed: int) -> Caption:
    """The caption that `key` words of these facts: change one fact and it is the same caption but for that fact."""
    plan = told(facts, key)
    frame = pick(frames(plan), key, "frame")
    slots = _slots(plan, facts, key)
    return Caption(words.sentence(frame.format_map(slots)), Kind.LITERAL, plan.claims(facts), seed=seed)


def _slots(plan: Told, facts: Facts, key: str) -> dict[str, str]:
    names = [words.named(thing, facts, key) for thing in plan.things]
    scenery = " ".join(pick(words.SCENERY[facet, facts[facet]], key, facet) for facet in plan.scenery)
    land = pick(words.LANDS[facts["land"]], key, "land") if plan.land else ""
    a_land = pick(words.LAND_NAMES[facts["land"]], key, "land")
    found = {"land": f"{land} {scenery}", "a_land": a_land, "scenery": scenery} | _dated(plan, facts, key)
    if plan.things:
        found |= _subject(plan.things[0], names[0], facts, key)
        found["a_land"] = f"{a_land} {scenery}"
    if len(names) > 1:
        found |= _rest(plan.things[1:], names[1:], facts, key) | {"all": words.listed(names)}
    return found


def _subject(thing: str, name: str, facts: Facts, key: str) -> dict[str, str]:
    does, doing = words.verb(thing, facts, key)
    several = thing == "animals" and facts["n_animals"] != "1"
    return {"lead": name, "does": does, "doing": doing, "is": "are" if several else "is"}


def _rest(things: tuple[str, ...], names: list[str], facts: Facts, key: str) -> dict[str, str]:
    where = pick(BESIDE, key, "near")
    floats = facts.get("vehicle") == "hot-air balloon" and "vehicle" in things
    where = "near" if floats and where not in ANYWHERE else where  # nothing stands next to a balloon
    several = len(names) > 1 or (things[0] == "animals" and facts["n_animals"] != "1")
    return {
        "near": f"{where} {words.listed(names)}",
        "others": words.listed(names),
        "do_others": "do" if several else "does",
    }


def _dated(plan: Told, facts: Facts, key: str) -> dict[str, str]:
    time, weather = facts["time"], facts["weather"]
    at, under = pick(words.TIMES[time], key, "time"), pick(words.WEATHERS[weather], key, "weather")
    part = pick(words.PARTS_OF_DAY[time], key, "part")
    occasion = words.with_article(f"{pick(words.WEATHER_ADJECTIVES[weather], key, 'kind of day')} {part}")
    both = (f"on {occasion}", f"on {occasion}", f"{at} {under}", f"{under} {at}")
    one = at if plan.time else under if plan.weather else ""
    when = pick(both, key, "both") if plan.time and plan.weather else one
    return {"when": when, "occasion": occasion, "hour": pick(words.TIME_NOUNS[time], key, "hour")}
