"""A person's theme, language and keys: what may be kept, checked here because every page of the site later trusts it.

Whatever the front end offers, a program can send anything; a key that is markup instead of a key must never be stored.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from backend.common.errors import InvalidInput

THEMES = ("system", "light", "dark", "contrast")
# What the site speaks; `system` leaves it to the browser. The front end has a whole catalogue for each of the others.
LANGUAGES = ("system", "en", "de")
# Each verb of the annotate page that may be given another key, with the key it has until then.
DEFAULT_KEYS = {
    "judge.good": "1",
    "judge.bad": "2",
    "judge.unsure": "3",
    "hit.submit": "Enter",
    "caption.next": "ArrowDown",
    "caption.previous": "ArrowUp",
    "judge.undo": "z",
}
NAMED_KEYS = ("Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Backspace", "Space")


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
        "keys": keys,
    }


def _one_of(choices: tuple[str, ...], stored: object) -> str:
    """The stored choice, or the first where it is none."""
    return str(stored) if stored in choices else choices[0]


def check_keys(sent: object) -> dict[str, str]:
    """`{action: key}` with each key in its one spelling. Raises InvalidInput on an unknown action, a key that is none,
    or a key that two actions would share."""
    if not isinstance(sent, dict):
        raise InvalidInput("Send the keys as an object: {action: key}.")
    keys = {_known_action(action): _one_spelling(key) for action, key in sent.items()}
    _refuse_shared(DEFAULT_KEYS | keys)
    return keys


def _known_action(action: object) -> str:
    if action in DEFAULT_KEYS:
        return str(action)
    raise InvalidInput(f"There is no such action to give a key to. The actions are: {', '.join(DEFAULT_KEYS)}.")


def _one_spelling(key: object) -> str:
    """A named key as it is, a character in lower case: the site compares letters without their case."""
    if key in NAMED_KEYS:
        return str(key)
    lower = key.lower() if isinstance(key, str) else ""
    if len(lower) == 1 and _is_visible(lower):
        return lower
    raise InvalidInput(f"A key is one visible character, or one of: {', '.join(NAMED_KEYS)}.")


def _is_visible(character: str) -> bool:
    """Printable, no space, and no mark that only lives on another character."""
    return character.isprintable() and not character.isspace() and not unicodedata.category(character).startswith("M")


def _refuse_shared(keys: dict[str, str]) -> None:
    owners: dict[str, str] = {}
    for action, key in keys.items():
        if key in owners:
            raise InvalidInput(f"{owners[key]} and {action} would share the key {key}: give one of them another.")
        owners[key] = action
