"""`manage.py verify_release skies 1.2.0`, or `--folder DIR`: recompute what the files of a release say."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.releases.selectors import find_release
from backend.releases.verifying import verify_folder, verify_release


class Command(BaseCommand):
    help = "Check each checksum of a release, and each number that follows from its rows. Exit code 1: a fault."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", nargs="?", help="The slug of the project.")
        parser.add_argument("version", nargs="?", help="The version, for example 1.2.0. Default: the newest one.")
        parser.add_argument("--folder", type=Path, help="A folder with the files of a release.")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["folder"] is None) == (options["project"] is None):
            raise CommandError("Name a project, or a folder with --folder.")
        if options["folder"]:
            if not options["folder"].is_dir():
                raise CommandError(f"The folder {options['folder']} does not exist.")
            name, faults = str(options["folder"]), verify_folder(options["folder"])
        else:
            release = find_release(slug=options["project"], version=options["version"])
            if release is None:
                raise CommandError("This project has no such release.")
            name, faults = f"Version {release.label}", verify_release(release)
        for fault in faults:
            self.stderr.write(str(fault))
        if faults:
            raise CommandError(f"{name}: {len(faults):,} faults.")
        self.stdout.write(f"{name}: all checksums and numbers are right.")
