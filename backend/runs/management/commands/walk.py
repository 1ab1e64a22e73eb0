"""`manage.py walk --project skies [--from clean --to release]`: the stages in order, each as a Run of its own."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.common.errors import ConnoteError
from backend.projects.models import Project
from backend.runs import services
from backend.runs.follow import follow_run, write_report
from backend.runs.models import RunStatus
from backend.runs.selectors import get_walk
from backend.runs.walk import BY_NAME, Stage, stages_between

Settings = dict[str, dict[str, Any]]


class Command(BaseCommand):
    help = "Walk a project's stages in order, from --from to --to, both in. Stops where people have work to do."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="The project's slug.")
        parser.add_argument("--from", dest="first", default="clean", choices=list(BY_NAME))
        parser.add_argument("--to", dest="last", default="release", choices=list(BY_NAME))
        parser.add_argument("--seed", type=int, default=0, help="Stored with every run.")
        parser.add_argument(
            "--set",
            dest="settings",
            action="append",
            default=[],
            metavar="STAGE.NAME=VALUE",
            help="A parameter of a stage, e.g. select.k=3 or import_images.source=photos. Repeatable.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['project']!r}.")
        try:
            settings = read_settings(options["settings"])
            for stage in stages_between(options["first"], options["last"]):
                self.walk_stage(project, stage, settings.get(stage.name, {}), options["seed"])
        except ConnoteError as error:
            raise CommandError(error.message) from error

    def walk_stage(self, project: Project, stage: Stage, parameters: dict[str, Any], seed: int) -> None:
        if stage.by_people:
            return self.check_people_are_done(project)
        run = services.start_run(project=project, stage=stage.name, parameters=parameters, seed=seed)
        run = follow_run(run=run, out=self.stderr)  # type: ignore[arg-type]
        write_report(run=run, out=self.stdout)  # type: ignore[arg-type]
        if run.status != RunStatus.SUCCEEDED:
            raise CommandError(f"{stage.label} did not succeed; nothing after it was started.")
        return None

    def check_people_are_done(self, project: Project) -> None:
        open_places = get_walk(project=project).gauges.get("places_open", 0)
        if open_places:
            raise CommandError(
                f"{open_places:,} places in HITs are still open. Annotators judge them in the browser; then go on "
                "with --from consensus, which also works before all is judged.",
                returncode=2,
            )


def read_settings(pairs: list[str]) -> Settings:
    """`["select.k=3"]` -> `{"select": {"k": 3}}`; a value that is not a JSON number stays text."""
    settings: Settings = {}
    for pair in pairs:
        name, found, value = pair.partition("=")
        stage, dot, parameter = name.partition(".")
        if not (found and dot) or stage not in BY_NAME:
            raise CommandError(f"--set takes STAGE.NAME=VALUE with a stage of the walk, not {pair!r}.")
        settings.setdefault(stage, {})[parameter] = _read_value(value)
    return settings


def _read_value(value: str) -> int | str:
    try:
        number = json.loads(value)
    except ValueError:
        return value
    return number if type(number) is int else value
