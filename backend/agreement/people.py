"""What each annotator did, from the rows: agreement with the consensus of the others, habits, day by day."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.agreement.rows import FAILED, PASSED, Rows, day_name
from backend.methods.agreement import UNSURE_READINGS, CoRatings, Figure, pair_figures
from backend.methods.consensus import LABELS
from backend.methods.judgments import label_counts
from backend.methods.quality import (
    Answered,
    Bias,
    Habits,
    expected_places,
    flags_of,
    floor_of,
    item_bias,
    option_bias,
    plurality,
    quick_of,
    share_of,
    straight_lining,
    too_fast,
)
from backend.quality.habits import NEWEST_HITS

IDLE_SECONDS = 60  # on one item; what is longer was no work on it
MOST_TURNS = 1000  # of one annotator, the newest, that tests of habits look at
MOST_DAYS = 730
TREND = 14  # days in the list of how everybody works
Ints = NDArray[np.int64]


def describe_people(rows: Rows) -> dict[int, tuple[dict[str, Any], list[dict[str, Any]]]]:
    """By user id, what everybody did who stands for themself, and the same day by day; also those whose judgments do
    not count."""
    others = _others(rows)
    consensus = np.where(rows.is_control, -1, plurality(others))
    people = _by_person(rows)
    quick = [quick_of(_seconds(rows, mine)) for _, mine in people]
    floor = floor_of(each for each in quick if each is not None)
    kappas = _kappas(rows, consensus)
    found = {place: _describe(rows, mine, others, consensus, floor, kappas[place]) for place, mine in people}
    flags = flags_of({place: habits for place, (_, habits) in found.items()})
    answer = {}
    for place, mine in people:
        told, days = found[place][0], _days(rows, mine, consensus)
        told["recent"]["days"] = [{name: day[name] for name in ("day", "n", "with_consensus")} for day in days[-TREND:]]
        answer[int(rows.people[place])] = (told | {"flags": [asdict(flag) for flag in flags[place]]}, days)
    return answer


def _by_person(rows: Rows) -> list[tuple[int, Ints]]:
    """The rows of everybody who stands for themself, oldest first."""
    order = np.argsort(rows.annotators, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(rows.annotators, minlength=len(rows.people)))[:-1])
    return [(place, mine) for place, mine in enumerate(parts) if len(mine) and rows.is_named[mine[0]]]


def _others(rows: Rows) -> Ints:
    """Of each row the counted votes of the others on its pair, (n, labels)."""
    counted = rows.is_counted
    votes = label_counts(rows.items[counted], rows.labels[counted], len(rows.pairs), len(LABELS))[rows.items]
    votes[np.flatnonzero(counted), rows.labels[counted]] -= 1
    return votes


def _kappas(rows: Rows, consensus: Ints) -> dict[int, Figure]:
    """Everybody's kappa with the consensus of the others, drawn over images or queries."""
    told = (consensus >= 0) & rows.is_named
    people = np.arange(len(rows.people))
    cells = consensus[told] * len(LABELS) + rows.labels[told]
    with_others = CoRatings(
        np.column_stack([people, people]), rows.annotators[told], rows.items[told], cells, len(LABELS)
    )
    found = pair_figures(with_others, UNSURE_READINGS[0], "nominal", clusters=rows.clusters)
    return {each.first: each.figure for each in found}


def _seconds(rows: Rows, mine: Ints) -> NDArray[np.float64]:
    """The focus times of some rows, of those that were sent."""
    ms = rows.ms[mine]
    return ms[ms >= 0] / 1000


