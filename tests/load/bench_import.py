"""How fast pictures come in, held against a bare Pillow loop over the same files in the same run, and at what memory.

    python tests/load/bench_import.py [--images 600] [--rounds 3] [--memory 1000 10000]

* speed: images/s of the whole import stage (reading, judging, drawing, storing, the database) against a loop that only
  decodes, orients, draws two thumbnails with the same encoder settings and takes the digest; each on one core and on
  two, in turns, the median of a few rounds. At least 0.8 of the bare loop on one core.
* memory: the peak resident size of an importing process and its children, 1,000 pictures against 10,000.

Pictures are real photographs, re-encoded with one pixel row shifted so that no two are the same bytes. SQLite, or
CONNOTE_TEST_DATABASE_URL. Ends with status 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from PIL import Image, ImageChops, ImageOps  # noqa: E402

from shared_data_fixtures import SHARED  # noqa: E402

PHOTOGRAPHS = (SHARED / "data" / "coco_cc_photos" / "images", SHARED / "data" / "openimages_cc_photos" / "images")
CARRIED = ROOT / "tests" / "data" / "photographs" / "images"
BY = "https://creativecommons.org/licenses/by/4.0/"
AT_LEAST, FLAT, LINEAR = 0.8, 1.15, 1.6
SCALE_FOR_MEMORY = (320, 240)


def photographs() -> list[Path]:
    """The shared photographs, or the few that the repository carries."""
    folders = [folder for folder in PHOTOGRAPHS if folder.is_dir()] or [CARRIED]
    return sorted(path for folder in folders for path in folder.iterdir())


def make_pictures(folder: Path, n: int, *, shrink: tuple[int, int] | None = None) -> Path:
    """`n` JPEGs that all differ, and the table that describes them."""
    folder.mkdir()
    originals = [Image.open(path).convert("RGB") for path in photographs()]
    with (folder / "pictures.jsonl").open("w") as table:
        for place in range(n):
            picture = originals[place % len(originals)]
            picture = picture if shrink is None else picture.resize(shrink)
            turn = place // len(originals)
            ImageChops.offset(picture, 3 * turn, turn).save(folder / f"{place}.jpg", quality=90)
            table.write(json.dumps({"file_name": f"{place}.jpg", "license": BY}) + "\n")
    return folder


def bare(path: Path) -> tuple[str, int]:
    """What no importer can do without: read, digest, decode, orient, two thumbnails."""
    from backend.methods.thumbnails import LARGE, SMALL
    from workers.engines.pictures import WEBP

    data = path.read_bytes()
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    n_bytes = 0
    for longest in (LARGE, SMALL):
        image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        image.save(out, "WEBP", **WEBP)
        n_bytes += out.tell()
    return hashlib.sha256(data).hexdigest(), n_bytes


def bare_loop(folder: Path, n_cores: int) -> None:
    """The bare work over all pictures: a plain loop, or a pool of as many processes as cores."""
    paths = sorted(folder.glob("*.jpg"))
    if n_cores == 1:
        for path in paths:
            bare(path)
        return
    from multiprocessing import get_context

    with get_context("fork").Pool(n_cores) as pool:
        pool.map(bare, paths, chunksize=8)


def import_once(folder: Path, slug: str) -> None:
    """The stage as its task runs it, into a new project with an empty media folder. Raises SystemExit on failure."""
    from backend.people.models import User
    from backend.projects.models import Project
    from backend.runs.services import start_run

    user, _ = User.objects.get_or_create(username="bench")
    project = Project.objects.create(slug=slug, name=slug, created_by=user)
    run = start_run(project=project, stage="import_images", parameters={"source": str(folder / "pictures.jsonl")})
    run.refresh_from_db()
    if run.status != "succeeded" or run.counts["dropped"]:
        raise SystemExit(f"{run.status} {run.counts} {run.error}")


@contextmanager
def on_cores(n: int) -> Iterator[None]:
    """Keep this process and what it starts on `n` cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:n])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def set_up_django(data_dir: Path) -> None:
    os.environ |= {
        "CONNOTE_DEBUG": "true",
        "CONNOTE_DATABASE_URL": os.environ.get("CONNOTE_TEST_DATABASE_URL", ""),
        "CONNOTE_DATA_DIR": str(data_dir),
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


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure_speed(folder: Path, n_rounds: int) -> dict[tuple[str, int], float]:
    """Median seconds of each kind of work on one core and on all (two)."""
    from django.conf import settings

    times: dict[tuple[str, int], list[float]] = {}
    n_cores = min(2, len(os.sched_getaffinity(0)))
    for turn in range(n_rounds):
        for cores in sorted({1, n_cores}):
            settings.MEDIA_ROOT = folder.parent / f"media-{turn}-{cores}"
            with on_cores(cores):
                for name, work in (
                    ("bare", lambda cores=cores: bare_loop(folder, cores)),
                    (
                        "import",
                        lambda cores=cores, turn=turn: import_once(folder, f"bench-{turn}-{cores}-{os.getpid()}"),
                    ),
                ):
                    times.setdefault((name, cores), []).append(seconds(work))
    return {key: median(values) for key, values in times.items()}


def report_speed(times: dict[tuple[str, int], float], n: int) -> bool:
    """Print images/s and the ratios; whether both bounds are kept."""
    kept = True
    for cores in sorted({cores for _, cores in times}):
        ratio = times["bare", cores] / times["import", cores]
        kept &= cores > 1 or ratio >= AT_LEAST
        rates = "   ".join(f"{name} {n / times[name, cores]:6.1f} images/s" for name in ("bare", "import"))
        print(f"  {cores} core{'s' if cores > 1 else ' '}  {rates}   import / bare {ratio:.2f}")
    if ("import", 2) in times:
        gain, bare_gain = (times[name, 1] / times[name, 2] for name in ("import", "bare"))
        kept &= gain >= LINEAR
        print(f"  two cores over one: import {gain:.2f}, bare loop {bare_gain:.2f}; at least {LINEAR}")
    return kept


PEAK = """
import resource, sys
sys.path[:0] = [{root!r}, {here!r}]
from pathlib import Path
import bench_import
bench_import.set_up_django(Path({data!r}))
bench_import.import_once(Path({folder!r}), "memory")
own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print((own + children) / 1024)
"""


def peak_memory(folder: Path, scratch: Path) -> float:
    """MB that a fresh process importing `folder` and its children held at most."""
    data = scratch / f"data-{folder.name}"
    data.mkdir()
    script = PEAK.format(root=str(ROOT), here=str(Path(__file__).parent), data=str(data), folder=str(folder))
    environment = os.environ | {"CONNOTE_TEST_DATABASE_URL": ""}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, cwd=ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(done.stdout.split()[-1])


def measure_memory(few: int, many: int, scratch: Path) -> bool:
    """Print both peaks; whether they are alike."""
    peaks = []
    for n in (few, many):
        folder = make_pictures(scratch / f"memory-{n}", n, shrink=SCALE_FOR_MEMORY)
        peaks.append(peak_memory(folder, scratch))
        print(f"  {n:>6,} pictures   peak {peaks[-1]:6.0f} MB")
    print(f"  {many:,} over {few:,}: {peaks[1] / peaks[0]:.2f}; at most {FLAT}")
    return peaks[1] <= FLAT * peaks[0]


def main() -> int:
    arguments = argparse.ArgumentParser(description="Importing pictures against a bare Pillow loop.")
    arguments.add_argument("--images", type=int, default=600)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--memory", type=int, nargs=2, default=(1000, 10_000), metavar=("FEW", "MANY"))
    asked: Any = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="connote-bench-") as name:
        scratch = Path(name)
        folder = make_pictures(scratch / "speed", asked.images)
        (scratch / "data").mkdir()
        set_up_django(scratch / "data")
        print(f"{asked.images:,} photographs, median of {asked.rounds} rounds")
        fast = report_speed(measure_speed(folder, asked.rounds), asked.images)
        flat = measure_memory(*asked.memory, scratch)
    return 0 if fast and flat else 1


if __name__ == "__main__":
    sys.exit(main())
