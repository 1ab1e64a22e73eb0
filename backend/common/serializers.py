"""What every room sends."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SaidOut(serializers.Serializer):
    """A sentence for people. `code` is stable. It is empty if a person wrote the sentence."""

    code = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In English.")
    params = serializers.DictField(help_text="The values in the message, by name: texts and numbers.")


def validated(kind: type[serializers.BaseSerializer[Any]], data: Any) -> dict[str, Any]:
    """The values that a client sent, by this serializer. Raises ValidationError."""
    sent = kind(data=data)
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)
