"""`manage.py compare A/result.json B/result.json ...`: which differences between models are real."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.methods.benchmarks.comparison import MEASURES, compare, is_low_better, read_result
from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.results import words_of


class Command(BaseCommand):
    help = (
        "Compare results of `manage.py evaluate`. With the same queries: a paired bootstrap and a permutation test. "
        "Otherwise: Mann-Whitney U. It needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("results", nargs="+", type=Path, metavar="RESULT", help="result.json, or its folder.")
        parser.add_argument("--measure", nargs="+", default=[], metavar="NAME", help="Which measures.")
        parser.add_argument("--categories", action="store_true", help="Also for each category; auprc always does so.")
        parser.add_argument("--draws", type=int, default=2000, help="Draws of the bootstrap and the permutations.")
        parser.add_argument("--seed", type=int, default=0, help="Seed of both.")
        parser.add_argument("--out", type=Path, metavar="FILE", help="A JSON file for the comparison.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["draws"] < 1 or options["seed"] < 0:
            raise CommandError("--draws is at least 1, and --seed at least 0.")
        try:
            asked = {"measures": options["measure"], "by_category": options["categories"]}
            results = [read_result(path, **asked) for path in options["results"]]
            measures = options["measure"] or MEASURES
            found = compare(results, draws=options["draws"], seed=options["seed"], measures=measures)
        except DataError as problem:
            raise CommandError(str(problem)) from problem
        for direction, each in found.items():
            for category, part in {"": each, **each.get("categories", {})}.items():
                how = "the same queries" if part["shared"] else "different queries"
                self.stdout.write(f"\n{words_of(direction)}, {category + ', ' if category else ''}{how}")
                for measure, of in part["measures"].items():
                    self.show(measure, of)
        if options["out"]:
            text = json.dumps(found, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
            options["out"].write_text(text + "\n", encoding="utf-8")

    def show(self, measure: str, of: Mapping[str, Any]) -> None:
        sign = 1 if is_low_better(measure) else -1
        best_first = sorted(of["means"].items(), key=lambda each: sign * each[1])
        means = ", ".join(f"{name} {value:.4f}" for name, value in best_first)
        self.stdout.write(f"  {measure}: {means}")
        for row in of["pairs"]:
            self.stdout.write(f"    {_shown(row)}")
        groups = "; ".join(" = ".join(group) for group in of["level"])
        self.stdout.write(f"    level with each other: {groups}")


def _shown(row: Mapping[str, Any]) -> str:
    first, second = row["models"]
    verdict = "real" if row["is_real"] else "not shown"
    tested = f"p {row['p']:.4f}, p by Holm {row['p_holm']:.4f}: {verdict}"
    if "value" not in row:
        return f"{second} over {first}: rank-biserial {row['rank_biserial']:.4f}, {tested}"
    interval = "" if row["low"] is None else f" [{row['low']:+.4f}, {row['high']:+.4f}]"
    return f"{second} - {first}: {row['value']:+.4f}{interval}, {tested}; smallest to see {row['detectable']:.4f}"
