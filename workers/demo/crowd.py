"""Simulated annotators for any project: seeded minds of known reliability, and what is right of which pair.

The right answers are JSON lines of `image_id` (the image's key), `text` and `accepted` or `truth`: the truth.jsonl and
controls.jsonl of Postcards, or a file of one's own.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backend.methods.cleaning import Raw, readable_text
from backend.methods.consensus import LABELS
from workers.simulation.client import ApiClient
from workers.simulation.reading import address_of
from workers.simulation.work import Said
from workers.training.postcards.annotators import HABITS, Profile

WORDS = re.compile(r"\w+")
SPREAD = 0.4  # of skills, as a share of what the profile lacks to perfection: 0.95 +- 0.02, 0.85 +- 0.06
PACE_SPREAD = 0.25  # of the logarithm of their seconds
FURTHEST = 2.0  # spreads from their profile's, on either side
COLOURS = ("red", "blue", "green", "yellow", "black", "white", "brown", "grey", "orange", "pink")
COLOUR = re.compile(rf"\b({'|'.join(COLOURS)})\b")
LENSES = ("literal", "figurative", "emotional", "abstract", "background")
SKIPS, LENS, EDITS, COMMENTS, GENERIC = 0.02, 0.3, 0.5, 0.05, 0.05  # chances
TURNS_AFTER = 100  # answers that the one who turns bad half-way gives well
Known = Mapping[tuple[str, str], tuple[str, ...]]  # (picture's address, text in plain words) -> accepted labels


def plain(text: str) -> str:
    """The words alone, as cleaning leaves them: it takes tags, addresses and hashtags away, not what a caption says."""
    return " ".join(WORDS.findall(readable_text(Raw(text, by_people=False)).casefold()))


def read_truth(files: Iterable[Path]) -> dict[tuple[str, str], tuple[str, ...]]:
    """`{(image key, plain text): accepted labels}`. Raises ValueError naming the line that has none."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip():
                key, accepted = _truth_of(line, f"{file.name}, line {number}")
                found[key] = accepted
    return found


def _truth_of(line: str, where: str) -> tuple[tuple[str, str], tuple[str, ...]]:
    try:
        row = json.loads(line)
        key = str(row["image_id"]), plain(row["text"])
        accepted = tuple(row.get("accepted") or [row.get("truth")])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{where} is no record of image_id, text and accepted.") from error
    if not set(accepted) <= set(LABELS):
        raise ValueError(f"{where}: `accepted` must hold labels of {', '.join(LABELS)}.")
    return key, accepted


def seen_by_clients(curator: ApiClient, *, project: str, truth: Known) -> dict[tuple[str, str], tuple[str, ...]]:
    """The same by what annotators see of an image: the address of its small thumbnail."""
    addresses = {image["key"]: address_of(image) for image in curator.rows(f"/projects/{project}/images")}
    return {(addresses[key], text): labels for (key, text), labels in truth.items() if key in addresses}


@dataclass(frozen=True)
class Character:
    """Who somebody is. `pace` is their seconds beside their profile's; `skill` is the chance that they are right of a
    pair whose answer is known, and None where a profile never looks."""

    profile: Profile
    skill: float | None
    pace: float

    @property
    def seconds(self) -> float:
        """For one answer, on average; of who turns bad, while they are good."""
        return self.pace * HABITS[_now(self.profile, 0)].seconds


def draw_character(profile: Profile, seed: int | str, skills: tuple[float, float] | None = None) -> Character:
    """One person around their profile: a normal skill and a log-normal pace, cut at two spreads on either side, so
    that the mean skill is the profile's and nobody hasty is as slow as anybody careful. A careful skill is thus in
    0.91 ... 0.99, a hasty one in 0.73 ... 0.97, a pace in 0.61 ... 1.65. `skills` are bounds of an even draw instead.
    """
    dice = random.Random(f"{profile} {seed} character")
    pace = math.exp(PACE_SPREAD * _deviation(dice))
    right = HABITS[_now(profile, 0)].right
    if profile in (Profile.ALWAYS_GOOD, Profile.RANDOM):
        return Character(profile, None, pace)
    skill = right + SPREAD * (1 - right) * _deviation(dice) if skills is None else dice.uniform(*skills)
    return Character(profile, skill, pace)


def _deviation(dice: random.Random) -> float:
    """A standard normal number that is not too far out; clamping would pile the others up at the bounds."""
    while abs(drawn := dice.gauss()) > FURTHEST:
        pass
    return drawn


@dataclass
class SimulatedMind:
    """One person, all of it drawn from `seed`; an answer hangs on who they are and on the pair, not on the order."""

    character: Character
    seed: int | str
    known: Known
    done: int = 0
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"{self.seed} skips")

    def judge(self, picture: str, text: str) -> Said:
        """Their answer; of a pair that nobody knows the answer to they are unsure."""
        before, self.done = self.done, self.done + 1
        profile = _now(self.character.profile, before)
        dice = random.Random(f"{self.character.profile} {self.seed} {picture} {text}")
        label = _label(profile, self.character.skill, self.known.get((picture, plain(text))), dice)
        seconds = dice.gammavariate(4, self.character.pace * HABITS[profile].seconds / 4)
        return Said(round(seconds, 2), {"label": label, **_more(label, text, dice)})

    def skips(self) -> dict[str, str] | None:
        """Now and then a page is not for them; half of these they would see again."""
        if self.dice.random() >= SKIPS:
            return None
        return {"reason": "cannot_tell", "to": self.dice.choice(["others", "me"])}


def _now(profile: Profile, done: int) -> Profile:
    if profile is not Profile.TURNS_BAD:
        return profile
    return Profile.CAREFUL if done < TURNS_AFTER else Profile.RANDOM


def _label(profile: Profile, skill: float | None, accepted: tuple[str, ...] | None, dice: random.Random) -> str:
    if profile is Profile.ALWAYS_GOOD:
        return "good"
    if profile is Profile.RANDOM or skill is None:
        return dice.choice(LABELS)
    if accepted is None:
        return "unsure"
    wrong = [label for label in LABELS if label not in accepted]
    return accepted[0] if dice.random() < skill or not wrong else dice.choice(wrong)


def _more(label: str, text: str, dice: random.Random) -> dict[str, Any]:
    """What people add to some of their answers: a lens, a colour set right, a word, that it would fit anything."""
    more: dict[str, Any] = {}
    if label == "good" and dice.random() < LENS:
        more["lens"] = dice.choice(LENSES)
    if label == "bad" and (colour := COLOUR.search(text)) and dice.random() < EDITS:
        other = dice.choice([name for name in COLOURS if name != colour[0]])
        place = {"start": colour.start(), "end": colour.end(), "before": colour[0]}
        more["edits"] = [{**place, "kind": "color", "after": other}]
    if label == "unsure" and dice.random() < COMMENTS:
        more["comment"] = "I cannot tell from the picture."
    if label == "bad" and dice.random() < GENERIC:
        more["is_generic"] = True
    return more
