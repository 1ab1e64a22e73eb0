"""Lines to look at before a step of a project. A line never blocks the step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STATES = ("ok", "warning", "info")


@dataclass(frozen=True)
class Item:
    """One line of a checklist. `n` counts what it is about; `link` is the page of the site that shows it."""

    code: str
    state: str
    n: int
    link: str
    params: Mapping[str, Any] = field(default_factory=dict)
