"""Control items with their accepted answers, and the verdict that is right for any caption of any scene."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from backend.methods.consensus import Verdict
from workers.training.postcards.kinds import Caption, Kind
from workers.training.postcards.literal import literal
from workers.training.postcards.world import Scene, scene_of
from workers.training.postcards.wrong import wrong_of

FIGURES = (Kind.FIGURATIVE, Kind.EMOTIONAL, Kind.ABSTRACT)


@dataclass(frozen=True)
class Control:
    """A caption whose answer is known. `why` says how it was made: true, elsewhere or wrong_detail."""

    caption: Caption
    accepted: tuple[Verdict, ...]
    why: str


def truth(caption: Caption, scene: Scene) -> Verdict:
    """The right verdict; "unsure" where careful people may differ.

    Good: everything it claims holds. Bad: what it says is to be seen is not, or it claims nothing and would be as good
    for any picture (generic captions, file names; SCIENCE 2.7). Unsure: a figure of speech, mood or idea that holds
    in part.
    """
    facts = scene.facts()
    held = [facts.get(facet) == value for facet, value in caption.claims]
    if not held or caption.kind is Kind.GENERIC:
        return "bad"
    if all(held):
        return "good"
    return "unsure" if any(held) and caption.kind in FIGURES else "bad"


def accepted(caption: Caption, scene: Scene) -> tuple[Verdict, ...]:
    """Every answer that counts as right: nobody is wrong who is unsure whether an idea fits."""
    right = truth(caption, scene)
    if right == "unsure":
        return ("good", "bad", "unsure")
    return (right, "unsure") if caption.kind is Kind.ABSTRACT else (right,)


def controls(target: Scene, seed: int) -> list[Control]:
    """A plain true caption (good), one of another place and time with nothing true in it, one wrong detail (bad)."""
    right = _true_literal(target, seed)
    found = [Control(right, ("good",), "true"), Control(_elsewhere(target, seed), ("bad",), "elsewhere")]
    if wrong := wrong_of(right, target, seed):
        found.append(Control(wrong, ("bad",), "wrong_detail"))
    return found


def _true_literal(target: Scene, seed: int) -> Caption:
    """A literal caption that tells the land, so that nobody needs to guess what is meant."""
    return _first(lambda n: literal(target, seed * 1000 + n), lambda caption: "land" in dict(caption.claims))


def _elsewhere(target: Scene, seed: int) -> Caption:
    """A literal caption of a scene with another land and time, none of whose claims holds for the target."""
    facts, dice = set(target.facts().items()), random.Random(f"elsewhere {target.seed} {seed}")

    def drawn(n: int) -> Caption:
        return literal(scene_of(dice.randrange(1_000_000)), n)

    def fits(caption: Caption) -> bool:
        return {"land", "time"} <= dict(caption.claims).keys() and not facts & set(caption.claims)

    return _first(drawn, fits)


def _first(made: Callable[[int], Caption], fits: Callable[[Caption], bool]) -> Caption:
    """The first of a thousand draws that fits; one in a few does."""
    return next(caption for caption in map(made, range(1000)) if fits(caption))
