"""`manage.py export --project skies --release 2 --format parquet --to /data/skies`: a release for another tool."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.common.errors import ConnoteError
from backend.releases.exporting import FORMATS, export_release
from backend.releases.selectors import find_release


class Command(BaseCommand):
    help = "Write a release into a new folder, in the layout of another tool."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="The slug of the project.")
        parser.add_argument("--release", help="The version, for example 1.2.0. Leave it out for the newest one.")
        parser.add_argument("--format", required=True, choices=list(FORMATS), help="The layout of the files.")
        parser.add_argument("--to", required=True, type=Path, help="A new or empty folder.")

    def handle(self, *args: Any, **options: Any) -> None:
        release = find_release(slug=options["project"], version=options["release"])
        if release is None:
            raise CommandError("This project has no such release.")
        try:
            paths = export_release(release=release, format=options["format"], folder=options["to"])
        except ConnoteError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"The folder cannot be written: {error.strerror}.") from error
        n_bytes = sum(path.stat().st_size for path in paths)
        self.stdout.write(f"Version {release.label}: {len(paths):,} files, {n_bytes:,} bytes, in {options['to']}")
