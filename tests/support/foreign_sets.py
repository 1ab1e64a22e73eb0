"""Sets of judgments with gold from `../shared/data`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from backend.methods.judgments import CodedJudgments, code_judgments


@dataclass(frozen=True)
class GoldSet:
    """Judgments, and each item's label by its place."""

    coded: CodedJudgments
    gold: np.ndarray


def rte(shared_data: Path) -> GoldSet:
    """Entailment: 8,000 labels by 164 workers of 800 items (Snow et al. 2008)."""
    with (shared_data / "crowd_rte_temp" / "rte_labels.csv").open() as file:
        rows = list(csv.DictReader(file))
    coded = code_judgments((row["item"], row["worker"], row["response"]) for row in rows)
    return _with_gold(coded, {row["item"]: row["gold"] for row in rows})


def bluebirds(shared_data: Path) -> GoldSet:
    """108 bird photographs by 39 workers (Welinder et al. 2010)."""
    folder = shared_data / "bluebirds_ducks"
    labels, gold = (
        yaml.safe_load((folder / f"bluebirds_{name}.yaml").read_text(encoding="utf-8")) for name in ("labels", "gt")
    )
    rows = ((str(item), str(worker), str(said)) for worker, items in labels.items() for item, said in items.items())
    return _with_gold(code_judgments(rows), {str(item): str(label) for item, label in gold.items()})


def right_share(data: GoldSet, posterior: np.ndarray) -> float:
    """The share of items whose likeliest label is gold; a tie of n labels counts 1/n."""
    best = np.isclose(posterior, posterior.max(axis=1, keepdims=True))
    return float((best[np.arange(len(data.gold)), data.gold] / best.sum(axis=1)).mean())


def _with_gold(coded: CodedJudgments, gold: dict[str, str]) -> GoldSet:
    return GoldSet(coded, np.array([coded.labels.index(gold[item]) for item in coded.items]))
