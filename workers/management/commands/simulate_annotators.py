"""`manage.py simulate_annotators SLUG`: people of known reliability work on a project, over its public API.

The seed draws who they are (skill and speed around their profile's, see `draw_character`) and what each answers about
which pair: the same seed is the same crowd. Which page goes to whom is not drawn: they work side by side as people do,
each in a thread, so that two runs of one crowd give its members other pages.
"""

from __future__ import annotations

import logging
import math
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from backend.people.models import ApiToken, User
from backend.people.services import create_token
from backend.projects.models import Membership, Project, Role
from workers.demo.crowd import Character, Known, SimulatedMind, draw_character, read_truth, seen_by_clients
from workers.demo.site import served_here
from workers.simulation.client import ApiClient, ApiRefusedError
from workers.simulation.patience import Patience
from workers.simulation.rounds import work_in_rounds
from workers.simulation.work import STOPPED, Day, Worker
from workers.training.postcards.annotators import Profile

TRUTH = ("truth.jsonl", "controls.jsonl")
TOKEN = "simulate_annotators"  # noqa: S105  # its name
CHATTY = ("httpx", "backend.common.middleware")  # a line for each request: the crowd's own, and of a site served here
INTERRUPTED = 130  # what a shell ends with after Ctrl-C
AT_ONCE = 64  # people who do not think, as many as a site should bear
COLUMNS = ("HITs", "pairs", "good", "bad", "unsure", "edits", "skipped", "quiz attempts", "heartbeats")

Person = tuple[User, Character]


class Command(BaseCommand):
    help = "Let simulated annotators work on a project over its public API, and print their results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join(Profile)
        parser.add_argument("project", metavar="SLUG")
        parser.add_argument(
            "--annotators", type=int, default=5, help="The number of annotators (default: %(default)s)."
        )
        parser.add_argument("--profiles", default=",".join(Profile), help=f"Their profiles with commas, from: {names}.")
        parser.add_argument(
            "--truth", type=Path, nargs="+", metavar="FILE",
            help="The correct answers: JSON lines of image_id, text, accepted. By default those of the demo.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0, help="The seed for their skills, speeds and answers.")
        parser.add_argument(
            "--skill", type=float, nargs=2, metavar=("LOW", "HIGH"),
            help="Draw their skills evenly from this range, 0 to 1, and not around their profiles.",
        )  # fmt: skip
        parser.add_argument(
            "--speed", type=float, default=0, help="Their seconds in one real second: 1 is real time, 0 needs no time."
        )
        parser.add_argument("--hits", type=int, help="How many tasks each of them does at most.")
        parser.add_argument(
            "--site", metavar="URL", help="The address of a running site with this database. Default: this process."
        )
        parser.add_argument(
            "--patience", type=float, default=60, metavar="SECONDS",
            help="Stop after this number of seconds without an answer of the site (default: %(default)s).",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        _check(options)
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"The project {options['project']!r} does not exist.")
        truth = _truth(options["truth"])
        people = _people(project, _profiles(options["profiles"]), options)
        stop, patience = Event(), Patience(options["patience"])
        with _quietly(), _site(options["site"]) as site:
            days = _work(_Crowd(site, project, people, truth, options, stop, patience), self.stderr.write)
        self._print(days, people)
        if patience.is_lost:
            n_hits = sum(day.done["HITs"] for day in days)
            raise CommandError(
                f"{site} gave no answer for {options['patience']:g} seconds. The command stopped after {n_hits} tasks."
            )
        if stop.is_set():
            raise CommandError("You stopped the command before the end.", returncode=INTERRUPTED)

    def _print(self, days: list[Day], people: list[Person]) -> None:
        heads = ("who", "profile", "skill", "seconds", *COLUMNS, "minutes", "ended")
        rows = [
            (day.name, *_told(who), *(str(day.done[name]) for name in COLUMNS), f"{day.seconds / 60:.1f}", day.ended)
            for day, (_, who) in zip(days, people, strict=True)
        ]
        widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
        for row in (heads, *rows):
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _told(who: Character) -> tuple[str, str, str]:
    """Their profile, how often they are right of what they look at, and their seconds for an answer."""
    return str(who.profile), "-" if who.skill is None else f"{who.skill:.3f}", f"{who.seconds:.1f}"


def _check(options: dict[str, Any]) -> None:
    if options["annotators"] < 1 or not 0 <= options["speed"] < math.inf:
        raise CommandError("Set --annotators to at least 1, and --speed to 0 or more.")
    if options["hits"] is not None and options["hits"] < 0:
        raise CommandError("Set --hits to 0 or more.")
    if not 0 <= options["patience"] < math.inf:
        raise CommandError("Set --patience to 0 seconds or more.")
    if options["skill"] is not None:
        low, high = options["skill"]
        if not 0 <= low <= high <= 1:
            raise CommandError("Set --skill to two numbers from 0 to 1, the lower one first.")


def _truth(files: list[Path] | None) -> dict[tuple[str, str], tuple[str, ...]]:
    folder = settings.DATA_DIR / "postcards"
    found = files or [folder / name for name in TRUTH if (folder / name).exists()]
    if not found:
        raise CommandError("There are no correct answers. Run manage.py demo first, or choose a file with --truth.")
    try:
        return read_truth(found)
    except OSError as error:
        raise CommandError(f"Connote cannot read the correct answers: {error.strerror}: {error.filename}") from error
    except ValueError as error:
        raise CommandError(f"Connote cannot read the correct answers: {error}") from error


def _profiles(names: str) -> list[Profile]:
    try:
        return [Profile(name.strip()) for name in names.split(",")]
    except ValueError as error:
        raise CommandError(f"{error}. There are: {', '.join(Profile)}.") from error


def _people(project: Project, profiles: list[Profile], options: dict[str, Any]) -> list[Person]:
    """Members without a password, the same ones each time; who they are hangs on the seed."""
    people = []
    for number in range(options["annotators"]):
        profile = profiles[number % len(profiles)]
        user, is_new = User.objects.get_or_create(username=f"simulated-{number + 1}-{profile}")
        if is_new:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        Membership.objects.get_or_create(project=project, user=user, defaults={"role": Role.ANNOTATOR})
        people.append((user, draw_character(profile, _own_seed(options, number), options["skill"])))
    return people


def _own_seed(options: dict[str, Any], number: int) -> str:
    """No sum of the two: the second of one crowd would be the first of the next."""
    return f"{options['seed']} {number}"


@contextmanager
def _quietly() -> Iterator[None]:
    """A command's terminal belongs to what it has to tell."""
    loggers = [logging.getLogger(name) for name in CHATTY]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.WARNING)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _site(address: str | None) -> Iterator[str]:
    if address:
        yield address.rstrip("/")
        return
    with served_here() as here:
        yield here


