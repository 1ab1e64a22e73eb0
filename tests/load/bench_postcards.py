"""How many of the pictures that as many seeds give are different, byte for byte.

    python tests/load/bench_postcards.py [5000] [--first 0]

Each seed's scene is drawn 48 pixels wide, the smallest there is: what differs there differs at every size. Ends with
status 1 where two seeds give the same picture.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workers.training.postcards.drawing import draw
from workers.training.postcards.world import scene_of

WIDTH = 48
AT_ONCE = 250  # seeds that a process is handed together


def digest(seed: int) -> bytes:
    """SHA-256 of the bytes of this seed's picture."""
    return hashlib.sha256(draw(scene_of(seed), WIDTH).tobytes()).digest()


def n_different(first: int, n: int) -> int:
    """How many different pictures the `n` seeds from `first` give, drawn on all cores."""
    with Pool(os.cpu_count()) as pool:
        return len(set(pool.imap_unordered(digest, range(first, first + n), chunksize=AT_ONCE)))


def main() -> int:
    arguments = argparse.ArgumentParser(description="Different pictures among those of many seeds.")
    arguments.add_argument("n", type=int, nargs="?", default=5000)
    arguments.add_argument("--first", type=int, default=0)
    asked = arguments.parse_args()
    start = time.perf_counter()
    found = n_different(asked.first, asked.n)
    took = time.perf_counter() - start
    print(f"{found:,} of {asked.n:,} pictures at {WIDTH} px are different ({took:.0f} s)")
    return 0 if found == asked.n else 1


if __name__ == "__main__":
    sys.exit(main())
