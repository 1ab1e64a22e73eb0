"""`manage.py train_adapter pvse|pcme|dive --embeddings FOLDER --data DATA --out FOLDER`: a one-to-many head."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.reading import read_data

NO_PACKAGES = "The packages of the worker are missing ({error}). Run pip install -r workers/requirements.txt"
STOPPED = "Stopped. Run the same command again to continue from the last whole epoch."
KINDS = ("pvse", "pcme", "dive")
LEAST = {"k": 1, "epochs": 1, "batch": 2, "seed": 0}


class Command(BaseCommand):
    help = (
        "Train an adapter on the embeddings of a model: each item gets several vectors, or a distribution. "
        "It needs no database and no Redis. Run the same command again after an interruption."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=KINDS, help="Which adapter.")
        parser.add_argument("--embeddings", type=Path, required=True, metavar="FOLDER", help="Vectors of a model.")
        parser.add_argument("--data", type=Path, required=True, help="Which captions belong to which images.")
        parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="The folder of the adapter.")
        parser.add_argument("--split", default="", help="The split of the data to train on.")
        parser.add_argument("--k", type=int, default=4, help="Vectors for each item; PCME has one mean.")
        parser.add_argument("--epochs", type=int, default=20)
        parser.add_argument("--batch", type=int, default=128, help="Pairs at once.")
        parser.add_argument("--rate", type=float, default=1e-3, help="The first learning rate.")
        parser.add_argument(
            "--held-out", type=float, default=0.2, help="The share of images to measure on; 0 for none."
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        for name, least in LEAST.items():
            if options[name] < least:
                raise CommandError(f"--{name} is a whole number of at least {least}, not {options[name]}.")
        if not 0 <= options["held_out"] < 1:
            raise CommandError("--held-out is a share of the images, from 0 to below 1.")
        if not 0 < options["rate"] <= 1:
            raise CommandError("--rate is a number above 0 and at most 1.")
        try:
            self.train(options)
        except DataError as problem:
            raise CommandError(str(problem)) from problem
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error
        except KeyboardInterrupt:
            raise CommandError(STOPPED) from None

    def train(self, options: dict[str, Any]) -> None:
        from workers.training.adapters import results, running

        names = ("kind", "k", "epochs", "batch", "rate", "held_out", "seed")
        order = running.Order(**{name: options[name] for name in names})
        data = read_data(options["data"], split=options["split"])
        with tqdm(desc=order.kind, total=order.epochs, unit=" epochs", file=self.stderr, leave=False) as bar:

            def step(done: int, loss: float) -> None:
                bar.update(done - bar.n)
                bar.set_postfix(loss=f"{loss:.4f}")

            rows = running.train(
                order, data, options["embeddings"], options["out"], running.Told(self.stderr.write, step)
            )
        for row in rows:
            self.stdout.write(results.line_of(row))
        self.stdout.write(f"Written to {options['out']}. Read {results.CARD}.")
