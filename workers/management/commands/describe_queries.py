"""`manage.py describe_queries DATA`: what the queries or captions of a benchmark are like."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.describing import describe
from backend.methods.benchmarks.reading import read_data
from backend.methods.wordnet import DEBIANS, Depths, NotWordNetError


class Command(BaseCommand):
    help = "Print words, depth in WordNet and categories of queries or captions. It needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("data", type=Path, help="A file or folder with images and captions, or with queries.")
        parser.add_argument("--split", default="", help="A split of the data.")
        parser.add_argument("--wordnet", type=Path, help="The folder of WordNet 3.0. Default: Debian's.")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["wordnet"] or (DEBIANS if DEBIANS.is_dir() else None)
        try:
            data = read_data(options["data"], split=options["split"])
            depths = Depths(folder) if folder and data.captions is not None else None
            for name, lines in describe(data, depths):
                self.stdout.write(f"\n{name}")
                for line in lines:
                    self.stdout.write(f"  {line.name:<44} {line.value}")
        except (DataError, NotWordNetError) as problem:
            raise CommandError(str(problem)) from problem
        if depths is None:
            self.stderr.write(
                "There is no WordNet here, so depths are left out. Install wordnet-base, or use --wordnet."
            )
