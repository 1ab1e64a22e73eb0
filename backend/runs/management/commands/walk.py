"""`manage.py walk --project skies [--from clean --to release]`: the stages in order, each as a Run of its own."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from backend.common.errors import InvalidInput
from backend.projects.models import Project
from backend.runs.selectors import get_walk, why_not_startable
from backend.runs.stage_command import StageCommand, StageFailedError
from backend.runs.walk import BY_NAME, Stage, stages_between

Knobs = dict[str, dict[str, Any]]


class Command(StageCommand):
    help = (
        "Walk a project's stages in order, from --from to --to, both in. Stops where people have work to do. What "
        "costs money, narrows the project or measures it (sample, polysemy, web_titles, generic) is walked only where "
        "--from, --to or --set names it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="The project's slug.")
        parser.add_argument("--from", dest="first", default="clean", choices=list(BY_NAME))
        parser.add_argument("--to", dest="last", default="release", choices=list(BY_NAME))
        parser.add_argument("--seed", type=int, default=0, help="Stored with every run.")
        parser.add_argument(
            "--set",
            dest="knobs",
            action="append",
            default=[],
            metavar="STAGE.NAME=VALUE",
            help="A parameter of a stage, e.g. select.k=3 or import_images.source=photos. Repeatable.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = self.get_project(options["project"])
        knobs = read_knobs(options["knobs"])
        try:
            stages = stages_between(options["first"], options["last"])
        except InvalidInput as error:
            raise CommandError(error.message) from error
        named = {options["first"], options["last"], *knobs}
        for stage in stages:
            if stage.by_people:
                self.check_people_are_done(project)
            elif not stage.is_on_purpose or stage.name in named:
                self.walk_stage(project, stage, knobs.get(stage.name, {}), options["seed"])

    def walk_stage(self, project: Project, stage: Stage, parameters: dict[str, Any], seed: int) -> None:
        """Start a stage and see it through; an optional one may fail, or have nothing to do. Raises CommandError."""
        if stage.is_optional and (reason := why_not_startable(project=project, stage=stage)):
            self.stderr.write(f"{stage.label} is left out, as it may be. {reason}")
            return
        try:
            self.run_stage(project, stage.name, parameters, seed)
        except StageFailedError as error:
            if not stage.is_optional:
                raise
            self.stderr.write(f"{error} {stage.label} is optional: the walk goes on without it.")

    def check_people_are_done(self, project: Project) -> None:
        open_places = get_walk(project=project).gauges.get("places_open", 0)
        if open_places:
            raise CommandError(
                f"{open_places:,} places in HITs are still open. Annotators judge them in the browser; then go on "
                "with --from consensus, which also works before all is judged.",
                returncode=2,
            )


def read_knobs(pairs: list[str]) -> Knobs:
    """`["select.k=3"]` -> `{"select": {"k": 3}}`; a knob of words stays text, even where it is a number."""
    knobs: Knobs = {}
    for pair in pairs:
        name, found, value = pair.partition("=")
        stage, dot, parameter = name.partition(".")
        if not (found and dot) or stage not in BY_NAME:
            raise CommandError(f"--set takes STAGE.NAME=VALUE with a stage of the walk, not {pair!r}.")
        takes_text = any(knob.name == parameter and knob.kind is str for knob in BY_NAME[stage].parameters)
        knobs.setdefault(stage, {})[parameter] = value if takes_text else _read_value(value)
    return knobs


def _read_value(value: str) -> int | str:
    try:
        number = json.loads(value)
    except ValueError:
        return value
    return number if type(number) is int else value
