"""Drags a map about the way a hand does, while the browser notes what it went through."""

from __future__ import annotations

import math

from playwright.sync_api import Page

from scrolling import Scrolled, watch

REACH = 150  # pixels from the middle


def pan(page: Page, *, moves: int = 120, pause_ms: int = 8) -> Scrolled:
    """Hold the button in the middle of the window and lead the mouse in circles, `moves` steps in all."""
    size = page.viewport_size or {"width": 800, "height": 600}
    x, y = size["width"] * 0.4, size["height"] * 0.55

    def drag() -> None:
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(moves):
            turn = step / 20 * 2 * math.pi
            page.mouse.move(x + REACH * math.sin(turn), y + REACH * (1 - math.cos(turn)) / 2)
            page.wait_for_timeout(pause_ms)
        page.mouse.up()

    return watch(page, drag)
