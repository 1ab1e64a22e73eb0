"""`manage.py seed_large`: a project with a million answers in the configured database, to measure pages with."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from backend.common.errors import ConnoteError
from workers.demo.large import Size, seed_large


class Command(BaseCommand):
    help = (
        "Fill the database with one large made project: images, captions, test questions, answers of annotators with "
        "different skill, decisions, feedback. Delete it with delete_project."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        size = Size()
        parser.add_argument("--judgments", type=int, default=size.judgments, help="Answers (default: %(default)s).")
        parser.add_argument("--images", type=int, default=size.images, help="Images (default: %(default)s).")
        parser.add_argument("--annotators", type=int, default=size.annotators, help="People (default: %(default)s).")
        parser.add_argument(
            "--days", type=int, default=size.days, help="Days of work, to today (default: %(default)s)."
        )
        parser.add_argument("--seed", type=int, default=size.seed, help="Seed of every draw (default: %(default)s).")
        parser.add_argument(
            "--project-slug", default="",
            help="The new project's slug. Needed where there are other projects (default: large).",
        )  # fmt: skip
        parser.add_argument("--password", default="", help="Of its curator and head annotators. Default: no sign-in.")

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        try:
            size = Size(*(options[name] for name in ("judgments", "images", "annotators", "days", "seed")))
            project = seed_large(
                size=size, slug=options["project_slug"], password=options["password"],
                say=lambda step: self._say(f"{time.monotonic() - began:6.1f} s  {step}"),
            )  # fmt: skip
        except ConnoteError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        if connection.vendor == "postgresql":
            self._say(f"{time.monotonic() - began:6.1f} s  statistics")
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        self._say(f"{time.monotonic() - began:6.1f} s  done")
        self._say(
            f"The project {project.slug} has its curator {project.slug}-curator and its head annotator "
            f"{project.slug}-head-1."
        )

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
