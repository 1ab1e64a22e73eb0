"""The agreement figures of a million judgments: made by a worker, and read by the dashboard.

    python tests/load/bench_agreement.py [--judgments 1000000] [--images 5000] [--annotators 50] [--rounds 20]

On one PostgreSQL, over the project of `manage.py seed_large`, in one run:

* renew: a worker reads all judgments and makes the snapshot; seconds, and how far memory grew. At most 90 s and 1 GB;
* answers: each call of the agreement pages through Django's test client, from the address to the last byte: p50, p95,
  size, and p95 as a ratio to a plain GROUP BY over the same rows. At most 300 ms and 300 kB each;
* pairs: Cohen's intervals of all 19,900 pairs of 200 annotators, as a ratio to those of 30 annotators over as many
  judgments, and to scikit-learn's kappa once for each replicate, told from a few of them. At most ten times as long.

Ends with status 1 where one of these limits is broken.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1] / "support"), str(HERE.parent)]

import numpy as np  # noqa: E402
from bench_candidates_import import set_up_django  # noqa: E402

import services  # noqa: E402

MOST_SECONDS, MOST_MB, MOST_MS, MOST_KB = 90, 1000, 300, 300
PER_IMAGE, OVERLAP, FEW, MANY, MOST_RATIO = 10, 3, 30, 200, 10
REPLICATES = 2000
GROUP_BY = """
    SELECT j.candidate_id, j.label, count(*) FROM annotation_judgment j
    JOIN annotation_assignment a ON a.id = j.assignment_id
    WHERE a.project_id = %s AND a.status = 'submitted' AND j.control_id IS NULL GROUP BY 1, 2
