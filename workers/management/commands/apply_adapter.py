"""`manage.py apply_adapter ADAPTER --embeddings FOLDER --out FOLDER`: a trained adapter on other frozen vectors."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.methods.benchmarks.data import DataError

NO_PACKAGES = "The packages of the worker are missing ({error}). Run pip install -r workers/requirements.txt"


class Command(BaseCommand):
    help = "Make the vectors of a trained adapter from other vectors of the same model, for evaluate."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("adapter", type=Path, help="A folder of train_adapter.")
        parser.add_argument("--embeddings", type=Path, required=True, metavar="FOLDER", help="Vectors of a model.")
        parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="A new folder.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from workers.training.adapters.running import apply

            apply(options["adapter"], options["embeddings"], options["out"])
        except DataError as problem:
            raise CommandError(str(problem)) from problem
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error
        self.stdout.write(f"Written to {options['out']}.")
