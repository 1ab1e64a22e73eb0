"""Keyboards that are printed otherwise than an American one: what a key types, and where it sits, told to the browser.

Playwright's own keyboard is always American. Here a press says both, as the system does: `key` is what the layout
types, `code` the name that the key has on an American board.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

CONTROL = 2  # as the DevTools protocol counts modifiers
SHIFT = 8
NAMED = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
# Of each layout the keys that the workbench uses, where they are not at their American place.
AZERTY = {"z": "KeyW", "w": "KeyZ", "a": "KeyQ", "q": "KeyA", "m": "Semicolon"}
AZERTY_DIGITS = {"1": "&", "2": "é", "3": '"', "4": "'"}  # what the digits' keys type without Shift
DVORAK = {
    "g": "KeyU", "b": "KeyN", "u": "KeyF", "e": "KeyD", "z": "Slash", "l": "KeyP", "t": "KeyK", "c": "KeyI",
    "i": "KeyG", "k": "KeyV", "y": "KeyT", "o": "KeyS", "h": "KeyJ",
}  # fmt: skip


@dataclass
class Keyboard:
    """Somebody's keyboard under a page."""

    page: Page
    places: dict[str, str]
    digits: dict[str, str]

    def __post_init__(self) -> None:
        self.client = self.page.context.new_cdp_session(self.page)

    def press(self, key: str, *, modifiers: int = 0) -> None:
        """Press the key that has this printed on it."""
        typed = self.digits.get(key, key)
        code = key if key in NAMED else f"Digit{key}" if key.isdigit() else self.places.get(key, f"Key{key.upper()}")
        number = NAMED.get(key, ord(key.upper()[0]))
        event = {"key": typed, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        text = {"text": "\r" if key == "Enter" else typed} if key not in NAMED or key == "Enter" else {}
        self.client.send(
            "Input.dispatchKeyEvent", {"type": "keyDown", **event, **({} if modifiers & CONTROL else text)}
        )
        self.client.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def type(self, keys: str) -> None:
        for key in keys:
            self.press(key)


def azerty(page: Page) -> Keyboard:
    """A French keyboard."""
    return Keyboard(page, AZERTY, AZERTY_DIGITS)


def dvorak(page: Page) -> Keyboard:
    """An American Dvorak keyboard."""
    return Keyboard(page, DVORAK, {})
