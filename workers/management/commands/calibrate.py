"""`manage.py calibrate MODEL --pairs TABLE`: from which score on a model says yes, by pairs that it has never seen."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.catalogue.sources import CaptionRow, ImageRow, MemberRefused, SourceUnreadable, open_source
from backend.methods.calibration import BATCH, NotCalibratedError
from workers.engines.calibrations import Record, own_place, write_record
from workers.engines.protocols import EngineError
from workers.engines.vector_file import VectorFile

if TYPE_CHECKING:
    from workers.engines.protocols import ImageEncoder

TEXTS = 10_000  # encoded at once
Shown = tuple[str, bytes | str]  # a picture's key, and its bytes or why there are none
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
        name = options["model"]
        file = options["output"] or own_place(name, settings.CALIBRATIONS)
        try:
            record = self.calibrate(name, options)
        except (EngineError, NotCalibratedError, SourceUnreadable, ValueError) as error:
            raise CommandError(str(error)) from error
        write_record(file, record)
        made = record.calibration
        facts = made.to_json() | {"kept": made.pool_keep_fraction, "name": record.model, "file": file}
        self.stdout.write(DONE.format(**facts))

    def calibrate(self, name: str, options: dict[str, Any]) -> Record:
        """The record of the model called `name`. Raises EngineError, NotCalibratedError, SourceUnreadable."""
        from workers.engines import registry
        from workers.training.calibrate import calibrate, record_of

        source = open_source(options["pairs"])
        captions = first_captions(source.captions())
        images, encoder = registry.towers(name)
        rows = islice((row for row in source.images() if is_paired(row, captions)), options["most"])
        pictures = shown(row for row in rows if isinstance(row, ImageRow))
        with (
            TemporaryDirectory() as folder,
            VectorFile(Path(folder) / "images", images.dimensions) as seen,
            VectorFile(Path(folder) / "texts", encoder.dimensions) as read,
        ):
            keys = self.encode(images, pictures, seen)
            texts = [captions[key] for key in keys]
            for start in range(0, len(texts), TEXTS):
                read.add(encoder.encode(texts[start : start + TEXTS]))
            how = {"batch_size": options["batch_size"], "seed": options["seed"]}
            made = calibrate(seen.read(), texts, read.read(), **how)
        return record_of(images, made, pairs=f"{len(keys):,} pairs of {Path(options['pairs']).name}")

    def encode(self, encoder: ImageEncoder, pictures: Iterable[Shown], seen: VectorFile) -> list[str]:
        """Write the vectors of the pictures that could be read, and give their keys; the others are named on stderr."""
        keys: list[str] = []
        with tqdm(desc="Pictures", file=self.stderr, dynamic_ncols=True) as bar:
            for block in encoder.encode(self.readable(pictures)):
                keys += block.keys
                seen.add(block.vectors)
                bar.update(len(block.keys))
                for skipped in block.skipped:
                    self.stderr.write(f"{skipped.key}: {skipped.reason}")
        return keys

    def readable(self, pictures: Iterable[Shown]) -> Iterator[tuple[str, bytes]]:
        for key, data in pictures:
            if isinstance(data, bytes):
                yield key, data
            else:
                self.stderr.write(f"{key}: {data}")


def first_captions(rows: Iterable[object]) -> dict[str, str]:
    """One caption of each picture, the first: two of one picture in a batch would be false negatives of each other."""
    captions: dict[str, str] = {}
    for row in rows:
        if isinstance(row, CaptionRow) and row.text.strip():
            captions.setdefault(row.image_key, " ".join(row.text.split()))
    return captions


def is_paired(row: object, captions: dict[str, str]) -> bool:
    return isinstance(row, ImageRow) and row.key in captions


def shown(rows: Iterable[ImageRow]) -> Iterator[Shown]:
    """Each picture as the difficulty stage shows it to a model: the file itself."""
    from workers.engines.in_order import map_in_order

    yield from map_in_order(_shown, rows)


def _shown(row: ImageRow) -> Shown:
    try:
        return row.key, row.read()
    except MemberRefused as refused:
        return row.key, refused.message
    except OSError as error:
        return row.key, f"The file cannot be read ({error.strerror or error})."
