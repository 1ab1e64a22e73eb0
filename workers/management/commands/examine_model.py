"""`manage.py examine_model NAME`: whether a model gives an item one vector, and what belongs to the model."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.results import cut_captions
from workers.engines import registry
from workers.engines.evaluating import count_cut
from workers.engines.examining import WAYS, Examination, NotSteadyError, examine, load
from workers.engines.protocols import EngineError

NO_PACKAGES = "The packages of the worker are missing ({error}). Run pip install -r workers/requirements.txt"


class Command(BaseCommand):
    help = (
        "Encode small images and texts alone, in batches of 2 and 7, and in reversed order. Each must have the same "
        "vector each time. Print what belongs to the model. It needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", help="The name or path of a model.")
        parser.add_argument("--data", type=Path, metavar="DATA", help="Count captions that are too long for the model.")
        parser.add_argument("--split", default="", help="A split of the data.")
        parser.add_argument(
            "--tolerance", type=float, help="The largest difference of a number. Default: by the precision."
        )
        parser.add_argument("--out", type=Path, metavar="FILE", help="A JSON file for the examination.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["tolerance"] is not None and not 0 <= options["tolerance"] < 2:
            raise CommandError("--tolerance is a number of at least 0 and below 2.")
        try:
            captions = self.captions(options)
            with registry.borrowed(options["model"]):
                images, texts = load(options["model"])
                found = examine(images, texts, tolerance=options["tolerance"])
                if texts is None and captions:
                    raise CommandError(f"{options['model']} takes only images, so it reads no caption.")
                n_cut = count_cut(texts, captions) if texts is not None and captions else None
        except (DataError, EngineError) as problem:
            raise CommandError(str(problem)) from problem
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error
        self.show(found, n_cut, len(captions))
        if options["out"]:
            text = json.dumps(as_json(found, n_cut, len(captions)), indent=2, sort_keys=True, ensure_ascii=False)
            options["out"].write_text(text + "\n", encoding="utf-8")
        try:
            found.check()
        except NotSteadyError as problem:
            raise CommandError(str(problem)) from problem

    def captions(self, options: dict[str, Any]) -> tuple[str, ...]:
        """Those of --data. Raises DataError where it has none."""
        if options["data"] is None:
            return ()
        data = read_data(options["data"], split=options["split"])
        if data.captions is None:
            raise DataError(f"{data.name} has ids of texts without their words.")
        return data.captions

    def show(self, found: Examination, n_cut: int | None, n_captions: int) -> None:
        for name, value in found.record.items():
            self.stdout.write(f"{name:<18} {value}")
        for what, ways in found.differences.items():
            for way, value in ways.items():
                verdict = "the same" if value <= found.tolerance else "NOT the same"
                self.stdout.write(
                    f"{what}, {WAYS[way]}: {verdict}, largest difference {value:.1e} (allowed {found.tolerance:.0e})"
                )
        if n_cut is not None:
            self.stdout.write(cut_captions({**found.record, "truncated_captions": n_cut}, n_captions))


def as_json(found: Examination, n_cut: int | None, n_captions: int) -> dict[str, Any]:
    """The examination as JSON keeps it."""
    cut = {} if n_cut is None else {"captions": {"n": n_captions, "truncated": n_cut}}
    return {
        "model": dict(found.record),
        "tolerance": found.tolerance,
        "differences": {what: dict(ways) for what, ways in found.differences.items()},
        "is_steady": found.is_steady,
        **cut,
    }
