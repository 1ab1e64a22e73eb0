"""`manage.py import_candidates --project skies captions.json [--borrow 5 --seed 7]`: one run of the stage, watched."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.runs.stage_command import StageCommand
from backend.runs.walk import LAYOUTS


class Command(StageCommand):
    help = "Import captions for a project's images, and borrow captions of other images. Refused rows are listed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", nargs="?", default="", help="A file, folder or archive; none to borrow only.")
        parser.add_argument("--project", required=True, help="The project's slug.")
        parser.add_argument("--layout", default="auto", choices=LAYOUTS, help="How the source is laid out.")
        parser.add_argument("--origin", default="human", help="What the captions are called: human, corpus, web ...")
        parser.add_argument("--borrow", type=int, default=0, help="Captions of other images to add to each image.")
        parser.add_argument("--seed", type=int, default=0, help="Decides what is borrowed; stored with the run.")

    def handle(self, *args: Any, **options: Any) -> None:
        project = self.get_project(options["project"])
        self.run_stage(project, "import_candidates", read_parameters(options), options["seed"])


def read_parameters(options: dict[str, Any]) -> dict[str, Any]:
    """The stage's parameters; the path is made absolute, because a worker may stand in another folder."""
    source = str(Path(options["path"]).expanduser().resolve()) if options["path"] else ""
    return {"source": source} | {name: options[name] for name in ("layout", "origin", "borrow")}
