from __future__ import annotations

from django.apps import AppConfig


class ForeignConfig(AppConfig):
    name = "backend.foreign"
    label = "foreign"
