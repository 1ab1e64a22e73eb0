"""`manage.py demo`: a project walked from photographs to a release, and accounts to look at it with."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from backend.projects.models import Project
from backend.releases import demo
from backend.runs.embedded import start_recovery
from backend.runs.models import Run, RunStatus
from backend.runs.stage_command import StageCommand

SEED = 7
BEFORE_PEOPLE: dict[str, dict[str, Any]] = {
    "import_images": {"source": str(demo.photographs())},
    "import_candidates": {"source": str(demo.photographs()), "borrow": 5},
    "clean": {},
    "build_hits": {},
}
AFTER_PEOPLE = ("consensus", "select", "release")


class Command(StageCommand):
    help = "Make the demo project and walk it to a release. Run again, it only prints accounts with a new password."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("The demo is for the embedded site: unset CONNOTE_REDIS_URL.")
        start_recovery()  # a demo that was killed left a run behind, which is silent only after a while
        password = secrets.token_urlsafe(9)
        project = demo.make_accounts(password=password)
        if not project.releases.exists():
            self.walk(project)
        self.stdout.write(f"\nSign in as {', '.join(demo.ACCOUNTS)}; the password of all three is {password}\n")

    def walk(self, project: Project) -> None:
        for stage, parameters in BEFORE_PEOPLE.items():
            self.walk_stage(project, stage, parameters)
        self.judge(project)
        for stage in AFTER_PEOPLE:
            self.walk_stage(project, stage, {})

    def walk_stage(self, project: Project, stage: str, parameters: dict[str, Any]) -> None:
        """Start the stage, or take it up where an interrupted demo left it."""
        last = Run.objects.filter(project=project, stage=stage).order_by("created_at").last()
        if last and last.status == RunStatus.SUCCEEDED:
            return
        if last and not last.is_over:
            self.see_through(last)
        else:
            self.run_stage(project, stage, parameters, SEED)

    def judge(self, project: Project) -> None:
        with tqdm(desc="Judge (simulated readers)", unit=" captions", file=self.stderr, dynamic_ncols=True) as bar:
            for n in demo.judge(project=project, seed=SEED):
                bar.update(n)
