"""Who will judge what is left: how often each of them is right, and what the stop rule believes of them by then.

Nobody's skill is known. The pool's is drawn within its interval, and each person's around it: a beta distribution as
wide as people differ on their hidden controls (the intraclass correlation of their answers, by analysis of variance),
to which their own controls are added. What the rule believes of a person is their share of passed controls, those that
they will have met by then among them; it leaves out those they were unsure of, and so believes a little more. A careful
crowd of whom one has failed three of ten is thus not taken for ten people who are each a bit worse: the rule asks more
often of pairs that this one judged.

Who is wrong is often unsure rather than on the other side, and votes that are wrong in one way agree: as many of the
wrong answers are unsure as of those to controls, which are sure to be good or bad. Of a pair that is itself unsure, the
other two are as likely.

Some pairs are harder than controls. Where people agree less on the others than their skill says, a share of these is
taken for hard: there each is right with even odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation.stop_rule import PRIOR_STRENGTH
from backend.methods.budget.skill import BEST, WORST, Graded, PoolSkill
from backend.methods.consensus import LABELS

Floats = NDArray[np.float64]
RIGHT_WHERE_HARD = 0.5
ALIKE, UNLIKE, UNKNOWN = 0.005, 0.5, 0.05  # intraclass correlations: bounds, and where nothing is known
LIKELY_HARD = 0.1, 0.15  # before anything is seen
EVEN = 5  # wrong answers of either kind that are counted beforehand: pairs are less plain than controls
SURE, UNSURE = [LABELS.index("good"), LABELS.index("bad")], LABELS.index("unsure")
NORMAL = 1.96  # half the width of a 95% interval, in standard deviations


@dataclass(frozen=True)
class Crowd:
    """`people` are those who have judged or may come; who `comes` is told by places in it. `n_to_meet` hidden controls
    are still to come to each of them before most pairs are decided, and there is one in the share `there` of the cases
    where one is wanted: they meet each once. `hard` is the share of hard pairs with its standard error."""

    people: Sequence[Graded]
    comes: Sequence[int]
    skill: PoolSkill
    n_to_meet: int = 0
    hard: tuple[float, float] = (0.0, 0.0)
    there: float = 1.0


@dataclass(frozen=True)
class DrawnCrowds:
    """`n` crowds that may be: skills and beliefs (n, people and newcomers), shares of hard pairs (n,), and what is said
    where a wrong answer is given, (n, what is true, what is said)."""

    skills: Floats
    beliefs: Floats
    hard: Floats
    errors: Floats


def draw_crowds(crowd: Crowd, n: int, *, n_newcomers: int, dice: np.random.Generator) -> DrawnCrowds:
    """`n_newcomers` people of whom nothing is known yet stand after the others."""
    people = [*crowd.people, *[Graded(0, 0, 0)] * n_newcomers]
    passed, wrong = np.array([(each.n_right, each.n_wrong) for each in people], dtype=np.float64).T
    pool, strength = _pools(crowd.skill, n, dice), 1 / unlikeness(crowd.people) - 1
    skills = dice.beta(strength * pool + passed, strength * (1 - pool) + wrong).clip(WORST, BEST)
    beliefs, hard = _beliefs(crowd, people, skills, dice), dice.normal(*crowd.hard, size=n).clip(0, 1)
    return DrawnCrowds(skills, beliefs, hard, _errors(people, n, dice))


def _errors(people: Sequence[Graded], n: int, dice: np.random.Generator) -> Floats:
    n_unsure, n_failed = sum(each.n_unsure for each in people), sum(each.n_failed for each in people)
    unsure = dice.beta(n_unsure + EVEN, n_failed + EVEN, size=(n, 1))
    errors = np.full((n, len(LABELS), len(LABELS)), 1 / (len(LABELS) - 1))
    errors[:, SURE, UNSURE], errors[:, SURE, SURE[::-1]] = unsure, 1 - unsure
    errors[:, range(len(LABELS)), range(len(LABELS))] = 0
    return errors


def _beliefs(crowd: Crowd, people: Sequence[Graded], skills: Floats, dice: np.random.Generator) -> Floats:
    """Once they have met the controls that are to come; who does not come, as people whose judgments were imported,
    meets none. As many of their wrong answers are unsure as so far."""
    n_failed, n_unsure = (
        sum(counts) for counts in zip(*((each.n_failed, each.n_unsure) for each in people), strict=True)
    )
    to_meet = np.full(len(people), crowd.n_to_meet)
    to_meet[sorted(set(range(len(crowd.people))) - set(crowd.comes))] = 0
    right = dice.binomial(to_meet, skills)
    failed = dice.binomial(to_meet - right, (n_failed + 1) / (n_failed + n_unsure + 1))
    passed = np.array([each.n_right for each in people]) + right
    graded = np.array([each.n_graded for each in people]) + right + failed
    return np.asarray((PRIOR_STRENGTH + passed) / (2 * PRIOR_STRENGTH + graded))


def _pools(skill: PoolSkill, n: int, dice: np.random.Generator) -> Floats:
    """(n, 1): the mean skill, from the beta distribution with this mean and as wide an interval."""
    deviation = max(1e-3, (skill.high - skill.low) / (2 * NORMAL))
    strength = max(2.0, skill.value * (1 - skill.value) / deviation**2 - 1)
    return dice.beta(strength * skill.value, strength * (1 - skill.value), size=(n, 1)).clip(WORST, BEST)


def unlikeness(people: Sequence[Graded]) -> float:
    """How unlike people are: the intraclass correlation of their answers to controls, from ALIKE to UNLIKE; UNKNOWN of
    fewer than three people with controls.

    >>> unlikeness([Graded(40, 0, 9), Graded(40, 0, 9), Graded(40, 24, 9)]) > 0.3
    True
    >>> unlikeness([Graded(40, 6, 9)] * 3)
    0.005
    """
    rows = np.array([(each.n_met, each.n_wrong) for each in people if each.n_met], dtype=np.float64)
    k, n = len(rows), rows[:, 0].sum() if len(rows) else 0.0
    if k < 3 or n <= k:
        return UNKNOWN
    share, mean = rows[:, 1] / rows[:, 0], rows[:, 1].sum() / n
    between = (rows[:, 0] * (share - mean) ** 2).sum() / (k - 1)
    within = (rows[:, 0] * share * (1 - share)).sum() / (n - k)
    typical = (n - (rows[:, 0] ** 2).sum() / n) / (k - 1)
    total = between + (typical - 1) * within
    return float(np.clip((between - within) / total if total else ALIKE, ALIKE, UNLIKE))


def hard_share(skill: PoolSkill, *, n_equal: int, n_twos: int) -> tuple[float, float]:
    """The share of hard pairs and its standard error, from how many of the `n_twos` first two votes are equal.

    Equal votes come with chance q^2 + (1 - q)^2 / 2 of people who are right with chance q. What is seen is weighed
    against what is taken for likely before, by their precision; a skill that comes of agreement holds all of it.

    >>> [round(hard_share(PoolSkill(.85, .8, .9, "controls", 99), n_equal=n, n_twos=400)[0], 2) for n in (294, 252)]
    [0.04, 0.25]
    """
    if skill.source != "controls":
        return 0.0, 0.0
    mean, error = LIKELY_HARD
    if n_twos:
        easy, hard = (_equal(chance) for chance in (skill.value, RIGHT_WHERE_HARD))
        share, apart = (n_equal + 1) / (n_twos + 2), max(0.05, easy - hard)
        seen, of_seen = (easy - share) / apart, sqrt(share * (1 - share) / (n_twos + 2)) / apart
        weight = error**2 / (error**2 + of_seen**2)
        mean, error = mean + weight * (seen - mean), error * sqrt(1 - weight)
    return min(max(mean, 0.0), 1.0), error


def _equal(skill: float) -> float:
    return skill**2 + (1 - skill) ** 2 / 2
