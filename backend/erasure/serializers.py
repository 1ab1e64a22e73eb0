"""What the API takes to erase and to delete: each asks for a typed confirmation."""

from __future__ import annotations

from rest_framework import serializers


class EraseMemberIn(serializers.Serializer):
    username = serializers.CharField(max_length=150, help_text="The user name of the person, typed.")


class ErasedOut(serializers.Serializer):
    pseudonym = serializers.CharField()


class DeleteProjectIn(serializers.Serializer):
    slug = serializers.CharField(max_length=60, help_text="The address of the project, typed.")
