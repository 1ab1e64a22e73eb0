"""A person's theme, language, breaks and keys: what may be kept, checked here since every page later trusts it.

Whatever the front end offers, a program can send anything; a key that is markup instead of a key must never be stored.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from backend.common.errors import InvalidInput

Choice = TypeVar("Choice", str, int)
THEMES = ("system", "light", "dark", "contrast")
# What the site speaks; `system` leaves it to the browser. The front end has a whole catalogue for each of the others.
LANGUAGES = ("system", "en", "de")
BREAKS = (50, 25, 90, 0)  # minutes of work without a pause after which a break is proposed; 0: never
# Every verb of every page with its usual keys, as the front end registers them; a test of its own writes the file.
VERBS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("verbs.json").read_text())
EVERYWHERE = "global"
ARROWS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")
NAMED_KEYS = ("Enter", *ARROWS, "Backspace", "Space")
SHIFTED_ARROWS = tuple(f"Shift+{arrow}" for arrow in ARROWS)


def read_preferences(stored: object) -> dict[str, Any]:
    """Complete preferences out of a stored column; what no longer makes sense falls back to the default."""
    kept = stored if isinstance(stored, dict) else {}
    try:
        keys = check_keys(kept.get("keys", {}))
    except InvalidInput:
        keys = {}
    return {
        "theme": _one_of(THEMES, kept.get("theme")),
        "language": _one_of(LANGUAGES, kept.get("language")),
        "break_minutes": _one_of(BREAKS, kept.get("break_minutes")),
        "keys": keys,
    }


def _one_of(choices: tuple[Choice, ...], stored: object) -> Choice:
    """The stored choice, or the first where it is none."""
    return next((choice for choice in choices if type(stored) is type(choice) and choice == stored), choices[0])


def check_keys(sent: object) -> dict[str, str]:
    """`{action: key}` with each key in its one spelling. Raises InvalidInput on an unknown action, a key that is none,
    or a key that means something else already where the action is at hand."""
    if not isinstance(sent, dict):
        raise InvalidInput("Send the keys as an object of actions and keys.", code="keys_not_an_object")
    keys = {_known_action(action): _one_spelling(key) for action, key in sent.items()}
    for action, key in keys.items():
        _refuse_shared(action, key, keys)
    return keys


def _known_action(action: object) -> str:
    if action in VERBS:
        return str(action)
    raise InvalidInput(
        "This action does not exist. The actions are: {actions}.",
        code="no_such_action",
        params={"actions": ", ".join(VERBS)},
    )


def _one_spelling(key: object) -> str:
    """A named key as it is, a character in lower case: the site compares letters without their case."""
    if key in NAMED_KEYS:
        return str(key)
    lower = key.lower() if isinstance(key, str) else ""
    if len(lower) == 1 and _is_visible(lower):
        return lower
    letter = lower.removeprefix("shift+")
    if isinstance(key, str) and key.startswith("Shift+") and len(letter) == 1 and letter.isalpha():
        return f"Shift+{letter}"
    if key in SHIFTED_ARROWS:
        return str(key)
    raise InvalidInput(
        "Choose one visible character, Shift+ with a letter or an arrow, or one of: {keys}.",
        code="no_such_key",
        params={"keys": ", ".join(NAMED_KEYS)},
    )


def _is_visible(character: str) -> bool:
    """Printable, no space, and no mark that only lives on another character."""
    return character.isprintable() and not character.isspace() and not unicodedata.category(character).startswith("M")


def _refuse_shared(action: str, key: str, chosen: Mapping[str, str]) -> None:
    for other in VERBS:
        if other != action and _meet(action, other) and key in effective_keys(other, chosen):
            raise InvalidInput(
                "{one} and {other} have the same key {key}. Choose another key for one of them.",
                code="key_shared",
                params={"one": other, "other": action, "key": key},
            )


def _meet(action: str, other: str) -> bool:
    """Whether both can be at hand on one page."""
    scopes = {VERBS[action]["scope"], VERBS[other]["scope"]}
    return len(scopes) == 1 or EVERYWHERE in scopes


def effective_keys(action: str, chosen: Mapping[str, str]) -> list[str]:
    """The keys of an action: the chosen one stands in the place of its first."""
    usual = ["Space" if key == " " else key for key in VERBS[action]["keys"]]
    return [chosen[action], *usual[1:]] if action in chosen else usual
