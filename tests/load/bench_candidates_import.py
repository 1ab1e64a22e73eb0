"""What importing and cleaning 100,000 captions costs, held against what it cannot cost less than.

    python tests/load/bench_candidates_import.py [--captions 100000] [--rounds 5]

Three figures of one run on one PostgreSQL, taken in turns for a few rounds. The best of each is compared: what else the
machine does can only add to a figure.

* total: both stages, from the file to the last cleaned row;
* (a) copy: a plain COPY of the same finished rows, ready as bytes, into an empty table with the same columns, checks,
  foreign keys and indexes;
* (b) clean: the cleaning functions alone on the same texts, image by image.

Ends with status 1 where total is more than twice (a) + (b).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import services
from shared_data_fixtures import SHARED

COCO = SHARED / "data" / "coco5k" / "coco5k_test_captions.jsonl.gz"
PER_IMAGE = 5
LIMIT = 2.0
PLAIN = "candidates_plain"
COLUMNS = """
project_id, image_id, key, raw_text, text, source, source_ref, rank, similarity, status, drop_rule, drop_detail,
created_at
"""


def coco_captions(n: int) -> list[str]:
    """`n` real captions, the 25,000 of COCO's 5K test over and over."""
    with gzip.open(COCO, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["caption"] for line in lines]
    return [texts[place % len(texts)] for place in range(n)]


def write_coco(path: Path, captions: list[str]) -> None:
    """A COCO captions file, five captions to each made image."""
    images = [{"id": n, "file_name": f"{n}.jpg"} for n in range(-(-len(captions) // PER_IMAGE))]
    rows = [{"id": n, "image_id": n // PER_IMAGE, "caption": text} for n, text in enumerate(captions)]
    path.write_text(json.dumps({"images": images, "annotations": rows}), encoding="utf-8")


def make_project(n_images: int) -> Any:
    """A project with made images: rows without files."""
    from backend.catalogue.models import Image
    from backend.people.models import User
    from backend.projects.models import Project

    user = User.objects.create_user("bench")
    project = Project.objects.create(slug="bench", name="Bench", created_by=user)
    same = {"perceptual_hash": "0" * 16, "width": 1, "height": 1, "format": "JPEG", "n_bytes": 1, "licence": "CC0-1.0"}
    Image.objects.bulk_create(
        [Image(project=project, key=str(n), digest=f"{n * 2654435761 % 2**32:064x}", **same) for n in range(n_images)],
        batch_size=5000,
    )
    return project


def import_and_clean(project: Any, table: Path) -> None:
    """Both stages as their tasks run them. Raises SystemExit when one does not succeed."""
    from backend.runs.services import start_run

    for stage, parameters in (("import_candidates", {"source": str(table)}), ("clean", {"min_words": 3})):
        run = start_run(project=project, stage=stage, parameters=parameters)
        run.refresh_from_db()
        if run.status != "succeeded":
            raise SystemExit(f"{stage}: {run.status} {run.error}")


def plain_copy() -> Callable[[], None]:
    """A COPY of the rows as they stand now into a fresh twin of their table."""
    from django.db import connection

    with connection.cursor() as cursor, cursor.copy(f"COPY candidates_candidate ({COLUMNS}) TO STDOUT") as out:
        rows = b"".join(bytes(block) for block in out)

    def copy() -> None:
        with connection.cursor() as cursor, cursor.copy(f"COPY {PLAIN} ({COLUMNS}) FROM STDIN") as into:
            into.write(rows)

    return copy


def make_twin(*, with_foreign_keys: bool) -> None:
    """An empty table of the same columns, checks and indexes; LIKE leaves out foreign keys, so they are added."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {PLAIN}")
        cursor.execute(f"CREATE TABLE {PLAIN} (LIKE candidates_candidate INCLUDING ALL)")
        if with_foreign_keys:
            for column, target in (("project_id", "projects_project"), ("image_id", "catalogue_image")):
                reference = f"REFERENCES {target} DEFERRABLE INITIALLY DEFERRED"
                cursor.execute(f"ALTER TABLE {PLAIN} ADD FOREIGN KEY ({column}) {reference}")


def clean_alone(captions: list[str]) -> None:
    """The pure functions over the same texts in the same pools."""
    from backend.methods.cleaning import Caption, Raw, clean_all
    from backend.methods.near_duplicates import find_near_duplicates

    cleaned = clean_all(map(Raw, captions), min_words=3, title_min_words=5, tags_of=lambda texts: [None for _ in texts])
    outcomes = [(str(place), one.outcome) for place, one in enumerate(cleaned)]
    for _, pool in groupby(outcomes, key=lambda item: int(item[0]) // PER_IMAGE):
        find_near_duplicates([Caption(key, "human", text) for key, text in pool if isinstance(text, str)])


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def one_round(project: Any, table: Path, captions: list[str]) -> Iterator[float]:
    """total, (a), (a) without foreign keys, (b)."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE candidates_candidate CASCADE")
    yield seconds(lambda: import_and_clean(project, table))
    copy = plain_copy()
    for with_foreign_keys in (True, False):
        make_twin(with_foreign_keys=with_foreign_keys)
        yield seconds(copy)
    yield seconds(lambda: clean_alone(captions))


def set_up_django(database_url: str, data_dir: str) -> None:
    os.environ |= {
        "CONNOTE_DEBUG": "true",
        "CONNOTE_DATABASE_URL": database_url,
        "CONNOTE_DATA_DIR": data_dir,
        "CONNOTE_REDIS_URL": "",
        "CONNOTE_LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
    }
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.EMBEDDED_WAITS, settings.DEBUG = True, False
    call_command("migrate", verbosity=0)


def report(rounds: list[tuple[float, ...]], n: int) -> float:
    """Print the best of the rounds; the ratio that must not exceed LIMIT."""
    total, copy, bare_copy, clean = (min(column) for column in zip(*rounds, strict=True))
    ratio = total / (copy + clean)
    print(f"{n:,} captions, {n // PER_IMAGE:,} images, best of {len(rounds)} rounds")
    print(f"  total  import and clean            {total:7.2f} s   {n / total:9,.0f} captions/s")
    print(f"  (a)    plain COPY of the same rows {copy:7.2f} s   ({bare_copy:.2f} s without foreign keys)")
    print(f"  (b)    cleaning functions alone    {clean:7.2f} s")
    print(f"  total / (a + b)                    {ratio:7.2f}     at most {LIMIT}")
    return ratio


def main() -> int:
    arguments = argparse.ArgumentParser(description="Importing and cleaning captions against COPY and cleaning alone.")
    arguments.add_argument("--captions", type=int, default=100_000)
    arguments.add_argument("--rounds", type=int, default=5)
    asked = arguments.parse_args()
    captions = coco_captions(asked.captions)
    with services.postgres() as url, tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        table = Path(folder) / "captions.json"
        write_coco(table, captions)
        project = make_project(-(-len(captions) // PER_IMAGE))
        rounds = [tuple(one_round(project, table, captions)) for _ in range(asked.rounds)]
        from django.db import connection

        connection.close_pool()
    return 0 if report(rounds, len(captions)) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
