"""How fast and how calm the annotator's workbench is, held against bare pages in the same run and browser.

    python tests/load/bench_workbench.py [--hits 500] [--paced 50] [--pause 120] [--delay 50]

Somebody judges 500 HITs of five captions by keys alone, over a network that takes 50 ms longer in each direction:

* Enter until the next HIT stands on the screen, its photograph decoded: 95th percentile under 100 ms. The reference is
  a bare page that swaps two decoded pictures.
* A key until its judgment stands on the screen: 95th percentile under 32 ms, the reference being that page's counter.
* Long tasks while judging: none over 50 ms, by the clock of the browser and by the processor time of the main thread.
* Memory at HIT 150 and at HIT 500, after the browser has collected its garbage: heap, elements, listeners. Before HIT
  150 the heap grows by what V8 compiles (two heap snapshots: nine bytes of ten that came were code).
* JavaScript and CSS of the route, gzipped: at most 170 kB. Largest contentful paint, layout shift, blocking time.

The first 50 HITs are typed with a pause after each key, the others as fast as they come. Real stack, real chromium
without a graphics card. Ends with status 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from playwright.sync_api import CDPSession, Page, sync_playwright  # noqa: E402

from at_the_keys import Typed, Typist, quantile  # noqa: E402
from browser_fixtures import SIZES, launched  # noqa: E402
from live_stack import throwaway_stack  # noqa: E402
from many_hits import with_many_hits  # noqa: E402
from scrolling import watch  # noqa: E402
from slow_way import slow_way  # noqa: E402
from walker import Lab  # noqa: E402

ENTER_MS, KEY_MS, TASK_MS = 100.0, 32.0, 50.0
HEAP, NODES = 1.1, 1.05  # what counts as flat
N_TRACED = 20
N_COMPILED = 80  # HITs until V8 has compiled most of what it will
KEYS = "ggbug"
SLUG = "workbench"
VITALS = """
() => {
  const seen = { lcp: 0, cls: 0, blocked: 0 }
  window.connoteVitals = seen
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  observe('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime })
  observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value })
  observe('longtask', (entry) => { seen.blocked += entry.duration - 50 })
}
"""
BARE = """<!doctype html><main><img src="{first}"><div role="progressbar" aria-valuenow="0"></div></main><script>
  const pictures = ["{first}", "{second}"].map((src) => Object.assign(new Image(), {{ src }}))
  pictures.forEach((picture) => picture.decode())
  const count = {{ entered: 0, judged: 0 }}
  addEventListener("keydown", ({{ key }}) => {{
    if (key === "Enter") document.querySelector("main img").src = pictures[++count.entered % 2].src
    else document.querySelector("[role=progressbar]").setAttribute("aria-valuenow", ++count.judged)
  }})
</script>"""


class Bench:
    """Prints each figure with what it may be at most, and remembers what was missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def bound(self, sentence: str, is_met: bool) -> None:
        print(f"  {'met   ' if is_met else 'MISSED'} {sentence}")
        if not is_met:
            self.missed.append(sentence)


def open_desk(page: Page, lab: Lab) -> None:
    """The annotate page as its annotator, with the next HIT in hand, and what its loading was like printed."""
    lab.annotators[0].let_in(page)
    page.add_init_script(f"({VITALS})()")
    page.goto(f"/projects/{lab.slug}/annotate")
    page.locator("main img").first.wait_for()
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("() => connoteVitals")
    print(f"  loading: LCP {seen['lcp']:,.0f} ms, CLS {seen['cls']:.3f}, TBT {seen['blocked']:,.0f} ms, nothing cached")


