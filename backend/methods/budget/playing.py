"""What is left to do, played through: page after page, until every pair has all that it needs.

For each crowd that may be, the open pairs of a HIT get what is true of them, drawn by the votes they have; then one
person after the other who has not had it judges its open pairs, and the stop rule says which are done. Where so few
are open that no control comes on top, now and then one takes the place of a pair (`methods.assignment`), as long as
others enough can come for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation.stop_rule import ROUNDING
from backend.methods.assignment import SPARE, controls_on_top
from backend.methods.budget.crowd import RIGHT_WHERE_HARD, Crowd, DrawnCrowds, Floats, draw_crowds
from backend.methods.consensus import LABELS, Verdict

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
CELLS = 60_000  # pairs times crowds that are played at most, with AT_LEAST crowds
AT_LEAST, AT_MOST = 40, 200
TINY = 1e-9  # no share of hard pairs is quite none
OTHERS = np.array([[other for other in range(len(LABELS)) if other != label] for label in range(len(LABELS))])
COMING = 64  # people who are drawn from for a HIT
PAGES_MORE = 40  # beyond the most votes, for pairs that give way to controls again and again


@dataclass(frozen=True)
class Rule:
    """When a pair has enough votes: at `min_votes` without a confidence, else as `stop_rule.decide` says."""

    min_votes: int
    max_votes: int
    confidence: float | None = None


@dataclass(frozen=True)
class UnfinishedHit:
    """A HIT with places that nobody has submitted on: the votes on each of its open pairs, as (label, whose), and who
    has had it, told by their places in the crowd. `n_others` can come who have not had it, if only to begin."""

    n_places: int
    pairs: Sequence[Sequence[tuple[Verdict, int]]]
    had_by: Sequence[int] = ()
    n_others: int = COMING


@dataclass(frozen=True)
class Played:
    """Judgments and assignments to come, (crowds, HITs) each."""

    judgments: Ints
    assignments: Ints


@dataclass
class _Board:
    """Arrays over (crowds, HITs, pairs[, labels]). `believed` are log odds as the rule sees them."""

    believed: Floats
    n_votes: Ints
    is_open: Flags
    truth: Ints
    is_hard: Flags


def play(
    hits: Sequence[UnfinishedHit], rule: Rule, crowd: Crowd, *, control_rate: float = 0.0, seed: int = 0
) -> Played:
    """Play the HITs through with crowds that may be, as many as there is time for. `control_rate` is the share of
    controls that do come, 0 where there are none."""
    dice = np.random.default_rng(seed)
    n_pairs = max((len(hit.pairs) for hit in hits), default=0)
    if not n_pairs:
        return Played(*np.zeros((2, 1, len(hits)), dtype=np.int64))
    n = int(np.clip(CELLS // (len(hits) * n_pairs), AT_LEAST, AT_MOST))
    crowds = draw_crowds(crowd, n, n_newcomers=rule.max_votes, dice=dice)
    board = _set_up(hits, n_pairs, crowds, dice)
    order = _order(hits, crowd, rule.max_votes, n, dice)
    n_others = np.array([hit.n_others for hit in hits])
    return _play(board, order, n_others, rule, crowds, _chances_of_control(n_pairs, control_rate) * crowd.there, dice)


def _set_up(hits: Sequence[UnfinishedHit], n_pairs: int, crowds: DrawnCrowds, dice: np.random.Generator) -> _Board:
    shape = (len(crowds.hard), len(hits), n_pairs)
    is_open = np.zeros(shape, dtype=np.bool_)
    for number, hit in enumerate(hits):
        is_open[:, number, : len(hit.pairs)] = True
    n_votes = np.zeros(shape, dtype=np.int64)
    of_hard = np.log(np.where(np.eye(len(LABELS)), RIGHT_WHERE_HARD, (1 - RIGHT_WHERE_HARD) * crowds.errors))
    believed, likely, if_hard = np.zeros((3, *shape, len(LABELS)))
    for at, pair, label, who in _rounds(hits):
        n_votes[:, at, pair] += 1
        believed[:, at, pair, label] += _gain(crowds.beliefs[:, who])
        likely[:, at, pair] += _log_chance(crowds.skills[:, who], crowds.errors, label)
        if_hard[:, at, pair] += of_hard[:, :, label].swapaxes(1, 2)
    truth, is_hard = _draw_truth(likely, if_hard, crowds.hard, dice)
    return _Board(believed, n_votes, is_open, truth, is_hard)


def _rounds(hits: Sequence[UnfinishedHit]) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """The first vote of every pair that has one, the second ones ...: the pairs' HITs and places, labels, and whose."""
    pairs = [(at, place, votes) for at, hit in enumerate(hits) for place, votes in enumerate(hit.pairs)]
    for number in range(max((len(votes) for *_, votes in pairs), default=0)):
        votes_of = [(at, place, *votes[number]) for at, place, votes in pairs if len(votes) > number]
        rows = np.array([(at, place, LABELS.index(label), who) for at, place, label, who in votes_of])
        yield rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3]


def _log_chance(skills: Floats, errors: Floats, said: Ints) -> Floats:
    """Of each vote for whatever may be true, (crowds, votes, labels)."""
    is_right = said[:, None] == np.arange(len(LABELS))
    shares = np.log(errors + np.eye(len(LABELS)))[:, :, said].swapaxes(1, 2)  # what is right has no share to be taken
    return np.asarray(np.where(is_right, np.log(skills)[..., None], np.log(1 - skills)[..., None] + shares))