def _describe(
    rows: Rows, mine: Ints, others: Ints, consensus: Ints, floor: float | None, kappa: Figure
) -> tuple[dict[str, Any], Habits]:
    graded, compared = rows.outcomes[mine], consensus[mine] >= 0
    pairs = mine[~rows.is_control[mine]]
    seconds, same = _seconds(rows, mine), consensus[mine] == rows.labels[mine]
    cells = consensus[mine][compared] * len(LABELS) + rows.labels[mine][compared]
    newest = _newest_turns(rows, pairs, MOST_TURNS)
    lines, options = straight_lining(_answered(rows, newest, others)), _option_bias(rows, newest)
    items = item_bias((rows.positions[newest] - 1).tolist(), rows.labels[newest].tolist())
    n_passed, n_failed = int((graded == PASSED).sum()), int((graded == FAILED).sum())
    active = float(np.minimum(seconds, IDLE_SECONDS).sum())
    told = {
        "n_judgments": len(pairs), "n_counted": int(rows.is_counted[mine].sum()), "n_turns": len(set(rows.turns[mine])),
        "active_seconds": active, "n_timed": len(seconds), "pace": 3600 * len(seconds) / active if active else None,
        "seconds_median": float(np.median(seconds)) if len(seconds) else None,
        "controls": _share(n_passed, n_passed + n_failed),
        "with_consensus": _share(int(same[compared].sum()), int(compared.sum())),
        "kappa": {"value": kappa.value, "reason": kappa.reason, "n_items": kappa.n_items,
                  "low": kappa.interval.low if kappa.interval else None,
                  "high": kappa.interval.high if kappa.interval else None},
        "confusion": np.bincount(cells, minlength=len(LABELS) ** 2).reshape(len(LABELS), -1).tolist(),
        "label_mix": dict(zip(LABELS, np.bincount(rows.labels[pairs], minlength=len(LABELS)).tolist(), strict=True)),
        "straight_lining": asdict(lines), "option_position": asdict(options), "item_position": asdict(items),
        "recent": _recent(rows, _newest_turns(rows, pairs, NEWEST_HITS), consensus),
    }  # fmt: skip
    speed = too_fast(seconds.tolist(), floor=floor) if floor is not None else None
    told["speed"] = {"n_below": speed.n_below, "n": speed.n} if speed else None
    high = kappa.interval.high if kappa.interval else None
    habits = Habits(n_passed, n_passed + n_failed, kappa.value, high, int(compared.sum()), lines, speed, options, items)
    return told, habits


def _share(k: int, n: int) -> dict[str, Any] | None:
    share = share_of(k, n)
    return asdict(share) if share else None


def _recent(rows: Rows, newest: Ints, consensus: Ints) -> dict[str, Any]:
    """How somebody works now."""
    compared, seconds = consensus[newest] >= 0, _seconds(rows, newest)
    same = int((consensus[newest] == rows.labels[newest])[compared].sum())
    median = float(np.median(seconds)) if len(seconds) else None
    return {"with_consensus": _share(same, int(compared.sum())), "seconds_median": median}


def _newest_turns(rows: Rows, pairs: Ints, n: int) -> Ints:
    """The rows of the newest n assignments, by assignment in the order of time and then by position."""
    turns, first, place = np.unique(rows.turns[pairs], return_index=True, return_inverse=True)
    kept = first >= np.sort(first)[-n:][0] if len(turns) else first > 0
    mine = pairs[kept[place]]
    begun = pairs[first[place]][kept[place]]  # the first row of its assignment
    return np.asarray(mine[np.lexsort([rows.positions[mine], begun])])


def _answered(rows: Rows, newest: Ints, others: Ints) -> list[Answered]:
    if not len(newest):
        return []
    ends = np.flatnonzero(np.diff(rows.turns[newest])) + 1
    return [Answered(tuple(rows.labels[mine].tolist()), others[mine]) for mine in np.split(newest, ends)]


def _option_bias(rows: Rows, newest: Ints) -> Bias:
    """Whether the label follows the place of its button, of assignments whose buttons are known."""
    known = [row for row in newest.tolist() if len(rows.options[rows.turns[row]]) == len(LABELS)]
    labels = rows.labels[known].tolist()
    options = [rows.options[rows.turns[row]] for row in known]
    places = [shown.index(label) for label, shown in zip(labels, options, strict=True)]
    expected = expected_places(labels, options) if labels else None
    return option_bias(places, n_options=len(LABELS), expected=expected)


def _days(rows: Rows, mine: Ints, consensus: Ints) -> list[dict[str, Any]]:
    """The newest MOST_DAYS on which they judged, oldest first."""
    days, place = np.unique(rows.days[mine], return_inverse=True)
    parts = np.split(mine[np.argsort(place, kind="stable")], np.cumsum(np.bincount(place))[:-1])
    return [_day(rows, int(day), part, consensus) for day, part in list(zip(days, parts, strict=True))[-MOST_DAYS:]]


def _day(rows: Rows, day: int, mine: Ints, consensus: Ints) -> dict[str, Any]:
    seconds, outcomes = _seconds(rows, mine), rows.outcomes[mine]
    compared = consensus[mine] >= 0
    n_passed, n_failed = int((outcomes == PASSED).sum()), int((outcomes == FAILED).sum())
    return {
        "day": day_name(day), "n": len(mine), "active_seconds": float(np.minimum(seconds, IDLE_SECONDS).sum()),
        "seconds_median": float(np.median(seconds)) if len(seconds) else None,
        "controls": _share(n_passed, n_passed + n_failed),
        "with_consensus": _share(int((consensus[mine] == rows.labels[mine])[compared].sum()), int(compared.sum())),
    }  # fmt: skip