def open_bare(page: Page, lab: Lab) -> None:
    """Two pictures and a counter."""
    images = lab.curator.get(f"/projects/{lab.slug}/images?limit=2")["results"]
    first, second = (image["thumbnail"]["large"]["url"] for image in images)
    html = BARE.format(first=first, second=second)
    page.route("**/bare", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("/bare")
    page.wait_for_load_state("networkidle")


def type_hits(page: Page, typist: Typist, *, n: int, pause_ms: float) -> Typed:
    page.bring_to_front()
    typist.begin()
    for _ in range(n):
        typist.judge(KEYS, pause_ms=pause_ms)
    return typist.seen()


def measure_keys(bench: Bench, desk: Typed, bare: Typed) -> None:
    """The bounds on what a key takes to show, and on what blocks the page meanwhile."""
    for name, seen in (("bare page", bare), ("workbench", desk)):
        for verb, took in (("Enter", seen.entered), ("a key", seen.judged), ("by the browser", seen.events)):
            p50, p95 = quantile(took, 0.5), quantile(took, 0.95)
            print(f"    {name:9} {verb:14} p50 {p50:5.1f} ms, p95 {p95:5.1f} ms, {len(took)} times")
    entered, judged = quantile(desk.entered, 0.95), quantile(desk.judged, 0.95)
    bench.bound(f"Enter until the next HIT is painted: p95 {entered:.1f} ms, under {ENTER_MS:.0f}", entered < ENTER_MS)
    bench.bound(f"key until its judgment is painted: p95 {judged:.1f} ms, under {KEY_MS:.0f}", judged < KEY_MS)
    n, n_bare = len(desk.long_tasks), len(bare.long_tasks)
    tasks = f"tasks over {TASK_MS:.0f} ms by the clock while judging: {n}, the bare page had {n_bare}"
    bench.bound(tasks, n <= n_bare)


def measure_work(bench: Bench, page: Page, typist: Typist) -> None:
    seen = watch(page, lambda: type_hits(page, typist, n=N_TRACED, pause_ms=0))
    n_keys = N_TRACED * (len(KEYS) + 1)
    longest, each = seen.longest_task_ms, seen.busy_ms / n_keys
    print(f"    main thread {each:.1f} ms of processor time a key")
    bench.bound(f"longest task by processor time {longest:.0f} ms, at most {TASK_MS:.0f}", longest <= TASK_MS)


def memory(cdp: CDPSession) -> dict[str, float]:
    """Bytes of heap, elements and listeners, once all garbage is collected."""
    for _ in range(3):
        cdp.send("HeapProfiler.collectGarbage")
    metrics = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    return {name: metrics[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")}


def measure_memory(bench: Bench, early: dict[str, float], late: dict[str, float], *, hits: tuple[int, int]) -> None:
    for name, most, unit in (("JSHeapUsedSize", HEAP, "bytes of heap"), ("Nodes", NODES, "nodes"),
                             ("JSEventListeners", NODES, "listeners")):  # fmt: skip
        ratio = late[name] / early[name]
        figures = f"{early[name]:,.0f} at HIT {hits[0]}, {late[name]:,.0f} at HIT {hits[1]}"
        bench.bound(f"{unit}: {figures}, ratio {ratio:.3f}, at most {most}", ratio <= most)


def measure_size(bench: Bench) -> None:
    done = subprocess.run(["node", "scripts/route-size.mjs"], cwd=ROOT / "frontend", capture_output=True, text=True)
    bench.bound(done.stdout.strip().splitlines()[-1].strip(), done.returncode == 0)


def measure(bench: Bench, page: Page, bare: Page, lab: Lab, asked: Any) -> None:
    open_desk(page, lab)
    open_bare(bare, lab)
    reference = type_hits(bare, Typist(bare), n=asked.paced, pause_ms=asked.pause)
    typist, cdp = Typist(page), page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    measure_keys(bench, type_hits(page, typist, n=asked.paced, pause_ms=asked.pause), reference)
    measure_work(bench, page, typist)
    n_warm = asked.paced + N_TRACED + N_COMPILED
    type_hits(page, typist, n=N_COMPILED, pause_ms=0)
    typist.begin()
    early = memory(cdp)
    start, n = time.monotonic(), asked.hits - n_warm
    flat_out = type_hits(page, typist, n=n, pause_ms=0)
    seconds = time.monotonic() - start
    p95 = quantile(flat_out.entered, 0.95)
    print(f"    {n} HITs without a pause in {seconds:.0f} s, Enter p95 {p95:.0f} ms, the server being waited for")
    typist.begin()
    measure_memory(bench, early, memory(cdp), hits=(n_warm, asked.hits))


def main() -> int:
    arguments = argparse.ArgumentParser(description="The annotator's workbench, in milliseconds and bytes.")
    arguments.add_argument("--hits", type=int, default=500)
    arguments.add_argument("--paced", type=int, default=50, help="HITs typed with a pause after each key")
    arguments.add_argument("--pause", type=float, default=120, help="milliseconds")
    arguments.add_argument("--delay", type=float, default=50, help="milliseconds each way")
    asked, bench = arguments.parse_args(), Bench()
    with throwaway_stack() as stack, slow_way(stack.url, delay_ms=asked.delay) as url, sync_playwright() as playwright:
        lab = with_many_hits(stack, asked.hits + 5, slug=SLUG)
        print(f"{asked.hits} HITs of {len(KEYS)} captions, {asked.delay:.0f} ms further away in each direction")
        browser = launched(playwright)
        page, bare = (browser.new_context(base_url=url, viewport=SIZES["desk"]).new_page() for _ in range(2))
        lab.annotators[0].let_in(bare)
        measure(bench, page, bare, lab, asked)
        browser.close()
    measure_size(bench)
    print("\n".join(bench.missed) if bench.missed else "Every bound is met.")
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
