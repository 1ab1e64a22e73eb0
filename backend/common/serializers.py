"""What every room sends."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import Any

from rest_framework import serializers


class SaidOut(serializers.Serializer):
    """A sentence for people. `code` is stable. It is empty if a person wrote the sentence."""

    code = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In English.")
    params = serializers.DictField(help_text="The values in the message, by name: texts and numbers.")


def validated(kind: type[serializers.BaseSerializer[Any]], data: Any) -> dict[str, Any]:
    """The values that a client sent, by this serializer. Raises ValidationError."""
    sent = copy(_made(kind))
    sent.initial_data = data
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)


def presented(kind: type[serializers.BaseSerializer[Any]], value: object) -> Any:
    """What a client gets of the value, by a serializer that needs no context."""
    return _made(kind).to_representation(value)


@cache
def _made(kind: type[serializers.BaseSerializer[Any]]) -> serializers.BaseSerializer[Any]:
    """A serializer with its fields: DRF copies them for each new one, which takes longer than to use them."""
    made = kind()
    getattr(made, "fields", None)
    return made
