from __future__ import annotations

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "backend.releases"
    label = "releases"