def _draw_truth(likely: Floats, if_hard: Floats, hard: Floats, dice: np.random.Generator) -> tuple[Ints, Flags]:
    """What is true of each pair and whether it is hard, by the votes it has; before them all labels are alike.

    `likely` is the log chance of the votes for each label, were the pair not hard, and `if_hard` were it.
    """
    share = np.clip(hard, TINY, 1 - TINY)[:, None, None, None]
    chances = np.concatenate([np.log(1 - share) + likely, np.log(share) + if_hard], axis=-1)
    drawn = (chances + dice.gumbel(size=chances.shape)).argmax(axis=-1)
    return drawn % len(LABELS), drawn >= len(LABELS)


def _gain(skill: Floats) -> Floats:
    """What a vote adds to the log odds of its label."""
    return np.asarray(np.log(skill * (len(LABELS) - 1) / (1 - skill)))


def _order(hits: Sequence[UnfinishedHit], crowd: Crowd, n_newcomers: int, n: int, dice: np.random.Generator) -> Ints:
    """(crowds, HITs, turns): who comes to a HIT, one after the other; who does much comes sooner, newcomers last."""
    busy = sorted(crowd.comes, key=lambda who: -crowd.people[who].n_submitted)[:COMING]
    there = np.array([*busy, *range(len(crowd.people), len(crowd.people) + n_newcomers)])
    weights = np.array([crowd.people[who].n_submitted + 1.0 for who in busy] + [1e-9] * n_newcomers)
    keys = np.log(weights) + dice.gumbel(size=(n, len(hits), len(there)))
    for at, hit in enumerate(hits):
        keys[:, at, np.isin(there, np.array(hit.had_by, dtype=np.int64))] = -np.inf
    return np.asarray(there[np.argsort(-keys, axis=-1)])


def _play(
    board: _Board,
    order: Ints,
    n_others: Ints,
    rule: Rule,
    crowds: DrawnCrowds,
    of_control: Floats,
    dice: np.random.Generator,
) -> Played:
    n, n_hits, _ = board.is_open.shape
    judgments, assignments = np.zeros((2, n, n_hits), dtype=np.int64)
    rows = np.arange(n)[:, None]
    for turn in range(rule.max_votes + PAGES_MORE):
        if not board.is_open.any():
            break
        who = order[:, :, min(turn, order.shape[2] - 1)]
        shown = board.is_open & ~_gives_way(board, n_others - turn, rule, of_control, dice)
        assignments += board.is_open.any(axis=-1)
        judgments += shown.sum(axis=-1)
        _judge(board, shown, crowds.skills[rows, who], crowds.beliefs[rows, who], crowds.errors, dice)
        board.is_open &= ~_is_done(board, rule) | ~shown
    return Played(judgments, assignments)


def _chances_of_control(n_pairs: int, rate: float) -> Floats:
    """That one takes the place of a pair, of 0, 1 ... `n_pairs`: only where none comes on top of so few."""
    return np.array([0.0 if controls_on_top(n, rate=rate) else n * rate for n in range(n_pairs + 1)])


def _gives_way(board: _Board, n_others: Ints, rule: Rule, of_control: Floats, dice: np.random.Generator) -> Flags:
    """At most one pair of a HIT, where `n_others` can come who have not had it, one of them now."""
    gives_way = np.zeros_like(board.is_open)
    if not of_control.any():
        return gives_way
    n_open = board.is_open.sum(axis=-1)
    crowds, hits = (dice.random(n_open.shape) < of_control[n_open]).nonzero()
    is_open = board.is_open[crowds, hits]
    fewest = board.n_votes[crowds, hits].min(axis=-1, where=is_open, initial=rule.max_votes - 1)
    drawn = np.where(is_open, dice.random(is_open.shape), -1.0).argmax(axis=-1)
    gives_way[crowds, hits, drawn] = are_enough_for_control(n_others[hits], fewest, rule)
    return gives_way


def are_enough_for_control(n_others: Ints | int, fewest: Ints | int, rule: Rule) -> Flags:
    """Whether a pair is left to those who come after: as many as the pair of the `fewest` votes may still want then,
    and SPARE more, as `annotation.controls.drawing.draw_controls` asks of every page."""
    return np.asarray(n_others - 1 >= np.maximum(0, rule.max_votes - 1 - fewest) + SPARE)


def _judge(
    board: _Board, shown: Flags, skills: Floats, beliefs: Floats, errors: Floats, dice: np.random.Generator
) -> None:
    """One more vote on each pair that is shown. `skills` and `beliefs` are those of who judges, (crowds, HITs)."""
    right = dice.random(shown.shape) < np.where(board.is_hard, RIGHT_WHERE_HARD, skills[..., None])
    of_last = errors[:, range(len(LABELS)), OTHERS[:, 1]]  # (crowds, what is true)
    is_last = dice.random(shown.shape) < of_last[np.arange(len(errors))[:, None, None], board.truth]
    said = np.where(right, board.truth, OTHERS[board.truth, is_last.astype(np.int64)])
    gain = np.where(shown, _gain(beliefs)[..., None], 0.0)
    board.believed += gain[..., None] * (said[..., None] == np.arange(len(LABELS)))
    board.n_votes += shown


def _is_done(board: _Board, rule: Rule) -> Flags:
    enough = board.n_votes >= rule.min_votes
    if rule.confidence is None:
        return np.asarray(enough)
    weights = np.exp(board.believed - board.believed.max(axis=-1, keepdims=True))
    sure = 1 / weights.sum(axis=-1) >= rule.confidence - ROUNDING  # of the likeliest label, which has weight 1
    return np.asarray((enough & sure) | (board.n_votes >= rule.max_votes))
