"""Curation against bare calls of the same libraries, in one run.

    python tests/load/bench_curation.py [--images 5000] [--projected 1000] [--captions 40] [--pairs 25000]
        [--calibrated 100000] [--quick] [--only selection difficulty calibration robustness]

* selection: choosing 5 of 40 good captions of each image. Variant A against embedding the same captions alone.
  Variant B against bare umap-learn and scikit-learn calls on the same vectors, each in one thread, without and with
  the stability of 10 seeds: of the first 1,000 images only, in about three minutes. No image's choice depends on
  another image.
* difficulty: scores of all pairs by the seven models of Connote, against bare forward passes of the same towers: every
  image and every caption once for each model.
* calibration: the peak memory of a process that calibrates a tenth of the pairs, and of one that calibrates all.
* robustness: seconds for 10 panels of 7 of 30 models.

Ends with status 1 where a ratio is over its limit.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(ROOT / "tests" / "load")]

import numpy as np  # noqa: E402

K = 5
LIMITS = {"A": 1.25, "B": 1.15, "difficulty": 1.15, "memory": 1.2}
PICTURES = 40  # drawn; every image is one of them, with bytes of its own in the storage
QUICK = {"images": 12, "projected": 12, "captions": 40, "pairs": 200, "calibrated": 20_480}
PARTS = ("selection", "difficulty", "calibration", "robustness")
DIMENSIONS = 512


def set_up() -> None:
    """Django with a database that nobody asks, and a media folder of its own."""
    for name in [name for name in os.environ if name.startswith("CONNOTE_")]:
        del os.environ[name]
    os.environ |= {"DJANGO_SETTINGS_MODULE": "backend.config.settings", "CONNOTE_SECRET_KEY": secrets.token_urlsafe(50)}
    os.environ |= {"CONNOTE_DATA_DIR": tempfile.mkdtemp(prefix="bench-curation-"), "CONNOTE_LOG_LEVEL": "ERROR"}
    import django

    django.setup()


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Report:
    """Prints each ratio, and remembers whether one was over its limit."""

    def __init__(self) -> None:
        self.is_over = False

    def ratio(self, name: str, ours: float, theirs: float, limit: float | None, unit: str = "s") -> None:
        ratio = ours / theirs
        verdict = "" if limit is None else f", at most {limit}: {'ok' if ratio <= limit else 'OVER'}"
        self.is_over |= limit is not None and ratio > limit
        print(f"{name}: {ours:.2f} {unit} against {theirs:.2f} {unit}, ratio {ratio:.3f}{verdict}", flush=True)


def pools_of(n: int, n_captions: int) -> list[Any]:
    """Pools of true captions of drawn scenes, as `select` reads them from the database."""
    from backend.curation.selectors import Pool
    from workers.demo import curation_report

    curation_report.SETS = -(-n_captions // 7)
    found = []
    for at, pool in enumerate(curation_report.pools_of(n, 0)):
        texts = tuple(pool.texts[:n_captions])
        keys = tuple(f"{at:06}-{place:03}" for place in range(len(texts)))
        found.append(Pool(at, f"{at:064x}", tuple(range(len(texts))), keys, texts))
    return found


class Ready:
    """An encoder whose vectors are there already, so that only choosing is measured."""

    name, digest = "ready", "0" * 64

    def __init__(self, vectors: Any) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str]) -> Any:
        return self.vectors[: len(texts)]

    def are_cut(self, texts: Sequence[str]) -> list[bool]:
        return [False] * len(texts)


def bare_umap_kmeans(vectors: Any, sizes: Sequence[int]) -> None:
    """What umap-learn and scikit-learn take for the same pools, called as their documentation shows."""
    import warnings

    import umap
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows in np.split(vectors, np.cumsum(sizes)[:-1]):
            model = umap.UMAP(n_neighbors=15, min_dist=0.1, metric="cosine", random_state=0, n_jobs=1)
            KMeans(K, n_init=10, random_state=0).fit(model.fit_transform(rows))


def bench_selection(report: Report, n: int, n_projected: int, n_captions: int) -> None:
    from django.conf import settings

    from workers.engines import registry
    from workers.tasks.curation import IMAGES, choose_captions

    pools = pools_of(n, n_captions)
    print(f"{len(pools):,} images with {sum(len(pool.texts) for pool in pools):,} captions", flush=True)
    encoder = registry.sentence_encoder(settings.SENTENCE_MODEL)
    encoder.encode(list(pools[0].texts))
    shards = [pools[start : start + IMAGES] for start in range(0, len(pools), IMAGES)]
    vectors: list[Any] = []
    alone = seconds(lambda: vectors.extend(encoder.encode([t for p in shard for t in p.texts]) for shard in shards))
    ours = seconds(lambda: [choose_captions(encoder, shard, k=K, variant="least_alike", seed=0) for shard in shards])
    report.ratio("variant A with embedding, against embedding", ours, alone, LIMITS["A"])
    shards = [pools[start : start + IMAGES] for start in range(0, min(n_projected, n), IMAGES)]
    shards[-1] = shards[-1][: n_projected - IMAGES * (len(shards) - 1)]
    sizes = [len(pool.texts) for shard in shards for pool in shard]
    every = np.concatenate(vectors)[: sum(sizes)]
    bare_umap_kmeans(every[: sizes[0]], sizes[:1])  # numba compiles
    bare = seconds(lambda: bare_umap_kmeans(every, sizes))

    def choose(n_seeds: int) -> None:
        for shard, rows in zip(shards, vectors, strict=False):  # there are vectors of all images
            choose_captions(Ready(rows), shard, k=K, variant="kmeans", seed=0, n_seeds=n_seeds)

    told = f"variant B of {len(sizes)} images, against bare UMAP and k-means"
    report.ratio(told, seconds(lambda: choose(0)), bare, LIMITS["B"])
    report.ratio("variant B with the stability of 10 seeds", seconds(lambda: choose(10)), bare, None)


def bench_difficulty(report: Report, n_pairs: int) -> None:
    from django.core.files.base import ContentFile
    from django.core.files.storage import default_storage

    from backend.curation.selectors import ChosenCaptions
    from workers.engines import registry
    from workers.engines.carried import LADDER
    from workers.tasks.difficulty import IMAGES, score_captions
    from workers.training.postcards.corpus import targets
    from workers.training.postcards.drawing import draw

    pools = pools_of(n_pairs // K, K)
    drawn = []
    for target in targets(min(PICTURES, len(pools)), 0):
        file = io.BytesIO()
        draw(target.scene, 384).save(file, "JPEG", quality=88)
        drawn.append(file.getvalue())
    pictures = [(pool.digest, drawn[at % len(drawn)]) for at, pool in enumerate(pools)]
    names = [default_storage.save(f"bench/{digest}.jpg", ContentFile(data)) for digest, data in pictures]
    chosen = [
        ChosenCaptions(pool.digest, name, tuple(range(at * K, at * K + K)), pool.texts[:K])
        for at, (pool, name) in enumerate(zip(pools, names, strict=True))
    ]
    shards = [chosen[start : start + IMAGES] for start in range(0, len(chosen), IMAGES)]
    ours = bare = 0.0
    for name in LADDER:
        with registry.borrowed(name):
            towers = registry.towers(name)
            score_captions(towers, shards[0])  # warm
            bare += seconds(lambda towers=towers: bare_passes(towers, pictures, chosen))  # type: ignore[misc]
            ours += seconds(lambda towers=towers: [score_captions(towers, shard) for shard in shards])  # type: ignore[misc]
    told = f"{len(chosen) * K:,} pairs by {len(LADDER)} models, against bare forward passes"
    report.ratio(told, ours, bare, LIMITS["difficulty"])


def bare_passes(towers: Any, pictures: Sequence[tuple[str, bytes]], chosen: Sequence[Any]) -> None:
    """Every picture and every caption through its tower, once."""
    images, texts = towers
    for _ in images.encode(iter(pictures)):
        pass
    texts.encode([text for one in chosen for text in one.texts])


def calibrate_alone(n: int) -> float:
    """Calibrate `n` made-up pairs by their vectors in files, as the stage does, in this process; the most memory of its
    own that it held, in MB."""
    from types import SimpleNamespace

    from bench_polysemy import Peak

    from backend.methods.calibration import BATCH
    from workers.engines.pair_vectors import PairVectors

    dice = np.random.default_rng(0)
    tower: Any = SimpleNamespace(dimensions=DIMENSIONS)
    with tempfile.TemporaryDirectory() as folder, Peak() as peak:
        with PairVectors(Path(folder), (tower, tower)) as store:
            for start in range(0, n, BATCH):
                shared = dice.standard_normal((min(BATCH, n - start), DIMENSIONS))
                images, texts = (_unit(shared + dice.standard_normal(shared.shape)) for _ in range(2))
                store.add(images, texts, [f"caption {start + at}" for at in range(len(shared))])
            store.calibrate(batch_size=BATCH, seed=0)
        time.sleep(0.01)
    return peak.most - peak.before


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def bench_calibration(report: Report, n: int) -> None:
    def peak(pairs: int) -> float:
        command = [sys.executable, str(Path(__file__)), "--alone", str(pairs)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    few, many = peak(n // 10), peak(n)
    told = f"calibration of {n:,} pairs against {n // 10:,}, own memory"
    report.ratio(told, many, few, LIMITS["memory"], unit="MB")


def bench_robustness(n_captions: int) -> None:
    from backend.methods.robustness import Stored, robustness

    dice = np.random.default_rng(0)
    ease = dice.normal(size=n_captions)
    votes = (ease + dice.normal(size=(30, n_captions)) > 0).astype(np.int8)
    stored = Stored(tuple(f"model-{n}" for n in range(30)), tuple(n < 7 for n in range(30)), votes)
    taken = seconds(lambda: robustness(stored, n_panels=10, size=7, seed=0))
    print(f"robustness of 30 models and {n_captions:,} captions: {taken:.2f} s", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=5000, help="Images to select captions for.")
    parser.add_argument("--projected", type=int, default=1000, help="Images of them for variant B.")
    parser.add_argument("--captions", type=int, default=40, help="Good captions of each.")
    parser.add_argument("--pairs", type=int, default=25_000, help="Pairs that the models score.")
    parser.add_argument("--calibrated", type=int, default=100_000, help="Pairs of the calibration.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="Parts to run. Default: all.")
    parser.add_argument("--quick", action="store_true", help="Small sizes, about a minute.")
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        print(calibrate_alone(asked.alone))
        return 0
    if asked.quick:
        vars(asked).update(QUICK)
    set_up()
    report = Report()
    parts: dict[str, Callable[[], None]] = {
        "selection": lambda: bench_selection(report, asked.images, asked.projected, asked.captions),
        "difficulty": lambda: bench_difficulty(report, asked.pairs),
        "calibration": lambda: bench_calibration(report, asked.calibrated),
        "robustness": lambda: bench_robustness(asked.pairs),
    }
    for name in asked.only:
        parts[name]()
    return int(report.is_over)


if __name__ == "__main__":
    sys.exit(main())