@dataclass
class _Crowd:
    """Everybody at work on one project. Who finds that the site is gone sends the others home."""

    site: str
    project: Project
    people: list[Person]
    known: Known  # by the image's key, then by what annotators see
    options: dict[str, Any]
    stop: Event
    patience: Patience
    tokens: list[str] = field(default_factory=list)

    def day(self, number: int, n_done: int) -> Day:
        user, who = self.people[number]
        if self.stop.is_set():
            return Day(user.username, ended=STOPPED)
        mind = SimulatedMind(who, _own_seed(self.options, number), self.known)
        with ApiClient(
            self.site, token=self.tokens[number], patience=self.patience, wait=self.stop.wait
        ) as client:  # fmt: skip
            day = self._at_work(client, user.username, mind, n_done)
        if self.patience.is_lost:
            self.stop.set()
        return day

    def _at_work(self, client: ApiClient, name: str, mind: SimulatedMind, n_done: int) -> Day:
        try:
            mind.done = client.count_judgments(self.project.slug)
        except ApiRefusedError as refused:
            return Day(name, ended=str(refused))
        worker = Worker(
            client, name=name, project=self.project.slug, mind=mind, speed=self.options["speed"], stop=self.stop
        )  # fmt: skip
        most = self.options["hits"]
        return worker.work(None if most is None else most - n_done)


def _work(crowd: _Crowd, tell: Callable[[str], object]) -> list[Day]:
    with _tokens([_curator(crowd.project)], tell) as (token,), ApiClient(crowd.site, token=token) as curator:
        try:
            crowd.known = seen_by_clients(curator, project=crowd.project.slug, truth=crowd.known)
        except ApiRefusedError as refused:
            raise CommandError(str(refused)) from refused
    n = len(crowd.people)
    at_once = n if crowd.options["speed"] else min(n, AT_ONCE)  # who thinks sends little
    with _tokens([user for user, _ in crowd.people], tell) as crowd.tokens:
        return work_in_rounds(crowd.day, n, at_once=at_once, stop=crowd.stop)


def _curator(project: Project) -> User:
    """Somebody who may see which picture is which."""
    found = Membership.objects.select_related("user").filter(project=project, role=Role.CURATOR).first()
    if found is None:
        raise CommandError(f"The project {project.slug} has no curator. Give a person this role first.")
    return found.user


@contextmanager
def _tokens(users: list[User], tell: Callable[[str], object]) -> Iterator[list[str]]:
    """Fresh tokens, revoked at the end, and good for a day should this process be killed before."""
    mine = ApiToken.objects.filter(user__in=users, name=TOKEN)
    mine.delete()
    try:
        yield [create_token(user=user, name=TOKEN, expires_in_days=1)[1] for user in users]
    finally:
        try:
            mine.filter(revoked_at=None).update(revoked_at=timezone.now())
        except (DatabaseError, InterfaceError) as error:  # the site is gone: still print the work that is done
            tell(f"The command could not revoke the tokens of the annotators ({error}). They end within a day.")
