"""`manage.py import_images --project skies PATH`: pictures of this machine into a project, with a progress bar."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.runs.stage_command import StageCommand
from backend.runs.stages.parameters import LAYOUTS


class Command(StageCommand):
    help = "Import images from a folder, a tar, a zip or a table. Ctrl-C stops the run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="A path that this machine and its workers can read.")
        parser.add_argument("--project", required=True, help="The slug of the project.")
        parser.add_argument("--layout", default="auto", choices=LAYOUTS)
        parser.add_argument("--columns", default="", help="A table without a header: image,caption ...")
        parser.add_argument(
            "--default-licence", default="", help="The licence of rows without a licence: CC-BY-4.0, CC0 ..."
        )
        parser.add_argument("--seed", type=int, default=0, help="The seed. Connote stores it with the run.")

    def handle(self, *args: Any, **options: Any) -> None:
        project = self.get_project(options["project"])
        parameters = {
            "source": str(options["path"].resolve()),
            "layout": options["layout"],
            "columns": options["columns"],
            "default_licence": options["default_licence"],
        }
        self.run_stage(project, "import_images", parameters, options["seed"])
