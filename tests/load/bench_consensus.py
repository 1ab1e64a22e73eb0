"""The consensus of a million judgments by each method, in time and memory, against crowd-kit on the same table.

    python tests/load/bench_consensus.py [--judgments 1000000] [--rounds 10]

On one PostgreSQL, in one run, each measurement in a process of its own:

* stage: `consensus` as a worker runs it, by majority, Dawid-Skene and MACE, with verdicts above one pair in a thousand:
  seconds, processor seconds (they stay true where others use the machine), and how far the process's memory grew;
* fit: `rounds` rounds of each model alone, ours and crowd-kit's, on the table that the stage reads.

Ends with status 1 where a stage does not succeed or takes more than 700 MB, or where a model of ours takes more time or
memory than crowd-kit's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1] / "support"), str(HERE.parent)]

import numpy as np  # noqa: E402

from processor_time import parent_of, processor_seconds  # noqa: E402

PER_VERDICT, MOST_MB = 1000, 700
METHODS = ("majority", "dawid_skene", "mace")
LABELS = ("good", "bad", "unsure")


def load(n_judgments: int) -> Any:
    """The project of bench_agreement.py with its HITs' items and places, and some verdicts."""
    from bench_agreement import OVERLAP
    from bench_agreement import load as load_judged
    from django.db import connection

    project = load_judged(n_judgments)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_hititem (hit_id, candidate_id, position, is_open, is_decided)"
            " SELECT hit.id, pair.id, row_number() OVER (PARTITION BY hit.id ORDER BY pair.id), true, false"
            " FROM annotation_hit hit JOIN candidates_candidate pair ON pair.image_id = hit.image_id"
        )
        cursor.execute(
            "INSERT INTO annotation_slot (project_id, hit_id, number, priority)"
            " SELECT project_id, id, number, 0 FROM annotation_hit, generate_series(1, %s) number",
            [OVERLAP],
        )
        cursor.execute(
            "INSERT INTO review_verdict (candidate_id, label, reason, decided_by_id, created_at)"
            " SELECT id, 'bad', '', %s, now() FROM candidates_candidate WHERE id %% %s = 0",
            [project.created_by_id, PER_VERDICT],
        )
        cursor.execute("ANALYZE")
    return project


def run_stage(method: str) -> dict[str, Any]:
    """One run of the stage in this process. Raises SystemExit when it does not succeed."""
    from django.db import connection

    from backend.projects.models import Project
    from backend.runs.models import Run
    from workers.tasks.curation import consensus

    run = Run.objects.create(project=Project.objects.get(), stage="consensus", parameters={
        "method": method, "min_votes": 0}, seed=7)  # fmt: skip
    connection.ensure_connection()
    found = measured(lambda: consensus(str(run.pk)), server=parent_of(connection.connection.info.backend_pid))
    run.refresh_from_db()
    if run.status != "succeeded":
        raise SystemExit(f"{method}: {run.status} {run.error}")
    return found | {"pairs": run.done}


def measured(work: Callable[[], object], server: int = 0) -> dict[str, Any]:
    """Seconds, processor seconds of this process and of a server's, and by how many megabytes this process grew at its
    largest."""
    before, start = _peak_mb(), time.perf_counter()
    spent, served = time.process_time(), processor_seconds(server) if server else 0.0
    work()
    return {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - spent,
        "server": processor_seconds(server) - served if server else 0.0,
        "grown_mb": _peak_mb() - before,
    }


