"""How long the forecast takes at a million judgments, and whether it grows with the project.

    python tests/load/bench_forecast.py [--judgments 1000000] [--rounds 15]

Two projects on a PostgreSQL of their own, flags as in docker-compose.yml: HITs of ten captions, overlap 3, adaptive,
two of three people have answered everywhere, so that every HIT is unfinished. One has 20,000 judgments, the other all.
First nobody has met a control: skill is told from agreement, the rule trusts nobody and every pair goes to the most
judgments it may have. Then both have passed 35 of 50: a pair ends after the next vote or not, and there is an interval.
The answer goes through the API in this process; medians and the slowest of the rounds after one to warm up. Beside
them the processor time of an answer, this process and PostgreSQL, which stays true on a machine that others use.

Ends with status 1 where the large one takes more than 200 ms of processor time, or has no interval in the end.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(ROOT / "tests" / "load")]

from deploy import compose, throwaway  # noqa: E402
from processor_time import parent_of, processor_seconds  # noqa: E402

SECRETS = {
    "CONNOTE_SECRET_KEY": "x" * 50,
    "CONNOTE_DATABASE_PASSWORD": "in its URL",
    "CONNOTE_REDIS_PASSWORD": "in its URL",
}
BOUND_MS, SMALL, A_HIT, ANSWERED = 200, 20_000, 10, 2
GRADED, FAILED = 50, 15


def set_up(database: str) -> None:
    """Django on this database, its tables made."""
    import secrets

    os.environ |= {"CONNOTE_DATABASE_URL": database, "CONNOTE_SECRET_KEY": secrets.token_urlsafe(50)}
    os.environ |= {"CONNOTE_LOG_LEVEL": "WARNING", "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    os.environ |= {"CONNOTE_ALLOWED_HOSTS": "testserver"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def seconds_of(slug: str, rounds: int) -> tuple[list[float], float, dict[str, Any]]:
    """Seconds of each request, processor seconds in the mean, and the last answer."""
    from django.db import connection
    from rest_framework.test import APIClient

    from backend.people.models import User
    from backend.projects.models import Membership, Project

    boss = User.objects.get(username="boss")
    Membership.objects.get_or_create(project=Project.objects.get(slug=slug), user=boss, defaults={"role": "curator"})
    client = APIClient()
    client.force_login(boss)
    connection.ensure_connection()
    server = parent_of(connection.connection.info.backend_pid)
    taken: list[float] = []
    for n in range(rounds + 1):
        if n == 1:
            before = time.process_time() + processor_seconds(server)
        start = time.perf_counter()
        answer = client.get(f"/api/v1/projects/{slug}/forecast")
        taken.append(time.perf_counter() - start)
        if answer.status_code != 200:
            raise RuntimeError(f"The forecast answered {answer.status_code}: {answer.content[:500]!r}")
    spent = time.process_time() + processor_seconds(server) - before
    return taken[1:], spent / rounds, answer.json()


def run(n_judgments: int, rounds: int) -> bool:
    from annotation_projects import make_project

    spent_ms = []
    for slug, n in (("small", SMALL), ("large", n_judgments)):
        n_hits = n // ANSWERED // A_HIT
        make_project(slug, n_hits=n_hits, n_captions=A_HIT, n_annotators=4, answered=ANSWERED)
        print(f"{n:>9,} judgments, {n_hits:>6,} unfinished HITs")
        ungraded, _ = tell(slug, rounds)
        grade(slug, n_hits)
        graded, left = tell(slug, rounds)
        spent_ms.append(max(ungraded, graded))
    print(f"processor time, ratio {spent_ms[1] / spent_ms[0]:.2f}, bound {BOUND_MS} ms; load {os.getloadavg()[0]:.1f}")
    return spent_ms[1] <= BOUND_MS and left["low"] < left["mean"] < left["high"]


def tell(slug: str, rounds: int) -> tuple[float, dict[str, float]]:
    """Processor milliseconds of an answer, and how many judgments it says are left."""
    taken, spent, body = seconds_of(slug, rounds)
    left, drawn = body["judgments"], body["hits_drawn"]
    print(
        f"    skill by {body['skill']['source']:9}: median {median(taken) * 1000:.0f} ms, slowest "
        f"{max(taken) * 1000:.0f} ms, processor {spent * 1000:.0f} ms; {left['mean']:,.0f} left "
        f"[{left['low']:,.0f}, {left['high']:,.0f}] from {drawn:,} HITs",
        flush=True,
    )
    return spent * 1000, left


def grade(slug: str, n_hits: int) -> None:
    """Those who answered everywhere have met controls."""
    from backend.annotation.models import AnnotatorState, Assignment
    from backend.projects.models import Project

    project = Project.objects.get(slug=slug)
    who = Assignment.objects.filter(project=project).order_by().values_list("annotator", flat=True).distinct()
    for person in who:
        met = {"n_graded": GRADED, "n_failed": FAILED, "n_submitted": n_hits}
        AnnotatorState.objects.update_or_create(project=project, user_id=person, defaults=met)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        flags = compose.services(SECRETS)["postgres"].command[1:]
        with throwaway.postgres(flags, log=Path(folder) / "postgres.log") as database:
            set_up(database)
            return 0 if run(options.judgments, options.rounds) else 1


if __name__ == "__main__":
    sys.exit(main())
