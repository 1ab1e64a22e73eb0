"""Somebody who only types: judges HITs as fast as asked, while the page itself notes when each key shows on the screen.

A key has shown once the page has changed for it, its picture is decoded, and the frame after that was drawn. Beside it
stands what the browser itself says (Event Timing: up to the next frame on the screen, in steps of 8 ms, from 16 on).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

LABELS = {"g": "good", "b": "bad", "u": "unsure"}

# `connotePace.look` says what a key may change: the picture that Enter replaces, and what the other keys count up.
WATCH = """
() => {
  const pace = { waiting: null, begin: () => Object.assign(pace, { steps: [], events: [], longTasks: [] }) }
  window.connotePace = pace
  pace.begin()
  const photo = () => document.querySelector('main img')
  pace.look = (key) => key === 'Enter'
    ? photo()?.getAttribute('src')
    : document.querySelector('main [role=progressbar]')?.getAttribute('aria-valuenow')
  const frame = new MessageChannel()
  const queue = []
  frame.port1.onmessage = () => queue.shift()()
  const painted = (then) => requestAnimationFrame(() => { queue.push(then); frame.port2.postMessage(0) })
  const settle = async (step) => {
    if (step.key === 'Enter') await photo()?.decode?.().catch(() => undefined)
    painted(() => {
      pace.steps.push({ key: step.key, ms: performance.now() - step.at })
      pace.done?.()
    })
  }
  const changed = () => {
    const step = pace.waiting
    if (!step || pace.look(step.key) === step.before) return
    pace.waiting = null
    void settle(step)
  }
  addEventListener('keydown', (event) => {
    pace.waiting = { key: event.key, at: event.timeStamp, before: pace.look(event.key) }
  }, true)
  new MutationObserver(changed).observe(document, { subtree: true, childList: true, attributes: true })
  const observe = (type, more, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, ...more })
  observe('event', { durationThreshold: 16 }, (entry) => {
    if (entry.name === 'keydown') pace.events.push(entry.duration)
  })
  observe('longtask', {}, (entry) => pace.longTasks.push(entry.duration))
}
"""
# Resolves when the key typed last has shown, or with false when it never does.
SHOWN = """
(n) => new Promise((resolve) => {
  const look = () => { if (connotePace.steps.length >= n) resolve(true) }
  connotePace.done = look
  look()
  setTimeout(() => resolve(false), 20_000)
})
"""

NOTED = "() => { const { steps, events, longTasks } = connotePace; return { steps, events, longTasks } }"


@dataclass
class Typed:
    """Milliseconds from each key to the screen, by what the key did; what the browser's own clock says of the same."""

    judged: list[float]
    entered: list[float]
    events: list[float]
    long_tasks: list[float]


class Typist:
    """Fingers on one page's keys."""

    def __init__(self, page: Page) -> None:
        self.page, self.n_keys = page, 0
        page.evaluate(WATCH)

    def begin(self) -> None:
        """Forget what the page noted before."""
        self.page.evaluate("() => { connotePace.begin() }")
        self.n_keys = 0

    def press(self, key: str, *, pause_ms: float = 0) -> None:
        """Press a key, wait until it shows, then think for `pause_ms`. Raises AssertionError when it never shows."""
        self.page.keyboard.press(key)
        self.n_keys += 1
        assert self.page.evaluate(SHOWN, self.n_keys), f"Key {self.n_keys} of this page, {key}, never showed."
        if pause_ms:
            self.page.wait_for_timeout(pause_ms)

    def judge(self, keys: str, *, pause_ms: float = 0) -> None:
        """Judge the captions of one HIT by these letters, and submit it."""
        for key in (*keys, "Enter"):
            self.press(key, pause_ms=pause_ms)

    def judge_at_once(self, keys: str) -> None:
        """The same without looking up between the letters; only the next HIT is waited for."""
        for key in keys:
            self.page.keyboard.press(key)
        self.n_keys += len(keys)
        self.press("Enter")

    def seen(self) -> Typed:
        """What the page noted since then."""
        found: dict[str, Any] = self.page.evaluate(NOTED)
        judged, entered = (
            [s["ms"] for s in found["steps"] if (s["key"] == "Enter") is which] for which in (False, True)
        )
        return Typed(judged, entered, found["events"], found["longTasks"])


def quantile(values: Iterable[float], share: float) -> float:
    """The value below which that share of them lies; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
