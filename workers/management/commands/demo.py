"""`manage.py demo`: serve the site, and walk a drawn world from images to a release while people watch."""

from __future__ import annotations

import json
import signal
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from tqdm import tqdm

from backend.benchmarks.leaderboard import read_leaderboard
from backend.benchmarks.metrics import WAYS
from backend.common.errors import ConnoteError
from backend.controls.imports import import_controls
from backend.projects.models import Project
from backend.releases.selectors import get_newest
from backend.runs import services
from backend.runs.embedded import start_recovery
from backend.runs.models import Run, RunStatus
from backend.runs.stage_command import StageCommand
from deploy.processes import ProcessEndedError
from workers.demo import accounts, guidelines, retrieval
from workers.demo.serving import HOST, CannotServeError, alone_in, served_on
from workers.demo.world import DEFAULT, World
from workers.engines.carried import LADDER
from workers.simulation.client import ApiRefusedError
from workers.training.postcards.exports import Order

SEED = 7
SAMPLED = 12  # a sample that nobody activates: it shows what the page Explore draws
QUERIES = 50  # of the polysemy report: enough for curves with a shape
WHY = {
    "true": "You can see all of it in the image.",
    "elsewhere": "The caption is about another image.",
    "wrong_detail": "One detail of the caption is wrong.",
}
# What comes after the annotators, in the order in which a person looks at it.
AFTER_PEOPLE: dict[str, dict[str, Any]] = {
    "consensus": {"min_votes": len(accounts.READERS)},
    "select": {},
    "difficulty": {},
    "generic": {},
    "release": {},
    "sample": {"k": SAMPLED},
    "map_captions": {},
    "polysemy": {"queries": QUERIES},
    "diversity": {},
    "evaluate": {"models": ",".join(LADDER)},
}
LAST = next(reversed(AFTER_PEOPLE))
INTERRUPTED = 130  # what a shell ends with after Ctrl-C
NOT_THE_DEMO = "The accounts of the demo have no passwords. Set CONNOTE_DEMO=true, as `make demo` does."
WELCOME = """
Connote is on {site}
  Choose an account there: curator, head annotator or annotator. You need no password.
  Stop it with Ctrl-C. `make demo` goes on where it stopped.
"""
BEGINS = """
The demo now runs its stages, in about two minutes on two cores. Watch them here, or in the pipeline as curator.
"""
COMPLETE = """
The demo is complete. Connote is on {site}
"""
LEADERBOARD = """
How often each model puts a right item first on release {label}, with 95% intervals:
  {model:<18}{first:<26}{second}"""
FAILED = """
The demo stopped here: {why}
  The site stays open on {site}. Press Ctrl-C, then run `make demo` again to go on from this stage.
"""
OTHER_WORLD = "{error} To start again, remove {folder}, or set CONNOTE_DATA_DIR to a new folder."


