"""The calls behind the head annotator's pages with a million answers, held against a plain GROUP BY over the same rows.

    python tests/load/bench_dashboard.py [--judgments 1000000] [--rounds 20] [--only review]

gunicorn runs as docker-compose.yml says, two processes with threads, PostgreSQL with its flags. `manage.py seed_large`
fills the database: 50 annotators of different skill over 20 days. The chores of the workers run until they find nothing
new, each timed. Then a head annotator asks for each page in turns, and after each turn the database counts the answers
of every annotator by label. That count is the unit of the ratios: it slows down with the machine as the calls do.

With `--browser` it also opens the Overview in chromium, in turns with the Overview of an empty project: seconds until
the First Contentful Paint and until the figures stand, and their ratios. The front end must be built.

Prints p50, p95, ratio, processor time (gunicorn + PostgreSQL) and size of each answer. Ends with status 1 where a call
fails, has a p95 above 300 ms, or an answer above 300 kB, or where the Overview's first paint takes 1.5 s or more.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from browser_fixtures import SIZES, launched
from production_site import Site, production_site

MOST_MS, MOST_BYTES = 300.0, 300_000
MOST_PAINT_SECONDS = 1.5
EMPTY = "empty"
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# The figures stand with the first chart, or with the words of an empty project, after the heading.
STANDS = """() => document.querySelector('h1')
  && !document.querySelector('main [role=status][aria-label^="Loading"]')
  && document.querySelector('main figure, main h2') && performance.now()"""
CHORES = ("review.", "agreement.", "forecast.", "quality.", "feedback.")
IDLE_SECONDS = 2.0  # a chore that takes no longer has caught up
COUNT = """
SELECT judgment.annotator_id, judgment.label, count(*) FROM annotation_judgment AS judgment
JOIN annotation_assignment AS assignment ON assignment.id = judgment.assignment_id
WHERE assignment.project_id = %s AND judgment.control_id IS NULL
GROUP BY 1, 2
"""


@dataclass
class Call:
    """One call: its address under the project's, with names in braces that the world fills in."""

    path: str
    method: str = "GET"
    body: dict[str, Any] | None = None
    ms: list[float] = field(default_factory=list)
    processor_ms: float = 0.0
    n_bytes: int = 0
    failure: str = ""

    @property
    def name(self) -> str:
        return self.path if self.method == "GET" else f"{self.method} {self.path}"

    @property
    def p95(self) -> float:
        return quantiles(self.ms, n=20, method="inclusive")[-1] if len(self.ms) > 1 else self.ms[0]

    def faults(self) -> list[str]:
        if self.failure:
            return [f"{self.name}: {self.failure}"]
        slow = [f"{self.name}: p95 {self.p95:,.0f} ms, at most {MOST_MS:.0f}"] if self.p95 > MOST_MS else []
        large = [f"{self.name}: {self.n_bytes:,} bytes, at most {MOST_BYTES:,}"] if self.n_bytes > MOST_BYTES else []
        return slow + large


def calls() -> list[Call]:
    reads = [
        "review/counts", "review/settings", "review/cases", "review/cases?kind=assignment&order=newest",
        "review/cases?reason=tie&order=entropy", "review/cases?annotator={person}", "review/cases?state=done",
        "review/cases/{pair_case}", "review/cases/{page_case}", "review/disputes", "review/disputes?kind=low_agreement",
        "review/disputes?kind=verdict_against_majority", "review/pages/summary", "review/gate", "review/heads",
        "agreement", "agreement?scope=day", "agreement?scope=source", "agreement?scope=edit", "agreement/headline",
        "agreement/annotators", "agreement/pairs/{person}/{other}",
        "agreement/pairs/{person}/{other}?first_label=good&second_label=bad", "agreement/confusions",
        "agreement/annotators/{person}", "annotators", "annotators/{person}",
        "annotators/{person}/judgments", "remarks", "remarks?annotator={person}", "feedback/counts",
        "feedback/templates", "feedback/effect?n=30", "controls", "controls/supply", "policies", "forecast", "history",
        "history?kind=settings", "verdicts", "overview",
    ]  # fmt: skip
    return [*(Call(path) for path in reads), Call("review/next", "POST", {})]


