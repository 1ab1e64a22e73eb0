"""Results of several models side by side: which differences are real, which models are level."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from backend.methods.benchmarks.comparing import LEVEL, Difference, holm, level_groups, mann_whitney, paired
from backend.methods.benchmarks.comparing_pairs import ScoredPairs, are_same, compare_apart, compare_same, pairs_of
from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.per_query import NAME, Answers, answers_of, read_table
from backend.methods.benchmarks.results import check_result

PAIRS = "pairs"
MEASURES = ("hit@1", "hit@5", "hit@10", "map@R", "ndcg")


@dataclass(frozen=True)
class Result:
    """A result that was read again."""

    name: str
    body: Mapping[str, Any]
    answers: Mapping[str, Answers]  # by direction
    pairs: ScoredPairs | None = None  # of the task auprc, which has no ranks


def read_result(path: Path, *, measures: Sequence[str] = MEASURES) -> Result:
    """result.json and the table next to it; a folder stands for its result.json. Raises DataError."""
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
    if body["task"] == "auprc":
        if body["metrics"]["pairs"]["auprc"]["value"] is None:
            raise DataError(f"{path} has no AUPRC: all its pairs are of one class.")
        return Result(body["model"]["name"], body, {}, pairs_of(table))
    return Result(body["model"]["name"], body, answers_of(table, body, measures=measures))


def compare(
    results: Sequence[Result], *, draws: int = 2000, seed: int = 0, measures: Sequence[str] = MEASURES
) -> dict[str, Any]:
    """Every pair of models by direction and measure. Raises DataError where there is nothing to compare."""
    names = _names(results)
    if any(each.pairs for each in results):
        return {PAIRS: _compare_pairs(names, results, draws, seed)}
    found: dict[str, Any] = {}
    for direction in dict.fromkeys(way for each in results for way in each.answers):
        here = {
            name: each.answers[direction]
            for name, each in zip(names, results, strict=True)
            if direction in each.answers
        }
        if len(here) < 2:
            continue
        shared = _is_shared([each for each in results if direction in each.answers], list(here.values()))
        method = _paired if shared else _unpaired
        found[direction] = {"shared": shared, "measures": {m: method(here, m, draws, seed) for m in measures}}
    if not found:
        raise DataError("The results have no direction in common.")
    return found


def _compare_pairs(names: Sequence[str], results: Sequence[Result], draws: int, seed: int) -> dict[str, Any]:
    """AUPRC where all models scored the same pairs, else what they have above chance."""
    scored = {name: each.pairs for name, each in zip(names, results, strict=True) if each.pairs}
    if len(scored) < len(results):
        raise DataError("Some results are of the task auprc and others are not. Compare results of one task.")
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


def _is_shared(results: Sequence[Result], answers: Sequence[Answers]) -> bool:
    """Whether all models answered the same queries of the same data."""
    digests = {each.body["data"]["digest"] for each in results}
    return len(digests) == 1 and len({frozenset(each.queries) for each in answers}) == 1


def _paired(here: Mapping[str, Answers], name: str, draws: int, seed: int) -> dict[str, Any]:
    first = next(iter(here.values()))
    place = {query: at for at, query in enumerate(first.queries)}
    values = {}
    for model, answers in here.items():
        values[model] = np.empty(len(place))
        values[model][[place[query] for query in answers.queries]] = answers.values[name]
    clusters = np.unique(np.array(first.clusters), return_inverse=True)[1]
    pairs = combinations(values, 2)
    found = {(a, b): paired(values[a], values[b], clusters, draws=draws, seed=seed) for a, b in pairs}
    return _with_verdicts({model: float(each.mean()) for model, each in values.items()}, found)


def _with_verdicts(means: Mapping[str, float], found: Mapping[tuple[str, str], Difference]) -> dict[str, Any]:
    """The difference of each pair of models with Holm's correction, and which models are level."""
    corrected = dict(zip(found, holm([each.p for each in found.values()]), strict=True))
    rows = [
        {"models": list(pair), **asdict(each), "p_holm": corrected[pair], "is_real": corrected[pair] < LEVEL}
        for pair, each in found.items()
    ]
    real = {pair: p < LEVEL for pair, p in corrected.items()}
    return {"means": dict(means), "pairs": rows, "level": level_groups(list(means), list(means.values()), real)}


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
    return {"means": means, "pairs": rows, "level": level_groups(list(means), list(means.values()), real)}