"""


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def group_by(project: Any) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({GROUP_BY}) counted", [project.pk])
        cursor.fetchone()


def addresses(project: Any) -> dict[str, str]:
    """The calls of the pages, about two annotators in the middle."""
    from backend.annotation.models import AnnotatorState

    people = list(AnnotatorState.objects.filter(project=project).order_by("pk").values_list("user", flat=True))
    one, other = people[len(people) // 3], people[len(people) // 2]
    root = f"/api/v1/projects/{project.slug}"
    pair = f"{root}/agreement/pairs/{one}/{other}"
    return {
        "overall": f"{root}/agreement", "sources": f"{root}/agreement?scope=source",
        "edits": f"{root}/agreement?scope=edit", "days": f"{root}/agreement?scope=day",
        "headline": f"{root}/agreement/headline", "matrix": f"{root}/agreement/annotators",
        "matrix, linear": f"{root}/agreement/annotators?reading=middle_linear",
        "one with all": f"{root}/agreement/annotators?annotator={one}", "confusions": f"{root}/agreement/confusions",
        "pair": pair, "pair, one cell": f"{pair}?first_label=good&second_label=bad",
        "pair, rare cell": f"{pair}?first_label=unsure&second_label=unsure",
        "annotator": f"{root}/agreement/annotators/{one}", "annotators table": f"{root}/annotators",
    }  # fmt: skip


def measure_answers(project: Any, rounds: int) -> bool:
    from rest_framework.test import APIClient

    client = APIClient(SERVER_NAME="localhost")
    client.force_login(project.memberships.get(role="curator").user)
    plain = float(np.median([seconds(lambda: group_by(project)) for _ in range(3)]))
    print(f"  plain GROUP BY over the same rows  {1000 * plain:8.0f} ms")
    good = True
    for name, address in addresses(project).items():
        answer = client.get(address)
        took = [1000 * seconds(lambda: client.get(address)) for _ in range(rounds)]  # noqa: B023
        p50, p95 = np.quantile(took, [0.5, 0.95])
        size = len(answer.content) / 1000
        is_good = answer.status_code == 200 and p95 <= MOST_MS and size <= MOST_KB
        good = good and is_good
        print(f"    {name:18} {answer.status_code} p50 {p50:7.1f} ms  p95 {p95:7.1f} ms  {size:6.1f} kB  "
              f"{p95 / 1000 / plain:6.3f} of GROUP BY{'' if is_good else '   TOO MUCH'}")  # fmt: skip
    return good


def measure(asked: Any) -> bool:
    from django.core.management import call_command

    from backend.agreement.models import Snapshot
    from backend.agreement.services import renew
    from backend.projects.models import Project

    sizes = {name: getattr(asked, name) for name in ("judgments", "images", "annotators")}
    call_command("seed_large", **sizes)
    project = Project.objects.get()
    before = peak_mb()
    took = seconds(lambda: renew(project=project))
    grown, snapshot = peak_mb() - before, Snapshot.objects.get(project=project)
    print(f"{snapshot.n_judgments:,} judgments of {asked.annotators} annotators count")
    print(f"  renew                              {took:8.1f} s    memory grew by {grown:6.0f} MB")
    answers = measure_answers(project, asked.rounds)
    return answers and took <= MOST_SECONDS and grown <= MOST_MB


def tell_many_pairs(n_judgments: int) -> float:
    """How many times as long the intervals of all pairs of 200 annotators take as those of 30."""
    (few, n_few), (many, n_many) = (seconds_of_pairs(n_judgments, people) for people in (FEW, MANY))
    alone = seconds_of_sklearn() * n_many * REPLICATES
    print(f"  all {n_few:6,} pairs of {FEW:3} annotators      {few:8.1f} s of processor time")
    print(f"  all {n_many:6,} pairs of {MANY:3} annotators      {many:8.1f} s   {many / few:9.1f} times as long")
    print(f"  the same kappas by scikit-learn    {alone:8.0f} s   {alone / many:9,.0f} times ours")
    return many / few


def seconds_of_pairs(n_judgments: int, people: int) -> tuple[float, int]:
    """Processor seconds of the intervals of all pairs under every reading, and how many pairs there are."""
    from backend.methods.agreement import UNSURE_READINGS, co_ratings, pair_intervals
    from backend.methods.agreement.over_pairs import weights_of
    from backend.methods.judgments import Judgments

    dice = np.random.default_rng(0)
    n_images = n_judgments // (PER_IMAGE * OVERLAP)
    who = dice.random((n_images, people)).argpartition(OVERLAP, axis=1)[:, :OVERLAP].repeat(PER_IMAGE, axis=0).ravel()
    items = np.arange(n_images * PER_IMAGE).repeat(OVERLAP)
    truth = dice.choice(3, size=n_images * PER_IMAGE, p=[0.6, 0.35, 0.05]).repeat(OVERLAP)
    said = np.where(dice.random(len(items)) < dice.uniform(0.6, 0.95, people)[who], truth, dice.choice(3, len(items)))
    rated = co_ratings(Judgments(items, who, said, n_images * PER_IMAGE, people, 3))
    images = np.arange(n_images).repeat(PER_IMAGE)
    spent = time.process_time()
    for reading in UNSURE_READINGS:
        for weights in weights_of(reading):
            pair_intervals(rated, reading, weights, clusters=images)
    return time.process_time() - spent, len(rated.pairs)


def seconds_of_sklearn(n: int = 200) -> float:
    """Processor seconds of four kappas of fifty items: nominal, without unsure, linear, quadratic."""
    from sklearn.metrics import cohen_kappa_score

    one, other = np.random.default_rng(0).integers(0, 3, (2, 50))
    spent = time.process_time()
    for _ in range(n):
        for weights in (None, None, "linear", "quadratic"):
            cohen_kappa_score(one, other, labels=range(3), weights=weights)
    return (time.process_time() - spent) / n


def main() -> int:
    arguments = argparse.ArgumentParser(description="The agreement figures of a million judgments.")
    arguments.add_argument("--judgments", type=int, default=1_000_000)
    arguments.add_argument("--images", type=int, default=5_000)
    arguments.add_argument("--annotators", type=int, default=50)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument(
        "--no-pairs", action="store_true", help="Leave out the intervals of 200 annotators, which need no database."
    )
    asked = arguments.parse_args()
    with services.postgres() as url, tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        good = measure(asked)
        from django.db import connection

        connection.close_pool()
    if not asked.no_pairs:
        good = tell_many_pairs(asked.judgments) <= MOST_RATIO and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
