"""`manage.py walk --project skies [--from clean --to release]`: the stages in order, each as a Run of its own."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from backend.common.errors import InvalidInput
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs.obstacles import obstacle_of
from backend.runs.selectors import get_walk, why_not_startable
from backend.runs.stage import Stage
from backend.runs.stage_command import StageCommand, StageFailedError
from backend.runs.walk import BY_NAME, check_direction, get_stage, stages_between, stages_of

Knobs = dict[str, dict[str, Any]]


class Command(StageCommand):
    help = (
        "Run the stages of a project in order, from --from to --to. Stops where annotators have work to do. A stage "
        "that costs money, narrows the project or measures it (sample, polysemy, web_titles, generic ...) runs only if "
        "--from, --to or --set names it. A stage that is not for projects of this direction is left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="The slug of the project.")
        parser.add_argument("--from", dest="first", choices=list(BY_NAME), help="Default: clean.")
        parser.add_argument("--to", dest="last", choices=list(BY_NAME), help="Default: release.")
        parser.add_argument("--seed", type=int, default=0, help="The seed. Connote stores it with all runs.")
        parser.add_argument(
            "--set",
            dest="knobs",
            action="append",
            default=[],
            metavar="STAGE.NAME=VALUE",
            help="A setting of a stage, for example select.k=3. Use it several times if necessary.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = self.get_project(options["project"])
        knobs = read_knobs(options["knobs"])
        try:
            named = self.read_named(project, [options["first"], options["last"], *knobs])
            stages = stages_between(options["first"] or "clean", options["last"] or "release")
        except InvalidInput as error:
            raise CommandError(error.message) from error
        failed: list[str] = []
        for stage in (each for each in stages if each in stages_of(project.direction)):
            if stage.by_people:
                self.check_people_are_done(project)
            elif not stage.is_on_purpose or stage.name in named:
                is_done = self.walk_stage(project, stage, knobs.get(stage.name, {}), options["seed"])
                failed += [] if is_done else [stage.label]
        if failed:
            raise StageFailedError(f"The pipeline is at its end, but these stages failed: {', '.join(failed)}.")

    def read_named(self, project: Project, names: list[str | None]) -> set[str]:
        """The stages that were named. Raises InvalidInput where one is not for projects of this direction."""
        named = {name for name in names if name}
        for name in sorted(named):
            check_direction(get_stage(name), project.direction)
        return named

    def walk_stage(self, project: Project, stage: Stage, parameters: dict[str, Any], seed: int) -> bool:
        """Start a stage and see it through. False where an optional one failed: the others do without it.

        An optional one is left out where it cannot start, or where it lacks something and nobody set it. Raises
        CommandError where another stage fails.
        """
        counters = read_counters([project.pk])[project.pk]
        if stage.is_optional and (reason := why_not_startable(stage, project.direction, counters)):
            self.stderr.write(f"{stage.label} is optional and is left out. {reason}")
            return True
        if stage.is_optional and not parameters and (obstacle := obstacle_of(stage.name, project)):
            self.stderr.write(f"{stage.label} is optional and is left out. {obstacle.message}")
            return True
        try:
            self.run_stage(project, stage.name, parameters, seed)
        except StageFailedError as error:
            if not stage.is_optional:
                raise
            self.stderr.write(f"{error} {stage.label} is optional. The pipeline goes on without it.")
            return False
        return True

    def check_people_are_done(self, project: Project) -> None:
        open_slots = get_walk(project=project).counters.get("slots_open", 0)
        if open_slots:
            raise CommandError(
                f"{open_slots:,} assignments are still open. Annotators do them in the browser. Then go on with "
                "--from consensus. It also works before all tasks are done.",
                returncode=2,
            )


def read_knobs(pairs: list[str]) -> Knobs:
    """`["select.k=3"]` -> `{"select": {"k": 3}}`; a knob of words stays text, even where it is a number."""
    knobs: Knobs = {}
    for pair in pairs:
        name, found, value = pair.partition("=")
        stage, dot, parameter = name.partition(".")
        if not (found and dot) or stage not in BY_NAME:
            raise CommandError(f"Write --set STAGE.NAME=VALUE with a stage of the pipeline, not {pair!r}.")
        takes_text = any(knob.name == parameter and knob.kind is str for knob in BY_NAME[stage].parameters)
        knobs.setdefault(stage, {})[parameter] = value if takes_text else _read_value(value)
    return knobs


def _read_value(value: str) -> int | str:
    try:
        number = json.loads(value)
    except ValueError:
        return value
    return number if type(number) is int else value
