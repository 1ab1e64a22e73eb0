"""What makes an annotator stand out before any rule is set: a hint to look, never a verdict.

Each test holds one person against the others or against chance, and asks for clear evidence: among a hundred people who
work well, some hint should be rare. Bounds are our choice, tried on the simulated crowds (tests/methods/test_flags.py):
careful and hasty people are hardly ever flagged, people who answer by chance or always the same nearly always.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Literal, get_args

from backend.methods.quality.disagreement import wilson
from backend.methods.quality.position_bias import Bias
from backend.methods.quality.speed import Speed
from backend.methods.quality.straight_lining import StraightLining

Code = Literal["controls_below_others", "agreement_near_chance", "straight_lining", "too_fast", "follows_position"]
CODES: tuple[Code, ...] = get_args(Code)
FEWEST_CONTROLS = 5
FEWEST_COMPARED = 20
NEAR_CHANCE = 0.3  # a kappa whose interval lies below it, and below half of what the others have in the middle
FEWEST_HITS = 5
UNLIKELY = 0.001
FEWEST_TIMES = 20
CLEAR = 0.15  # Cramer's V: with thousands of answers a bias of no weight is unlikely, too


@dataclass(frozen=True)
class Habits:
    """What is known of one person. `kappa` is with the consensus of the others, None where there is none."""

    n_passed: int
    n_graded: int
    kappa: float | None
    kappa_high: float | None
    n_compared: int
    lines: StraightLining
    speed: Speed | None
    options: Bias
    items: Bias


@dataclass(frozen=True)
class Flag:
    """Why somebody stands out, with the numbers of the sentence."""

    code: Code
    params: dict[str, float]


def flags_of(people: Mapping[int, Habits]) -> dict[int, tuple[Flag, ...]]:
    """The flags of everybody."""
    n_graded = sum(each.n_graded for each in people.values())
    n_passed = sum(each.n_passed for each in people.values())
    kappas = {name: each.kappa for name, each in people.items() if each.kappa is not None}
    found = {}
    for name, each in people.items():
        of_others = (n_passed - each.n_passed, n_graded - each.n_graded)
        peers = [kappa for other, kappa in kappas.items() if other != name]
        flags = (_controls(each, *of_others), _near_chance(each, peers), _lines(each), _fast(each), _position(each))
        found[name] = tuple(flag for flag in flags if flag is not None)
    return found


def _controls(each: Habits, k: int, n: int) -> Flag | None:
    if each.n_graded < FEWEST_CONTROLS or n < FEWEST_CONTROLS:
        return None
    at_most, others_at_least = wilson(each.n_passed, each.n_graded)[1], wilson(k, n)[0]
    shares = {"share": each.n_passed / each.n_graded, "n": each.n_graded, "others": k / n}
    return Flag("controls_below_others", shares) if at_most < others_at_least else None


def _near_chance(each: Habits, peers: list[float]) -> Flag | None:
    if each.kappa is None or each.kappa_high is None or each.n_compared < FEWEST_COMPARED:
        return None
    bound = min([NEAR_CHANCE, *([median(peers) / 2] if len(peers) > 1 else [])])
    if each.kappa_high >= bound:
        return None
    return Flag("agreement_near_chance", {"kappa": each.kappa, "high": each.kappa_high, "n": each.n_compared})


def _lines(each: Habits) -> Flag | None:
    lines = each.lines
    if lines.p_value is None or lines.n_hits < FEWEST_HITS or lines.p_value >= UNLIKELY:
        return None
    told = {"n_uniform": lines.n_uniform, "n": lines.n_hits, "expected": lines.expected, "p_value": lines.p_value}
    return Flag("straight_lining", told)


def _fast(each: Habits) -> Flag | None:
    speed = each.speed
    if speed is None or speed.p_value is None or speed.n < FEWEST_TIMES or speed.p_value >= UNLIKELY:
        return None
    return Flag(
        "too_fast", {"n_below": speed.n_below, "n": speed.n, "floor": speed.floor, "median": speed.median or 0.0}
    )


def _position(each: Habits) -> Flag | None:
    clear = [
        bias
        for bias in (each.options, each.items)
        if bias.p_value is not None and bias.p_value < UNLIKELY and bias.effect >= CLEAR
    ]
    if not clear:
        return None
    most = max(clear, key=lambda bias: bias.effect)
    return Flag("follows_position", {"effect": most.effect, "n": most.n, "p_value": most.p_value or 0.0})
