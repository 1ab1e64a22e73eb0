"""Captions in a second through the whole cleaning chain on one core, held against spaCy's `nlp.pipe` alone.

    python tests/load/bench_cleaning.py [--captions 100000] [--pipeline connote-en]

The captions are all of `noisy_text` and of COCO's 5K test in ../shared, over and over, each as the title of the page it
was found on, so that every rule holds for it. Every batch, as large as the stage takes them, goes through the chain and
then through the pipeline alone: both meet the same machine. The chain has the parser find tags and nothing else; the
pipeline alone does all it can. Seconds are of processor time.

Printed beside the two: what the chain took without the parser, and how many captions each rule dropped. Near-duplicates
have their own benchmark. Ends with status 1 where the chain reaches less than 0.7 of the pipeline's captions a second.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # one core, before anything counts them

import argparse
import csv
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from backend.methods.cleaning import Cleaned, Dropped, Page, Raw, clean_all, find_recurring, registered_domain
from shared_data_fixtures import SHARED
from workers.engines.carried import ENGLISH
from workers.engines.parser import MOST_TEXTS, SpacyParser, find_pipeline

AT_ONCE = 2_000  # backend/candidates/cleaning.py: TITLES_AT_ONCE
LEAST = 0.7
CHAIN, PARSING, ALONE = "whole chain", "parsing", "nlp.pipe alone"
NOISY = SHARED / "data" / "noisy_text"
COCO = SHARED / "data" / "coco5k" / "coco5k_test_captions.jsonl.gz"


def captions() -> Iterator[tuple[str, str]]:
    """Every caption with the host of its page, empty where none is known."""
    with gzip.open(NOISY / "laion_alt_text_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from ((row["text"], row["host"]) for row in map(json.loads, lines))
    with gzip.open(NOISY / "cc3m_validation.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            text, address = line.rstrip("\n").split("\t")
            yield text, address
    with (NOISY / "digitalgov_image_alt.jsonl").open(encoding="utf-8") as lines:
        yield from ((json.loads(line)["alt"] or "", "digital.gov") for line in lines)
    with (NOISY / "xm3600_flickr_titles.csv").open(encoding="utf-8", newline="") as lines:
        yield from ((row["title"], "flickr.com") for row in csv.DictReader(lines))
    with gzip.open(COCO, "rt", encoding="utf-8") as lines:
        yield from ((json.loads(line)["caption"], "") for line in lines)


class Chain:
    """The chain as the stage runs it, with the time that the parser takes within it."""

    def __init__(self, pipeline: str) -> None:
        self.parser, self.parsing = SpacyParser(pipeline), 0.0

    def clean(self, raws: Sequence[Raw]) -> list[Cleaned]:
        return clean_all(raws, min_words=3, title_min_words=5, tags_of=self._tags_of)

    def _tags_of(self, texts: Sequence[str]) -> list[frozenset[str] | None]:
        start = time.process_time()
        tags = list(self.parser.tags(texts))
        self.parsing += time.process_time() - start
        return tags


def titles(n: int) -> list[Raw]:
    """`n` captions as titles of their pages, over and over, with what recurs in their domains."""
    found = [(text, registered_domain(address)) for text, address in captions()]
    recurring = find_recurring((domain, text) for text, domain in found)
    raws = [Raw(text, Page(domain, recurring=recurring.get(domain, frozenset()))) for text, domain in found]
    return list(islice(cycle(raws), n))


def main() -> int:
    arguments = argparse.ArgumentParser(description="Captions a second of cleaning against spaCy alone.")
    arguments.add_argument("--captions", type=int, default=100_000)
    arguments.add_argument("--pipeline", default=ENGLISH)
    asked = arguments.parse_args()
    import spacy

    alone, chain, raws = spacy.load(find_pipeline(asked.pipeline)), Chain(asked.pipeline), titles(asked.captions)
    chain.clean(raws[:100])
    took: Counter[str] = Counter({PARSING: -chain.parsing})
    dropped: Counter[str] = Counter()
    for at in range(0, len(raws), AT_ONCE):
        batch = raws[at : at + AT_ONCE]
        start = time.process_time()
        cleaned = chain.clean(batch)
        between = time.process_time()
        pipe(alone, batch)
        took.update({CHAIN: between - start, ALONE: time.process_time() - between})
        dropped.update(one.outcome.rule for one in cleaned if isinstance(one.outcome, Dropped))
    took[PARSING] += chain.parsing
    return report(len(raws), took, dropped)


def pipe(alone: Any, batch: Sequence[Raw]) -> None:
    with alone.memory_zone():
        for _ in alone.pipe((raw.text for raw in batch), batch_size=MOST_TEXTS):
            pass


def report(n: int, took: Counter[str], dropped: Counter[str]) -> int:
    without = took[CHAIN] - took[PARSING]
    print(f"{n:,} captions in batches of {AT_ONCE:,}, processor time of one core")
    for name, seconds in ((CHAIN, took[CHAIN]), ("  of it without the parser", without), (ALONE, took[ALONE])):
        print(f"  {name:27} {seconds:8.2f} s   {n / seconds:9,.0f} captions/s")
    print(f"  dropped: {', '.join(f'{rule} {count:,}' for rule, count in dropped.most_common())}")
    ratio = took[ALONE] / took[CHAIN]
    print(f"  chain / nlp.pipe alone      {ratio:8.2f}     at least {LEAST}")
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
