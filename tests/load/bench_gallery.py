"""How smoothly 25,000 photographs scroll, held against a plain page of the same pictures in the same run and browser.

    python tests/load/bench_gallery.py [--images 25000] [--rounds 3] [--turns 80]

* scrolling: while the wheel turns, frame times by the clock and the processor time of the page's main thread, in turns
  on a page of plain <img> elements (as many in a row, as large), at the top of the gallery, and at its end with every
  page loaded. At the end the 95th percentile of the frames is at most 50 ms or twice the plain page's, and the main
  thread works at most 1.5 times as much as at the top.
* API: the first page of the list against the last, in turns. Keyset paging: at most 1.5 times.

Real stack, real chromium, medians over the rounds. Ends with status 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
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
from many_images import project_of  # noqa: E402
from scrolling import Scrolled, scroll  # noqa: E402
from walker import PASSWORD, Lab  # noqa: E402

PER_PAGE, N_PLAIN = 100, 600
FRAMES, WORK, API = 2.0, 1.5, 1.5
SMOOTH_MS = 50
PLAIN = """<!doctype html><style>
  body {{ margin: 24px; display: flex; flex-wrap: wrap; gap: 10px }}
  img {{ width: 340px; height: 250px; object-fit: cover }}
</style>{pictures}"""


def open_gallery(page: Page, lab: Lab) -> None:
    page.goto(f"/projects/{lab.slug}/images")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("[data-tile] img").first.wait_for()


class Pages:
    """The addresses of the list's pages, found by following `next`."""

    def __init__(self, lab: Lab) -> None:
        self.curator, self.known = lab.curator, [f"/projects/{lab.slug}/images?limit={PER_PAGE}"]

    def address(self, n: int) -> str:
        """Where page `n` is, counted from 0."""
        while len(self.known) <= n:
            self.known.append(self.curator.get(self.known[-1])["next"].removeprefix(self.curator.site))
        return self.known[n]


def open_plain(page: Page, pages: Pages) -> None:
    """A page without any script: as many lazy pictures as the wheel can reach."""
    read = (pages.curator.get(pages.address(n)) for n in range(N_PLAIN // PER_PAGE))
    addresses = [image["thumbnail"]["large"]["url"] for one in read for image in one["results"]]
    html = PLAIN.format(pictures="".join(f'<img src="{a}" loading="lazy" decoding="async">' for a in addresses))
    page.route("**/plain", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("/plain")


def load_everything(page: Page, n: int) -> float:
    """Scroll until the last photograph is there. Seconds."""
    start = time.monotonic()
    while int(page.locator("[data-tile]").last.get_attribute("data-tile") or 0) + 1 < n:
        page.evaluate("scrollTo(0, 1e9)")
        page.wait_for_timeout(20)
    return time.monotonic() - start


def scroll_from(page: Page, top: float, *, turns: int, pixels: int) -> Scrolled:
    page.bring_to_front()
    page.evaluate(f"scrollTo(0, {top})")
    page.wait_for_timeout(1500)
    return scroll(page, turns=turns, pixels=pixels)


def measure_scrolling(plain: Page, gallery: Page, *, rounds: int, turns: int) -> bool:
    """Print one line each; whether the bounds are kept."""
    places: dict[str, Callable[[], Scrolled]] = {
        "plain page": lambda: scroll_from(plain, 0, turns=turns, pixels=250),
        "gallery, top": lambda: scroll_from(gallery, 0, turns=turns, pixels=250),
        "gallery, end": lambda: scroll_from(gallery, 1e9, turns=turns, pixels=-250),
    }
    seen: dict[str, list[Scrolled]] = {name: [] for name in places}
    for _ in range(rounds):
        for name, run in places.items():
            seen[name].append(run())
    for name, runs in seen.items():
        report(name, runs)
    p95 = {name: median(run.quantile(0.95) for run in runs) for name, runs in seen.items()}
    busy = {name: median(run.busy_ms for run in runs) for name, runs in seen.items()}
    frames, work = p95["gallery, end"] / p95["plain page"], busy["gallery, end"] / busy["gallery, top"]
    print(f"  p95 of the frames, end / plain page {frames:.2f}; at most {FRAMES}, or {SMOOTH_MS} ms")
    print(f"  work of the main thread, end / top {work:.2f}; at most {WORK}")
    return (frames <= FRAMES or p95["gallery, end"] <= SMOOTH_MS) and work <= WORK


def report(name: str, runs: list[Scrolled]) -> None:
    p50, p95 = (median(run.quantile(share) for run in runs) for share in (0.5, 0.95))
    slow, busy = median(run.share_slow for run in runs), median(run.busy_ms for run in runs)
    longest, n_nodes = max(run.longest_task_ms for run in runs), max(run.n_nodes for run in runs)
    print(f"  {name:13} frames p50 {p50:5.1f} ms, p95 {p95:5.1f} ms, over 50 ms {slow:5.1%}", end="   ")
    print(f"main thread {busy:6,.0f} ms, longest task {longest:3.0f} ms   {n_nodes:,} elements")


def measure_api(pages: Pages, n: int, *, repeats: int = 40) -> bool:
    """Print the medians of the first and the last page, asked in turns; whether they are alike."""
    addresses = {"first": pages.address(0), "last": pages.address(n // PER_PAGE - 1)}
    took: dict[str, list[float]] = {name: [] for name in addresses}
    for _ in range(repeats):
        for name, address in addresses.items():
            start = time.perf_counter()
            pages.curator.get(address)
            took[name].append(1000 * (time.perf_counter() - start))
    first, last = median(took["first"]), median(took["last"])
    print(f"  API, {PER_PAGE} images: first page {first:.1f} ms, last {last:.1f} ms", end=", ")
    print(f"ratio {last / first:.2f}; at most {API}")
    return last <= API * first


def measure(stack: LiveStack, asked: Any) -> bool:
    n = asked.images // PER_PAGE * PER_PAGE
    lab = project_of(stack, n, slug="large")
    pages = Pages(lab)
    with sync_playwright() as playwright:
        context = launched(playwright).new_context(base_url=stack.url, viewport=SIZES["desk"])
        gallery, plain = context.new_page(), context.new_page()
        open_gallery(gallery, lab)
        open_plain(plain, pages)
        gallery.bring_to_front()
        seconds = load_everything(gallery, n)
        print(f"{n:,} photographs, median of {asked.rounds} rounds; scrolled to the end in {seconds:.0f} s")
        smooth = measure_scrolling(plain, gallery, rounds=asked.rounds, turns=asked.turns)
    return measure_api(pages, n) and smooth


def main() -> int:
    arguments = argparse.ArgumentParser(description="Scrolling 25,000 photographs against a plain page of pictures.")
    arguments.add_argument("--images", type=int, default=25_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--turns", type=int, default=80)
    asked = arguments.parse_args()
    with throwaway_stack() as stack:
        return 0 if measure(stack, asked) else 1


if __name__ == "__main__":
    sys.exit(main())
