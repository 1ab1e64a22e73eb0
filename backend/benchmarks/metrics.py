"""The figures of results as columns: their order, and how a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from backend.methods.benchmarks.tasks import relevance, retrieval

WAYS = ("image_to_text", "text_to_image")
DIRECTIONS = (*WAYS, "both", "pairs")
# By the code of its label: whether it is a share of 1, and whether less is better.
MEASURES = {
    "hit": (True, False), "recall": (True, False), "recall_all": (True, False), "map": (True, False),
    "map_at_r": (True, False), "r_precision": (True, False), "mrr": (True, False), "ndcg": (True, False),
    "rank_all_mean": (False, True), "rank_all_median": (False, True), "rank_best_mean": (False, True),
    "rank_best_median": (False, True), "rsum": (False, False), "auprc": (True, False), "above_chance": (True, False),
    "prevalence": (True, False),
}  # fmt: skip
CODES = tuple(MEASURES)
HEADLINE = {
    "retrieval": retrieval.HEADLINE,
    "relevance": relevance.MEASURES,
    "auprc": ("auprc", "above_chance", "prevalence"),
}


def describe(name: str, task: str) -> dict[str, Any] | None:
    """A figure called `direction.measure` as a column; None where Connote does not know it."""
    direction, _, measure = name.partition(".")
    code, _, k = measure.partition("@")
    if measure == "map@R":
        code, k = "map_at_r", ""
    if direction not in DIRECTIONS or code not in MEASURES or not (k == "" or k.isdecimal()):
        return None
    is_percent, is_low_better = MEASURES[code]
    return {
        "name": name, "direction": direction, "measure": measure, "label_code": code, "k": int(k) if k else None,
        "is_percent": is_percent, "is_headline": measure in HEADLINE.get(task, ()), "is_low_better": is_low_better,
    }  # fmt: skip


def list_metrics(names: Iterable[str], task: str) -> list[dict[str, Any]]:
    """Figures as columns, in the order of a table: by direction, then the measures that papers print first."""
    found = [each for name in set(names) if (each := describe(name, task)) is not None]
    head = HEADLINE.get(task, ())

    def place(each: Mapping[str, Any]) -> tuple[int, int, int, int]:
        measure = each["measure"]
        first = head.index(measure) if measure in head else len(head)
        return DIRECTIONS.index(each["direction"]), first, CODES.index(each["label_code"]), each["k"] or 0

    return sorted(found, key=place)


def cells_of(figures: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The figures of a result or of a category, by `direction.measure`."""
    return {
        f"{direction}.{measure}": {
            **{part: figure.get(part) for part in ("value", "low", "high", "n", "reason", "contribution")},
            "difference": None,
        }
        for direction, measures in figures.items()
        for measure, figure in measures.items()
    }


def describe_category(name: str) -> dict[str, str]:
    """A category `field=value` in its parts."""
    field, _, value = name.partition("=")
    return {"name": name, "field": field, "value": value}
