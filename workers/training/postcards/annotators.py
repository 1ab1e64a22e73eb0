"""Simulated annotators of known reliability.

What one answers about a pair is drawn from who they are and the pair alone, so the order of work changes nothing; only
the one who turns bad half-way has a before and an after.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from backend.methods.consensus import LABELS, Verdict
from workers.training.postcards.controls import accepted, truth
from workers.training.postcards.kinds import Caption, Kind
from workers.training.postcards.world import Scene


class Profile(StrEnum):
    CAREFUL = "careful"
    HASTY = "hasty"
    ALWAYS_GOOD = "always_good"
    RANDOM = "random"
    TURNS_BAD = "turns_bad"


@dataclass(frozen=True)
class Habit:
    """How often an annotator does what, as chances, and how long one answer takes, in seconds on average.

    `right` is the chance of an accepted answer; `seen` that a lone wrong detail is noticed at all; `unsure_of_ideas`
    that an abstract caption gets "unsure" although it is not asked for.
    """

    right: float
    seen: float
    unsure_of_ideas: float
    seconds: float


HABITS: dict[Profile, Habit] = {
    Profile.CAREFUL: Habit(right=0.95, seen=1.0, unsure_of_ideas=0.25, seconds=9.0),
    Profile.HASTY: Habit(right=0.85, seen=0.5, unsure_of_ideas=0.05, seconds=2.5),
    Profile.ALWAYS_GOOD: Habit(right=0.0, seen=0.0, unsure_of_ideas=0.0, seconds=1.5),
    Profile.RANDOM: Habit(right=0.0, seen=0.0, unsure_of_ideas=0.0, seconds=2.0),
}


@dataclass(frozen=True)
class Judged:
    label: Verdict
    seconds: float


@dataclass(frozen=True)
class Annotator:
    """One simulated person. `turns_after` is how many answers the one who turns bad gives well, then all at random."""

    profile: Profile
    seed: int
    turns_after: int = 100

    def judge(self, caption: Caption, scene: Scene, done: int = 0) -> Judged:
        """The answer about this caption under this scene's picture; `done` counts the answers given before it."""
        profile = self._profile(done)
        habit = HABITS[profile]
        dice = random.Random(f"{self.profile} {self.seed} {scene.seed} {caption.text}")
        label = _label(profile, habit, caption, scene, dice)
        return Judged(label, round(dice.gammavariate(4, habit.seconds / 4), 2))

    def _profile(self, done: int) -> Profile:
        if self.profile is not Profile.TURNS_BAD:
            return self.profile
        return Profile.CAREFUL if done < self.turns_after else Profile.RANDOM


def _label(profile: Profile, habit: Habit, caption: Caption, scene: Scene, dice: random.Random) -> Verdict:
    if profile is Profile.ALWAYS_GOOD:
        return "good"
    if profile is Profile.RANDOM:
        return dice.choice(LABELS)
    if caption.kind is Kind.ABSTRACT and dice.random() < habit.unsure_of_ideas:
        return "unsure"
    if _is_a_slip(caption, scene) and dice.random() >= habit.seen:
        return "good"
    if dice.random() < habit.right:
        return truth(caption, scene)
    return dice.choice([label for label in LABELS if label not in accepted(caption, scene)] or LABELS)


def _is_a_slip(caption: Caption, scene: Scene) -> bool:
    """Whether all but one of several claims hold: what is easily overlooked."""
    facts = scene.facts()
    n_false = sum(facts.get(facet) != value for facet, value in caption.claims)
    return n_false == 1 < len(caption.claims)
