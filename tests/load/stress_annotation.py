"""The annotation engine under people who misbehave and a site that breaks down, and what SQL finds afterwards.

    python tests/load/stress_annotation.py [--clients 64] [--assignments 20000] [--captions 1]
                                           [--engine postgresql|sqlite]

The real server: gunicorn as docker-compose.yml starts it on PostgreSQL, or the embedded site on SQLite. Overlap 3,
adaptive, hidden controls on. In the middle a gunicorn worker is killed with `kill -9`, and the database restarted.
Afterwards: no pair above its places, none twice by one person, no answer lost that the site confirmed, all finished
that these people could finish.
Ends with status 1 where anything of that is not so.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from annotation_audits import audit
from annotation_projects import OVERLAP, Made, make_project
from production_site import Site, production_site, sqlite_site
from stressed import Log, misbehave

ENGINES = {"postgresql": production_site, "sqlite": sqlite_site}
TWO_TABS = 1 / 8  # of the clients are the second tab of somebody
SEED = 5
LONGEST = 1800.0  # seconds
FEW = 20  # places: from so few on it is asked whether anybody is left who could take them


class Warden:
    """Watches over the annotators from the database: lets leases run out, breaks things, knows when all is done."""

    def __init__(self, made: Made, log: Log, *, faults: list[tuple[float, Callable[[], None]]]) -> None:
        self.made, self.log, self.faults = made, log, faults

    def watch(self, clients: threading.Thread) -> None:
        """Until there is no place left that these people can take, or a fault in the log where that takes too long."""
        start = time.monotonic()
        while not self.log.is_finished and clients.is_alive():
            time.sleep(0.3)
            try:
                self._look()
            except Exception as error:  # the database is away: this is a stress test
                self.log.happened[f"warden: {type(error).__name__}"] += 1
                self._reconnect()
            if time.monotonic() - start > LONGEST:
                self.log.is_finished = True
                self.log.faults.append(f"not finished after {LONGEST:.0f} s")

    def _look(self) -> None:
        n, n_done = self._places()
        self._let_run_out()
        while self.faults and n_done / n >= self.faults[0][0]:
            self.faults.pop(0)[1]()
        self.log.is_finished = n_done == n or (n - n_done <= FEW and not self._has_places_left())

    def _places(self) -> tuple[int, int]:
        """(places, places that were submitted on)."""
        from django.db.models import Count, Q

        from backend.annotation.models import Slot

        done = Count("pk", filter=Q(assignment__status="submitted"))
        found = Slot.objects.filter(project__slug=self.made.slug).aggregate(n=Count("pk"), n_done=done)
        return found["n"], found["n_done"]

    def _has_places_left(self) -> bool:
        from places_left import places_left

        return places_left(self.made.slug).exists()

    def _let_run_out(self) -> None:
        """Turn the clock for those who died or are late: half an hour passes for them."""
        from django.utils import timezone

        from backend.annotation.models import Assignment

        ids = [*self.log.held_by_the_dead, *self.log.held_for_later]
        for first in range(0, len(ids), 500):
            held = Assignment.objects.filter(pk__in=ids[first : first + 500], status="leased")
            held.update(expires_at=timezone.now())

    @staticmethod
    def _reconnect() -> None:
        from django.db import connection

        connection.close()


def stress(site: Site, *, n_clients: int, n_assignments: int, n_captions: int = 1) -> Log:
    """Run it to its end. The log holds every promise of the site and what was found wrong."""
    n_people = n_clients - int(n_clients * TWO_TABS)
    n_hits = -(-n_assignments // OVERLAP)
    made = make_project("stress", n_hits=n_hits, n_captions=n_captions, n_annotators=n_people)
    log = Log()
    faults = [(0.3, site.kill_a_worker), (0.5, site.restart_database), (0.7, site.kill_a_worker)]
    work = misbehave(site.url, made.slug, made.tokens, n_clients=n_clients, seed=SEED, log=log)
    clients = threading.Thread(target=asyncio.run, args=(work,), daemon=True)
    start = time.monotonic()
    clients.start()
    Warden(made, log, faults=faults).watch(clients)
    clients.join(timeout=120)
    seconds = time.monotonic() - start
    print(f"{len(log.kept):,} pages of {n_clients} clients taken in {seconds:.0f} s, {len(log.kept) / seconds:.0f}/s")
    log.happened["kept as surplus, the page was somebody else's"] = len(log.late)
    for what, n in sorted(log.happened.items()):
        print(f"  {what:<48} {n:7,}")
    log.faults += [f"{n} {rule}" for rule, n in audit(made.slug).items() if n] + promises_broken(log)
    log.faults += unfinished(made)
    return log


def promises_broken(log: Log) -> list[str]:
    """What the site answered 2xx to and does not have, or has otherwise."""
    from backend.annotation.models import Assignment, Judgment

    rows: dict[str, dict[int, str]] = {}
    first_words = Judgment.objects.filter(supersedes=None).values_list("assignment", "position", "label")
    for assignment, position, label in first_words.iterator():
        rows.setdefault(str(assignment), {})[position] = label
    status = {str(pk): found for pk, found in Assignment.objects.values_list("pk", "status").iterator()}
    said = {page: "late" if page in log.late else "submitted" for page in log.kept}
    broken = [f"{page} has other answers than were confirmed" for page in log.kept if rows.get(page) != log.kept[page]]
    return broken + [
        f"{page} is {status.get(page)}, not {said[page]}" for page in said if status.get(page) != said[page]
    ]


def unfinished(made: Made) -> list[str]:
    """Places left to somebody, and pairs that want more judgments but for those that all these people have had.

    A pair was finished by what was known of its annotators then. Who fails controls afterwards may make it want
    another judgment when a curator settles the project anew; that is the stop rule's doing and no loss.
    """
    from django.db.models import Count, Q

    from backend.annotation.models import Hit
    from backend.annotation.selectors import pairs_in_hits
    from backend.projects.models import Project
    from places_left import hits_left_to_nobody, places_left

    project = Project.objects.get(slug=made.slug)
    counted = Count("candidate__judgments", filter=Q(candidate__judgments__assignment__status="submitted"))
    alone = list(hits_left_to_nobody(made.slug))
    items = pairs_in_hits(project=project).exclude(hit__in=alone).annotate(n=counted)
    found: dict[str, Any] = {
        "places left to somebody": places_left(made.slug).count(),
        f"pairs with fewer than {OVERLAP} judgments": items.filter(n__lt=OVERLAP).count(),
    }
    hits = Hit.objects.filter(project=project)
    more = hits.annotate(n=Count("slots")).filter(n__gt=OVERLAP).count()
    print(f"  {'HITs that the stop rule gave more slots':<48} {more:7,}")
    print(f"  {'follow-up HITs':<48} {hits.filter(root__isnull=False).count():7,}")
    print(f"  {'HITs of controls alone':<48} {hits.filter(part=None).count():7,}")
    print(f"  {'HITs that wait for a person who never had them':<48} {len(alone):7,}")
    return [f"{n} {what}" for what, n in found.items() if n]


def main() -> int:
    parser = argparse.ArgumentParser(description="The annotation engine under stress, audited by SQL.")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--assignments", type=int, default=20_000)
    parser.add_argument("--captions", type=int, default=1, help="of each HIT")
    parser.add_argument("--engine", choices=ENGINES, default="postgresql")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="connote-stress-") as folder, ENGINES[asked.engine](Path(folder)) as site:
        log = stress(site, n_clients=asked.clients, n_assignments=asked.assignments, n_captions=asked.captions)
        if log.faults:
            print(f"The end of the site's log:\n{site.web.tail(8)}")
    nothing = "No audit found anything: nothing lost, nothing over, all finished."
    print("\n".join(log.faults[:40]) or nothing)
    return 1 if log.faults else 0


if __name__ == "__main__":
    sys.exit(main())
