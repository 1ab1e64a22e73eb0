"""Scrolls a page the way a hand does, and keeps what the browser itself noted meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

# Runs in the page: how long every frame took, and the most elements there ever were.
WATCH = """
() => {
  const seen = { frames: [], nodes: 0, isOver: false }
  window.connoteWatch = seen
  let before = performance.now()
  const frame = (now) => {
    seen.frames.push(now - before)
    before = now
    if (seen.frames.length % 10 === 0) seen.nodes = Math.max(seen.nodes, document.getElementsByTagName('*').length)
    if (!seen.isOver) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}
"""
STOP = "() => { window.connoteWatch.isOver = true; return window.connoteWatch }"
TASKS = ["disabled-by-default-devtools.timeline", "__metadata"]


@dataclass(frozen=True)
class Scrolled:
    """Milliseconds of every frame by the clock; the most elements the page held; and of the page's main thread the
    processor time of all its tasks and of the longest, which other programs of the machine do not lengthen."""

    frames: list[float]
    n_nodes: int
    busy_ms: float
    longest_task_ms: float

    def quantile(self, share: float) -> float:
        ordered = sorted(self.frames)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def share_slow(self) -> float:
        """The share of frames that took more than 50 ms."""
        return sum(frame > 50 for frame in self.frames) / len(self.frames)


def watch(page: Page, act: Callable[[], object]) -> Scrolled:
    """What the page went through while `act` ran."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=TASKS)
    page.evaluate(WATCH)
    act()
    seen = page.evaluate(STOP)
    tasks = _main_thread_tasks(browser)
    return Scrolled(seen["frames"][1:], seen["nodes"], sum(tasks), max(tasks))


def _main_thread_tasks(browser: Browser) -> list[float]:
    """Processor milliseconds of each task that the trace just ended holds of a page's main thread."""
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "RunTask" and "tdur" in event and (event["pid"], event["tid"]) in main
    ]


def scroll(page: Page, *, turns: int, pixels: int = 250, pause_ms: int = 50) -> Scrolled:
    """Turn the wheel `turns` times over the middle of the window."""
    size = page.viewport_size or {"width": 800, "height": 600}

    def turn() -> None:
        page.mouse.move(size["width"] / 2, size["height"] / 2)
        for _ in range(turns):
            page.mouse.wheel(0, pixels)
            page.wait_for_timeout(pause_ms)

    return watch(page, turn)
