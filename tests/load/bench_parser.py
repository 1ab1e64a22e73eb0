"""Captions in a second of one core, by the parser engine, held against blank tokenisation in the same run.

    python tests/load/bench_parser.py [--captions 5000] [--rounds 3] [--pipeline connote-en]

Three figures on the same captions of COCO, taken in turns for a few rounds; the best of each counts, in seconds of
processor time, so that a machine that is busy with something else gives the same ratio:

* the engine: `SpacyParser.parse`, plain values out;
* the pipeline alone: `nlp.pipe`, what the engine cannot be quicker than;
* blank: `spacy.blank("en").pipe`, which only cuts texts into words.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from shared_data_fixtures import SHARED
from workers.engines.carried import ENGLISH
from workers.engines.parser import MOST_TEXTS, SpacyParser, find_pipeline

COCO = SHARED / "data" / "coco5k" / "coco5k_test_captions.jsonl.gz"


def coco_captions(n: int) -> list[str]:
    with gzip.open(COCO, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["caption"] for line in islice(lines, n)]


def seconds(work: Callable[[], Iterable[object]]) -> float:
    start = time.process_time()
    for _ in work():
        pass
    return time.process_time() - start


def main() -> int:
    arguments = argparse.ArgumentParser(description="Captions a second of the parser against blank tokenisation.")
    arguments.add_argument("--captions", type=int, default=5000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--pipeline", default=ENGLISH)
    asked = arguments.parse_args()
    import spacy

    texts = coco_captions(asked.captions)
    engine, alone, blank = SpacyParser(asked.pipeline), spacy.load(find_pipeline(asked.pipeline)), spacy.blank("en")
    works: dict[str, Callable[[], Iterable[object]]] = {
        f"engine on {engine.name}": lambda: engine.parse(texts),
        "pipeline alone": lambda: alone.pipe(texts, batch_size=MOST_TEXTS),
        'spacy.blank("en")': lambda: blank.pipe(texts, batch_size=MOST_TEXTS),
    }
    rounds = [[seconds(work) for work in works.values()] for _ in range(asked.rounds)]
    best = [min(column) for column in zip(*rounds, strict=True)]
    print(f"{len(texts):,} captions, best of {asked.rounds} rounds, processor time of one core")
    for name, took in zip(works, best, strict=True):
        print(f"  {name:24} {took:7.2f} s   {len(texts) / took:9,.0f} captions/s   {took / best[-1]:6.1f} x blank")
    print(f"  pipeline alone / engine  {best[1] / best[0]:7.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
