"""The settings of an evaluation, as `--set key=value` gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from backend.methods.benchmarks.data import DataError
from backend.methods.ranking import KS, TIES, Ties
from backend.methods.ranking.intervals import DRAWS
from backend.methods.ranking.scorers import MOST_ALPHA, SCORERS
from backend.methods.relevance import RULES, Rule

MOST_DRAWS = 100_000
MOST = {"alpha": MOST_ALPHA, "scale": 1000.0, "shift": 1000.0}  # of a scorer's numbers


@dataclass(frozen=True)
class Settings:
    """How figures are made."""

    ties: Ties = "expected"
    ks: tuple[int, ...] = KS  # of hit@k and the like
    draws: int = DRAWS  # of the bootstrap
    seed: int = 0
    folds: int = 0  # of the images: 5 for COCO-1K of COCO-5K
    rule: Rule = "unanimous"  # of votes
    split: str = ""
    positives: str = ""  # a file that says which pairs are right
    rows: str = ""  # what a row of a square score matrix is
    strength: float = 1.0  # of the mock model
    scorer: str = ""  # of embeddings; empty is what their folder says, else cosine
    alpha: float = 0.0  # of smooth_chamfer; 0 is what the folder says, else the scorer's own
    scale: float = 0.0  # of pcme_probability, a; 0 as for alpha
    shift: float = 0.0  # of pcme_probability, b; 0 as for alpha
    samples: int = 7  # drawn from each mean with log-variances for the scorers of sets
    only: str = ""  # a file with the ids of the images to measure

    def as_json(self) -> dict[str, Any]:
        """The settings that figures depend on, by name."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**found, "ks": list(self.ks), "positives": Path(self.positives).name, "only": Path(self.only).name}


def settings_of(given: Sequence[str], *, ties: str = "expected") -> Settings:
    """Settings from `key=value` texts. Raises DataError for an unknown key or a value that is none."""
    found: dict[str, Any] = {"ties": ties}
    known = [each.name for each in fields(Settings) if each.name != "ties"]
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or name not in known:
            raise DataError(f"The setting {text!r} is unknown. Write key=value with one of {', '.join(known)}.")
        found[name] = _value_of(name, value)
    settings = replace(Settings(), **found)
    if settings.ties not in TIES:
        raise DataError(f"--ties is one of {', '.join(TIES)}, not {settings.ties!r}.")
    if not 1 <= settings.draws <= MOST_DRAWS:
        raise DataError(f"draws is a number from 1 to {MOST_DRAWS:,}, not {settings.draws:,}.")
    return settings


def _value_of(name: str, value: str) -> Any:
    if name == "ks":
        return tuple(sorted({_whole(name, each, least=1) for each in value.split(",")}))
    if name in ("draws", "seed", "folds"):
        return _whole(name, value, least=0)
    if name == "samples":
        return _whole(name, value, least=1)
    if name == "rule":
        if value not in RULES:
            raise DataError(f"rule is one of {', '.join(RULES)}, not {value!r}.")
        return value
    if name == "scorer" and value not in SCORERS:
        raise DataError(f"scorer is one of {', '.join(SCORERS)}, not {value!r}.")
    if name == "strength" or name in MOST:
        return _number(name, value)
    return value


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError as problem:
        raise DataError(f"{name} is a number, not {text!r}.") from problem
    if name in MOST and not 0 < value <= MOST[name]:
        raise DataError(f"{name} is a number above 0 and at most {MOST[name]:g}, not {text!r}.")
    return value


def _whole(name: str, text: str, *, least: int) -> int:
    if not text.strip().isdecimal() or int(text) < least:
        raise DataError(f"{name} is a whole number of at least {least}, not {text!r}.")
    return int(text)
