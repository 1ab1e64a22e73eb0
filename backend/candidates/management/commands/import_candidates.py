"""`manage.py import_candidates --project skies captions.json [--borrow 5 --seed 7]`: one run of the stage, watched."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.runs.stage_command import StageCommand
from backend.runs.stages.parameters import LAYOUTS


class Command(StageCommand):
    help = "Import captions for the images of a project. Print the refused rows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "path",
            nargs="?",
            default="",
            help="A file, folder or archive. Leave it out for captions of other images only.",
        )
        parser.add_argument("--project", required=True, help="The slug of the project.")
        parser.add_argument("--layout", default="auto", choices=LAYOUTS, help="The layout of the source.")
        parser.add_argument("--columns", default="", help="A table without a header: image,caption ...")
        parser.add_argument(
            "--origin", default="human", help="The name of the source of the captions: human, corpus, web ..."
        )
        parser.add_argument(
            "--borrow", type=int, default=0, help="How many captions of other images to add to each image."
        )
        parser.add_argument(
            "--seed", type=int, default=0, help="The seed of the choice. Connote stores it with the run."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = self.get_project(options["project"])
        self.run_stage(project, "import_candidates", read_parameters(options), options["seed"])


def read_parameters(options: dict[str, Any]) -> dict[str, Any]:
    """The stage's parameters; the path is made absolute, because a worker may stand in another folder."""
    source = str(Path(options["path"]).expanduser().resolve()) if options["path"] else ""
    return {"source": source} | {name: options[name] for name in ("layout", "columns", "origin", "borrow")}
