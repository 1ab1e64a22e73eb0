"""Results of several models side by side: which differences are real, which models are level."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from backend.methods.benchmarks.comparing import (
    LEVEL,
    Difference,
    compare_samples,
    holm,
    level_groups,
    mann_whitney,
)
from backend.methods.benchmarks.comparing_pairs import ScoredPairs, are_same, compare_apart, compare_same, pairs_of
from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.per_query import (
    BOTH_RSUM,
    NAME,
    RSUM,
    Answers,
    answers_of,
    categories_of,
    differences_of,
    numbers_of,
    read_table,
    with_rejected,
)
from backend.methods.benchmarks.results import check_result

PAIRS, BOTH = "pairs", "both"
WAYS = ("image_to_text", "text_to_image")
MEASURES = ("hit@1", "hit@5", "hit@10", "map@R", "ndcg", "rank_all_median", "rsum")


@dataclass(frozen=True)
class Part:
    """The answers of a model by direction, of all right items or of one category."""

    answers: Mapping[str, Answers]
    pairs: ScoredPairs | None = None  # of the task auprc, which has no ranks


@dataclass(frozen=True)
class Result:
    """A result that was read again. `parts` are by category; "" has all right items."""

    name: str
    body: Mapping[str, Any]
    parts: Mapping[str, Part]


def read_result(path: Path, *, measures: Sequence[str] = (), by_category: bool = False) -> Result:
    """result.json and the table next to it; a folder stands for its result.json. Without `measures`: all that it has.

    AUPRC is always read by category, too. Raises DataError, also for a measure that the result does not have.
    """
    path = path / "result.json" if path.is_dir() else path
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise DataError(f"Connote cannot read {path}: {problem.strerror}.") from problem
    except ValueError as problem:
        raise DataError(f"{path} is not complete JSON: {problem}.") from problem
    check_result(body)
    if "not_run" in body:
        raise DataError(f"{path}: the model {body['model']['name']} was not run, so there is nothing to compare.")
    try:
        with (path.parent / NAME).open("rb") as file:
            table = read_table(file, body["task"])
    except OSError as problem:
        raise DataError(f"{path.parent / NAME} is missing or damaged: {problem}.") from problem
    is_of_pairs = body["task"] == "auprc"
    categories = ["", *(categories_of(table) if by_category or is_of_pairs else ())]
    if not is_of_pairs:
        parts = {each: Part(answers_of(table, body, measures=measures, category=each)) for each in categories}
        return Result(body["model"]["name"], body, parts)
    if body["metrics"]["pairs"]["auprc"]["value"] is None:
        raise DataError(f"{path} has no AUPRC: all its pairs are of one class.")
    scored = {each: pairs_of(with_rejected(table, each)) for each in categories}
    parts = {each: Part({}, pairs) for each, pairs in scored.items() if pairs.has_both}
    return Result(body["model"]["name"], body, parts)


def compare(
    results: Sequence[Result], *, draws: int = 2000, seed: int = 0, measures: Sequence[str] = MEASURES
) -> dict[str, Any]:
    """Every pair of models by direction and measure, and the same in `categories` for each category that all results
    have. A measure that a result lacks is left out. Raises DataError where there is nothing to compare."""
    names = _names(results)
    if len({each.body["task"] == "auprc" for each in results}) > 1:
        raise DataError("Some results are of the task auprc and others are not. Compare results of one task.")
    found = _compare_part(names, results, "", draws, seed, measures)
    if not found:
        raise DataError("The results have no direction in common.")
    for category in results[0].parts:
        if category and all(category in each.parts for each in results):
            for direction, part in _compare_part(names, results, category, draws, seed, measures).items():
                found[direction].setdefault("categories", {})[category] = part
    return found


def _compare_part(
    names: Sequence[str], results: Sequence[Result], category: str, draws: int, seed: int, measures: Sequence[str]
) -> dict[str, Any]:
    parts = {name: each.parts[category] for name, each in zip(names, results, strict=True)}
    scored = {name: each.pairs for name, each in parts.items() if each.pairs}
    if scored:
        return {PAIRS: _compare_pairs(scored, draws, seed)}
    found: dict[str, Any] = {}
    data = {name: each.body["data"]["digest"] for name, each in zip(names, results, strict=True)}
    for direction in dict.fromkeys(way for each in parts.values() for way in each.answers):
        here = {name: each.answers[direction] for name, each in parts.items() if direction in each.answers}
        if len(here) < 2:
            continue
        shared = _is_shared([data[name] for name in here], list(here.values()))
        method = _paired if shared else _unpaired
        known = [name for name in measures if all(name in each.values for each in here.values())]
        found[direction] = {"shared": shared, "measures": {name: method(here, name, draws, seed) for name in known}}
    shares_all = all(each["shared"] for each in found.values()) and len(found) == len(WAYS)
    if RSUM in measures and shares_all and all(len(each.answers) == len(WAYS) for each in parts.values()):
        found[BOTH] = {"shared": True, "measures": {RSUM: _both(parts, draws, seed)}}
    return found


def _compare_pairs(scored: Mapping[str, ScoredPairs], draws: int, seed: int) -> dict[str, Any]:
    """AUPRC where all models scored the same pairs, else what they have above chance."""
    shared = are_same(list(scored.values()))
    name, method = ("auprc", compare_same) if shared else ("above_chance", compare_apart)
    found = {(a, b): method(scored[a], scored[b], draws=draws, seed=seed) for a, b in combinations(scored, 2)}
    means = {model: float(getattr(each, name)) for model, each in scored.items()}
    return {"shared": shared, "measures": {name: _with_verdicts(means, found)}}


def _names(results: Sequence[Result]) -> list[str]:
    """Different names also where a model comes twice."""
    if len(results) < 2:
        raise DataError("Give at least two results.")
    names: list[str] = []
    for each in results:
        n = sum(name == each.name or name.startswith(f"{each.name} (") for name in names)
        names.append(f"{each.name} ({n + 1})" if n else each.name)
    return names


def _is_shared(data: Sequence[str], answers: Sequence[Answers]) -> bool:
    """Whether all models answered the same queries of the same data."""
    return len(set(data)) == 1 and len({frozenset(each.queries) for each in answers}) == 1


def _paired(here: Mapping[str, Answers], name: str, draws: int, seed: int) -> dict[str, Any]:
    numbers = numbers_of(here.values())
    samples = {model: answers.sample(name, numbers) for model, answers in here.items()}
    found = {
        (a, b): compare_samples({name: (samples[a], samples[b])}, draws=draws, seed=seed)[name]
        for a, b in combinations(samples, 2)
    }
    return _with_verdicts({model: each.figure for model, each in samples.items()}, found, is_low_better(name))


def _both(parts: Mapping[str, Part], draws: int, seed: int) -> dict[str, Any]:
    """The sum of both directions, whose images are drawn together."""
    only = {
        model: {way: replace(each, values={RSUM: each.values[RSUM]}) for way, each in part.answers.items()}
        for model, part in parts.items()
    }
    found = {
        (a, b): differences_of(only[a], only[b], draws=draws, seed=seed)[BOTH_RSUM] for a, b in combinations(only, 2)
    }
    means = {model: float(sum(each.values[RSUM].mean() for each in of.values())) for model, of in only.items()}
    return _with_verdicts(means, found)


def is_low_better(measure: str) -> bool:
    """Whether less is better: of ranks."""
    return measure.startswith("rank_")


def _level(means: Mapping[str, float], real: Mapping[tuple[str, str], bool], *, is_low_better: bool) -> list[list[str]]:
    return level_groups(list(means), [-each if is_low_better else each for each in means.values()], real)


def _with_verdicts(
    means: Mapping[str, float], found: Mapping[tuple[str, str], Difference], is_low_better: bool = False
) -> dict[str, Any]:
    """The difference of each pair of models with Holm's correction, and which models are level."""
    corrected = dict(zip(found, holm([each.p for each in found.values()]), strict=True))
    rows = [
        {"models": list(pair), **asdict(each), "p_holm": corrected[pair], "is_real": corrected[pair] < LEVEL}
        for pair, each in found.items()
    ]
    real = {pair: p < LEVEL for pair, p in corrected.items()}
    return {"means": dict(means), "pairs": rows, "level": _level(means, real, is_low_better=is_low_better)}


def _unpaired(here: Mapping[str, Answers], name: str, draws: int, seed: int) -> dict[str, Any]:
    """Each pair in the direction in which the second has more."""
    means = {model: float(each.values[name].mean()) for model, each in here.items()}
    rows = []
    for a, b in combinations(here, 2):
        low, high = (a, b) if means[a] <= means[b] else (b, a)
        row = mann_whitney({name: [here[low].values[name], here[high].values[name]]})[0]
        rows.append({"models": [low, high], **{key: value for key, value in row.items() if key != "measure"}})
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row |= {"p_holm": p, "is_real": p < LEVEL}
    real = {(row["models"][0], row["models"][1]): row["is_real"] for row in rows}
    return {"means": means, "pairs": rows, "level": _level(means, real, is_low_better=is_low_better(name))}
