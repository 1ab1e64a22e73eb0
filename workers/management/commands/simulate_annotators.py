"""`manage.py simulate_annotators SLUG`: people of known reliability work on a project, over its public API."""

from __future__ import annotations

import math
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backend.people.models import ApiToken, User
from backend.people.services import create_token
from backend.projects.models import Membership, Project, Role
from workers.demo.crowd import SimulatedMind, read_truth, seen_by_clients
from workers.demo.site import served_here
from workers.simulation.client import ApiClient, ApiRefusedError
from workers.simulation.rounds import work_in_rounds
from workers.simulation.work import STOPPED, Day, Worker
from workers.training.postcards.annotators import Profile

TRUTH = ("truth.jsonl", "controls.jsonl")
TOKEN = "simulate_annotators"  # noqa: S105  # its name
PATIENCE = 60.0  # seconds a site may be away: a process that starts anew sends nobody home
INTERRUPTED = 130  # what a shell ends with after Ctrl-C
AT_ONCE = 64  # people who do not think, as many as a site should bear
COLUMNS = ("HITs", "pairs", "good", "bad", "unsure", "edits", "skipped", "quiz attempts", "heartbeats")


class Command(BaseCommand):
    help = "Let simulated annotators of known reliability work on a project over its public API, and tell who did what."

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join(Profile)
        parser.add_argument("project", metavar="SLUG")
        parser.add_argument("--annotators", type=int, default=5, help="How many (default: %(default)s).")
        parser.add_argument("--profiles", default=",".join(Profile), help=f"Who they are, by comma, in turns: {names}.")
        parser.add_argument(
            "--truth", type=Path, nargs="+", metavar="FILE",
            help="What is right: JSON lines of image_id, text, accepted. By default that of the demo's Postcards.",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--speed", type=float, default=0, help="Their seconds in one of ours: 1 is real time, 0 thinks in no time."
        )
        parser.add_argument("--hits", type=int, help="Pages each of them does at most.")
        parser.add_argument("--site", metavar="URL", help="A running site on this database; by default this process.")

    def handle(self, *args: Any, **options: Any) -> None:
        _check(options)
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['project']!r}.")
        truth = _truth(options["truth"])
        people = _people(project, _profiles(options["profiles"]), options["annotators"])
        stop = Event()
        with _site(options["site"]) as site:
            days = _work(site, project, people, truth, options, stop)
        self._print(days, people)
        if stop.is_set():
            raise CommandError("Stopped before the end.", returncode=INTERRUPTED)

    def _print(self, days: list[Day], people: list[tuple[User, Profile]]) -> None:
        heads = ("who", "profile", *COLUMNS, "minutes", "ended")
        rows = [
            (day.name, str(profile), *(str(day.done[name]) for name in COLUMNS), f"{day.seconds / 60:.1f}", day.ended)
            for day, (_, profile) in zip(days, people, strict=True)
        ]
        widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
        for row in (heads, *rows):
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _check(options: dict[str, Any]) -> None:
    if options["annotators"] < 1 or not 0 <= options["speed"] < math.inf:
        raise CommandError("--annotators must be at least 1, and --speed a number not below 0.")
    if options["hits"] is not None and options["hits"] < 0:
        raise CommandError("--hits must not be below 0.")


def _truth(files: list[Path] | None) -> dict[tuple[str, str], tuple[str, ...]]:
    folder = settings.DATA_DIR / "postcards"
    found = files or [folder / name for name in TRUTH if (folder / name).exists()]
    if not found:
        raise CommandError("Nothing says what is right: run manage.py demo first, or name a file with --truth.")
    try:
        return read_truth(found)
    except OSError as error:
        raise CommandError(f"The truth could not be read: {error.strerror}: {error.filename}") from error
    except ValueError as error:
        raise CommandError(f"The truth could not be read: {error}") from error


def _profiles(names: str) -> list[Profile]:
    try:
        return [Profile(name.strip()) for name in names.split(",")]
    except ValueError as error:
        raise CommandError(f"{error}. There are: {', '.join(Profile)}.") from error


def _people(project: Project, profiles: list[Profile], n: int) -> list[tuple[User, Profile]]:
    """Members without a password, the same ones each time."""
    people = []
    for number in range(n):
        profile = profiles[number % len(profiles)]
        user, is_new = User.objects.get_or_create(username=f"simulated-{number + 1}-{profile}")
        if is_new:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        Membership.objects.get_or_create(project=project, user=user, defaults={"role": Role.ANNOTATOR})
        people.append((user, profile))
    return people


@contextmanager
def _site(address: str | None) -> Iterator[str]:
    if address:
        yield address.rstrip("/")
        return
    with served_here() as here:
        yield here


def _work(
    site: str,
    project: Project,
    people: list[tuple[User, Profile]],
    truth: dict[tuple[str, str], tuple[str, ...]],
    options: dict[str, Any],
    stop: Event,
) -> list[Day]:
    with _tokens([_curator(project)]) as (token,), ApiClient(site, token=token) as curator:
        try:
            known = seen_by_clients(curator, project=project.slug, truth=truth)
        except ApiRefusedError as refused:
            raise CommandError(str(refused)) from refused

    def day(number: int, n_done: int) -> Day:
        user, profile = people[number]
        if stop.is_set():
            return Day(user.username, ended=STOPPED)
        mind = SimulatedMind(profile, options["seed"] + number, known)
        with ApiClient(site, token=tokens[number], patience=PATIENCE, wait=stop.wait) as client:
            try:
                mind.done = client.count_judgments(project.slug)
            except ApiRefusedError as refused:
                return Day(user.username, ended=str(refused))
            worker = Worker(
                client, name=user.username, project=project.slug, mind=mind, speed=options["speed"], stop=stop
            )
            return worker.work(None if options["hits"] is None else options["hits"] - n_done)

    at_once = len(people) if options["speed"] else min(len(people), AT_ONCE)  # who thinks sends little
    with _tokens([user for user, _ in people]) as tokens:
        return work_in_rounds(day, len(people), at_once=at_once, stop=stop)


def _curator(project: Project) -> User:
    """Somebody who may see which picture is which."""
    found = Membership.objects.select_related("user").filter(project=project, role=Role.CURATOR).first()
    if found is None:
        raise CommandError(f"{project.slug} has no curator: give somebody that role first.")
    return found.user


@contextmanager
def _tokens(users: list[User]) -> Iterator[list[str]]:
    """Fresh tokens, revoked at the end, and good for a day should this process be killed before."""
    mine = ApiToken.objects.filter(user__in=users, name=TOKEN)
    mine.delete()
    try:
        yield [create_token(user=user, name=TOKEN, expires_in_days=1)[1] for user in users]
    finally:
        mine.filter(revoked_at=None).update(revoked_at=timezone.now())