def _peak_mb() -> float:
    """From /proc: what getrusage tells begins with the peak of the process that started this one."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def write_table(path: Path) -> None:
    """Rows (pair, annotator, label), as the stage reads them."""
    from backend.curation.fitting import _rows
    from backend.projects.models import Project

    np.save(path, _rows(Project.objects.get(), 2**62))


def fit_ours(table: Path, method: str, rounds: int) -> dict[str, Any]:
    from backend.methods.aggregation import fit_dawid_skene, fit_mace
    from backend.methods.judgments import Judgments

    rows = np.load(table)
    pairs, items = np.unique(rows[:, 0], return_inverse=True)
    judgments = Judgments(items, rows[:, 1], rows[:, 2], len(pairs), int(rows[:, 1].max()) + 1, len(LABELS))
    fits: dict[str, Callable[[], object]] = {
        "dawid_skene": lambda: fit_dawid_skene(judgments, tolerance=-np.inf, max_rounds=rounds),
        "mace": lambda: fit_mace(judgments, n_restarts=1, n_rounds=rounds),
    }
    return measured(fits[method])


def fit_crowd_kit(table: Path, method: str, rounds: int) -> dict[str, Any]:
    import warnings

    import pandas as pd
    from crowdkit.aggregation import MACE, DawidSkene

    warnings.simplefilter("ignore")  # of pandas, about what crowd-kit calls
    frame = pd.DataFrame(np.load(table), columns=["task", "worker", "label"])
    model = DawidSkene(n_iter=rounds, tol=-np.inf) if method == "dawid_skene" else MACE(n_restarts=1, n_iter=rounds)
    return measured(lambda: model.fit(frame))


def in_a_process(*task: object) -> dict[str, Any]:
    """What a process of its own measures."""
    told = subprocess.run(
        [sys.executable, str(HERE), "--task", *map(str, task)], stdout=subprocess.PIPE, check=True, text=True
    )
    return dict(json.loads(told.stdout.splitlines()[-1]))


def do_task(kind: str, *task: str) -> dict[str, Any]:
    if kind in ("ours", "crowd-kit"):
        fit = fit_ours if kind == "ours" else fit_crowd_kit
        return fit(Path(task[0]), task[1], int(task[2]))
    import django

    django.setup()
    if kind == "table":
        return measured(lambda: write_table(Path(task[0])))
    return run_stage(task[0])


def compare(asked: Any, folder: Path) -> bool:
    start = time.perf_counter()
    load(asked.judgments)
    print(f"{asked.judgments:,} judgments, loaded in {time.perf_counter() - start:.0f} s", flush=True)
    grown = [tell_stage(method) for method in METHODS]
    table = folder / "table.npy"
    in_a_process("table", table)
    faster = [tell_fit(table, method, asked.rounds) for method in METHODS[1:]]
    return max(grown) <= MOST_MB and all(faster)


def tell_stage(method: str) -> float:
    """The megabytes that it took."""
    took = in_a_process("stage", method)
    print(
        f"  stage, {method:12} {took['seconds']:7.1f} s, processor {took['processor']:.1f} s and PostgreSQL's "
        f"{took['server']:.1f} s; {took['pairs'] / took['seconds']:,.0f} pairs/s; memory +{took['grown_mb']:.0f} MB",
        flush=True,
    )
    return float(took["grown_mb"])


def tell_fit(table: Path, method: str, rounds: int) -> bool:
    """Whether ours took less time and memory than crowd-kit's."""
    ours, theirs = (in_a_process(kind, table, method, rounds) for kind in ("ours", "crowd-kit"))
    ratio = theirs["processor"] / ours["processor"]
    print(
        f"  {rounds} rounds of {method:12} {ours['processor']:6.2f} s +{ours['grown_mb']:.0f} MB;  crowd-kit "
        f"{theirs['processor']:6.2f} s +{theirs['grown_mb']:.0f} MB, {ratio:.1f} times ours",
        flush=True,
    )
    return bool(ratio >= 1 and ours["grown_mb"] <= theirs["grown_mb"])


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--judgments", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--task", nargs="+", help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.task:
        print(json.dumps(do_task(*asked.task)))
        return 0
    from bench_candidates_import import set_up_django

    import services

    with services.postgres() as url, tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        good = compare(asked, Path(folder))
        from django.db import connection

        connection.close_pool()
    return 0 if good else 1


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    sys.exit(main())
