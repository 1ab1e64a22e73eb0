"""What each annotator did, from rows made here: who works badly stands out, and who works well does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from backend.agreement.people import describe_people
from backend.agreement.rows import PASSED, Rows

N_HITS, PER_HIT, HONEST = 60, 5, 7


def crowd(bad: str, *, seed: int = 0, share_good: float = 0.6) -> Rows:
    """Seven people with skill, and one who works badly in one way, on the same HITs; each HIT ends with a control."""
    dice = np.random.default_rng(seed)
    shares = [share_good, 0.9 * (1 - share_good), 0.1 * (1 - share_good)]
    truth = dice.choice(3, size=(N_HITS, PER_HIT + 1), p=shares)
    columns: list[np.ndarray] = []
    for person in range(HONEST + 1):
        skill = 0.5 if bad == "careless" and person == HONEST else dice.uniform(0.75, 0.92)
        said = np.where(dice.random(truth.shape) < skill, truth, dice.choice(3, size=truth.shape))
        ms = dice.lognormal(8, 0.5, truth.shape).astype(np.int64)
        if person == HONEST and bad == "anything":
            said = dice.choice(3, size=truth.shape)
        if person == HONEST and bad == "one answer":
            said[:] = 0
        if person == HONEST and bad == "hurry":
            ms //= 20
        if person == HONEST and bad == "last place":
            said[:, 3:] = 1
        hit, at = np.divmod(np.arange(truth.size), PER_HIT + 1)
        is_control = at == PER_HIT
        outcome = np.where(is_control, np.where(said.ravel() == truth.ravel(), PASSED, 2), 0)
        columns.append(
            np.column_stack([
                np.full(truth.size, person), np.arange(truth.size), person * N_HITS + hit, said.ravel(), at + 1,
                ms.ravel(), 738000 + hit // 20, outcome, is_control,
            ])
        )  # fmt: skip
    people, items, turns, labels, positions, times, days, outcomes, is_control = np.concatenate(columns).T
    n_pairs = truth.size
    return Rows(
        people=np.arange(HONEST + 1) + 100, pairs=np.arange(n_pairs), clusters=np.arange(n_pairs) // (PER_HIT + 1),
        sources=np.full(n_pairs, "human", dtype=object), annotators=people, items=items, turns=turns, labels=labels,
        positions=positions, ms=times, days=days, outcomes=outcomes, is_control=is_control == 1,
        is_counted=is_control == 0, is_named=np.ones(len(people), dtype=bool),
        options=[tuple(dice.permutation(3).tolist()) for _ in range((HONEST + 1) * N_HITS)], edited={},
    )  # fmt: skip


def flags(rows: Rows) -> dict[int, set[str]]:
    return {user: {flag["code"] for flag in told["flags"]} for user, (told, _) in describe_people(rows).items()}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("bad", "wanted"),
    [
        ("anything", {"agreement_near_chance", "controls_below_others"}),
        ("one answer", {"straight_lining", "agreement_near_chance"}),
        ("hurry", {"too_fast"}),
        ("last place", {"follows_position"}),
    ],
)
def test_who_works_badly_stands_out_and_the_others_do_not(bad: str, wanted: set[str]) -> None:
    n_found, n_accused, n_honest = 0, 0, 0
    for seed in range(8):
        found = flags(crowd(bad, seed=seed))
        n_found += wanted <= found.pop(100 + HONEST)
        n_accused += sum(bool(those) for those in found.values())
        n_honest += len(found)
    assert n_found >= 7
    assert n_accused <= 0.05 * n_honest


@pytest.mark.nightly
def test_where_nearly_all_is_good_honest_people_are_not_accused() -> None:
    """Of nearly one label a kappa is small and says little; alike answers are no line then."""
    accused = [those for seed in range(8) for those in flags(crowd("nobody", seed=seed, share_good=0.93)).values()]
    assert sum(bool(those) for those in accused) <= 0.05 * len(accused)


def test_times_over_a_minute_are_not_active_and_days_add_up() -> None:
    rows = crowd("nobody")
    rows.ms[:3] = 600_000
    rows.ms[3:6] = -1
    told, days = describe_people(rows)[100]
    mine = rows.ms[rows.annotators == 0]
    active = np.minimum(mine[mine >= 0], 60_000).sum() / 1000
    assert told["active_seconds"] == pytest.approx(active)
    assert told["n_timed"] == N_HITS * (PER_HIT + 1) - 3
    assert told["pace"] == pytest.approx(told["n_timed"] * 3600 / active)
    assert told["seconds_median"] == pytest.approx(float(np.median(mine[mine >= 0])) / 1000)
    assert [day["day"] for day in days] == sorted(day["day"] for day in days)
    assert len(days) == 3
    for name in ("controls", "with_consensus"):
        whole = {end: sum((day[name] or {}).get(end, 0) for day in days) for end in "kn"}
        assert whole == {end: told[name][end] for end in "kn"}
    assert sum(day["active_seconds"] for day in days) == pytest.approx(active)


def test_somebody_alone_is_compared_with_nobody() -> None:
    rows = crowd("nobody")
    mine = rows.annotators == 0
    alone = {name: getattr(rows, name)[mine] for name in
             ("annotators", "items", "turns", "labels", "positions", "ms", "days", "outcomes", "is_control",
              "is_counted", "is_named")}  # fmt: skip
    kept: dict[str, Any] = {name: getattr(rows, name) for name in ("people", "pairs", "clusters", "sources", "options")}
    [(told, _)] = describe_people(Rows(**kept, **alone, edited={})).values()
    assert (told["with_consensus"], told["kappa"]["value"], told["flags"]) == (None, None, [])
    assert np.sum(told["confusion"]) == 0
    assert sum(told["label_mix"].values()) == told["n_judgments"] == N_HITS * PER_HIT
