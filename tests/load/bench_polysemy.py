"""The peak memory of a polysemy report, for a small corpus and for one ten times as large.

    python tests/load/bench_polysemy.py [--vectors 10000 100000] [--queries 200] [--quick]

The corpora are a seeded mixture of 384 numbers, with a caption for each picture, written once as shards
(var/bench-polysemy) and indexed. Then the stage's own `Survey` goes through as many queries of each, slice by slice, in
a process of its own. Pictures and both towers of the CLIP are stood in for: what they take does not hang on the corpus.

* own memory: the most that the process held of its own at any time (RssAnon, looked at every few milliseconds), above
  what it held before the corpus was opened;
* with maps: its peak resident size. Pages of vectors and index that were read and not given back are counted in that,
  although they are the files' and the system takes them when it needs the room.

Ends with status 1 where either grows by more than a fifth.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import numpy as np  # noqa: E402
from bench_retrieval import DIMENSIONS, RECIPE, mixture  # noqa: E402

from workers.engines.index import build_index, open_index  # noqa: E402
from workers.engines.protocols import Skipped, Vectors  # noqa: E402
from workers.engines.rows import Ids, sample_of  # noqa: E402
from workers.engines.shards import Block, Part, Shards, read_shards, write_shards  # noqa: E402

SHARD = 1_000  # so that both corpora have more shards than are kept open
AT_MOST = 1.2
CLIP = 512
MB = 1e6
QUICK = {"vectors": [10_000, 40_000], "queries": 64}


def write(folder: Path, n: int) -> Shards:
    """A corpus of `n` pictures with one caption each, and its index."""

    def part(first: int) -> Part:
        return Part(hashlib.sha256(f"{first}".encode()).hexdigest(), lambda: [_block(first, min(SHARD, n - first))])

    write_shards(folder / "vectors", RECIPE, [part(first) for first in range(0, n, SHARD)])
    rows = read_shards(folder / "vectors", verify=False)
    build_index(folder / "index", rows)
    return rows


def _block(first: int, n: int) -> Block:
    numbers = range(first, first + n)
    columns = {
        "captions": [[f"What picture {number} may mean"] for number in numbers],
        "shard": [first // SHARD] * n,
        "place": [str(number) for number in numbers],
    }
    return Block([f"{number:09d}" for number in numbers], mixture(first, n), columns=columns)


def spread(texts: Sequence[str]) -> Vectors:
    """A unit vector for each text, the same for the same one."""
    seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts]
    vectors = np.stack([np.random.default_rng(seed).standard_normal(CLIP, dtype=np.float32) for seed in seeds])
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


class Texts:
    """A text encoder without a model."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        return spread(texts)


class Peak:
    """The most memory of its own that this process holds while the block lasts."""

    def __init__(self) -> None:
        self.most = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self.before = own_memory()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.003):
            self.most = max(self.most, own_memory())


def own_memory() -> float:
    """Megabytes of this process that no file stands behind."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / MB for line in lines if line.startswith("RssAnon:"))


def set_up() -> None:
    """Django with a database that nobody asks."""
    for name in [name for name in os.environ if name.startswith("CONNOTE_")]:
        del os.environ[name]
    os.environ |= {"DJANGO_SETTINGS_MODULE": "backend.config.settings", "CONNOTE_SECRET_KEY": secrets.token_urlsafe(50)}
    os.environ |= {"CONNOTE_DATA_DIR": tempfile.mkdtemp(prefix="bench-polysemy-"), "CONNOTE_LOG_LEVEL": "ERROR"}
    import django

    django.setup()


def alone(folder: Path, n: int, n_queries: int) -> dict[str, Any]:
    """Go through the queries in this process and nothing else."""
    set_up()
    from backend.catalogue.models import Corpus
    from backend.methods.polysemy import RADII, CurveSums
    from workers.tasks.polysemy_survey import Clip, Demands, Survey
    from workers.tasks.retrieval_gallery import Gallery

    class WithoutPictures(Survey):
        def _views(self, rows: Ids) -> tuple[dict[int, Vectors], list[Skipped]]:
            return dict(zip(rows.tolist(), spread([str(row) for row in rows]), strict=True)), []

    def slices(demands: Demands) -> Iterator[Ids]:
        drawn = sample_of(n, demands.n_queries, demands.seed)
        for start in range(0, len(drawn), demands.n_at_once):
            yield drawn[start : start + demands.n_at_once]

    demands, sums, corpus = Demands(RADII, n_queries, 0), CurveSums(RADII), Corpus(name="bench")
    with Peak() as peak:
        rows = read_shards(folder / "vectors", verify=False)
        index = open_index(folder / "index", verify=False, sparing=True)
        clip = Clip(None, Texts())  # type: ignore[arg-type]
        survey = WithoutPictures(corpus, Gallery((corpus,), (0,), rows), index, clip, demands, None)
        for queries in slices(demands):
            survey.add(queries, sums)
    last = sums.curves().points[-1]
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MB
    told = {"kind": index.kind, "similarity": last.image_similarity, "n": last.n_queries}
    return told | {"own": peak.most - peak.before, "before": peak.before, "whole": whole}


def measured(folder: Path, n: int, n_queries: int) -> dict[str, Any]:
    """What one corpus takes, in a process of its own."""
    command = [sys.executable, __file__, "--alone", "--vectors", str(n), "--queries", str(n_queries)]
    done = subprocess.run([*command, "--folder", str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "bench-polysemy")
    parser.add_argument("--quick", action="store_true", help="Small sizes, to see that it works.")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        print(json.dumps(alone(asked.folder, asked.vectors[0], asked.queries)))
        return 0
    if asked.quick:
        asked.vectors, asked.queries = QUICK["vectors"], QUICK["queries"]
    print(f"{asked.queries:,} queries, {DIMENSIONS} numbers a vector, CLIP of {CLIP}")
    peaks = []
    for n in asked.vectors:
        folder = asked.folder / str(n)
        write(folder, n)
        found = measured(folder, n, asked.queries)
        peaks.append(found)
        print(
            f"  {n:>9,} vectors ({found['kind']})   own {found['own']:6.0f} MB   with maps {found['whole']:6.0f} MB"
            f"   similarity at 100: {found['similarity']:.3f}",
            flush=True,
        )
    own, whole = (peaks[-1][name] / peaks[0][name] for name in ("own", "whole"))
    print(f"  {asked.vectors[-1]:,} over {asked.vectors[0]:,}: own {own:.2f}, with maps {whole:.2f}; at most {AT_MOST}")
    return 0 if max(own, whole) <= AT_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