class Head:
    """The head annotator's connection to the site, kept open as a browser keeps it."""

    def __init__(self, site: Site, slug: str, token: str) -> None:
        self._at = f"/api/v1/projects/{slug}/"
        self._headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        parts = urlsplit(site.url)
        self._connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port)

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
        sent = None if body is None else json.dumps(body)
        self._connection.request(method, self._at + path, sent, self._headers)
        with self._connection.getresponse() as answer:
            return answer.status, answer.read()

    def read(self, path: str) -> Any:
        status, content = self.ask("GET", path)
        return json.loads(content) if status == 200 else None


def seed(slug: str, judgments: int, annotators: int) -> tuple[Any, str]:
    """The project, and a token of its head annotator."""
    from django.core.management import call_command

    from backend.people.models import User
    from backend.people.services import create_token
    from backend.projects.models import Project

    images = max(1, judgments // 200)
    call_command("seed_large", judgments=judgments, images=images, annotators=annotators, project_slug=slug)
    head = User.objects.get(username=f"{slug}-head-1")
    return Project.objects.get(slug=slug), create_token(user=head, name="bench")[1]


def run_chores(patience: float) -> None:
    """Let the workers' chores catch up with all answers, each for so many seconds at most."""
    from django.conf import settings
    from django.utils.module_loading import import_string

    for name, (path, _) in settings.CHORES.items():
        if name.startswith(CHORES):
            took = [seconds(import_string(path))]
            while took[-1] > IDLE_SECONDS and sum(took) < patience:
                took.append(seconds(import_string(path)))
            is_done = took[-1] <= IDLE_SECONDS
            print(f"  {name:28} {sum(took):8.1f} s in {len(took)} calls{'' if is_done else ', not at its end'}")


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def world(head: Head, project: Any) -> dict[str, int]:
    """What the braces of the addresses stand for."""
    from backend.annotation.models import AnnotatorState

    person, other = AnnotatorState.objects.filter(project=project).order_by("pk").values_list("user", flat=True)[:2]
    found = {"person": person, "other": other}
    for kind, name in (("pair", "pair_case"), ("assignment", "page_case")):
        page = head.read(f"review/cases?kind={kind}&limit=1")
        if page and page["results"]:
            found[name] = page["results"][0]["id"]
    return found


def count_answers(project: Any) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(COUNT, [project.pk])
        cursor.fetchall()


def measure(site: Site, head: Head, project: Any, asked: list[Call], rounds: int) -> list[float]:
    """Times every call in turns; gives the seconds of the plain counts."""
    names, counted = world(head, project), []
    for turn in range(rounds + 1):  # the first one warms up
        for call in asked:
            if call.failure:
                continue
            try:
                path = call.path.format(**names)
            except KeyError as missing:
                call.failure = f"there is no {missing}"
                continue
            before = sum(site.spent())
            start = time.perf_counter()
            status, content = head.ask(call.method, path, call.body)
            took = 1000 * (time.perf_counter() - start)
            if status not in (200, 204):
                call.failure = f"status {status}: {content[:160].decode(errors='replace')}"
            elif turn:
                call.ms.append(took)
                call.processor_ms += 1000 * (sum(site.spent()) - before) / rounds
                call.n_bytes = max(call.n_bytes, len(content))
        counted.append(seconds(lambda: count_answers(project)))
    return counted[1:]


def tell(asked: list[Call], counted: list[float]) -> list[str]:
    unit = 1000 * median(counted)
    print(f"  a plain GROUP BY over the answers takes {unit:,.0f} ms")
    print(f"  {'':62} {'p50':>8} {'p95':>8} {'ratio':>7} {'cpu':>8} {'kB':>8}")
    for call in sorted(asked, key=lambda call: -call.p95 if call.ms else 0):
        if call.failure:
            print(f"  {call.name:62} {call.failure}")
            continue
        print(
            f"  {call.name:62} {median(call.ms):8.1f} {call.p95:8.1f} {call.p95 / unit:7.2f} {call.processor_ms:8.1f} "
            f"{call.n_bytes / 1000:8.1f}"
        )
    return [fault for call in asked for fault in call.faults()]


def main() -> int:
    arguments = argparse.ArgumentParser(description="The head annotator's pages with a million answers.")
    arguments.add_argument("--judgments", type=int, default=1_000_000)
    arguments.add_argument("--annotators", type=int, default=50)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument("--patience", type=float, default=3600.0, help="Seconds that one chore may take.")
    arguments.add_argument("--only", default="", help="Only calls whose address has this in it.")
    arguments.add_argument("--browser", action="store_true", help="Also open the Overview in chromium.")
    given = arguments.parse_args()
    asked = [call for call in calls() if given.only in call.path]
    with tempfile.TemporaryDirectory(prefix="connote-bench-") as folder, production_site(Path(folder)) as site:
        project, token = seed("large", given.judgments, given.annotators)
        print("Chores of the workers, until they find nothing new:")
        run_chores(given.patience)
        with_statistics()
        print(f"{given.judgments:,} answers of {given.annotators} annotators; {given.rounds} rounds:")
        head = Head(site, project.slug, token)
        faults = tell(asked, measure(site, head, project, asked, given.rounds))
        if given.browser:
            faults += open_overviews(site, project, given.rounds)
    print("\n".join(faults) or f"Every call stays below {MOST_MS:.0f} ms and {MOST_BYTES // 1000} kB.")
    return 1 if faults else 0


def make_empty(project: Any) -> None:
    """A project of the same head annotator without images and answers."""
    from backend.people.models import User
    from backend.projects.models import Membership, Project, Role

    empty = Project.objects.create(slug=EMPTY, name="Empty", created_by=project.created_by)
    head = User.objects.get(username=f"{project.slug}-head-1")
    Membership.objects.create(project=empty, user=head, role=Role.HEAD_ANNOTATOR)


def session_of(project: Any) -> str:
    """A signed-in session of the head annotator."""
    from django.conf import settings
    from django.test import Client

    from backend.people.models import User

    client = Client()
    client.force_login(User.objects.get(username=f"{project.slug}-head-1"))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def open_overviews(site: Site, project: Any, rounds: int) -> list[str]:
    """Time the Overview of both projects in turns, each in a browser without a cache. Gives what is too slow."""
    from django.conf import settings
    from playwright.sync_api import sync_playwright

    make_empty(project)
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session_of(project), "url": site.url}
    took: dict[str, list[tuple[float, float]]] = {project.slug: [], EMPTY: []}
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for turn in range(rounds + 1):  # the first one warms up
            for slug, found in took.items():
                context = browser.new_context(base_url=site.url, viewport=SIZES["desk"])
                context.add_cookies([cookie])
                page = context.new_page()
                page.goto(f"/projects/{slug}/overview")
                stands = page.wait_for_function(STANDS, polling="raf").json_value() / 1000
                paint = page.wait_for_function(PAINTED).json_value() / 1000
                if turn:
                    found.append((paint, stands))
                context.close()
        browser.close()
    return told_of_overviews(took[project.slug], took[EMPTY])


def told_of_overviews(large: list[tuple[float, float]], empty: list[tuple[float, float]]) -> list[str]:
    print(f"  {'Overview, medians of ' + str(len(large)) + ' rounds':42} {'large':>8} {'empty':>8} {'ratio':>7}")
    for place, name in enumerate(("First Contentful Paint", "the figures stand")):
        one, other = (median(pair[place] for pair in pairs) for pairs in (large, empty))
        print(f"  {name:42} {one:6.2f} s {other:6.2f} s {one / other:7.2f}")
    paint = median(pair[0] for pair in large)
    slow = f"Overview: first paint after {paint:.2f} s, less than {MOST_PAINT_SECONDS} s is allowed"
    return [slow] if paint >= MOST_PAINT_SECONDS else []


def with_statistics() -> None:
    """As autovacuum leaves a database that grew so slowly."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    sys.exit(main())
