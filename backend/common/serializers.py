"""What every room sends."""

from __future__ import annotations

from rest_framework import serializers


class SaidOut(serializers.Serializer):
    """A sentence for people. `code` is stable. It is empty if a person wrote the sentence."""

    code = serializers.CharField(allow_blank=True)
    message = serializers.CharField(help_text="In English.")
    params = serializers.DictField(help_text="The values in the message, by name: texts and numbers.")
