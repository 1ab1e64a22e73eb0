"""What retrieval finds on Postcards, where it is known of every caption whether it is true of a picture.

    python tests/load/bench_candidates.py [--targets 100] [--corpus 20000] [--pictures 50] [--copy 95]
        [--quick]

The real stages on a database of their own: images imported, the corpus registered and embedded by Connote's own small
encoder, captions retrieved by clustering and by plain nearest neighbours. Beside them as many captions of pictures
drawn by lot. Printed for each:

* precision: the share of pairs whose every claim holds of the target, and that of the verdicts good, unsure and bad
  (a generic caption claims nothing and is bad: it would do for any picture);
* the kinds of the captions.

Then the strongest model of the ladder scores what clustering found, and the last table says how many true captions of
each kind a filter at its calibrated threshold would have thrown away: the figures of speech that a picture's meaning is
made of (IMP section 2). Drawn pictures and vectors are kept in var/, so that a second run takes seconds.

Ends with status 1 where clustering is no more precise than chance, or where the filter throws away no figure of speech.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from backend.methods.retrieval import N_REF  # noqa: E402
from workers.training.postcards.captions import Kind, is_true_of  # noqa: E402
from workers.training.postcards.controls import FIGURES, truth  # noqa: E402
from workers.training.postcards.corpus import Pair, Target, corpus, targets  # noqa: E402
from workers.training.postcards.exports import Order, export  # noqa: E402

MODES = ("clustering", "knn")
QUICK = {"targets": 12, "corpus": 600, "pictures": 24}


class Found(NamedTuple):
    """A caption at a target, and whose it is."""

    target: Target
    pair: Pair


@dataclass(frozen=True)
class World:
    """Everything that is drawn, by id."""

    folder: Path
    targets: dict[str, Target]
    pairs: dict[str, Pair]


def world_of(folder: Path, order: Order) -> World:
    """What `order` draws, without drawing it."""
    scenes = targets(order.targets, order.seed)
    pairs = corpus(scenes, order.corpus, order.seed)
    return World(folder, {target.id: target for target in scenes}, {pair.id: pair for pair in pairs})


def drawn(folder: Path, order: Order) -> World:
    """The world with its pictures, drawn on all cores where they are missing."""
    start, shown = time.perf_counter(), 0
    for there, wanted in export(folder, order):
        if there * 10 // max(1, wanted) > shown:
            shown = there * 10 // wanted
            print(f"drawn {there:,} of {wanted:,} pictures, {time.perf_counter() - start:.0f} s", flush=True)
    return world_of(folder, order)


def set_up(scratch: Path, kept: Path) -> None:
    """Django on a fresh SQLite; vectors where the next run finds them."""
    for name in [name for name in os.environ if name.startswith("CONNOTE_")]:
        del os.environ[name]
    os.environ |= {"DJANGO_SETTINGS_MODULE": "backend.config.settings", "CONNOTE_SECRET_KEY": secrets.token_urlsafe(50)}
    os.environ |= {"CONNOTE_DATA_DIR": str(scratch), "CONNOTE_EMBEDDINGS": str(kept), "CONNOTE_LOG_LEVEL": "ERROR"}
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.EMBEDDED_WAITS = True
    call_command("migrate", verbosity=0)


def run_stage(project: Any, stage: str, **parameters: Any) -> Any:
    """The run, over. Raises SystemExit where it did not succeed."""
    from backend.runs.services import start_run

    start = time.perf_counter()
    run = start_run(project=project, stage=stage, parameters=parameters)
    run.refresh_from_db()
    if run.status != "succeeded":
        raise SystemExit(f"{stage}: {run.status} {run.error}")
    print(f"{project.slug}: {stage} in {time.perf_counter() - start:.1f} s {run.counts}", flush=True)
    for line in run.log_tail:
        print(f"  {line}")
    return run


def retrieved(world: World, mode: str, n_pictures: int, copy: int) -> list[Found]:
    """What the stage finds in this mode, in a project of its own."""
    from backend.candidates.models import Candidate
    from backend.catalogue.corpora import register_corpus, scanned
    from backend.people.models import User
    from backend.projects.models import Project

    owner, _ = User.objects.get_or_create(username="bench")
    project = Project.objects.create(slug=mode, name=mode, created_by=owner)
    run_stage(project, "import_images", source=str(world.folder / "targets"))
    register_corpus(project=project, folder=world.folder / "corpus", manifest=scanned(world.folder / "corpus"))
    run_stage(project, "embed_corpus")
    radius = n_pictures * N_REF // len(world.pairs)
    run_stage(project, "retrieve", mode=mode, radius=radius, copy=copy)
    rows = Candidate.objects.filter(project=project).order_by("image__key", "rank")
    refs = rows.values_list("image__key", "source_ref")
    return [Found(world.targets[image], world.pairs[ref.rpartition(":")[2]]) for image, ref in refs]


def by_lot(world: World, like: Sequence[Found]) -> list[Found]:
    """As many captions for each target as `like` has, of pictures drawn by lot."""
    dice, pairs = random.Random(0), list(world.pairs.values())
    counts = Counter(one.target.id for one in like)
    return [Found(world.targets[key], pair) for key, n in sorted(counts.items()) for pair in dice.sample(pairs, n)]


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def describe(name: str, found: Sequence[Found]) -> float:
    """Print a line of precision and one of kinds. Returns the precision."""
    n = len(found)
    n_true = sum(is_true_of(one.pair.caption, one.target.scene) for one in found)
    verdicts = Counter(truth(one.pair.caption, one.target.scene) for one in found)
    kinds = Counter(one.pair.kind for one in found)
    n_targets = len({one.target.id for one in found})
    told = "  ".join(f"{verdict} {share(verdicts[verdict], n):.3f}" for verdict in ("good", "unsure", "bad"))
    print(f"{name:11} {n:6,} captions of {n_targets:,} targets   true {share(n_true, n):.3f}   {told}")
    print("            " + "  ".join(f"{kind} {share(kinds[kind], n):.3f}" for kind in Kind if kinds[kind]))
    return share(n_true, n)


def strongest() -> str:
    """The ladder's model with the best hit@1 on its card."""
    from workers.engines.carried import LADDER, MODELS

    figures = {name: json.loads((MODELS / name / "figures.json").read_text())["hit_at_1"] for name in LADDER}
    return max(figures, key=lambda name: figures[name])


