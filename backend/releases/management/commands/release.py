"""`manage.py release skies [--bump minor --notes "..."]`: make a release and wait for it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from backend.releases.checklist import get_checklist
from backend.releases.selectors import find_release
from backend.runs.stage_command import StageCommand
from backend.runs.walk import get_stage


class Command(StageCommand):
    help = "Make a release of a project and wait for it. The checklist comes first. It never stops the release."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="The slug of the project.")
        parser.add_argument("--seed", type=int, default=0, help="The seed of the splits.")
        for knob in get_stage("release").parameters:
            told, option = knob.help.replace("%", "%%"), f"--{knob.name.replace('_', '-')}"
            parser.add_argument(option, help=told, dest=knob.name, choices=knob.choices or None)

    def handle(self, *args: Any, **options: Any) -> None:
        project = self.get_project(options["project"])
        names = (knob.name for knob in get_stage("release").parameters)
        parameters = {name: options[name] for name in names if options.get(name) is not None}
        for item in get_checklist(project=project):
            if item.state == "warning":
                self.stderr.write(self.style.WARNING(f"Check {item.code.replace('_', ' ')}: {item.n:,}"))
        self.run_stage(project, "release", parameters, options["seed"])
        made = find_release(slug=project.slug, version=None)
        if made is not None:
            self.stdout.write(f"Version {made.label}: {made.n_images:,} images, {made.n_captions:,} captions.")
