"""A sentence of the server: a code for programs and translations, a template, and the values that fill it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Value = str | int | float
PLACE = re.compile(r"\{(\w+)\}")


def fill(template: str, params: Mapping[str, Value]) -> str:
    """The template with its values. Whole numbers get thousands separators, so pass an id as text."""
    return PLACE.sub(lambda place: _written(params[place[1]]) if place[1] in params else place[0], template)


def _written(value: Value) -> str:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if is_count else str(value)


@dataclass(frozen=True)
class Said:
    """What the server says of something, error or not. The front end translates it by `code` and `params`."""

    code: str
    template: str
    params: Mapping[str, Value] = field(default_factory=dict)

    @property
    def message(self) -> str:
        return fill(self.template, self.params)

    def as_json(self) -> dict[str, Any]:
        """The sentence as the API sends it."""
        return {"code": self.code, "message": self.message, "params": dict(self.params)}
