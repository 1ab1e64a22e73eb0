"""Fields of the API take what they say: a text is no number, an id is a text, a number is neither true nor false.

DRF turns `{"display_name": 0}` into the name "0", `[false]` into a list with a UUID of zeros, and true into 1.0. A
client that sends these has a mistake, which it should learn of. The rule is set on DRF's own classes: serializers of
models choose them by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from rest_framework import fields

Read = Callable[[Any, Any], Any]
TAKES: dict[type[Any], Callable[[object], bool]] = {
    fields.CharField: lambda value: isinstance(value, str),
    fields.UUIDField: lambda value: isinstance(value, (str, UUID)),
    fields.IntegerField: lambda value: not isinstance(value, bool),
    fields.FloatField: lambda value: not isinstance(value, bool),
    fields.DecimalField: lambda value: not isinstance(value, bool),
}


def be_strict() -> None:
    """Let these fields refuse values of other types, each with its own sentence for "invalid"."""
    for field, takes in TAKES.items():
        read = field.to_internal_value
        if not hasattr(read, "__wrapped__"):
            field.to_internal_value = _strict(read, takes)


def _strict(read: Read, takes: Callable[[object], bool]) -> Read:
    @wraps(read)
    def to_internal_value(field: Any, data: Any) -> Any:
        if not takes(data):
            field.fail("invalid", value=data)
        return read(field, data)

    return to_internal_value
