"""`manage.py encode FOLDER --out DIR`: a folder of pictures into embedding shards, model by model."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from workers.engines.carried import LADDER, VISION
from workers.engines.picture_folders import SHARD_SIZE, Encoded, PictureFolder, encode_pictures, pictures_in
from workers.engines.protocols import EngineError

BROKEN_SHOWN = 50
NO_PICTURES = "There are no images under {folder}. It has {n:,} other files."
NO_PACKAGES = "The packages of the worker are missing ({error}). Run pip install -r workers/requirements.txt"
STOPPED = "Stopped. The finished shards stay. Run the same command again to continue."


def models(text: str) -> list[str]:
    """`a,b` as a list, each name once."""
    names = list(dict.fromkeys(name for name in text.split(",") if name))
    if not names:
        raise ArgumentTypeError("name at least one model")
    return names


def shard_size(text: str) -> int:
    """A number of pictures, at least one."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number of images")
    return int(text)


def folder_name(model: str) -> str:
    """What the shards' folder of a model is called."""
    return re.sub(r"[^\w.=-]+", "--", model).strip("-.") or "model"


class Command(BaseCommand):
    help = (
        "Compute a vector with each model for the images of a folder. DIR/MODEL/ gets .npy, Parquet "
        "and a manifest. A stopped command continues when you run it again."
    )
    requires_system_checks = []  # neither database nor site is touched

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="The folder with images.")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="The folder for the shards.")
        parser.add_argument(
            "--models",
            type=models,
            default=[*LADDER, VISION],
            metavar="A,B",
            help="Names or paths of models. Default: Connote's own.",
        )
        parser.add_argument(
            "--shard-size",
            type=shard_size,
            default=SHARD_SIZE,
            metavar="N",
            help=f"Images in a shard (default: {SHARD_SIZE:,}).",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        pictures = self.pictures(options["folder"])
        done: dict[str, Encoded] = {}
        failed: dict[str, str] = {}
        try:
            for name in options["models"]:
                self.encode(name, pictures, options, done, failed)
        except KeyboardInterrupt:
            raise CommandError(STOPPED) from None
        self.report(pictures, done)
        if failed:
            raise CommandError("\n".join(f"{name}: {why}" for name, why in failed.items()))

    def pictures(self, folder: Path) -> PictureFolder:
        """Raises CommandError where there are none."""
        try:
            pictures = pictures_in(folder)
        except NotADirectoryError as error:
            raise CommandError(f"The folder {folder} does not exist.") from error
        if not pictures.keys:
            raise CommandError(NO_PICTURES.format(folder=folder, n=pictures.n_others))
        return pictures

    def encode(
        self,
        name: str,
        pictures: PictureFolder,
        options: dict[str, Any],
        done: dict[str, Encoded],
        failed: dict[str, str],
    ) -> None:
        """One model; one that cannot be had or used does not keep the others from their work."""
        from workers.engines import registry

        try:
            encoder = registry.image_encoder(name)
            out = options["out"] / folder_name(encoder.name)
            with tqdm(desc=encoder.name, total=len(pictures.keys), unit=" images", file=self.stderr) as bar:
                done[name] = encode_pictures(
                    encoder, pictures, out, shard_size=options["shard_size"], on_progress=bar.update
                )
        except EngineError as error:
            failed[name] = str(error)
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error
        finally:
            registry.forget(name)

    def report(self, pictures: PictureFolder, done: dict[str, Encoded]) -> None:
        """Images per second by model, then what could not be read."""
        for encoded in done.values():
            self.stdout.write(f"{encoded.recipe.model:<24} {_speed(encoded)}")
        broken = {skipped.key: skipped.reason for encoded in done.values() for skipped in encoded.skipped}
        if pictures.n_others:
            self.stdout.write(f"{pictures.n_others:,} files do not have the name of an image. Connote skipped them.")
        if broken:
            self.stdout.write(f"{len(broken):,} of {len(pictures.keys):,} images are broken and have no vector:")
        for key, reason in sorted(broken.items())[:BROKEN_SHOWN]:
            self.stdout.write(f"  {key}: {reason}")
        if len(broken) > BROKEN_SHOWN:
            self.stdout.write(f"  ... and {len(broken) - BROKEN_SHOWN:,} more, all in the shards' manifests")


def _speed(encoded: Encoded) -> str:
    n_kept, n_computed = len(encoded.written.kept), len(encoded.written.computed)
    shards = f"{n_computed:,} shards computed, {n_kept:,} existed"
    if encoded.rate is None:
        return f"nothing to do; {shards}"
    return f"{encoded.rate:,.1f} images/s, {encoded.n_computed:,} images; {shards}"