class Command(StageCommand):
    help = "Serve the site on this machine with a demo project, and run its pipeline. A later call continues."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="Port of 127.0.0.1 (default: %(default)s).")
        parser.add_argument("--targets", type=int, default=DEFAULT.targets, help="Images to judge captions for.")
        parser.add_argument("--corpus", type=int, default=DEFAULT.corpus, help="Images to take captions from.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(NOT_THE_DEMO)
        self.is_stopping = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)
        self.site_url = f"http://{HOST}:{options['port']}"
        order = Order(options["targets"], options["corpus"], DEFAULT.seed)
        try:
            with alone_in(settings.DATA_DIR):
                call_command("migrate", interactive=False, verbosity=0)
                self.serve(accounts.make_accounts(), World(settings.DATA_DIR / "postcards", order), options["port"])
        except (CannotServeError, ProcessEndedError, ConnoteError) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped before the end.", returncode=INTERRUPTED) from None

    def stop(self, number: int, frame: FrameType | None) -> None:
        """The first signal lets the stage end its step. The second one waits for nothing."""
        if self.is_stopping:
            raise SystemExit(INTERRUPTED)
        self.is_stopping = True
        raise KeyboardInterrupt

    def serve(self, project: Project, world: World, port: int) -> None:
        """Serve until Ctrl-C. Raises KeyboardInterrupt where it comes too early, CommandError where a stage fails."""
        with served_on(port) as self.site:
            self.tell(WELCOME)
            failure = "" if is_complete(project) else self.try_to_walk(project, world)
            if not failure:
                self.show_leaderboard(project)
            self.tell(FAILED if failure else COMPLETE, why=failure)
            try:
                while True:
                    self.check_site()
                    time.sleep(0.5)
            except KeyboardInterrupt:
                self.tell("\nConnote is stopped. `make demo` opens it again.\n")
        if failure:
            raise CommandError("The demo is not complete.")

    def tell(self, text: str, **facts: str) -> None:
        self.stdout.write(text.format(site=self.site_url, **facts))
        self.stdout.flush()

    def show_leaderboard(self, project: Project) -> None:
        """The models on the newest release, the best first."""
        release = get_newest(project=project)
        if release is None:
            return
        board = read_leaderboard(release=release, task="retrieval")
        self.stdout.write(LEADERBOARD.format(label=release.label, model="model", first=WAYS[0], second=WAYS[1]))
        for row in board["rows"]:
            shares = "".join(f"{share_of(row['cells'].get(f'{way}.hit@1')):<26}" for way in WAYS)
            self.stdout.write(f"  {row['model']:<18}{shares}".rstrip())
        self.stdout.write(f"  See it on {self.site_url}/projects/{project.slug}/benchmarks")

    def check_site(self) -> None:
        """Raises ProcessEndedError with the end of the log where the site has ended."""
        if not self.site.is_running:
            raise ProcessEndedError(f"The site has ended. Its log ends:\n{self.site.tail()}")

    def try_to_walk(self, project: Project, world: World) -> str:
        """Walk every stage. Returns why it stopped, in a sentence; empty where it came to the end."""
        self.tell(BEGINS)
        try:
            self.walk(project, world)
        except (CommandError, ConnoteError, ApiRefusedError) as error:
            if self.is_stopping:  # the stage in hand was cancelled by Ctrl-C
                raise KeyboardInterrupt from error
            return str(error)
        return ""

    def walk(self, project: Project, world: World) -> None:
        """Every stage. What an earlier demo has done is skipped, and what it left is taken up."""
        start_recovery()  # a demo that was killed left a run, which is taken up when it is silent for a while
        self.draw(world)
        self.walk_stage(project, "import_images", {"source": str(world.folder / "targets")})
        self.find_captions(project, world)
        self.walk_stage(project, "clean", {})
        # An image with a caption that nobody looked at for edits shows no suggestion at all.
        self.import_test_questions(project, world)
        self.walk_stage(project, "suggest_edits", {})
        guidelines.write_examples(project, world)
        self.walk_stage(project, "build_hits", {})
        self.judge(project, world)
        for stage, parameters in AFTER_PEOPLE.items():
            self.walk_stage(project, stage, parameters)

    def draw(self, world: World) -> None:
        with self.bar("Draw images", "", total=world.order.targets + world.order.corpus) as bar:
            try:
                for there, _ in world.draw():
                    bar.update(there - bar.n)
            except ValueError as error:  # the folder holds another world, begun with other numbers
                raise CommandError(OTHER_WORLD.format(error=error, folder=settings.DATA_DIR)) from error

    def find_captions(self, project: Project, world: World) -> None:
        """The captions of the corpus images that look most like each image, and titles of pages that show it."""
        self.walk_stage(project, "import_candidates", {"source": str(retrieval.titles(world)), "origin": "web"})
        retrieval.register(project, world)
        self.walk_stage(project, "embed_corpus", {"corpus": retrieval.CORPUS})
        self.walk_stage(project, "retrieve", retrieval.retrieval(world))

    def import_test_questions(self, project: Project, world: World) -> None:
        with world.controls.open(encoding="utf-8") as lines:
            rows = [row | {"why": WHY[row["why"]]} for row in map(json.loads, lines)]
        done = import_controls(project=project, rows=enumerate(rows, 1), made_by=project.created_by)
        self.stdout.write(f"Test questions: {done.n_new} new, {done.n_known} known, {len(done.refused)} refused.")
        for one in done.refused:
            self.stdout.write(f"  refused {one.name}: {one.message}")

    def judge(self, project: Project, world: World) -> None:
        """The simulated annotators, over HTTP, as anybody's program would."""
        from workers.demo.readers import read_everything

        judged = read_everything(site=self.site_url, project=project.slug, world=world, seed=SEED)
        with self.bar("Judge (simulated annotators)", " captions") as bar:
            for n in judged:
                bar.update(n)

    def bar(self, what: str, unit: str, total: int | None = None) -> tqdm[Any]:
        return tqdm(desc=what, unit=unit, total=total, file=self.stderr, dynamic_ncols=True)

    def walk_stage(self, project: Project, stage: str, parameters: dict[str, Any]) -> None:
        """Start the stage, or go on with the run that an earlier demo left. Raises CommandError where it fails."""
        self.check_site()
        last = Run.objects.filter(project=project, stage=stage).order_by("created_at").last()
        if last is None:
            self.run_stage(project, stage, parameters, SEED)
        elif not last.is_over:
            self.see_through(last)
        elif last.status != RunStatus.SUCCEEDED:
            self.see_through(services.retry_run(run=last, started_by=None))


def share_of(cell: Mapping[str, Any] | None) -> str:
    """A figure in per cent with its interval."""
    if cell is None or cell["value"] is None:
        return "-"
    text = f"{cell['value']:.1%}"
    return text if cell["low"] is None else f"{text} [{cell['low']:.1%}, {cell['high']:.1%}]"


def is_complete(project: Project) -> bool:
    """Whether a demo came to its last stage."""
    return Run.objects.filter(project=project, stage=LAST, status=RunStatus.SUCCEEDED).exists()
