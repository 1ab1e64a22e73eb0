"""`manage.py demo`: a drawn world walked from pictures to a release, and accounts to look at it with."""

from __future__ import annotations

import json
import secrets
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from backend.annotation.controls.importing import import_controls
from backend.projects.models import Project
from backend.runs.embedded import start_recovery
from backend.runs.models import Run, RunStatus
from backend.runs.stage_command import StageCommand
from workers.demo import accounts, retrieval
from workers.demo.world import DEFAULT, World
from workers.training.postcards.exports import Order

SEED = 7
BEFORE_PEOPLE: dict[str, dict[str, Any]] = {
    "polysemy": {"queries": 200},  # enough for smooth curves, in seconds
    "clean": {},
    "generic": {},
    "suggest_edits": {},
}
WHY = {
    "true": "All of it is to be seen.",
    "elsewhere": "It tells of another picture.",
    "wrong_detail": "One detail of it is wrong.",
}
AFTER_PEOPLE: dict[str, dict[str, Any]] = {
    "consensus": {"min_votes": len(accounts.READERS)},
    "select": {},
    "difficulty": {},
    "release": {},
}


class Command(StageCommand):
    help = "Make the demo project and walk it to a release. Run again, it only prints accounts with a new password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--targets", type=int, default=DEFAULT.targets, help="Pictures to be judged.")
        parser.add_argument("--corpus", type=int, default=DEFAULT.corpus, help="Pictures to take captions from.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("The demo is for the embedded site: unset CONNOTE_REDIS_URL.")
        start_recovery()  # a demo that was killed left a run behind, which is silent only after a while
        password = secrets.token_urlsafe(9)
        project = accounts.make_accounts(password=password)
        if not project.releases.exists():
            order = Order(options["targets"], options["corpus"], DEFAULT.seed)
            self.walk(project, World(settings.DATA_DIR / "postcards", order))
        self.stdout.write(f"\nSign in as {', '.join(accounts.VISITORS)}; the password of all three is {password}\n")

    def walk(self, project: Project, world: World) -> None:
        """Every stage; one that an interrupted demo left behind is taken up where it stood."""
        self.draw(world)
        self.walk_stage(project, "import_images", {"source": str(world.folder / "targets")})
        self.find_captions(project, world)
        for stage, parameters in BEFORE_PEOPLE.items():
            self.walk_stage(project, stage, parameters)
        self.hide_controls(project, world)
        self.walk_stage(project, "build_hits", {})
        self.judge(project, world)
        for stage, parameters in AFTER_PEOPLE.items():
            self.walk_stage(project, stage, parameters)

    def draw(self, world: World) -> None:
        with self.bar("Draw", " pictures", total=world.order.targets + world.order.corpus) as bar:
            try:
                for there, _ in world.draw():
                    bar.update(there - bar.n)
            except ValueError as error:  # the folder holds another world, begun with other numbers
                raise CommandError(str(error)) from error

    def find_captions(self, project: Project, world: World) -> None:
        """The captions of the corpus pictures that look most like each target, and titles of pages that show it."""
        self.walk_stage(project, "import_candidates", {"source": str(retrieval.titles(world)), "origin": "web"})
        retrieval.register(project, world)
        self.walk_stage(project, "embed_corpus", {"corpus": retrieval.CORPUS})
        self.walk_stage(project, "retrieve", retrieval.retrieval(world))

    def hide_controls(self, project: Project, world: World) -> None:
        """Captions of known answer, which say of each reader whether they look."""
        with world.controls.open(encoding="utf-8") as lines:
            rows = [row | {"why": WHY[row["why"]]} for row in map(json.loads, lines)]
        import_controls(project=project, rows=enumerate(rows, 1), made_by=project.created_by)

    def judge(self, project: Project, world: World) -> None:
        """The simulated readers, over HTTP, as anybody's program would."""
        from workers.demo.readers import read_everything
        from workers.demo.site import served_here

        with served_here() as site:
            self.follow(read_everything(site=site, project=project.slug, world=world, seed=SEED))

    def follow(self, judged: Iterable[int]) -> None:
        with self.bar("Judge (simulated readers)", " captions") as bar:
            for n in judged:
                bar.update(n)

    def bar(self, what: str, unit: str, total: int | None = None) -> tqdm[Any]:
        return tqdm(desc=what, unit=unit, total=total, file=self.stderr, dynamic_ncols=True)

    def walk_stage(self, project: Project, stage: str, parameters: dict[str, Any]) -> None:
        """Start the stage, or take it up where an interrupted demo left it."""
        last = Run.objects.filter(project=project, stage=stage).order_by("created_at").last()
        if last and last.status == RunStatus.SUCCEEDED:
            return
        if last and not last.is_over:
            self.see_through(last)
        else:
            self.run_stage(project, stage, parameters, SEED)
