"""`manage.py calibrate MODEL --pairs TABLE`: from which score on a model says yes, by pairs that it has never seen."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.catalogue.sources import SourceUnreadable
from backend.curation import calibrating
from backend.methods.calibration import BATCH, NotCalibratedError
from workers.engines.calibrations import Record, own_place, write_record
from workers.engines.pair_vectors import PairVectors, Towers, encode_pairs, slices
from workers.engines.protocols import EngineError
from workers.tasks.calibration_pairs import Pairs, file_pairs

DONE = """\
{name}: yes from {threshold:.4f}, F1 {f1:.3f} (precision {precision:.3f}, recall {recall:.3f}).
{n_positives:,} positive and {n_negatives:,} negative pairs in batches of {batch_size}; {kept:.1%} of all reach it.
Written to {file}.
"""


class Command(BaseCommand):
    help = (
        "Find the score above which a model says that a caption fits, by F1 over held-out pairs, and keep it as JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", help="A CLIP by name or path, as in CONNOTE_DIFFICULTY_PANEL.")
        parser.add_argument(
            "--pairs",
            required=True,
            help="Images with one caption each, in any layout that Connote can import.",
        )
        parser.add_argument("--batch-size", type=int, default=BATCH, help=f"Pairs in a batch (default: {BATCH}).")
        parser.add_argument("--seed", type=int, default=0, help="The seed for the order of the pairs.")
        parser.add_argument("--most", type=int, default=None, metavar="N", help="Use the first N pairs only.")
        parser.add_argument("--output", type=Path, help="The JSON file to write. Default: in CONNOTE_CALIBRATIONS.")

    def handle(self, *args: Any, **options: Any) -> None:
        name, output = options["model"], options["output"]
        file = output or own_place(name, settings.CALIBRATIONS)
        try:
            record = self.calibrate(name, options)
        except (EngineError, NotCalibratedError, SourceUnreadable, ValueError) as error:
            raise CommandError(str(error)) from error
        write_record(file, record)
        made = record.calibration
        facts = made.to_json() | {"kept": made.pool_keep_fraction, "name": record.model, "file": file}
        self.stdout.write(DONE.format(**facts))

    def calibrate(self, name: str, options: dict[str, Any]) -> Record:
        """The record of the model called `name`, kept for all projects unless it goes to a file of its own.

        Raises EngineError, NotCalibratedError, SourceUnreadable.
        """
        from workers.engines import registry
        from workers.training.calibrate import record_of

        how = {"batch_size": options["batch_size"], "seed": options["seed"]}
        with file_pairs(Path(options["pairs"]), most=options["most"] or 0) as pairs:
            towers = registry.towers(name)
            with TemporaryDirectory() as folder, PairVectors(Path(folder), towers) as store:
                n_lost = self.read(pairs, towers, store)
                made, curve = store.calibrate(**how)
                words = f"{store.n:,} pairs of {pairs.words}"
        record = record_of(towers[0], made, pairs=words)
        if options["output"] is None:
            calibrating.keep_record(
                project=None,
                run=None,
                asked=name,
                model=(record.model, record.digest, record.preprocessing),
                made_from=calibrating.MadeFrom(words, pairs.source, pairs.digest, pairs.most, n_lost),
                calibration=made,
                curve=curve,
            )
        return record

    def read(self, pairs: Pairs, towers: Towers, store: PairVectors) -> int:
        """Encode all pairs. Those that cannot be read are named on stderr; returns how many they are."""
        n_lost = 0
        with tqdm(desc="Pictures", file=self.stderr, dynamic_ncols=True) as bar:
            for some in slices(pairs.stream()):
                lost = encode_pairs(towers, some, store)
                bar.update(len(some) - len(lost))
                n_lost += len(lost)
                for one in lost:
                    self.stderr.write(f"{one.key}: {one.reason}")
        return n_lost
