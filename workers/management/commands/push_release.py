"""`manage.py push_release skies --layout hub --to DIR [--upload OWNER/NAME]`: a release for the Hub or Zenodo."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from backend.common.errors import ConnoteError
from backend.releases.layouts import LAYOUTS, describe_deposit, write_layout
from backend.releases.models import Release
from backend.releases.selectors import find_release
from workers.engines.hub_upload import UploadError, push_to_hub
from workers.engines.zenodo_upload import push_to_zenodo


class Command(BaseCommand):
    help = (
        "Write a release into a folder as the Hugging Face Hub or Zenodo expects it. With --upload the folder is sent "
        "there. The token is in CONNOTE_HUB_TOKEN or CONNOTE_ZENODO_TOKEN."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="The slug of the project.")
        parser.add_argument("version", nargs="?", help="The version, for example 1.2.0. Default: the newest one.")
        parser.add_argument("--layout", required=True, choices=list(LAYOUTS), help="Where the folder is for.")
        parser.add_argument("--to", required=True, type=Path, help="A new or empty folder.")
        parser.add_argument("--upload", action="store_true", help="Send the folder after it is written.")
        parser.add_argument("--repo", default="", help="The repository on the Hub: OWNER/NAME.")
        parser.add_argument("--private", action="store_true", help="Make a new repository on the Hub private.")
        parser.add_argument("--publish", action="store_true", help="Publish on Zenodo. You cannot undo this.")

    def handle(self, *args: Any, **options: Any) -> None:
        release = find_release(slug=options["project"], version=options["version"])
        if release is None:
            raise CommandError("This project has no release with this version.")
        token = self.check_upload(options) if options["upload"] else ""
        try:
            paths = write_layout(release=release, layout=options["layout"], folder=options["to"])
        except ConnoteError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"The folder cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Version {release.label}: {len(paths):,} files in {options['to']}")
        if options["upload"]:
            try:
                self.stdout.write(f"Uploaded to {self.upload(release, options, token)}")
            except UploadError as error:
                raise CommandError(f"The upload failed. {error}") from error

    def check_upload(self, options: dict[str, Any]) -> str:
        """The token. Raises CommandError before anything is written, where the upload cannot work."""
        is_hub = options["layout"] == "hub"
        token: str = settings.HUB_TOKEN if is_hub else settings.ZENODO_TOKEN
        if not token:
            raise CommandError(f"Set CONNOTE_{'HUB' if is_hub else 'ZENODO'}_TOKEN first.")
        if is_hub and options["repo"].count("/") != 1:
            raise CommandError("Name the repository: --repo OWNER/NAME.")
        return token

    def upload(self, release: Release, options: dict[str, Any], token: str) -> str:
        """Send the folder. Returns the address. Raises UploadError."""
        if options["layout"] == "hub":
            return push_to_hub(
                options["to"], repo=options["repo"], version=release.label, token=token, endpoint=settings.HUB_URL,
                is_private=options["private"],
            )  # fmt: skip
        return push_to_zenodo(
            options["to"], metadata=describe_deposit(release), token=token, endpoint=settings.ZENODO_URL,
            publishes=options["publish"],
        )  # fmt: skip
