"""`manage.py import_queries --project skies queries.csv`: one run of the stage, watched."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.runs.stage_command import StageCommand


class Command(StageCommand):
    help = "Import queries and their images from CSV, JSONL or JSON. Print the refused rows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="A file with query, kind and image, or {query: {image: ...}}.")
        parser.add_argument("--project", required=True, help="The slug of the project.")
        parser.add_argument("--columns", default="", help="A table without a header: query,image ...")

    def handle(self, *args: Any, **options: Any) -> None:
        source = str(Path(options["path"]).expanduser().resolve())
        parameters = {"source": source, "columns": options["columns"]}
        self.run_stage(self.get_project(options["project"]), "import_queries", parameters, 0)
