"""A release's tables from PostgreSQL to JSONL, CSV and Parquet, held against COPY TO of the same rows in one run.

    python tests/load/bench_export.py [--pairs 100000] [--memory 10000 1000000] [--rounds 3]

* speed: every caption and its three judgments, read by the code of the stage Release and written by its writers. Each
  as a ratio to `COPY (SELECT ...) TO STDOUT` of the same columns. JSONL and CSV at most 3.
* memory: how far the peak of a process grows from the first number of pairs to the second. At most 64 MB.

Ends with status 1 where a limit is broken.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1] / "support"), str(HERE.parent)]

from bench_candidates_import import set_up_django  # noqa: E402

import services  # noqa: E402

PER_IMAGE, OVERLAP, MOST_RATIO, MOST_MB = 10, 3, 3.0, 64
SAME_ROWS = """
    SELECT i.digest, c.key, c.text, c.raw_text, c.source, c.status, a.annotator_id, j.label, j.position, j.ms,
        j.comment, j.edits, j.lens, a.options, a.status AS turn
    FROM annotation_judgment j
    JOIN annotation_assignment a ON a.id = j.assignment_id
    JOIN candidates_candidate c ON c.id = j.candidate_id
    JOIN catalogue_image i ON i.id = c.image_id
    WHERE c.project_id = {project} AND j.control_id IS NULL ORDER BY i.digest, c.key, j.id
"""


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def copy_to(project: Any, path: Path) -> None:
    from django.db import connection

    asked = f"COPY ({SAME_ROWS.format(project=project.pk)}) TO STDOUT (FORMAT csv)"
    with connection.cursor() as cursor, path.open("wb") as file, cursor.copy(asked) as rows:
        for part in rows:
            file.write(part)


def rows_of(project: Any) -> Iterator[dict[str, Any]]:
    """Each judgment beside its caption, as the stage Release reads them."""
    from backend.methods.exports.full_tables import caption_judgments
    from backend.releases.full_reads import iterate_captions

    for caption in iterate_captions(project=project, splits={}):
        about = {"image": caption.row["image"], "caption": caption.row["key"], "split": caption.row["split"]}
        for who, said in caption_judgments(caption.said, until=caption.until):
            yield {**about, **said, "annotator": who}


def to_jsonl(project: Any, path: Path) -> None:
    from backend.methods.export_rows import json_line

    with path.open("w", encoding="utf-8", newline="") as file:
        for row in rows_of(project):
            file.write(json_line(row))


def to_csv(project: Any, path: Path) -> None:
    from backend.methods.export_rows import CsvTable
    from backend.methods.exports.full_tables import JUDGMENTS

    with path.open("w", encoding="utf-8", newline="") as file:
        table = CsvTable(file, JUDGMENTS.names)
        for row in rows_of(project):
            table.write(row)


def to_parquet(project: Any, path: Path) -> None:
    from backend.methods.exports.full_tables import JUDGMENTS
    from backend.methods.exports.parquet_file import ParquetFile

    with ParquetFile(path, JUDGMENTS) as table:
        for row in rows_of(project):
            table.add(row)


WRITERS = {"JSONL": to_jsonl, "CSV": to_csv, "Parquet": to_parquet}


def make_project(pairs: int, slug: str) -> Any:
    from workers.demo.large import Size, seed_large

    size = Size()
    images = max(1, pairs // PER_IMAGE)
    return seed_large(size=Size(pairs * OVERLAP, images, size.annotators, size.days, size.seed), slug=slug, say=print)


def peak_of(url: str, slug: str) -> float:
    """MB at the peak of a process of its own that writes the JSON lines."""
    asked = [sys.executable, str(HERE), "--alone", slug, "--url", url]
    return float(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()[-1])


def write_alone(url: str, slug: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        from backend.projects.models import Project

        to_parquet(Project.objects.get(slug=slug), Path(folder) / "rows")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        from django.db import connection

        connection.close_pool()


def main() -> int:
    arguments = argparse.ArgumentParser(description="Exports against COPY TO of the same rows, and their memory.")
    arguments.add_argument("--pairs", type=int, default=100_000)
    arguments.add_argument("--memory", type=int, nargs=2, default=(10_000, 1_000_000))
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--alone", default="", help=argparse.SUPPRESS)
    arguments.add_argument("--url", default="", help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.alone:
        write_alone(asked.url, asked.alone)
        return 0
    with services.postgres() as url, tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        project = make_project(asked.pairs, "speed")
        path = Path(folder) / "rows"
        best = {"COPY TO": min(seconds(lambda: copy_to(project, path)) for _ in range(asked.rounds))}
        for name, write in WRITERS.items():
            best[name] = min(seconds(lambda write=write: write(project, path)) for _ in range(asked.rounds))
        ratios = {name: best[name] / best["COPY TO"] for name in WRITERS}
        for name, took in best.items():
            ratio = f"{ratios[name]:6.2f} times COPY TO" if name in ratios else ""
            print(f"  {name:8} {took:8.2f} s {ratio}")
        for n in asked.memory:
            make_project(n, f"memory-{n}")
        few, many = (peak_of(url, f"memory-{n}") for n in asked.memory)
        print(f"  memory   {few:,.0f} MB for {asked.memory[0]:,} pairs, {many:,.0f} MB for {asked.memory[1]:,}")
        from django.db import connection

        connection.close_pool()
    return 0 if max(ratios["JSONL"], ratios["CSV"]) <= MOST_RATIO and many - few <= MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