def scores(world: World, name: str, found: Iterable[Found]) -> list[float]:
    """The cosine of each pair by the model called `name`."""
    import numpy as np

    from workers.engines import registry

    found = list(found)
    keys, texts = sorted({one.target.id for one in found}), sorted({one.pair.caption.text for one in found})
    shown = ((key, world.folder / "targets" / "images" / f"{key}.jpg") for key in keys)
    seen = [block.vectors for block in registry.image_encoder(name).encode(shown)]
    images = dict(zip(keys, np.concatenate(seen), strict=True))
    said = dict(zip(texts, registry.text_encoder(name).encode(texts), strict=True))
    return [float(images[one.target.id] @ said[one.pair.caption.text]) for one in found]


def filtered(world: World, found: Sequence[Found]) -> int:
    """Print what a filter would throw away of what is true. Returns how many figures of speech."""
    from workers.engines.calibrations import find_record

    name = strongest()
    threshold = find_record(name, world.folder).calibration.threshold
    true = [one for one in found if truth(one.pair.caption, one.target.scene) == "good"]
    below = [one for one, score in zip(true, scores(world, name, true), strict=True) if score < threshold]
    there, thrown = Counter(one.pair.kind for one in true), Counter(one.pair.kind for one in below)
    print(f"\nBelow {name}'s calibrated threshold of {threshold:.4f}, of the good captions that clustering found:")
    for kind in (kind for kind in Kind if there[kind]):
        print(f"  {kind:15} {thrown[kind]:5,} of {there[kind]:5,}   {share(thrown[kind], there[kind]):.3f}")
    n_thrown, n_there = (sum(counts[kind] for kind in FIGURES) for counts in (thrown, there))
    print(f"  figures of speech, moods and ideas together: {n_thrown:,} of {n_there:,} would have been thrown away")
    return n_thrown


def main() -> int:
    arguments = argparse.ArgumentParser(description="What retrieval finds on Postcards, and what a filter would lose.")
    arguments.add_argument("--targets", type=int, default=100)
    arguments.add_argument("--corpus", type=int, default=20_000)
    arguments.add_argument("--pictures", type=int, default=50, help="a pool has at most")
    arguments.add_argument("--copy", type=int, default=95, help="hundredths of a cosine that make a suspect")
    arguments.add_argument("--folder", type=Path, help="where the pictures are kept")
    arguments.add_argument("--quick", action="store_true", help="a small world, to see that all of it works")
    asked = arguments.parse_args()
    if asked.quick:
        vars(asked).update(QUICK)
    folder = asked.folder or ROOT / "var" / "bench-candidates" / f"{asked.targets}-{asked.corpus}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    world = drawn(folder, Order(asked.targets, asked.corpus, 0))
    with tempfile.TemporaryDirectory() as scratch:
        set_up(Path(scratch), folder / "embeddings")
        found = {mode: retrieved(world, mode, asked.pictures, asked.copy) for mode in MODES}
        found["by lot"] = by_lot(world, found["clustering"])
        print()
        precision = {name: describe(name, pairs) for name, pairs in found.items()}
        n_thrown = filtered(world, found["clustering"])
    return 0 if precision["clustering"] > precision["by lot"] and n_thrown else 1


if __name__ == "__main__":
    sys.exit(main())
