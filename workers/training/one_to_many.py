"""`python -m workers.training.one_to_many --out FOLDER --scenes 1000`: one-to-many retrieval on Postcards.

It draws scenes that no model has learned from. Each has a literal caption and captions that say more than is to be
seen: partly literal, figurative, emotional and abstract ones. It then measures

1. hit@1 of each model of the ladder;
2. hit@1 of each model for easy, medium and hard captions, as the ladder's votes make them;
3. each adapter, trained on the strongest rung's vectors, against plain cosines on the held-out images.

What is there is not made again. It writes `postcards.jsonl`, `vectors/MODEL`, `adapters/KIND` and `figures.json`, and
prints the tables.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from backend.methods.benchmarks.data import BenchmarkData
from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks import TASKS
from backend.methods.benchmarks.vector_sets import score_sides
from backend.methods.difficulty import CODES, codes_of
from workers.engines import registry
from workers.engines.calibrations import FILE, read_record
from workers.engines.carried import LADDER, MODELS
from workers.engines.embedding_files import read_embeddings
from workers.engines.torchvision_shim import patch_torchvision
from workers.training.adapters import results
from workers.training.adapters.heads import KINDS
from workers.training.adapters.running import Order, Told, train
from workers.training.ladder.examples import scenes
from workers.training.ladder.pictures import drawn, whole
from workers.training.postcards.captions import caption
from workers.training.postcards.kinds import Caption, Kind
from workers.training.postcards.world import TEST, Scene

TOLD_BY = (Kind.LITERAL, Kind.PARTLY_LITERAL, Kind.FIGURATIVE, Kind.EMOTIONAL, Kind.ABSTRACT)
CAPTION_SEED = 11
FIRST = TEST + 500_000  # scenes that no figure of the ladder's cards is of
HELD_OUT = 0.3
WAYS = ("image_to_text", "text_to_image")
Say = Callable[[str], None]


def rows_of(told: Sequence[tuple[str, Sequence[Caption]]], difficulty: Sequence[str]) -> list[dict[str, Any]]:
    """The lines of the data: an image, its captions, and of each its kind, difficulty, and whether it is polysemous."""
    found, at = [], 0
    for image, captions in told:
        categories = []
        for one in captions:
            is_more = "no" if one.kind is Kind.LITERAL else "yes"
            categories.append({"kind": str(one.kind), "polysemous": is_more, "difficulty": difficulty[at]})
            at += 1
        found.append({"image": image, "captions": [one.text for one in captions], "categories": categories})
    return found


def captions_of(scene: Scene) -> list[Caption]:
    """One caption of each kind that the scene can carry."""
    return [one for kind in TOLD_BY if (one := caption(scene, kind, CAPTION_SEED))]


def encode(name: str, n: int, texts: Sequence[str], cache: Path, folder: Path, say: Say) -> None:
    """The vectors of one model, in the order of the scenes and captions."""
    if (folder / "text.npy").is_file():
        return
    with registry.borrowed(name):
        images, words = registry.towers(name)
        pictures = ((str(at), picture) for at, picture in enumerate(whole(drawn(cache, FIRST, n, say), n)))
        vectors = np.concatenate([block.vectors for block in images.encode(pictures)])
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "image.npy", vectors)
        np.save(folder / "text.npy", words.encode(texts))
    say(f"{name}: encoded")


def difficulty_of(out: Path, owner: Sequence[int]) -> list[str]:
    """The category of each caption by the votes of the whole ladder, with the thresholds that came with it."""
    yes = np.zeros(len(owner), np.int64)
    for name in LADDER:
        images, texts = (np.load(out / "vectors" / name / f"{what}.npy") for what in ("image", "text"))
        cosines = np.einsum("nd,nd->n", images[list(owner)], texts)
        yes += cosines >= read_record(MODELS / name / FILE).calibration.threshold
    return [str(CODES[code]) for code in codes_of(yes, len(LADDER), np.zeros(len(yes)), "unanimous")]


def hit_at_1(data: BenchmarkData, folder: Path) -> dict[str, dict[str, Any]]:
    """hit@1 with interval, by direction, of all captions ("all") and of each category."""
    images, texts, digest = read_embeddings(folder)
    settings = Settings(draws=500)
    model = score_sides(folder.name, data, images, texts, {"kind": "embeddings", "digest": digest}, settings)
    found = TASKS["retrieval"].evaluate(data, model, settings, None)
    by_name = {"all": found.metrics, **found.categories}
    return {way: {name: of[way]["hit@1"] for name, of in by_name.items() if way in of} for way in WAYS}


def run(out: Path, n: int, *, say: Say, epochs: int = 20) -> dict[str, Any]:
    """All figures, which are also written to figures.json."""
    out.mkdir(parents=True, exist_ok=True)
    told = [(f"scene-{at:05}", captions_of(scene)) for at, scene in enumerate(scenes(FIRST, n))]
    owner = [at for at, (_, captions) in enumerate(told) for _ in captions]
    texts = [one.text for _, captions in told for one in captions]
    for name in LADDER:
        encode(name, n, texts, out / "drawings", out / "vectors" / name, say)
    lines = rows_of(told, difficulty_of(out, owner))
    (out / "postcards.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    data = read_data(out / "postcards.jsonl")
    found: dict[str, Any] = {"scenes": n, "captions": len(texts), "ladder": {}, "adapters": {}}
    for name in LADDER:
        found["ladder"][name] = hit_at_1(data, out / "vectors" / name)
        say(_line(name, found["ladder"][name]))
    strongest = LADDER[-1]
    for kind in KINDS:
        order = Order(kind, epochs=epochs, held_out=HELD_OUT)
        rows = train(order, data, out / "vectors" / strongest, out / "adapters" / kind, Told(say, lambda n, loss: None))
        say(f"{kind} on {strongest}")
        for row in rows:
            say(results.line_of(row))
        found["adapters"][kind] = [asdict(row) for row in rows]
    (out / "figures.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def _line(name: str, figures: dict[str, dict[str, Any]]) -> str:
    parts = []
    for way in WAYS:
        of = figures[way]
        shares = " ".join(f"{of[f'difficulty={each}']['value']:.3f}" for each in ("easy", "medium", "hard"))
        whole = of["all"]
        parts.append(f"{whole['value']:.3f} [{whole['low']:.3f}, {whole['high']:.3f}], easy medium hard {shares}")
    return f"{name:<16} image to text {parts[0]}; text to image {parts[1]}"


def say_line(line: str) -> None:
    """A line, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m workers.training.one_to_many", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to fill")
    parser.add_argument("--scenes", type=int, default=1000, help="how many scenes")
    parser.add_argument("--epochs", type=int, default=20, help="of each adapter")
    given = parser.parse_args()
    patch_torchvision()
    run(given.out, given.scenes, epochs=given.epochs, say=say_line)


if __name__ == "__main__":
    main()
