"""How smoothly a map of 25,000 images pans, held against an empty page in the same run and browser.

    python tests/load/bench_explore.py [--images 25000] [--rounds 3] [--moves 120]

* panning: while the mouse leads the map in circles, frame times by the clock and the processor time of the page's main
  thread, in turns on an empty page, on the whole map and on the map four steps closer. The 95th percentile of the
  frames is at most twice the empty page's, or 50 ms.
* points: bytes of the one answer, as it is and gzipped, at most 1 MB; milliseconds, and those of the second request,
  which names the ETag.

Real stack, real chromium without a graphics card, medians over the rounds. Ends with status 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from browser_fixtures import SIZES, launched  # noqa: E402
from live_stack import LiveStack, throwaway_stack  # noqa: E402
from many_images import project_of, sample_of  # noqa: E402
from panning import pan  # noqa: E402
from scrolling import Scrolled  # noqa: E402
from walker import PASSWORD, Lab  # noqa: E402

FRAMES, SMOOTH_MS, MOST_BYTES = 2.0, 50, 1_000_000
SLUG = "large"


def open_map(page: Page) -> None:
    page.goto(f"/projects/{SLUG}/explore")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("application").wait_for()


def open_empty(page: Page) -> None:
    page.route("**/empty", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto("/empty")


def pan_at(page: Page, *, closer: int, moves: int) -> Scrolled:
    page.bring_to_front()
    page.keyboard.press("0")
    for _ in range(closer):
        page.keyboard.press("+")
    page.wait_for_timeout(500)
    return pan(page, moves=moves)


def measure_panning(empty: Page, explore: Page, *, rounds: int, moves: int) -> bool:
    """Print one line each; whether the bound is kept."""
    places: dict[str, Callable[[], Scrolled]] = {
        "empty page": lambda: pan_at(empty, closer=0, moves=moves),
        "whole map": lambda: pan_at(explore, closer=0, moves=moves),
        "four steps in": lambda: pan_at(explore, closer=4, moves=moves),
    }
    seen: dict[str, list[Scrolled]] = {name: [] for name in places}
    for _ in range(rounds):
        for name, run in places.items():
            seen[name].append(run())
    for name, runs in seen.items():
        report(name, runs)
    p95 = {name: median(run.quantile(0.95) for run in runs) for name, runs in seen.items()}
    slowest = max(p95["whole map"], p95["four steps in"])
    frames = slowest / p95["empty page"]
    print(f"  p95 of the frames, map / empty page {frames:.2f}; at most {FRAMES}, or {SMOOTH_MS} ms")
    return frames <= FRAMES or slowest <= SMOOTH_MS


def report(name: str, runs: list[Scrolled]) -> None:
    p50, p95 = (median(run.quantile(share) for run in runs) for share in (0.5, 0.95))
    slow, busy = median(run.share_slow for run in runs), median(run.busy_ms for run in runs)
    n_frames, longest = median(len(run.frames) for run in runs), max(run.longest_task_ms for run in runs)
    print(f"  {name:13} frames p50 {p50:5.1f} ms, p95 {p95:5.1f} ms, over 50 ms {slow:5.1%}", end="   ")
    print(f"main thread {busy / n_frames:4.1f} ms a frame, longest task {longest:3.0f} ms")


def measure_points(lab: Lab, *, repeats: int = 10) -> bool:
    """Print how large the points are and how long they take; whether they are small enough."""
    sample = lab.curator.get(f"/projects/{lab.slug}/samples")[0]["id"]
    address = f"{lab.curator.site}/api/v1/samples/{sample}/points"
    first = lab.curator.http.get(address, timeout=60)
    fresh = _ms(lambda: lab.curator.http.get(address, timeout=60), repeats)
    tag = {"If-None-Match": first.headers["ETag"]}
    again = _ms(lambda: lab.curator.http.get(address, headers=tag, timeout=60), repeats)
    packed = len(gzip.compress(first.content, 6))
    print(f"  points {len(first.content):,} bytes, gzipped {packed:,}; at most {MOST_BYTES:,}", end="   ")
    print(f"{fresh:.0f} ms, held already {again:.0f} ms")
    return packed <= MOST_BYTES


def _ms(act: Callable[[], object], repeats: int) -> float:
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        act()
        took.append(1000 * (time.perf_counter() - start))
    return median(took)


def measure(stack: LiveStack, asked: Any) -> bool:
    lab = project_of(stack, asked.images, slug=SLUG)
    sample_of(stack, slug=SLUG, k=asked.images // 5)
    print(f"{asked.images:,} images, {asked.images // 5:,} of them picked, median of {asked.rounds} rounds")
    with sync_playwright() as playwright:
        context = launched(playwright).new_context(base_url=stack.url, viewport=SIZES["desk"])
        explore, empty = context.new_page(), context.new_page()
        open_map(explore)
        open_empty(empty)
        smooth = measure_panning(empty, explore, rounds=asked.rounds, moves=asked.moves)
    return measure_points(lab) and smooth


def main() -> int:
    arguments = argparse.ArgumentParser(description="Panning a map of 25,000 images against an empty page.")
    arguments.add_argument("--images", type=int, default=25_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--moves", type=int, default=120)
    asked = arguments.parse_args()
    with throwaway_stack() as stack:
        return 0 if measure(stack, asked) else 1


if __name__ == "__main__":
    sys.exit(main())
