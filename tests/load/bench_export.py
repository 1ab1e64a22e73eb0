"""A release's tables from PostgreSQL to JSONL, CSV and Parquet, held against COPY TO of the same rows in one run.

    python tests/load/bench_export.py [--pairs 100000] [--memory 10000 1000000] [--rounds 3]

* speed: every judgment with its caption, as an export of the judgments writes it, and judgments.parquet of a release.
  Each as a ratio to `COPY (SELECT ...) TO STDOUT` of the same columns. JSONL and CSV at most 3.
* first byte: how long the file of an export takes to begin. At most 300 ms.
* memory: how far the peak of a process grows from the first number of pairs to the second. At most 64 MB.

Ends with status 1 where a limit is broken.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1] / "support"), str(HERE.parent)]

from bench_candidates_import import set_up_django  # noqa: E402

import services  # noqa: E402

PER_IMAGE, OVERLAP, MOST_RATIO, MOST_MB, MOST_MS = 10, 3, 3.0, 64, 300
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


def rows_of(project: Any) -> Iterator[pa.RecordBatch]:
    """The judgments as an export reads them, in batches."""
    from backend.exports.rows import JudgmentFilter, iterate_judgments

    return iterate_judgments(project=project, asked=JudgmentFilter(), left_out=frozenset())


def write_as(format: str) -> Callable[[Any, Path], None]:
    def write(project: Any, path: Path) -> None:
        from backend.methods.exports.flat import SCHEMAS, WRITERS

        WRITERS[format](path, SCHEMAS["judgments"], rows_of(project))

    return write


def to_release(project: Any, path: Path) -> None:
    """judgments.parquet as the stage Release reads and writes it."""
    from backend.methods.exports.full_tables import JUDGMENTS, caption_judgments
    from backend.methods.exports.parquet_file import ParquetFile
    from backend.releases.full_reads import iterate_captions

    with ParquetFile(path, JUDGMENTS) as table:
        for caption in iterate_captions(project=project, splits={}):
            about = {"image": caption.row["image"], "caption": caption.row["key"], "split": caption.row["split"]}
            for who, said in caption_judgments(caption.said, until=caption.until):
                table.add({**about, **said, "annotator": who})


WRITERS = {"JSONL": write_as("jsonl"), "CSV": write_as("csv"), "Parquet": write_as("parquet"), "Release": to_release}


def first_byte(project: Any) -> float:
    """Milliseconds until the first part of the file of an export comes."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from backend.exports.models import Export
    from backend.exports.services import claim_export, make_file
    from backend.projects.models import Membership, Role

    user = get_user_model().objects.create_user("first-byte", "first@example.org", "correct horse battery")
    Membership.objects.create(project=project, user=user, role=Role.CURATOR)
    export = claim_export(export_id=str(Export.objects.create(project=project, what="judgments", format="csv").pk))
    assert export is not None
    with tempfile.TemporaryDirectory() as folder:
        make_file(export=export, folder=Path(folder))
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    client.get(f"/api/v1/exports/{export.pk}")
    start = time.perf_counter()
    answer = client.get(f"/api/v1/exports/{export.pk}/file")
    assert answer.status_code == 200, answer.content
    next(iter(answer.streaming_content))
    return 1000 * (time.perf_counter() - start)


def make_project(pairs: int, slug: str) -> Any:
    from workers.demo.large import Size, seed_large

    size = Size()
    images = max(1, pairs // PER_IMAGE)
    made = seed_large(size=Size(pairs * OVERLAP, images, size.annotators, size.days, size.seed), slug=slug, say=print)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum does soon after
    return made


def peak_of(url: str, slug: str) -> float:
    """MB at the peak of a process of its own that writes the JSON lines."""
    asked = [sys.executable, str(HERE), "--alone", slug, "--url", url]
    return float(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()[-1])


def write_alone(url: str, slug: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        from backend.projects.models import Project

        write_as("jsonl")(Project.objects.get(slug=slug), Path(folder) / "rows")
        # Not getrusage: its figure begins with the size of the process that started this one.
        print(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024)
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
        ms = first_byte(project)
        print(f"  first byte {ms:.0f} ms")
        for n in asked.memory:
            make_project(n, f"memory-{n}")
        few, many = (peak_of(url, f"memory-{n}") for n in asked.memory)
        print(f"  memory   {few:,.0f} MB for {asked.memory[0]:,} pairs, {many:,.0f} MB for {asked.memory[1]:,}")
        from django.db import connection

        connection.close_pool()
    is_fast = max(ratios["JSONL"], ratios["CSV"]) <= MOST_RATIO and ms <= MOST_MS
    return 0 if is_fast and many - few <= MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
