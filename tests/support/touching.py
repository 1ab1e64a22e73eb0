"""Fingers on the glass of a phone."""

from __future__ import annotations

from playwright.sync_api import Page

FRAME_MS, REST_MS = 16, 100


def touch(page: Page, begin: list[tuple[float, float]], end: list[tuple[float, float]], *, moves: int = 5) -> None:
    """Lead as many fingers as there are points from where they begin to where they end, at the speed of a hand.

    What leaves the glass in full flight is a throw, and the tap after it only stops what was thrown.
    """
    client = page.context.new_cdp_session(page)

    def send(kind: str, points: list[tuple[float, float]]) -> None:
        shown = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": shown})

    send("touchStart", begin)
    for n in range(1, moves + 1):
        send(
            "touchMove",
            [(a + (c - a) * n / moves, b + (d - b) * n / moves) for (a, b), (c, d) in zip(begin, end, strict=True)],
        )
        page.wait_for_timeout(FRAME_MS)
    page.wait_for_timeout(REST_MS)
    send("touchEnd", [])
    client.detach()
