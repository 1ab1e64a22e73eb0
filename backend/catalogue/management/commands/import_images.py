"""`manage.py import_images --project skies PATH`: pictures of this machine into a project, with a progress bar."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.common.errors import ConnoteError
from backend.projects.models import Project
from backend.runs import services
from backend.runs.follow import follow_run, write_report
from backend.runs.models import RunStatus
from backend.runs.walk import LAYOUTS


class Command(BaseCommand):
    help = "Import the pictures of a folder, a tar, a zip or a table with pictures beside it. Ctrl-C stops the run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="Any path this machine (and its worker) can read.")
        parser.add_argument("--project", required=True, help="The project's slug.")
        parser.add_argument("--layout", default="auto", choices=LAYOUTS)
        parser.add_argument("--default-licence", default="", help="Licence of rows that name none: CC-BY-4.0, CC0 ...")
        parser.add_argument("--seed", type=int, default=0, help="Stored with the run.")

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['project']!r}.")
        parameters = {
            "source": str(options["path"].resolve()),
            "layout": options["layout"],
            "default_licence": options["default_licence"],
        }
        self.import_images(project, parameters, options["seed"])

    def import_images(self, project: Project, parameters: dict[str, Any], seed: int) -> None:
        try:
            run = services.start_run(project=project, stage="import_images", parameters=parameters, seed=seed)
        except ConnoteError as error:
            raise CommandError(error.message) from error
        run = follow_run(run=run, out=self.stderr)  # type: ignore[arg-type]
        write_report(run=run, out=self.stdout)  # type: ignore[arg-type]
        if run.status != RunStatus.SUCCEEDED:
            raise CommandError("The import did not succeed; what came in stays, and a retry goes on from there.")
