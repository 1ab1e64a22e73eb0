"""`manage.py import_judgments PROJECT FILE...`: judgments made elsewhere, of pairs that the project has in HITs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.annotation.foreign_importing import LABELS, Imported, import_judgments
from backend.annotation.management.commands.agreement_report import (
    add_column_arguments,
    columns_of,
    spelt_out,
    text_of,
)
from backend.annotation.models import Label
from backend.methods.foreign.reading import tell_judgments
from backend.projects.models import Project


class Command(BaseCommand):
    help = "Take judgments made elsewhere into a project, where they are counted and reported like its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="The project's address, its slug.")
        parser.add_argument("files", nargs="+", type=Path, help="CSV, JSON or YAML, told by content; .gz or not.")
        add_column_arguments(parser)
        parser.add_argument(
            "--labels", default="", metavar="THEIRS=OURS,...", help="As in fits=good,misses=bad,skip=unsure."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['project']}.")
        labels = _labels_of(options["labels"])
        for file in options["files"]:
            try:
                told = tell_judgments(text_of(file), columns_of(options))
            except ValueError as problem:
                raise CommandError(f"{file.name} cannot be read: {problem}") from problem
            self._tell(file.name, import_judgments(project=project, told=told, labels=labels))

    def _tell(self, name: str, found: Imported) -> None:
        said = (
            f"{name}: {found.n_new:,} judgments of {found.n_people:,} people are new, {found.n_there:,} were there, "
            f"{len(found.refused):,} are refused."
        )
        for line in (said, *(f"  {refused.where}: {refused.why}" for refused in found.refused)):
            self.stdout.write(spelt_out(line))


def _labels_of(told: str) -> dict[str, str]:
    """The labels of the option, in place of the usual ones. Raises CommandError on one that is none of ours."""
    if not told:
        return LABELS
    pairs = [each.partition("=")[::2] for each in told.split(",")]
    if wrong := [theirs for theirs, ours in pairs if ours.strip() not in Label.values]:
        raise CommandError(f"Say of {', '.join(wrong)} whether it is good, bad or unsure, as in fits=good,misses=bad.")
    return {theirs.strip().casefold(): ours.strip() for theirs, ours in pairs}
